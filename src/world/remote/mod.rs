//! A world on a server: one LOOKUP, then the documents its budget can buy.
//!
//! - [`RemoteWorld`]: the calls, for a loop that does other things meanwhile
//! - [`Remote`]: the same for a caller that waits
//! - `crawl`: all documents of a directory, one by one
//!
//! Requests run at once on one connection. Documents are asked for ahead of need
//! where a run is likely to look at them, and kept with their etags: the next
//! lookup asks only whether they have changed.

mod answer;
mod blocking;
mod crawl;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

pub use blocking::Remote;
pub use crawl::{Crawled, MAX_DOCUMENTS, Progress};

use super::NOT_FOUND;
use crate::document::Document;
use crate::lookup::{Asked, Failure, Fetched, PartAnswer, Question};
use crate::mark::client::{Client, ClientError, DEFAULT_TIMEOUT, Lookup, Tls, TokenError, Tokens};
use crate::mark::wire::{Response, SERVER_KEYS, Status};
use crate::mark::{Address, AddressError, canonical};
use crate::text::visible_line;

/// The reader is told this for a body that is no UTF-8.
const NOT_TEXT: &str = "not text";

/// How a server is called.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// Whom to trust.
    pub tls: Tls,
    /// How long to wait for a connection and for each sign of life of an answer.
    pub wait: Duration,
    /// Where tokens are looked for.
    pub tokens: Tokens,
    /// Whether a token given for the command is for this server.
    pub is_named: bool,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            tls: Tls::default(),
            wait: DEFAULT_TIMEOUT,
            tokens: Tokens::default(),
            is_named: true,
        }
    }
}

/// Why a server could not be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The location names no server.
    #[error("{}: {error}", visible_line(.location))]
    Location {
        /// The location as given.
        location: String,
        /// What is wrong with it.
        error: AddressError,
    },
    /// The token cannot be had.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// There is no answer.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// This process cannot run what it needs.
    #[error("the network cannot be used from here: {0}")]
    Local(#[from] std::io::Error),
    /// The answer is a refusal.
    #[error("{0}")]
    Refused(String),
}

/// A world on a server.
pub struct RemoteWorld {
    client: Client,
    scope: String,
    copies: Mutex<HashMap<String, Copy>>,
    requests: AtomicUsize,
    round_trips: AtomicUsize,
}

/// A document as it was read, with the etag to ask again.
struct Copy {
    etag: String,
    document: Arc<Document>,
}

impl RemoteWorld {
    /// Connects to the server of a location; its path is the scope of lookups.
    ///
    /// # Errors
    /// Why there is no connection.
    pub async fn open(location: &str, options: &RemoteOptions) -> Result<Self, RemoteError> {
        let (address, scope) = Address::parse(location)
            .map_err(|error| RemoteError::Location { location: location.to_owned(), error })?;
        let token = options.tokens.find(&address, options.is_named)?;
        let client = Client::connect(address, &options.tls, options.wait).await?;
        Ok(Self {
            client: client.with_token(token),
            scope,
            copies: Mutex::default(),
            requests: AtomicUsize::new(0),
            round_trips: AtomicUsize::new(0),
        })
    }

    /// The server, as a location.
    pub fn name(&self) -> String {
        self.client.address().identity()
    }

