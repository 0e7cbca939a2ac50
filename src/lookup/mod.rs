//! One question put to a world: from the request to the reader's text, for any
//! number of budgets.
//!
//! A [`Store`] is a world in memory and answers at once. Elsewhere the documents
//! come when they come: [`Asked::try_select`] tells which are wanted, and
//! [`Asked::give`] takes them.

mod asked;
mod merged;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use asked::{Asked, Failure, Fetched, NO_ANSWER, Waiting};
pub use merged::{Part, PartAnswer, merge};

use crate::catalog::{Catalog, Request};
use crate::document::Document;
use crate::selection::{Answered, Engine};

/// The budget where none is given, in tokens.
pub const DEFAULT_BUDGET: u64 = 1500;
/// The largest budget that is accepted, in tokens.
pub const MAX_BUDGET: u64 = 1_000_000;

/// A world's documents, indexed, with the errors that some paths answer.
pub struct Store {
    name: String,
    catalog: Catalog,
    errors: BTreeMap<String, String>,
}

impl Store {
    /// Indexes documents. `errors` maps a path to the error text that a fetch of
    /// it gives (`not-permitted`, `archived`); such a document is still indexed.
    pub fn new(
        name: impl Into<String>,
        documents: impl IntoIterator<Item = Arc<Document>>,
        errors: BTreeMap<String, String>,
    ) -> Self {
        Self { name: name.into(), catalog: Catalog::new(documents), errors }
    }

    /// The same store, but bodies are indexed only when a body match asks for it:
    /// for who needs titles and relations alone.
    pub fn of_titles(
        name: impl Into<String>,
        documents: impl IntoIterator<Item = Arc<Document>>,
        errors: BTreeMap<String, String>,
    ) -> Self {
        Self { name: name.into(), catalog: Catalog::of_titles(documents), errors }
    }

    /// The world's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error texts that some paths answer.
    pub fn errors(&self) -> &BTreeMap<String, String> {
        &self.errors
    }

    /// The index.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// What a fetch of a location gives: the document at exactly this path, or
    /// the error text.
    ///
    /// # Errors
    /// The error text that a reader is told; `not-found` where there is nothing.
    pub fn fetch(&self, location: &str) -> Result<Arc<Document>, String> {
        if let Some(error) = self.errors.get(location) {
            return Err(error.clone());
        }
        self.catalog.document(location).cloned().ok_or_else(|| "not-found".to_owned())
    }

    /// Answers a question; the budget comes with [`Asked::select`].
    pub fn ask(&self, question: &Question) -> Asked {
        let answer = self.catalog.lookup(&question.request);
        let sent = question.request.match_sent;
        let answered = Answered::from_catalog(&answer, sent, question.verbose);
        Asked::new(answered, question, answer.err().map(|refusal| refusal.message().to_owned()))
    }
}

/// What is asked, but for the budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The LOOKUP request.
    pub request: Request,
    /// The rules that select the evidence.
    pub engine: Engine,
    /// Whether the table shows all tags.
    pub verbose: bool,
}

impl Question {
    /// A query over the whole world with nothing else asked for.
    pub fn new(query: impl Into<String>) -> Self {
        Self { request: Request::new(query), engine: Engine::default(), verbose: false }
    }
}
