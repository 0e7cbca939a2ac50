//! Whom a client trusts, and what is wrong with a certificate, in plain words.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use quinn::crypto::rustls::QuicClientConfig;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, RootCertStore, SignatureScheme};

use super::error::ClientError;
use crate::mark::wire::ALPN;

/// Whom to trust.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Tls {
    /// The authorities that this machine trusts.
    #[default]
    Platform,
    /// The certificates of a file in PEM, and no others: what they vouch for, or a
    /// server's own.
    Ca(PathBuf),
    /// Anyone. Whoever is on the way can read and change everything.
    Insecure,
}

/// The last certificate refused, and why.
type Refusal = Arc<Mutex<Option<CertificateError>>>;

/// [`Tls`], with the certificates read.
pub(super) struct Trust {
    verifier: Arc<Verifier>,
    refusal: Refusal,
}

impl Trust {
    pub(super) fn new(tls: &Tls) -> Result<Self, ClientError> {
        let refusal = Refusal::default();
        let (inner, own) = match tls {
            Tls::Insecure => (None, Vec::new()),
            Tls::Platform => (Some(webpki(platform_roots()?)?), Vec::new()),
            Tls::Ca(path) => {
                let given = certificates(path)?;
                (Some(webpki(roots_of(path, &given)?)?), given)
            }
        };
        let schemes = rustls::crypto::ring::default_provider()
            .signature_verification_algorithms
            .supported_schemes();
        let verifier = Arc::new(Verifier { inner, own, refusal: Arc::clone(&refusal), schemes });
        Ok(Self { verifier, refusal })
    }

    pub(super) fn config(&self) -> Result<QuicClientConfig, ClientError> {
        let unusable = |error: &dyn std::fmt::Display| ClientError::Local(error.to_string());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(|error| unusable(&error))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&self.verifier) as _)
            .with_no_client_auth();
        config.alpn_protocols = vec![ALPN.to_vec()];
        // A resumed session would not show the certificate again.
        config.resumption = rustls::client::Resumption::disabled();
        QuicClientConfig::try_from(config).map_err(|error| unusable(&error))
    }

    /// What was wrong with the certificate that was just refused, if one was.
    pub(super) fn refused(&self, server: &str) -> Option<ClientError> {
        let refusal = self.refusal.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(ClientError::Certificate(sentence(server, &refusal)))
    }
}

fn platform_roots() -> Result<RootCertStore, ClientError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err(ClientError::Trust(
            "this machine has no list of trusted certificates; install one (ca-certificates), or \
             name a file with --ca"
                .into(),
        ));
    }
    Ok(roots)
}

