//! One connection to a server.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use quinn::{Connection, ConnectionError, Endpoint, IdleTimeout, VarInt};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::error::ClientError;
use super::tls::Trust;
use crate::mark::address::Address;

const KEEP_ALIVE: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(30);
/// The next address of a host is tried after this long, beside the one before.
const STAGGER: Duration = Duration::from_millis(200);
/// For the word of parting to leave. Waiting for its effect is of no use.
const GOODBYE: Duration = Duration::from_millis(10);
/// TLS alert `no_application_protocol`, as QUIC carries it.
const NO_PROTOCOL: u64 = 0x100 + 120;

/// A connection with the socket it lives on.
pub(super) struct Dialled {
    pub(super) connection: Connection,
    endpoint: Endpoint,
}

impl Dialled {
    pub(super) async fn close(self) {
        self.connection.close(VarInt::from_u32(0), b"");
        let _ = timeout(GOODBYE, self.endpoint.wait_idle()).await;
    }
}

/// Connects to the first of the host's addresses that answers.
pub(super) async fn dial(
    address: &Address,
    trust: &Trust,
    wait: Duration,
) -> Result<Dialled, ClientError> {
    let server = address.to_string();
    let until = Instant::now() + wait;
    let no_answer = || ClientError::NoAnswer { server: server.clone(), wait };
    let name = |cause: String| ClientError::Name { server: server.clone(), cause };
    let looked_up = tokio::net::lookup_host((address.host(), address.port()));
    let found = timeout_at(until, looked_up).await.map_err(|_| no_answer())?;
    let found: Vec<SocketAddr> = found.map_err(|error| name(error.to_string()))?.collect();
    if found.is_empty() {
        return Err(name("it has no address".into()));
    }
    let mut tries: FuturesUnordered<_> = (0u32..)
        .zip(found)
        .map(|(at, socket)| async move {
            // This machine's own addresses answer at once or never.
            let stagger = if socket.ip().is_loopback() { STAGGER / 20 } else { STAGGER };
            sleep(stagger * at).await;
            dial_at(address, socket, trust).await
        })
        .collect();
    let mut failed = no_answer();
    loop {
        match timeout_at(until, tries.next()).await {
            Err(_) | Ok(None) => return Err(failed),
            Ok(Some(Ok(dialled))) => return Ok(dialled),
            Ok(Some(Err(error))) => match error {
                // The next address may be another way to the same server.
                ClientError::Local(_) | ClientError::NoAnswer { .. } => failed = error,
                error => return Err(error),
            },
        }
    }
}

async fn dial_at(
    address: &Address,
    socket: SocketAddr,
    trust: &Trust,
) -> Result<Dialled, ClientError> {
    let local = |error: &dyn std::fmt::Display| ClientError::Local(error.to_string());
    let any: SocketAddr = if socket.is_ipv6() {
        (Ipv6Addr::UNSPECIFIED, 0).into()
    } else {
        (Ipv4Addr::UNSPECIFIED, 0).into()
    };
    let endpoint = Endpoint::client(any).map_err(|error| local(&error))?;
    let mut config = quinn::ClientConfig::new(Arc::new(trust.config()?));
    let mut transport = quinn::TransportConfig::default();
    transport.keep_alive_interval(Some(KEEP_ALIVE));
    transport.max_idle_timeout(IdleTimeout::try_from(IDLE).ok());
    transport.max_concurrent_bidi_streams(VarInt::from_u32(0));
    transport.max_concurrent_uni_streams(VarInt::from_u32(0));
    config.transport_config(Arc::new(transport));
    // The host is the name to verify. An address is verified as one, and is not
    // sent as a name.
    let connecting = endpoint.connect_with(config, socket, address.host()).map_err(|error| {
        ClientError::Name { server: address.to_string(), cause: error.to_string() }
    })?;
    match connecting.await {
        Ok(connection) => Ok(Dialled { connection, endpoint }),
        Err(error) => Err(trust
            .refused(&address.to_string())
            .unwrap_or_else(|| refusal(address.to_string(), &error))),
    }
}

fn refusal(server: String, error: &ConnectionError) -> ClientError {
    let code = match error {
        ConnectionError::ConnectionClosed(close) => Some(u64::from(close.error_code)),
        ConnectionError::TransportError(error) => Some(u64::from(error.code)),
        ConnectionError::TimedOut => {
            return ClientError::NoAnswer { server, wait: IDLE };
        }
        _ => None,
    };
    if code == Some(NO_PROTOCOL) {
        return ClientError::OtherProtocol { server };
    }
    ClientError::Refused { server, cause: crate::text::visible_line(&error.to_string()) }
}