    /// The directory that the location named.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// Requests made so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// How often an answer was waited for so far: requests made at once count once.
    pub fn round_trips(&self) -> usize {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// Puts a question to the server: one LOOKUP. Where the question is about the
    /// whole world, the scope is the location's own.
    ///
    /// # Errors
    /// Why there is no answer. A refusal is an answer.
    pub async fn ask(&self, question: &Question) -> Result<Asked, RemoteError> {
        let response = self.lookup(question).await?;
        Ok(answer::asked(&self.client, self.scope_of(question), question, &response))
    }

    /// The answer as one of several worlds gives it.
    pub(super) async fn part(&self, question: &Question) -> Result<PartAnswer, String> {
        let response = self.lookup(question).await.map_err(|error| error.to_string())?;
        if response.status != Status::Ok {
            let word = answer::status_word(&response);
            return Err(format!("{word}: {}", response.message()));
        }
        Ok(PartAnswer {
            matches: answer::matches(&response),
            match_echo: response.get("match").and_then(|echo| echo.parse().ok()),
            body: String::from_utf8_lossy(&response.body).into_owned(),
        })
    }

    async fn lookup(&self, question: &Question) -> Result<Response, ClientError> {
        let request = &question.request;
        let lookup = Lookup {
            scope: self.scope_of(question),
            query: &request.query,
            filter: &request.filter,
            limit: request.limit,
            matched: request.match_sent.map(|matched| matched.name()),
        };
        self.count(1);
        self.client.lookup(&lookup).await
    }

    /// The directory that a question is about: where it says nothing, the location's.
    fn scope_of<'a>(&'a self, question: &'a Question) -> &'a str {
        match question.request.scope.as_str() {
            "" | "/" => &self.scope,
            scope => scope,
        }
    }

    /// What the word means that a fetch of a path answered, in a sentence.
    pub fn refusal(&self, path: &str, word: &str) -> String {
        if word == NOT_TEXT {
            return format!("{}{} is not text", self.name(), visible_line(path));
        }
        self.client.refusal(path, &Status::from(word), "")
    }

    /// Fetches documents at once; each goes to `take` when it comes.
    pub async fn fetch(&self, locations: Vec<String>, mut take: impl FnMut(String, Fetched)) {
        self.count(locations.len());
        let all = locations.into_iter().map(|location| async move {
            let fetched = self.fetch_one(&location).await;
            (location, fetched)
        });
        let mut all: FuturesUnordered<_> = all.collect();
        while let Some((location, fetched)) = all.next().await {
            take(location, fetched);
        }
    }

    pub(super) async fn fetch_one(&self, location: &str) -> Fetched {
        let Some(path) = path_of(self.client.address(), location) else {
            return Fetched::Error(NOT_FOUND.to_owned());
        };
        let copies = || self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let held = copies().get(location).map(|copy| (copy.etag.clone(), copy.document.clone()));
        let etag = held.as_ref().map(|(etag, _)| etag.as_str());
        let response = match self.client.fetch(&path, etag).await {
            Ok(response) => response,
            Err(ClientError::Request { .. }) => {
                return Fetched::Error(Status::BadRequest.to_string());
            }
            Err(error) => {
                return Fetched::Failed(Failure {
                    sentence: format!("{}: {error}", visible_line(location)),
                    is_cut_off: error.is_cut_off(),
                });
            }
        };
        if response.status == Status::NotModified
            && let Some((_, document)) = held
        {
            return Fetched::Document(document);
        }
        match document(location, response) {
            Err(error) => Fetched::Error(error),
            Ok((document, etag)) => {
                let document = Arc::new(document);
                if let Some(etag) = etag {
                    let copy = Copy { etag, document: Arc::clone(&document) };
                    copies().insert(location.to_owned(), copy);
                }
                Fetched::Document(document)
            }
        }
    }

    /// Ends the connection.
    pub async fn close(&self) {
        self.client.close().await;
    }

    fn count(&self, requests: usize) {
        self.requests.fetch_add(requests, Ordering::Relaxed);
        self.round_trips.fetch_add(1, Ordering::Relaxed);
    }
}

/// The document of an answer with its etag, or the error text that a reader is told.
fn document(location: &str, response: Response) -> Result<(Document, Option<String>), String> {
    if response.status != Status::Ok {
        return Err(visible_line(response.status.as_str()));
    }
    // The generated index of a directory is no document.
    if response.get("version").is_none() && response.get("entries").is_some() {
        return Err(NOT_FOUND.to_owned());
    }
    let body = String::from_utf8(response.body).map_err(|_| NOT_TEXT.to_owned())?;
    let value = |key: &str| response.metadata.get(key);
    let document = Document::new(location, body)
        .with_version(value("version").and_then(|version| version.parse().ok()))
        .with_modified(value("modified").and_then(|time| time.parse().ok()));
    let etag = value("etag").cloned();
    let metadata: BTreeMap<String, String> = response
        .metadata
        .into_iter()
        .filter(|(key, _)| !SERVER_KEYS.contains(&key.as_str()))
        .collect();
    Ok((document.with_metadata(metadata), etag))
}

/// The path to ask a server for, as a location has it: nothing is decoded. `None`
/// where the location is not on this server.
fn path_of(server: &Address, location: &str) -> Option<String> {
    if !Address::is_meant(location) {
        return location.starts_with('/').then(|| location.to_owned());
    }
    let (address, _) = Address::parse(location).ok()?;
    if address != *server {
        return None;
    }
    canonical(location).strip_prefix(&server.identity()).map(str::to_owned)
}
