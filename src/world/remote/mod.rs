//! A world on a server: one LOOKUP, then the documents its budget can buy.
//!
//! The calls block; inside, requests run at once on one connection. Documents are
//! asked for ahead of need where a run is likely to look at them, and kept with
//! their etags: the next lookup asks only whether they have changed.

mod asked;

pub use asked::RemoteAsked;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::runtime::{Builder, Runtime};

use super::NOT_FOUND;
use crate::document::Document;
use crate::lookup::{MAX_BUDGET, Question};
use crate::mark::client::{Client, ClientError, DEFAULT_TIMEOUT, Lookup, Tls, TokenError, Tokens};
use crate::mark::wire::{Response, SERVER_KEYS, Status};
use crate::mark::{Address, AddressError, canonical};
use crate::selection::{Missing, Selection};
use crate::text::visible_line;
use asked::Known;

/// The reader is told this for a document where the network failed.
const NO_ANSWER: &str = "no answer";

/// How a server is called.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// Whom to trust.
    pub tls: Tls,
    /// How long to wait for a connection and for each sign of life of an answer.
    pub wait: Duration,
    /// Where tokens are looked for.
    pub tokens: Tokens,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self { tls: Tls::default(), wait: DEFAULT_TIMEOUT, tokens: Tokens::default() }
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
}

/// A world on a server.
pub struct Remote {
    runtime: Runtime,
    client: Client,
    scope: String,
    copies: HashMap<String, Copy>,
    requests: usize,
    round_trips: usize,
}

/// A document as it was read, with the etag to ask again.
struct Copy {
    etag: String,
    document: Arc<Document>,
}

impl Remote {
    /// Connects to the server of a location; its path is the scope of lookups.
    ///
    /// # Errors
    /// Why there is no connection.
    pub fn open(location: &str, options: &RemoteOptions) -> Result<Self, RemoteError> {
        let (address, scope) = Address::parse(location)
            .map_err(|error| RemoteError::Location { location: location.to_owned(), error })?;
        let token = options.tokens.find(&address, true)?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = runtime.block_on(Client::connect(address, &options.tls, options.wait))?;
        let client = client.with_token(token);
        Ok(Self { runtime, client, scope, copies: HashMap::new(), requests: 0, round_trips: 0 })
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
        self.requests
    }

    /// How often an answer was waited for so far: requests made at once count once.
    pub fn round_trips(&self) -> usize {
        self.round_trips
    }

    /// Puts a question to the server: one LOOKUP.
    ///
    /// # Errors
    /// Why there is no answer. A refusal is an answer.
    pub fn ask(&mut self, question: &Question) -> Result<RemoteAsked, RemoteError> {
        let request = &question.request;
        let lookup = Lookup {
            scope: &request.scope,
            query: &request.query,
            filter: &request.filter,
            limit: request.limit,
            matched: request.match_sent.map(|matched| matched.name()),
        };
        self.requests += 1;
        self.round_trips += 1;
        let response = self.runtime.block_on(self.client.lookup(&lookup))?;
        Ok(RemoteAsked::new(&self.client.address().identity(), question, &response))
    }

    /// The result for a budget in tokens; 0 is the table alone. Documents are
    /// fetched as they are needed, none of them twice for one question.
    pub fn select(&mut self, asked: &mut RemoteAsked, budget: u64) -> Selection {
        let tokens = i64::try_from(budget.min(MAX_BUDGET)).unwrap_or(i64::MAX);
        loop {
            match asked.session.try_select(tokens, &mut Known(&asked.known)) {
                Ok(selection) => return selection,
                Err(Missing { location }) => {
                    let wanted = asked.wanted(&location);
                    self.fetch(asked, wanted);
                }
            }
        }
    }

    /// Fetches documents at once and keeps them, or why there are none.
    fn fetch(&mut self, asked: &mut RemoteAsked, wanted: Vec<String>) {
        if asked.is_cut_off {
            let failed = || Err(NO_ANSWER.to_owned());
            asked.known.extend(wanted.into_iter().map(|location| (location, failed())));
            return;
        }
        self.requests += wanted.len();
        self.round_trips += 1;
        let (client, copies) = (&self.client, &self.copies);
        let fetched: Vec<_> = self.runtime.block_on(async {
            let all = wanted.into_iter().map(|location| async move {
                let response = match path_of(client.address(), &location) {
                    Some(path) => client
                        .fetch(&path, copies.get(&location).map(|copy| copy.etag.as_str()))
                        .await
                        .map(Some),
                    None => Ok(None),
                };
                (location, response)
            });
            all.collect::<FuturesUnordered<_>>().collect().await
        });
        for (location, response) in fetched {
            let document = match response {
                Ok(Some(response)) => self.read(&location, response),
                Ok(None) => Err(NOT_FOUND.to_owned()),
                Err(ClientError::Request { .. }) => Err(Status::BadRequest.to_string()),
                Err(error) => {
                    asked.is_cut_off |= error.is_cut_off();
                    asked.failures.push(format!("{}: {error}", visible_line(&location)));
                    Err(NO_ANSWER.to_owned())
                }
            };
            asked.known.insert(location, document);
        }
    }

    /// The document of an answer, or the error text that a reader is told.
    fn read(&mut self, location: &str, response: Response) -> Result<Arc<Document>, String> {
        match &response.status {
            Status::Ok => {}
            Status::NotModified => {
                let copy = self.copies.get(location);
                return copy.map(|copy| Arc::clone(&copy.document)).ok_or_else(|| NOT_FOUND.into());
            }
            status => return Err(visible_line(status.as_str())),
        }
        // The generated index of a directory is no document.
        if response.get("version").is_none() && response.get("entries").is_some() {
            return Err(NOT_FOUND.to_owned());
        }
        let body = String::from_utf8(response.body).map_err(|_| "not text".to_owned())?;
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
        let document = Arc::new(document.with_metadata(metadata));
        if let Some(etag) = etag {
            let copy = Copy { etag, document: Arc::clone(&document) };
            self.copies.insert(location.to_owned(), copy);
        }
        Ok(document)
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.runtime.block_on(self.client.close());
    }
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