fn unusable(path: &Path, cause: &str) -> ClientError {
    let shown = crate::text::visible_line(&path.display().to_string());
    ClientError::Trust(format!("{shown} {cause}; --ca takes certificates in PEM"))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, ClientError> {
    let bytes =
        std::fs::read(path).map_err(|error| unusable(path, &format!("cannot be read: {error}")))?;
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let read = read.map_err(|error| unusable(path, &format!("is damaged: {error}")))?;
    if read.is_empty() {
        return Err(unusable(path, "holds no certificate"));
    }
    Ok(read)
}

fn roots_of(path: &Path, given: &[CertificateDer<'static>]) -> Result<RootCertStore, ClientError> {
    let mut roots = RootCertStore::empty();
    for certificate in given {
        roots
            .add(certificate.clone())
            .map_err(|error| unusable(path, &format!("is unusable: {error}")))?;
    }
    Ok(roots)
}

fn webpki(roots: RootCertStore) -> Result<Arc<WebPkiServerVerifier>, ClientError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().map_err(
        |error| ClientError::Trust(format!("the trusted certificates are unusable: {error}")),
    )
}

/// Verifies as usual, or not at all, and remembers what it refused: QUIC itself
/// tells no more than that something was wrong.
#[derive(Debug)]
struct Verifier {
    /// `None` trusts anyone.
    inner: Option<Arc<WebPkiServerVerifier>>,
    /// The certificates given by name, any of which may be the server's own.
    own: Vec<CertificateDer<'static>>,
    refusal: Refusal,
    schemes: Vec<SignatureScheme>,
}

impl Verifier {
    /// A certificate as `openssl req -x509` makes it is marked as an authority's and
    /// signs itself. As a server's it is refused, rightly where an authority stands
    /// behind it. But one that is byte for byte the one given for this server needs
    /// nobody else to vouch for it; its time and its name count as ever.
    fn is_given(
        &self,
        refused: &rustls::Error,
        end_entity: &CertificateDer<'_>,
        server_name: &ServerName<'_>,
    ) -> Result<bool, rustls::Error> {
        // The time was looked at before the mark: an expired one is refused as that.
        if !is_authority_mark(refused) || !self.own.contains(end_entity) {
            return Ok(false);
        }
        verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
        Ok(true)
    }

    fn note<T>(&self, verified: Result<T, rustls::Error>) -> Result<T, rustls::Error> {
        if let Err(rustls::Error::InvalidCertificate(error)) = &verified {
            let mut refusal = self.refusal.lock().unwrap_or_else(PoisonError::into_inner);
            *refusal = Some(error.clone());
        }
        verified
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        match &self.inner {
            None => Ok(ServerCertVerified::assertion()),
            Some(inner) => {
                let verified =
                    inner.verify_server_cert(end_entity, intermediates, server_name, ocsp, now);
                self.note(verified.or_else(|refused| {
                    match self.is_given(&refused, end_entity, server_name)? {
                        true => Ok(ServerCertVerified::assertion()),
                        false => Err(refused),
                    }
                }))
            }
        }
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        // QUIC has TLS 1.3 alone.
        Err(rustls::Error::General("TLS 1.2 is not used".into()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        match &self.inner {
            None => Ok(HandshakeSignatureValid::assertion()),
            Some(inner) => self.note(inner.verify_tls13_signature(message, certificate, signed)),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}

/// The library's own word for what its general errors have no word for.
fn detail(error: &CertificateError) -> Option<&webpki::Error> {
    match error {
        CertificateError::Other(other) => other.0.downcast_ref(),
        _ => None,
    }
}

fn is_authority_mark(error: &rustls::Error) -> bool {
    matches!(
        error,
        rustls::Error::InvalidCertificate(error)
            if detail(error) == Some(&webpki::Error::CaUsedAsEndEntity)
    )
}

/// What is wrong with a server's certificate, and what to do about it.
fn sentence(server: &str, error: &CertificateError) -> String {
    use CertificateError as E;
    let (wrong, remedy) = match error {
        E::UnknownIssuer => (
            "is signed by nobody this machine trusts".to_owned(),
            "name its certificate with --ca, or use --insecure for a server of your own",
        ),
        E::Expired | E::ExpiredContext { .. } => (
            "has expired".to_owned(),
            "its administrator must renew it; check also this machine's clock",
        ),
        E::NotValidYet | E::NotValidYetContext { .. } => {
            ("is not valid yet".to_owned(), "check this machine's clock")
        }
        E::NotValidForName | E::NotValidForNameContext { .. } => (
            "is not for this name".to_owned(),
            "call the server by a name its certificate has (as a subject alternative name)",
        ),
        E::Revoked => {
            ("was revoked".to_owned(), "do not use this server before its certificate is renewed")
        }
        E::BadSignature => {
            ("has a wrong signature".to_owned(), "somebody may be on the way to the server")
        }
        other if detail(other) == Some(&webpki::Error::CaUsedAsEndEntity) => (
            "is marked as an authority's (CA:TRUE), which a server's must not be".to_owned(),
            "name that certificate itself with --ca, or make one with basicConstraints=CA:FALSE",
        ),
        other if detail(other) == Some(&webpki::Error::UnsupportedCertVersion) => (
            "is of version 1, without the names it is for".to_owned(),
            "make one of version 3 with subject alternative names",
        ),
        other => (
            format!("cannot be used ({other})"),
            "make a new one, or use --insecure for a server of your own",
        ),
    };
    format!("the certificate of {server} {wrong}; {remedy}")
}
