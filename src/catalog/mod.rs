//! The index over a world in memory, and the LOOKUP it answers as a demarkus
//! store would.
//!
//! - `filter`: the filter a request may carry
//! - `terms`: the words of a query and of a document
//! - `index`: the inverted index, built once, out of `vocabulary` (the terms) and
//!   `postings` (where each occurs)
//! - `body_match`: recall and ranking over sections
//! - `catalog_match`: recall and ranking over titles and tags
//! - `render`: the ranked table as the store writes it

mod body_match;
mod catalog_match;
mod filter;
mod index;
mod postings;
mod render;
mod terms;
mod vocabulary;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::text::lowercase;

pub(crate) use filter::parse_time;
pub use filter::{Clause, Filter, FilterError};
pub use terms::query_terms;

use index::Index;

/// Rows given where the request names no limit.
pub const DEFAULT_LIMIT: usize = 10;
/// The most rows a store gives, whatever the request asks for.
pub const MAX_LIMIT: usize = 1000;
const MAX_WORDS: usize = 32;

/// What a query is matched against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Match {
    /// Titles and tags of documents.
    Catalog,
    /// The text of sections, with titles and tags.
    Body,
}

impl Match {
    /// The name in a request and in an answer.
    pub fn name(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Body => "body",
        }
    }
}

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Match {
    type Err = Refusal;

    fn from_str(name: &str) -> Result<Self, Refusal> {
        match name {
            "" | "catalog" => Ok(Self::Catalog),
            "body" => Ok(Self::Body),
            other => Err(Refusal::BadRequest(format!(
                "match must be \"catalog\" or \"body\", got {other:?}"
            ))),
        }
    }
}

/// One LOOKUP request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Request {
    /// The query as typed.
    pub query: String,
    /// The directory below which to look; `/` is the whole world.
    pub scope: String,
    /// The filter as typed; empty for none.
    pub filter: String,
    /// The match, where the request carries one. A request without is answered
    /// from the catalog, and the answer does not repeat it.
    #[serde(rename = "match")]
    pub match_sent: Option<Match>,
    /// The limit, where the request carries one.
    pub limit: Option<usize>,
}

impl Request {
    /// A request for a query over the whole world, nothing else asked for.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            scope: "/".into(),
            filter: String::new(),
            match_sent: None,
            limit: None,
        }
    }
}

/// One row of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The document's path.
    pub path: String,
    /// The section's anchor; empty where the row is the document.
    pub anchor: String,
    /// The declared importance, from 0 to 1.
    pub importance: f64,
    /// The document's title, and behind ` › ` the section's heading.
    pub title: String,
    /// The document's tags.
    pub tags: Vec<String>,
    /// The line that matched best; empty for a document's row.
    pub snippet: String,
}

/// What a store answers to a request that it accepts.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The rows, best first.
    pub rows: Vec<Row>,
    /// The match as the answer repeats it: only if the request carried one.
    pub match_echo: Option<Match>,
    /// The body as the store renders it, beginning with an empty line.
    pub body: String,
}

impl Answer {
    /// The answer of a store that has these rows for a query over the catalog, and
    /// no others.
    pub fn of(query: &str, rows: Vec<Row>) -> Self {
        let body = render::table(query, "/", Match::Catalog, &rows);
        Self { rows, match_echo: None, body }
    }
}

impl Row {
    /// The row of a document, or of a section of it by its anchor.
    pub fn of(document: &Document, anchor: &str) -> Self {
        Self {
            path: document.path().to_owned(),
            anchor: anchor.to_owned(),
            importance: document.importance(),
            title: document.title().to_owned(),
            tags: document.tags().map(str::to_owned).collect(),
            snippet: String::new(),
        }
    }
}

impl Request {
    /// The limit and the filter, if no store would find fault with the request itself,
    /// whatever it holds. The checks are made in the order of a store.
    ///
    /// # Errors
    /// The refusal that a store would answer with.
    pub fn checked(&self) -> Result<(usize, Filter), Refusal> {
        check_query(self.query.trim())?;
        let limit = match self.limit {
            None => DEFAULT_LIMIT,
            Some(0) => return Err(Refusal::BadRequest("invalid limit".into())),
            Some(limit) => limit.min(MAX_LIMIT),
        };
        let filter = self
            .filter
            .parse()
            .map_err(|error: FilterError| Refusal::BadRequest(error.to_string()))?;
        Ok((limit, filter))
    }
}

