//! The documents that one lookup holds, over any number of budgets.

use std::collections::HashMap;
use std::sync::Arc;

use super::Engine;
use super::answered::Answered;
use super::piece::{Pieces, expansion_terms};
use super::report::Selection;
use super::run::Run;
use crate::document::Document;
use crate::relations::{Rejected, Relations};

/// Where a run gets its documents from.
pub trait Documents {
    /// The document at a location as the table or a relation has it, or the error
    /// text that a reader would be told (`not-found`, `archived` …). `None` where
    /// it is not known yet: the run ends there with [`Missing`].
    fn fetch(&mut self, location: &str) -> Option<Result<Arc<Document>, String>>;

    /// Why the caller wants no more, if it does. Asked before every row.
    fn cancelled(&self) -> Option<String> {
        None
    }
}

impl<F: FnMut(&str) -> Result<Arc<Document>, String>> Documents for F {
    fn fetch(&mut self, location: &str) -> Option<Result<Arc<Document>, String>> {
        Some(self(location))
    }
}

/// A run needs a document that was not given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The location to fetch.
    pub location: String,
    /// The result as far as it is certain: what follows may change with the
    /// document, what is there does not. It has no closing note.
    pub so_far: Box<Selection>,
}

/// A document, or the error text, as it was fetched, with all that was worked
/// out about it.
pub(super) struct Held {
    pub(super) fetched: Result<Arc<Document>, String>,
    pub(super) pieces: HashMap<String, Arc<Pieces>>,
    pub(super) relations: Option<Arc<Relations>>,
}

impl Held {
    pub(super) fn new(fetched: Result<Arc<Document>, String>) -> Self {
        Self { fetched, pieces: HashMap::new(), relations: None }
    }
}

/// One lookup's answer with the documents fetched for it. It runs again for
/// another budget without fetching or parsing anything twice.
pub struct Session {
    pub(super) answered: Answered,
    pub(super) engine: Engine,
    pub(super) terms: Vec<String>,
    pub(super) held: HashMap<String, Held>,
}

impl Session {
    /// A session over an answer. `query` is as typed: its words choose the
    /// sections of large documents.
    pub fn new(answered: Answered, query: &str, engine: Engine) -> Self {
        Self { answered, engine, terms: expansion_terms(query), held: HashMap::new() }
    }

    /// The answer.
    pub fn answered(&self) -> &Answered {
        &self.answered
    }

    /// The same answer under other rules, with the documents held.
    pub fn set_engine(&mut self, engine: Engine) {
        if self.engine != engine {
            self.engine = engine;
            for held in self.held.values_mut() {
                held.pieces.clear();
            }
        }
    }

    /// Takes what a fetch of a location gave, ahead of the run that asks for it.
    pub fn hold(&mut self, location: String, fetched: Result<Arc<Document>, String>) {
        self.held.insert(location, Held::new(fetched));
    }

    /// Whether what a fetch of a location gave is held.
    pub fn holds(&self, location: &str) -> bool {
        self.held.contains_key(location)
    }

    /// How many locations it holds something for.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// A document held at a location.
    pub fn document(&self, location: &str) -> Option<&Arc<Document>> {
        self.held.get(location).and_then(|held| held.fetched.as_ref().ok())
    }

    /// What a document that was run over declares as a relation and no reader sees.
    pub(super) fn rejected(&self, location: &str) -> Vec<Rejected> {
        let relations = self.held.get(location).and_then(|held| held.relations.as_ref());
        relations.map(|relations| relations.rejected.clone()).unwrap_or_default()
    }

    /// The result for a budget in tokens; 0 or less is no budget.
    ///
    /// # Errors
    /// [`Missing`] where `documents` does not know a document yet. What was given
    /// before is held, so that the next run goes on from there.
    pub fn try_select(
        &mut self,
        budget: i64,
        documents: &mut dyn Documents,
    ) -> Result<Selection, Missing> {
        Run::new(self, u64::try_from(budget).unwrap_or(0), documents).finish()
    }

    /// The result for a budget in tokens, from a source that always answers.
    pub fn select(
        &mut self,
        budget: i64,
        mut fetch: impl FnMut(&str) -> Result<Arc<Document>, String>,
    ) -> Selection {
        match self.try_select(budget, &mut |location: &str| fetch(location)) {
            Ok(selection) => selection,
            Err(missing) => unreachable!("a source that always answers left {}", missing.location),
        }
    }
}
