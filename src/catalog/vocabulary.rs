//! The terms of an index, numbered.

use rustc_hash::FxHashMap;

use super::index::number;
use super::terms::Term;

/// Terms with their numbers, counted from 0 in the order they came.
#[derive(Default)]
pub(super) struct Vocabulary(FxHashMap<Term, u32>);

impl Vocabulary {
    /// The number of a term, where it has one.
    pub(super) fn get(&self, term: Term) -> Option<u32> {
        self.0.get(&term).copied()
    }

    /// The number of a term, a new one for a new term.
    pub(super) fn take(&mut self, term: Term) -> u32 {
        let next = number(self.0.len());
        *self.0.entry(term).or_insert(next)
    }
}
