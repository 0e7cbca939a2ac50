//! Whom a client trusts: certificates of every usual kind of fault, each with a
//! sentence that says what is wrong and what to do.

mod support;

use std::time::Instant;

use markscope::mark::client::Tls;
use markscope::serve::{Access, Identity};
use markscope::world::{Remote, RemoteOptions};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};

#[path = "support/servers.rs"]
#[allow(dead_code)]
mod servers;

use servers::{BOUND, Served, any_port, certificate, golden_store, insecure};

/// What a client says to a server with one certificate that is given another, or the
/// same, as the one to trust.
fn asking(shown: &str, key: &str, given: &str) -> Result<(), String> {
    let identity = Identity::from_pem(shown.as_bytes(), key.as_bytes()).expect("an identity");
    let served = Served::with(golden_store("music"), Access::default(), identity, any_port());
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), given).expect("written");
    let options = RemoteOptions { tls: Tls::Ca(file.path().to_owned()), ..insecure() };
    let begun = Instant::now();
    let opened =
        Remote::open(&served.location, &options).map(drop).map_err(|error| error.to_string());
    assert!(begun.elapsed() < BOUND);
    Remote::open(&served.location, &insecure()).expect("insecure trusts anyone");
    opened
}

/// The same where the server's own certificate is given.
fn trusting(change: impl FnOnce(&mut CertificateParams)) -> Result<(), String> {
    let (certificate, key) = certificate(change);
    asking(&certificate, &key, &certificate)
}

fn assert_says(result: &Result<(), String>, parts: &[&str]) {
    let error = result.as_ref().expect_err("an error");
    for part in parts {
        assert!(error.contains(part), "{error:?} does not say {part:?}");
    }
    assert!(!error.contains('\n') && !error.contains("Used") && error.len() < 300, "{error}");
}

fn mark(params: &mut CertificateParams) {
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
}

/// With and without the mark of an authority, which the usual way to make a
/// certificate leaves on it.
#[test]
fn a_certificate_that_is_given_itself() {
    for marked in [false, true] {
        let trusting = |change: fn(&mut CertificateParams)| {
            trusting(|params| {
                if marked {
                    mark(params);
                }
                change(params);
            })
        };
        assert_eq!(trusting(|_| {}), Ok(()), "{marked}");
        let nameless = trusting(|params| params.subject_alt_names.clear());
        assert_says(&nameless, &["not for this name", "subject alternative name"]);
        let elsewhere = trusting(|params| {
            params.subject_alt_names =
                vec![rcgen::SanType::DnsName("elsewhere.example".try_into().expect("a name"))];
        });
        assert_says(&elsewhere, &["not for this name"]);
        let expired = trusting(|params| params.not_after = rcgen::date_time_ymd(2020, 1, 1));
        assert_says(&expired, &["has expired", "renew"]);
        let early = trusting(|params| params.not_before = rcgen::date_time_ymd(4000, 1, 1));
        assert_says(&early, &["not valid yet", "clock"]);
    }
}

/// Only the certificate itself is taken in spite of the mark: not another one with
/// the same names, nor the same key, nor one that a trusted authority has signed.
#[test]
fn a_marked_certificate_that_is_not_given() {
    let (shown, key) = certificate(mark);
    let (given, _) = certificate(mark);
    let other = asking(&shown, &key, &given);
    assert_says(&other, &["marked as an authority's (CA:TRUE)", "--ca", "CA:FALSE"]);

    let key = KeyPair::generate().expect("a key");
    let names = || ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let of_key = |serial: u8| {
        let mut params = CertificateParams::new(names()).expect("parameters");
        mark(&mut params);
        params.serial_number = Some(vec![serial].into());
        params.self_signed(&key).expect("a certificate").pem()
    };
    let same_key = asking(&of_key(1), &key.serialize_pem(), &of_key(2));
    assert_says(&same_key, &["marked as an authority's (CA:TRUE)"]);

    let authority_key = KeyPair::generate().expect("a key");
    let mut authority = CertificateParams::new(Vec::new()).expect("parameters");
    mark(&mut authority);
    let authority_pem = authority.self_signed(&authority_key).expect("a certificate").pem();
    let issuer = rcgen::Issuer::new(authority, authority_key);
    let signed = |marked: bool| {
        let mut params = CertificateParams::new(names()).expect("parameters");
        params.distinguished_name.push(rcgen::DnType::CommonName, "leaf");
        if marked {
            mark(&mut params);
        }
        params.signed_by(&key, &issuer).expect("a certificate").pem()
    };
    let key = key.serialize_pem();
    assert_eq!(asking(&signed(false), &key, &authority_pem), Ok(()));
    let marked = asking(&signed(true), &key, &authority_pem);
    assert_says(&marked, &["marked as an authority's (CA:TRUE)"]);
}

#[test]
fn nobody_vouches() {
    let (shown, key) = certificate(|_| {});
    let (given, _) = certificate(|_| {});
    assert_says(&asking(&shown, &key, &given), &["certificate", "; "]);
    let served = Served::new(golden_store("music"), Access::default());
    let options = RemoteOptions { tls: Tls::Platform, ..insecure() };
    let error = Remote::open(&served.location, &options).err().expect("untrusted").to_string();
    assert!(error.contains("--insecure") || error.contains("list of trusted"), "{error}");
}

/// A file that holds nothing to trust is told before anything is sent.
#[test]
fn files_of_no_use() {
    let file = |text: &str| {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        file
    };
    let said = |path: &std::path::Path| {
        let options = RemoteOptions { tls: Tls::Ca(path.to_owned()), ..insecure() };
        let error = Remote::open("mark://127.0.0.1:1/", &options).err().expect("no trust");
        error.to_string()
    };
    let missing = said("/no/such/file".as_ref());
    assert!(missing.starts_with("/no/such/file cannot be read: "), "{missing}");
    assert!(missing.ends_with("; --ca takes certificates in PEM"), "{missing}");
    for (text, want) in [
        ("no PEM at all", "holds no certificate"),
        ("-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n", "is damaged"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "is unusable"),
    ] {
        let file = file(text);
        let error = said(file.path());
        assert!(error.contains(want) && !error.contains('\n'), "{error}");
    }
}
