//! An answered question: what is known of its documents, and its result for any
//! budget.

use std::collections::HashSet;
use std::sync::Arc;

use super::{MAX_BUDGET, Question, Store};
use crate::document::Document;
use crate::mark::Authority;
use crate::relations::Relations;
use crate::selection::{Answered, Documents, FETCH_LIMIT, Missing, ReadBack, Selection, Session};

/// The reader is told this for a document where the network failed.
pub const NO_ANSWER: &str = "no answer";

/// What came of fetching one document.
#[derive(Debug, Clone)]
pub enum Fetched {
    /// The document.
    Document(Arc<Document>),
    /// The error text that a reader is told, such as `not-found`.
    Error(String),
    /// There is no answer.
    Failed(Failure),
}

impl From<Result<Arc<Document>, String>> for Fetched {
    fn from(fetched: Result<Arc<Document>, String>) -> Self {
        match fetched {
            Ok(document) => Self::Document(document),
            Err(error) => Self::Error(error),
        }
    }
}

/// An answered question, which gives its result for any budget.
pub struct Asked {
    /// The result, where all that is known of it is its text.
    told: Option<Arc<ReadBack>>,
    refusal: Option<String>,
    session: Session,
    remarks: Vec<String>,
    failures: Vec<String>,
    is_cut_off: bool,
}

/// What went wrong on the way to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// In a sentence.
    pub sentence: String,
    /// Whether the network has failed as a whole, so that asking on is of no use.
    pub is_cut_off: bool,
}

/// A result that waits for documents.
#[derive(Debug)]
pub struct Waiting {
    /// The result as far as it is certain.
    pub so_far: Box<Selection>,
    /// The locations of the documents to give: the one that is missing, and those
    /// that are likely to be next. Never more than ten for one question, unless a
    /// result needs them.
    pub wanted: Vec<String>,
}

impl Asked {
    /// An answer, with the store's message where it refused.
    pub fn new(answered: Answered, question: &Question, refusal: Option<String>) -> Self {
        Self {
            told: None,
            refusal,
            session: Session::new(answered, &question.request.query, question.engine),
            remarks: Vec::new(),
            failures: Vec::new(),
            is_cut_off: false,
        }
    }

    /// An answer of which the text alone is known, whatever the budget.
    pub fn read_back(back: Arc<ReadBack>, question: &Question) -> Self {
        let refused = !matches!(back.answered.status(), "ok" | "partial");
        // The message is the text below the title.
        let lines = back.answered.table().lines().map(str::trim);
        let mut words = lines.filter(|line| !line.is_empty() && !line.starts_with("# "));
        let refusal = refused.then(|| words.next().unwrap_or_default().to_owned());
        let unknown = match back.unknown.as_slice() {
            [] => Vec::new(),
            unknown => vec![format!("Not in the text: {}.", unknown.join("; "))],
        };
        let asked = Self::new(back.answered.clone(), question, refusal).with_remarks(unknown);
        Self { told: Some(back), ..asked }
    }

    /// The result, where all that is known of it is its text.
    pub fn told(&self) -> Option<&ReadBack> {
        self.told.as_deref()
    }

    /// The same with what there is to know about the answer, a sentence each.
    #[must_use]
    pub fn with_remarks(mut self, remarks: Vec<String>) -> Self {
        self.remarks = remarks;
        self
    }

    /// The status of the answer. What is not `ok` or `partial` is a refusal.
    pub fn status(&self) -> &str {
        self.session.answered().status()
    }

    /// The message of a refusal, where there is one; it may be empty.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// What to know about the answer, a sentence each: that the server does not
    /// know what it was asked for, that rows are broken.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Documents that the network did not give, a sentence each.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// The answer and the documents held.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The same, to walk over budgets with documents of one's own.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The result for a budget in tokens; 0 is the table alone. Documents come
    /// from the store that was asked; none is fetched or parsed twice.
    pub fn select(&mut self, store: &Store, budget: u64) -> Selection {
        self.session.select(tokens(budget), |location| store.fetch(location))
    }

    /// The result for a budget in tokens, out of the documents given so far.
    ///
    /// # Errors
    /// What there is of it, and the documents that it waits for.
    pub fn try_select(&mut self, budget: u64) -> Result<Selection, Waiting> {
        loop {
            match self.session.try_select(tokens(budget), &mut NothingMore) {
                Ok(selection) => return Ok(selection),
                Err(Missing { location, .. }) if self.is_cut_off => {
                    self.session.hold(location, Err(NO_ANSWER.to_owned()));
                }
                Err(Missing { location, so_far }) => {
                    return Err(Waiting { wanted: self.wanted(&location), so_far });
                }
            }
        }
    }

    /// Takes what came of a document.
    pub fn give(&mut self, location: String, fetched: Fetched) {
        let held = match fetched {
            Fetched::Document(document) => Ok(document),
            Fetched::Error(error) => Err(error),
            Fetched::Failed(failure) => {
                self.is_cut_off |= failure.is_cut_off;
                self.failures.push(failure.sentence);
                Err(NO_ANSWER.to_owned())
            }
        };
        self.session.hold(location, held);
    }

    /// What to fetch where a location is missing: that one, and those that would be
    /// next, never more than ten in all ahead of need, since no result takes more.
    /// A run that has bytes left looks at nearly every row, be it only to say that
    /// it does not fit, so little is fetched in vain.
    fn wanted(&self, missing: &str) -> Vec<String> {
        let rows = self.session.answered().rows();
        let room = FETCH_LIMIT.saturating_sub(self.session.held()).max(1);
        let next: Vec<String> = if rows.iter().any(|row| row.path == *missing) {
            rows.iter().map(|row| row.path.clone()).skip_while(|path| path != missing).collect()
        } else {
            self.targets_beside(missing)
        };
        let mut seen = HashSet::from([missing.to_owned()]);
        let next = next
            .into_iter()
            .filter(|location| !self.session.holds(location) && seen.insert(location.clone()));
        std::iter::once(missing.to_owned()).chain(next).take(room).collect()
    }

    /// The relation targets of the document that one target comes from. What is in
    /// another world is never followed, so it is not asked for.
    fn targets_beside(&self, target: &str) -> Vec<String> {
        let rows = self.session.answered().rows().iter();
        rows.filter_map(|row| {
            let document = self.session.document(&row.path)?;
            let world = Authority::of(&row.path);
            let refs = Relations::of(&row.path, document.metadata()).refs;
            let targets = refs.into_iter().map(|relation| relation.target);
            let targets: Vec<String> =
                targets.filter(|target| Authority::of(target) == world).collect();
            targets.iter().any(|known| known == target).then_some(targets)
        })
        .next()
        .unwrap_or_default()
    }
}

fn tokens(budget: u64) -> i64 {
    i64::try_from(budget.min(MAX_BUDGET)).unwrap_or(i64::MAX)
}

/// No document but those that are held.
struct NothingMore;

impl Documents for NothingMore {
    fn fetch(&mut self, _: &str) -> Option<Result<Arc<Document>, String>> {
        None
    }
}
