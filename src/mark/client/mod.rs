//! A client of one server. This part of [`mark`](super) is not pure: it opens
//! connections.
//!
//! - `tls`: whom to trust, and what is wrong with a certificate
//! - `token`: which token goes to which server
//! - `dial`: one connection
//! - `content`: whether a body is what its hash says
//! - `error`: what can go wrong, a sentence each
//! - `refusal`: what the server did not give, a sentence each
//!
//! A server has one connection; every request is a stream of its own on it, so
//! requests made at once are answered at once. A connection that has gone stale
//! since the last request is opened anew, once.

mod content;
mod dial;
mod error;
mod refusal;
mod tls;
mod token;

pub use error::ClientError;
pub use tls::Tls;
pub use token::{Token, TokenError, Tokens};

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quinn::{Connection, VarInt};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::address::Address;
use super::wire::{MAX_RESPONSE, Request, Response, Status};
use dial::Dialled;
use tls::Trust;

/// How long to wait for a connection, and for each sign of life of an answer,
/// where nothing else is said.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to pause before a request is sent again that the server put off.
const PAUSES: [Duration; 2] = [Duration::from_millis(300), Duration::from_millis(900)];
const CHUNK: usize = 64 * 1024;

/// What a listing is asked for.
#[derive(Debug, Clone, Default)]
pub struct ListOptions {
    /// Entries on a page; none is the server's choice.
    pub page_size: Option<u16>,
    /// The cursor of the page before.
    pub cursor: Option<String>,
    /// Whether to list archived documents.
    pub include_archived: bool,
}

/// A client of one server.
pub struct Client {
    address: Address,
    trust: Trust,
    wait: Duration,
    token: Option<Token>,
    dialled: Mutex<Option<Dialled>>,
    /// Whether the connection has brought an answer.
    proved: AtomicBool,
}

impl Client {
    /// Connects. `wait` limits the time for the connection, and for each request
    /// the time without a byte; an answer that keeps coming may take longer.
    ///
    /// # Errors
    /// Why there is no connection.
    pub async fn connect(address: Address, tls: &Tls, wait: Duration) -> Result<Self, ClientError> {
        let trust = Trust::new(tls)?;
        let dialled = dial::dial(&address, &trust, wait).await?;
        let dialled = Mutex::new(Some(dialled));
        Ok(Self { address, trust, wait, token: None, dialled, proved: AtomicBool::new(false) })
    }

    /// The same client with a token for every request.
    #[must_use]
    pub fn with_token(mut self, token: Option<Token>) -> Self {
        self.token = token;
        self
    }

    /// The file or the variable that the token is from, if there is one.
    pub fn token_origin(&self) -> Option<&str> {
        self.token.as_ref().map(Token::origin)
    }

    /// The server.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// FETCH of a decoded path; with the etag of a copy, only if that is not current.
    ///
    /// # Errors
    /// Why there is no answer. An answer with another status than `ok` is one.
    pub async fn fetch(&self, path: &str, etag: Option<&str>) -> Result<Response, ClientError> {
        let request = Request::new("FETCH", path);
        self.send(match etag {
            Some(etag) => request.with("if-none-match", etag),
            None => request,
        })
        .await
    }

