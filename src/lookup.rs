//! One question put to a world in memory: from the request to the reader's text,
//! for any number of budgets.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::{Catalog, Refusal, Request};
use crate::document::Document;
use crate::selection::{Answered, Engine, Selection, Session};

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

    /// The world's name.
    pub fn name(&self) -> &str {
        &self.name
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
        let session = Session::new(answered, &question.request.query, question.engine);
        Asked { refusal: answer.err(), session }
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

/// An answered question, which gives its result for any budget.
pub struct Asked {
    refusal: Option<Refusal>,
    session: Session,
}

impl Asked {
    /// Why the store refused, if it did.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// The answer and the documents held.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The result for a budget in tokens; 0 is the table alone. Documents come
    /// from the store that was asked; none is fetched or parsed twice.
    pub fn select(&mut self, store: &Store, budget: u64) -> Selection {
        let budget = i64::try_from(budget.min(MAX_BUDGET)).unwrap_or(i64::MAX);
        self.session.select(budget, |location| store.fetch(location))
    }
}