/// Why a store refuses a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The request is at fault (`bad-request`).
    BadRequest(String),
    /// The scope is no directory of the world (`not-found`).
    NotFound(String),
}

impl Refusal {
    /// The status of the answer.
    pub fn status(&self) -> &'static str {
        match self {
            Self::BadRequest(_) => "bad-request",
            Self::NotFound(_) => "not-found",
        }
    }

    /// The message, one line.
    pub fn message(&self) -> &str {
        match self {
            Self::BadRequest(message) | Self::NotFound(message) => message,
        }
    }

    /// The body of the answer as the store renders it.
    pub fn body(&self) -> String {
        let title = match self {
            Self::BadRequest(_) => "Bad request",
            Self::NotFound(_) => "Not found",
        };
        format!("\n# {title}\n\n{}\n", self.message())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Refusal {}

/// A row before it is rendered: which document, which section, which score.
struct Hit {
    document: usize,
    section: Option<usize>,
    score: f64,
}

/// The index over a world's documents.
pub struct Catalog {
    index: Index,
}

impl Catalog {
    /// Indexes documents. The order given does not matter for any answer.
    pub fn new(documents: impl IntoIterator<Item = Arc<Document>>) -> Self {
        Self { index: Index::build(documents.into_iter().collect()) }
    }

    /// Makes what the body match looks into, which is made at the first such lookup
    /// otherwise. It takes most of the time that indexing takes.
    pub fn warm_up(&self) {
        self.index.bodies();
    }

    /// The places, counted from 0, that a lookup over titles and tags has two documents
    /// at; none where it does not find both, has them the other way round, or has one
    /// of them at `most` or below.
    pub fn places(
        &self,
        query: &str,
        one: &str,
        other: &str,
        most: usize,
    ) -> Option<(usize, usize)> {
        let at = |path: &str| {
            self.index.documents.binary_search_by(|document| document.path().cmp(path)).ok()
        };
        catalog_match::above(&self.index, query, at(one)?, at(other)?, most)
    }

    /// The documents, in byte order of their paths.
    pub fn documents(&self) -> &[Arc<Document>] {
        &self.index.documents
    }

    /// The document at a path, compared as it is.
    pub fn document(&self, path: &str) -> Option<&Arc<Document>> {
        let at = self.index.documents.binary_search_by(|document| document.path().cmp(path));
        at.ok().map(|at| &self.index.documents[at])
    }

    /// Whether a canonical path is a directory that holds documents.
    pub fn is_directory(&self, path: &str) -> bool {
        path == "/" || self.index.directories.contains(path)
    }

    /// Answers a request, with the checks in the order a store makes them.
    ///
    /// # Errors
    /// The refusal that a store would answer with.
    pub fn lookup(&self, request: &Request) -> Result<Answer, Refusal> {
        self.answer(request, None)
    }

    /// The answer that a request gets where its rows are given, best first, and not
    /// looked for: locations with or without an anchor. A document that is not in
    /// the world is a row all the same, with its path for a title.
    pub fn given(&self, request: &Request, locations: &[String]) -> Answer {
        let scope = canonical_path(&request.scope).unwrap_or_else(|| request.scope.clone());
        let rows: Vec<Row> = locations.iter().map(|location| self.given_row(location)).collect();
        let matched = request.match_sent.unwrap_or(Match::Catalog);
        let body = render::table(request.query.trim(), &scope, matched, &rows);
        Answer { rows, match_echo: request.match_sent, body }
    }

    fn given_row(&self, location: &str) -> Row {
        let (path, anchor) = location.split_once('#').unwrap_or((location, ""));
        let document = self.document(path);
        let heading = document.and_then(|held| held.outline().find(anchor));
        let mut title = document.map_or(path, |held| held.title()).to_owned();
        if let Some(heading) = heading.filter(|_| !anchor.is_empty()) {
            title = format!("{title} › {}", heading.text);
        }
        Row {
            path: path.to_owned(),
            anchor: anchor.to_owned(),
            importance: document.map_or(0.5, |held| held.importance()),
            title,
            tags: document.map(|held| held.tags().map(str::to_owned).collect()).unwrap_or_default(),
            snippet: String::new(),
        }
    }

    /// [`lookup`](Self::lookup) for somebody who may not read everything: of the
    /// best rows, those whose path may not be read are left out without a word.
    ///
    /// # Errors
    /// The refusal that a store would answer with.
    pub fn lookup_readable(
        &self,
        request: &Request,
        may_read: &dyn Fn(&str) -> bool,
    ) -> Result<Answer, Refusal> {
        self.answer(request, Some(may_read))
    }

    fn answer(
        &self,
        request: &Request,
        may_read: Option<&dyn Fn(&str) -> bool>,
    ) -> Result<Answer, Refusal> {
        // A store refuses a path with `..` before it looks at anything else.
        let not_found = || Refusal::NotFound(format!("{} not found", shown_scope(&request.scope)));
        let scope = canonical_path(&request.scope).ok_or_else(not_found)?;
        let query = request.query.trim();
        let (limit, filter) = request.checked()?;
        if !self.is_directory(&scope) {
            return Err(not_found());
        }
        let matched = request.match_sent.unwrap_or(Match::Catalog);
        let within = self.within(&scope, &filter);
        // What is left out makes room for what follows, up to the store's own limit.
        let taken = if may_read.is_some() { MAX_LIMIT } else { limit };
        let readable = |mut hits: Vec<Hit>| {
            hits.truncate(taken);
            if let Some(may_read) = may_read {
                hits.retain(|hit| may_read(self.index.documents[hit.document].path()));
            }
            hits.truncate(limit);
            hits
        };
        let rows = match matched {
            Match::Catalog => {
                self.catalog_rows(readable(catalog_match::hits(&self.index, query, &within)))
            }
            Match::Body => {
                let terms = query_terms(query);
                let hits = readable(body_match::hits(&self.index, &terms, &within, taken));
                self.section_rows(hits, &terms)
            }
        };
        let body = render::table(query, &scope, matched, &rows);
        Ok(Answer { rows, match_echo: request.match_sent, body })
    }

    /// For each document, whether scope and filter let it in. `None`: all are in.
    fn within(&self, scope: &str, filter: &Filter) -> Option<Vec<bool>> {
        if scope == "/" && filter.is_empty() {
            return None;
        }
        let below = format!("{}/", scope.trim_end_matches('/'));
        let holds = |document: &Arc<Document>| {
            (document.path() == scope || document.path().starts_with(&below))
                && filter.holds(document)
        };
        Some(self.index.documents.iter().map(holds).collect())
    }

    fn catalog_rows(&self, hits: Vec<Hit>) -> Vec<Row> {
        hits.into_iter().map(|hit| self.row(&hit, String::new())).collect()
    }

    fn section_rows(&self, hits: Vec<Hit>, terms: &[String]) -> Vec<Row> {
        hits.into_iter()
            .map(|hit| {
                let snippet = match hit.section {
                    Some(section) => render::snippet(&self.index.own_text(section), terms),
                    None => String::new(),
                };
                self.row(&hit, snippet)
            })
            .collect()
    }

    fn row(&self, hit: &Hit, snippet: String) -> Row {
        let document = &self.index.documents[hit.document];
        let heading = hit.section.and_then(|section| self.index.heading(section));
        let title = match heading {
            Some(heading) => format!("{} › {}", document.title(), heading.text),
            None => document.title().to_owned(),
        };
        let anchor = heading.map_or("", |heading| heading.anchor.as_str());
        Row { title, snippet, ..Row::of(document, anchor) }
    }
}

fn check_query(query: &str) -> Result<(), Refusal> {
    if query != "*" && query.chars().take(2).count() < 2 {
        return Err(Refusal::BadRequest("query must be at least 2 characters".into()));
    }
    let mut words: Vec<String> = Vec::new();
    for word in query.split_whitespace().map(lowercase) {
        if !words.contains(&word) {
            words.push(word);
        }
        if words.len() > MAX_WORDS {
            return Err(Refusal::BadRequest(format!(
                "query has too many terms: {} > {MAX_WORDS}",
                words.len()
            )));
        }
    }
    Ok(())
}

/// A path as a store compares it: rooted, without runs of slashes, `.` segments
/// and a trailing slash. `None` where a `..` segment stands in it: a store
/// refuses those before anything else.
pub fn canonical_path(path: &str) -> Option<String> {
    let mut out = String::with_capacity(path.len() + 1);
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => return None,
            segment => {
                out.push('/');
                out.push_str(segment);
            }
        }
    }
    if out.is_empty() {
        out.push('/');
    }
    Some(out)
}

fn shown_scope(scope: &str) -> String {
    canonical_path(scope).unwrap_or_else(|| scope.to_owned())
}