    /// One page of LIST.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn list(&self, path: &str, options: &ListOptions) -> Result<Response, ClientError> {
        let mut request = Request::new("LIST", path);
        if let Some(size) = options.page_size {
            request = request.with("page-size", size.to_string());
        }
        if let Some(cursor) = &options.cursor {
            request = request.with("cursor", cursor);
        }
        if options.include_archived {
            request = request.with("include-archived", "true");
        }
        self.send(request).await
    }

    /// LOOKUP as the catalog's request has it.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn lookup(&self, lookup: &Lookup<'_>) -> Result<Response, ClientError> {
        let mut request = Request::new("LOOKUP", lookup.scope).with("query", lookup.query);
        if !lookup.filter.is_empty() {
            request = request.with("filter", lookup.filter);
        }
        if let Some(limit) = lookup.limit {
            request = request.with("limit", limit.to_string());
        }
        if let Some(matched) = lookup.matched {
            request = request.with("match", matched);
        }
        self.send(request).await
    }

    /// VERSIONS of a decoded path.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn versions(&self, path: &str) -> Result<Response, ClientError> {
        self.send(Request::new("VERSIONS", path)).await
    }

    /// Sends a request and reads the whole answer. Where the server wants fewer
    /// requests, it is asked again a little later, a few times.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn send(&self, request: Request) -> Result<Response, ClientError> {
        for pause in PAUSES {
            let response = self.send_once(request.clone()).await?;
            if response.status != Status::RateLimited {
                return Ok(response);
            }
            tokio::time::sleep(pause.min(self.wait)).await;
        }
        self.send_once(request).await
    }

    async fn send_once(&self, mut request: Request) -> Result<Response, ClientError> {
        if let Some(token) = &self.token {
            request = request.with("auth", token.secret());
        }
        let bytes = request
            .encode()
            .map_err(|error| ClientError::Request { server: self.address.to_string(), error })?;
        let proved = self.proved.load(Ordering::Relaxed);
        let connection = self.connection(None).await?;
        let answered = match self.exchange(&connection, &bytes).await {
            // Only a connection that was good once is worth a second try, and only
            // where nothing has come back.
            Err(failed) if failed.is_stale && proved => {
                let connection = self.connection(Some(connection.stable_id())).await?;
                self.exchange(&connection, &bytes).await
            }
            answered => answered,
        };
        match answered {
            Ok(response) => {
                self.proved.store(true, Ordering::Relaxed);
                if request.verb == "FETCH" && !content::is_as_named(&request.path, &response) {
                    return Err(ClientError::Altered {
                        server: self.address.to_string(),
                        path: request.path,
                    });
                }
                Ok(response)
            }
            Err(failed) => Err(failed.error),
        }
    }

    /// Ends the connection.
    pub async fn close(&self) {
        if let Some(dialled) = self.dialled.lock().await.take() {
            dialled.close().await;
        }
    }

    /// The connection, made anew where there is none that is open. `stale` is one
    /// that turned out to be of no use.
    async fn connection(&self, stale: Option<usize>) -> Result<Connection, ClientError> {
        let mut kept = self.dialled.lock().await;
        if let Some(dialled) = kept.as_ref()
            && Some(dialled.connection.stable_id()) != stale
            && dialled.connection.close_reason().is_none()
        {
            return Ok(dialled.connection.clone());
        }
        let dialled = dial::dial(&self.address, &self.trust, self.wait).await?;
        let connection = dialled.connection.clone();
        *kept = Some(dialled);
        self.proved.store(false, Ordering::Relaxed);
        Ok(connection)
    }

    async fn exchange(&self, connection: &Connection, bytes: &[u8]) -> Result<Response, Failed> {
        let server = || self.address.to_string();
        let silent = || ClientError::Silent { server: server(), wait: self.wait };
        let stale = |error| Failed { error, is_stale: true };
        let lost = |error: &dyn std::fmt::Display| ClientError::Lost {
            server: server(),
            cause: error.to_string(),
        };
        let opened = timeout(self.wait, connection.open_bi()).await;
        let (mut send, mut receive) =
            opened.map_err(|_| stale(silent()))?.map_err(|error| stale(lost(&error)))?;
        let sent = timeout(self.wait, async {
            send.write_all(bytes).await?;
            send.finish().map_err(|_| quinn::WriteError::ClosedStream)
        });
        match sent.await {
            Err(_) => return Err(stale(silent())),
            // A server may answer before it has read everything.
            Ok(Err(quinn::WriteError::Stopped(_)) | Ok(())) => {}
            Ok(Err(error)) => return Err(stale(lost(&error))),
        }
        let mut answer = Vec::new();
        loop {
            let is_stale = answer.is_empty();
            let failed = |error| Failed { error, is_stale };
            let chunk = timeout(self.wait, receive.read_chunk(CHUNK, true)).await;
            let chunk = chunk.map_err(|_| failed(silent()))?.map_err(|error| match error {
                quinn::ReadError::Reset(_) => {
                    Failed { error: ClientError::Aborted { server: server() }, is_stale: false }
                }
                error => failed(lost(&error)),
            })?;
            let Some(chunk) = chunk else { break };
            if answer.len() + chunk.bytes.len() > MAX_RESPONSE {
                let _ = receive.stop(VarInt::from_u32(0));
                return Err(Failed {
                    error: ClientError::TooLarge { server: server() },
                    is_stale: false,
                });
            }
            answer.extend_from_slice(&chunk.bytes);
        }
        let fail = |error| Failed { error, is_stale: false };
        if answer.is_empty() {
            return Err(fail(ClientError::Empty { server: server() }));
        }
        Response::parse(&answer).map_err(|error| {
            fail(ClientError::Malformed { server: server(), cause: error.to_string() })
        })
    }
}

/// What LOOKUP is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Lookup<'a> {
    /// The decoded path of the directory.
    pub scope: &'a str,
    /// The query as typed.
    pub query: &'a str,
    /// The filter; empty for none.
    pub filter: &'a str,
    /// The limit; none is the server's choice.
    pub limit: Option<usize>,
    /// The match; none is the catalog, and the answer does not repeat it.
    pub matched: Option<&'a str>,
}

struct Failed {
    error: ClientError,
    /// Whether the connection may be at fault, and no byte came back on it.
    is_stale: bool,
}
