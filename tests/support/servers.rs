//! Servers on loopback: a world served as the program serves it, and odd ones.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use markscope::catalog::Match;
use markscope::lookup::{Asked, Question, Store};
use markscope::mark::client::Tls;
use markscope::mark::wire::Response;
use markscope::serve::{Access, Identity, Library, Server};
use markscope::world::{Remote, RemoteOptions};
use quinn::crypto::rustls::QuicServerConfig;
use quinn::{Endpoint, RecvStream, SendStream};
use tokio::runtime::Runtime;

use crate::support::world;

pub const WAIT: Duration = Duration::from_millis(400);
/// No fault takes longer than this: a connection, a request, and both once more.
pub const BOUND: Duration = Duration::from_secs(3);

pub fn any_port() -> SocketAddr {
    "127.0.0.1:0".parse().expect("an address")
}

/// A world served in this process until it is dropped.
pub struct Served {
    pub server: Arc<Server>,
    pub location: String,
    pub runtime: Runtime,
}

impl Served {
    pub fn new(store: Store, access: Access) -> Self {
        Self::with(store, access, Identity::self_signed().expect("a certificate"), any_port())
    }

    pub fn with(store: Store, access: Access, identity: Identity, address: SocketAddr) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let _guard = runtime.enter();
        let server = Server::bind(Arc::new(Library::new(store)), access, address, identity);
        let server = Arc::new(server.expect("a server"));
        let location = format!("mark://{}/", server.address().expect("an address"));
        let running = Arc::clone(&server);
        runtime.spawn(async move { running.run().await });
        drop(_guard);
        Self { server, location, runtime }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.runtime.block_on(self.server.close());
    }
}

pub fn golden_store(name: &str) -> Store {
    let world = world(name);
    Store::new(name, world.documents, world.errors)
}

pub fn insecure() -> RemoteOptions {
    RemoteOptions { tls: Tls::Insecure, wait: WAIT, ..Default::default() }
}

/// A certificate with its key, for this machine's names unless told otherwise.
pub fn certificate(change: impl FnOnce(&mut rcgen::CertificateParams)) -> (String, String) {
    let key = rcgen::KeyPair::generate().expect("a key");
    let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let mut params = rcgen::CertificateParams::new(names).expect("parameters");
    change(&mut params);
    (params.self_signed(&key).expect("a certificate").pem(), key.serialize_pem())
}

/// A server that behaves as a test wants it to.
pub struct Odd {
    pub endpoint: Endpoint,
    pub location: String,
    _runtime: Runtime,
}

impl Odd {
    pub fn new<F, T>(alpn: &[u8], behave: F) -> Self
    where
        F: Fn(SendStream, RecvStream, String) -> T + Clone + Send + Sync + 'static,
        T: Future<Output = ()> + Send,
    {
        let (certificate, key) = certificate(|_| {});
        let mut tls = rustls::ServerConfig::builder_with_provider(Arc::new(
            rustls::crypto::ring::default_provider(),
        ))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_single_cert(
            vec![
                rustls::pki_types::pem::PemObject::from_pem_slice(certificate.as_bytes())
                    .expect("PEM"),
            ],
            rustls::pki_types::pem::PemObject::from_pem_slice(key.as_bytes()).expect("PEM"),
        )
        .expect("a certificate");
        tls.alpn_protocols = vec![alpn.to_vec()];
        let crypto = Arc::new(QuicServerConfig::try_from(tls).expect("QUIC"));
        let runtime = Runtime::new().expect("a runtime");
        let guard = runtime.enter();
        let endpoint = Endpoint::server(quinn::ServerConfig::with_crypto(crypto), any_port());
        let endpoint = endpoint.expect("an endpoint");
        drop(guard);
        let accepting = endpoint.clone();
        runtime.spawn(async move {
            while let Some(incoming) = accepting.accept().await {
                let behave = behave.clone();
                tokio::spawn(async move {
                    let Ok(connection) = incoming.await else { return };
                    while let Ok((send, mut receive)) = connection.accept_bi().await {
                        let behave = behave.clone();
                        tokio::spawn(async move {
                            let request = receive.read_to_end(1 << 16).await.unwrap_or_default();
                            let request = String::from_utf8_lossy(&request).into_owned();
                            behave(send, receive, request).await;
                        });
                    }
                });
            }
        });
        let location = format!("mark://{}/", endpoint.local_addr().expect("an address"));
        Self { endpoint, location, _runtime: runtime }
    }

    /// A server that answers a LOOKUP with one response and a FETCH with another.
    pub fn answering(lookup: Response, fetch: Response) -> Self {
        Self::new(b"mark", move |mut send, _, request| {
            let answer = if request.starts_with("LOOKUP") { &lookup } else { &fetch };
            let bytes = answer.encode();
            async move {
                let _ = send.write_all(&bytes).await;
                let _ = send.finish();
                let _ = send.stopped().await;
            }
        })
    }

    /// A server that sends some bytes and ends the answer.
    pub fn sending(bytes: &[u8]) -> Self {
        let bytes = bytes.to_vec();
        Self::new(b"mark", move |mut send, _, _| {
            let bytes = bytes.clone();
            async move {
                let _ = send.write_all(&bytes).await;
                let _ = send.finish();
                let _ = send.stopped().await;
            }
        })
    }

    /// A server that dies once it has begun to answer.
    pub fn dying() -> Self {
        let own: Arc<OnceLock<Endpoint>> = Arc::default();
        let known = Arc::clone(&own);
        let odd = Self::new(b"mark", move |mut send, receive, _| {
            let own = Arc::clone(&known);
            async move {
                let _ = send.write_all(b"---\nstatus: ok\n").await;
                tokio::time::sleep(Duration::from_millis(50)).await;
                if let Some(endpoint) = own.get() {
                    endpoint.close(quinn::VarInt::from_u32(1), b"");
                }
                drop(receive);
            }
        });
        own.set(odd.endpoint.clone()).expect("set once");
        odd
    }

    /// A lookup and the time it took.
    pub fn ask(&self) -> Result<(Asked, Remote), String> {
        let begun = Instant::now();
        let asked = Remote::open(&self.location, &insecure()).and_then(|mut remote| {
            let mut question = Question::new("doom metal");
            question.request.match_sent = Some(Match::Body);
            remote.ask(&question).map(|asked| (asked, remote))
        });
        assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
        asked.map_err(|error| error.to_string())
    }

    /// The sentence of a lookup that must fail.
    pub fn fault(&self) -> String {
        match self.ask() {
            Ok((asked, _)) => panic!("an answer: {:?}", asked.status()),
            Err(error) => {
                assert!(!error.contains('\n'), "{error}");
                error
            }
        }
    }
}
