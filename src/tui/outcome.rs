//! The result on the screen, as far as its documents have come.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::width::grouped;
use crate::lookup::{Asked, MAX_BUDGET, Question, Store};
use crate::relations::Rejected;
use crate::selection::{Kind, Omission, Selection, TableRow};
use crate::tune::{Entry, Walked};
use crate::world::Reader;

/// The result on the screen.
pub struct Outcome {
    /// What was asked.
    pub question: Question,
    /// The answer, for any budget.
    pub asked: Asked,
    /// The result for the present budget.
    pub selection: Selection,
    /// What the reader did not get.
    pub omissions: Vec<Omission>,
    /// The items that are stubs or covered notes.
    pub repeats: Vec<usize>,
    /// The locations that are being fetched. The result is not whole until there
    /// is none.
    pub pending: BTreeSet<String>,
    /// The answer over all its budgets, once somebody wanted to know.
    pub walked: Option<Walked>,
    /// Set while that is worked out away from the screen; to be dropped is to be
    /// wanted no more.
    walking: Option<Wanted>,
}

/// So many pieces are worked out at once; what more would take is felt at the keys.
const AT_ONCE: usize = 60;

/// Tells whoever works something out that it is wanted no more.
#[derive(Debug)]
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An answer to be worked out over all its budgets.
pub struct Walk {
    /// The number of its question.
    pub number: u64,
    store: Arc<Store>,
    question: Question,
    is_unwanted: Arc<AtomicBool>,
}

impl Walk {
    /// Works it out; none where it is wanted no more.
    pub fn walk(&self) -> Option<Walked> {
        let mut asked = self.store.ask(&self.question);
        let walked =
            Walked::new(MAX_BUDGET, |budget| match self.is_unwanted.load(Ordering::Relaxed) {
                true => Err(()),
                false => Ok(asked.select(&self.store, budget)),
            });
        walked.ok()
    }
}

impl Outcome {
    /// Takes an answer at a budget; gives the locations to fetch for it.
    pub fn new(
        question: Question,
        mut asked: Asked,
        reader: &Reader,
        budget: u64,
    ) -> (Self, Vec<String>) {
        let (selection, missing) = reader.select(&mut asked, budget);
        let mut outcome = Self {
            question,
            asked,
            selection,
            omissions: Vec::new(),
            repeats: Vec::new(),
            pending: missing.iter().cloned().collect(),
            walked: None,
            walking: None,
        };
        outcome.derive();
        (outcome, missing)
    }

    /// The same answer at another budget, or with more documents; gives the
    /// locations to fetch that are not under way.
    pub fn select(&mut self, reader: &Reader, budget: u64) -> Vec<String> {
        let (selection, mut missing) = reader.select(&mut self.asked, budget);
        self.selection = selection;
        self.derive();
        missing.retain(|location| self.pending.insert(location.clone()));
        missing
    }

    /// Works the answer out over all its budgets, unless that is done; gives the
    /// locations that it takes and that are not there.
    pub fn walk(&mut self, reader: &Reader) -> Vec<String> {
        if self.walked.is_some() || self.refusal().is_some() || self.asked.told().is_some() {
            return Vec::new();
        }
        let asked = &mut self.asked;
        let walked = Walked::new(MAX_BUDGET, |budget| {
            let (selection, missing) = reader.select(asked, budget);
            if missing.is_empty() { Ok(selection) } else { Err(missing) }
        });
        match walked {
            Ok(walked) => {
                self.walked = Some(walked);
                Vec::new()
            }
            Err(missing) => missing,
        }
    }

    /// The same for an answer of many pieces, away from the screen; none where it is
    /// done at once, or under way.
    pub fn walk_apart(&mut self, reader: &Reader, number: u64) -> Option<Walk> {
        let store = reader.store()?;
        if self.walked.is_some() || self.refusal().is_some() {
            return None;
        }
        // The largest budget has them all, however few the present one has.
        let pieces = self.asked.select(store, MAX_BUDGET).items.len();
        if pieces < AT_ONCE {
            return None;
        }
        let is_unwanted: Arc<AtomicBool> = Arc::default();
        self.walking = Some(Wanted(Arc::clone(&is_unwanted)));
        let (store, question) = (Arc::clone(store), self.question.clone());
        Some(Walk { number, store, question, is_unwanted })
    }

    /// Whether it is being worked out away from the screen.
    pub fn is_walking(&self) -> bool {
        self.walking.is_some() && self.walked.is_none()
    }

    /// When something that was left out comes in, in words; none where it is not
    /// known.
    pub fn entering(&self, omission: &Omission) -> Option<String> {
        let walked = self.walked.as_ref()?;
        let Some(entering) = walked.entering(&self.selection, omission) else {
            let larger = match walked.cut_at {
                None => "no larger budget lets it in".to_owned(),
                Some(last) => format!("no budget up to {} lets it in", grouped(last)),
            };
            return Some(match walked.had_at(&self.selection, omission) {
                None => larger,
                Some(tokens) => format!("{larger}; at {} tokens it is there", grouped(tokens)),
            });
        };
        let at = grouped(entering.tokens);
        Some(match entering.pushed_out.as_slice() {
            [] => format!("enters at {at} tokens; would push out nothing"),
            out => {
                let out: Vec<String> = out.iter().map(name).collect();
                format!("enters at {at} tokens; would push out {}", out.join(", "))
            }
        })
    }

    fn derive(&mut self) {
        self.omissions = self.selection.omissions();
        let items = self.selection.items.iter().enumerate();
        self.repeats = items
            .filter(|(_, item)| matches!(item.kind, Kind::Stub | Kind::Covered))
            .map(|(index, _)| index)
            .collect();
    }

    /// The rows of the table.
    pub fn rows(&self) -> &[TableRow] {
        self.asked.session().answered().rows()
    }

    /// How many relations the strongest match declares, those in vain with them.
    pub fn relations(&self) -> usize {
        self.selection.targets.len() + self.selection.rejected.len()
    }

    /// What is declared in vain at a place of the list of relations.
    pub fn rejected(&self, at: usize) -> Option<&Rejected> {
        let at = at.checked_sub(self.selection.targets.len())?;
        self.selection.rejected.get(at)
    }

    /// What to know of the way to it, a sentence each.
    pub fn remarks(&self) -> impl Iterator<Item = &String> {
        self.asked.remarks().iter().chain(self.asked.failures())
    }

    /// The status and the message of a refusal, if it is one.
    pub fn refusal(&self) -> Option<(&str, &str)> {
        self.asked.refusal().map(|message| (self.asked.status(), message))
    }
}

/// An entry in words.
pub fn name(entry: &Entry) -> String {
    match entry.kind {
        Kind::Block => entry.location.clone(),
        kind => format!("the {} of {}", kind.name(), entry.location),
    }
}
