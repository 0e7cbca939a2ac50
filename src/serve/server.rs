//! The library over QUIC: one request a stream.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use jiff::{Span, Timestamp, tz::TimeZone};
use quinn::crypto::rustls::QuicServerConfig;
use quinn::{Endpoint, EndpointConfig, IdleTimeout, Incoming, RecvStream, SendStream, VarInt};
use rcgen::{CertificateParams, DnType, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::time::timeout;

use super::{Access, Library};
use crate::mark::wire::{ALPN, MAX_BLOCK, MAX_BODY, MAX_LINE, Response};

/// Open requests of one connection; another one waits.
/// A LOOKUP and the ten documents of a result, with room: with fewer, the last one
/// waits for word that the first is through.
const MAX_STREAMS: u32 = 32;
/// Bytes that may be under way before the client has acknowledged any.
const INITIAL_WINDOW: u64 = 256 * 1024;
const IDLE: Duration = Duration::from_secs(30);
/// For reading a request, and again for sending the answer.
const DEADLINE: Duration = Duration::from_secs(10);
/// For telling clients that the server ends.
const GOODBYE: Duration = Duration::from_secs(1);
/// More bytes than any request within its limits has.
const MAX_REQUEST: usize = MAX_LINE + MAX_BLOCK + MAX_BODY + 64;
/// The names of a certificate made at start.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Why a world could not be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("cannot listen at {address} (UDP): {source}; give another one with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The certificate is unusable.
    #[error(
        "the certificate cannot be used: {0}; both files must be PEM, and the key the certificate's"
    )]
    Identity(String),
}

/// The certificate and the key of a server.
pub struct Identity {
    certificates: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    /// A new certificate for this machine's own names, for a day or two, that
    /// nobody but the one who is told so trusts.
    ///
    /// # Errors
    /// There is no randomness to be had.
    pub fn self_signed() -> Result<Self, ServeError> {
        let unusable = |error: rcgen::Error| ServeError::Identity(error.to_string());
        let key = KeyPair::generate_for(&rcgen::PKCS_ED25519).map_err(unusable)?;
        let mut params = CertificateParams::new(NAMES.map(str::to_owned)).map_err(unusable)?;
        params.distinguished_name.push(DnType::CommonName, "markscope development server");
        let ((year, month, first), (last_year, last_month, last)) = (day(-1), day(2));
        params.not_before = rcgen::date_time_ymd(year, month, first);
        params.not_after = rcgen::date_time_ymd(last_year, last_month, last);
        let certificate = params.self_signed(&key).map_err(unusable)?;
        Ok(Self {
            certificates: vec![certificate.der().clone()],
            key: PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        })
    }

    /// A certificate, with those that vouch for it, and its key, both in PEM.
    ///
    /// # Errors
    /// One of them is not what it should be.
    pub fn from_pem(certificates: &[u8], key: &[u8]) -> Result<Self, ServeError> {
        let certificates = CertificateDer::pem_slice_iter(certificates)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| ServeError::Identity(format!("reading the certificate, {error}")))?;
        let key = PrivateKeyDer::from_pem_slice(key)
            .map_err(|error| ServeError::Identity(format!("reading the key, {error}")))?;
        if certificates.is_empty() {
            return Err(ServeError::Identity("there is none in the file".into()));
        }
        Ok(Self { certificates, key })
    }

    fn config(self) -> Result<quinn::ServerConfig, ServeError> {
        let unusable = |error: &dyn std::fmt::Display| ServeError::Identity(error.to_string());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = rustls::ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(|error| unusable(&error))?
            .with_no_client_auth()
            .with_single_cert(self.certificates, self.key)
            .map_err(|error| unusable(&error))?;
        tls.alpn_protocols = vec![ALPN.to_vec()];
        let tls = QuicServerConfig::try_from(tls).map_err(|error| unusable(&error))?;
        let mut config = quinn::ServerConfig::with_crypto(Arc::new(tls));
        let mut transport = quinn::TransportConfig::default();
        transport.max_concurrent_bidi_streams(MAX_STREAMS.into());
        transport.max_concurrent_uni_streams(VarInt::from_u32(0));
        transport.max_idle_timeout(IdleTimeout::try_from(IDLE).ok());
        // Ten documents go out at once, without waiting for word of the first ones.
        let mut congestion = quinn::congestion::CubicConfig::default();
        congestion.initial_window(INITIAL_WINDOW);
        transport.congestion_controller_factory(Arc::new(congestion));
        config.transport_config(Arc::new(transport));
        Ok(config)
    }
}

/// Year, month and day of a day, counted from today.
fn day(from_today: i64) -> (i32, u8, u8) {
    let today = TimeZone::UTC.to_datetime(Timestamp::now()).date();
    let day = today.checked_add(Span::new().days(from_today)).unwrap_or(today);
    let number = |part: i8| u8::try_from(part).unwrap_or(1);
    (day.year().into(), number(day.month()), number(day.day()))
}

/// A library that is being served.
pub struct Server {
    endpoint: Endpoint,
    library: Arc<Library>,
    access: Arc<Access>,
}

impl Server {
    /// Listens at an address. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// The address is taken or not this machine's, or the certificate is unusable.
    pub fn bind(
        library: Arc<Library>,
        access: Access,
        address: SocketAddr,
        identity: Identity,
    ) -> Result<Self, ServeError> {
        let config = identity.config()?;
        let listen = |source| ServeError::Listen { address, source };
        let socket = UdpSocket::bind(address).map_err(listen)?;
        let runtime = Arc::new(quinn::TokioRuntime);
        let endpoint = Endpoint::new(EndpointConfig::default(), Some(config), socket, runtime);
        let endpoint = endpoint.map_err(listen)?;
        Ok(Self { endpoint, library, access: Arc::new(access) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// What the system said.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.endpoint.local_addr()
    }

    /// Answers until [`close`](Self::close) is called.
    pub async fn run(&self) {
        while let Some(incoming) = self.endpoint.accept().await {
            let (library, access) = (Arc::clone(&self.library), Arc::clone(&self.access));
            tokio::spawn(async move {
                connection(incoming, library, access).await;
            });
        }
    }

    /// Ends all connections, and tells the clients so.
    pub async fn close(&self) {
        self.endpoint.close(VarInt::from_u32(0), b"");
        let _ = timeout(GOODBYE, self.endpoint.wait_idle()).await;
    }
}

async fn connection(incoming: Incoming, library: Arc<Library>, access: Arc<Access>) {
    // A client that fails in the handshake or goes away is its own affair.
    let Ok(connection) = incoming.await else { return };
    while let Ok((send, receive)) = connection.accept_bi().await {
        let (library, access) = (Arc::clone(&library), Arc::clone(&access));
        tokio::spawn(async move {
            let _ = timeout(2 * DEADLINE, stream(send, receive, library, access)).await;
        });
    }
}

async fn stream(
    mut send: SendStream,
    mut receive: RecvStream,
    library: Arc<Library>,
    access: Arc<Access>,
) {
    // What is too large is as unreadable as nothing at all.
    let read = timeout(DEADLINE, receive.read_to_end(MAX_REQUEST)).await;
    let request = read.ok().and_then(Result::ok).unwrap_or_default();
    let answering =
        tokio::task::spawn_blocking(move || library.answer(&access, Timestamp::now(), &request));
    let Ok(response) = answering.await else { return };
    if write(&mut send, &response).await.is_ok() {
        let _ = send.finish();
        let _ = send.stopped().await;
    }
}

async fn write(send: &mut SendStream, response: &Response) -> Result<(), quinn::WriteError> {
    send.write_all(&response.encode()).await
}
