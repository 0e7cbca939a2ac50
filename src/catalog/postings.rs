//! The posting lists: where each term occurs.
//!
//! While documents are read, finds are only appended to one run in the order they
//! come; at the end all runs are sorted by term into flat lists. That keeps memory
//! small and touches it in order.

use std::sync::Arc;

use super::index::number;

/// One find: a term in a section or document, and how often.
#[derive(Clone, Copy)]
pub(super) struct Find {
    term: u32,
    place: u32,
    count: u8,
}

/// Finds in the order they came.
#[derive(Default)]
pub(super) struct Found {
    pub(super) all: Vec<Find>,
    /// For each term, its last find. Places only ever ascend, so a find in the
    /// same place is always the last.
    last: Vec<u32>,
}

impl Found {
    pub(super) fn add(&mut self, term: u32, place: u32) {
        let at = term as usize;
        if at >= self.last.len() {
            self.last.resize(at + 1, u32::MAX);
        }
        if let Some(find) = self.all.get_mut(self.last[at] as usize)
            && find.place == place
        {
            find.count = find.count.saturating_add(1);
            return;
        }
        self.last[at] = number(self.all.len());
        self.all.push(Find { term, place, count: 1 });
    }
}

/// The finds of one part, with what turns its numbers into the whole's.
pub(super) struct Shifted {
    pub(super) found: Vec<Find>,
    pub(super) ids: Arc<Vec<u32>>,
    pub(super) offset: u32,
}

/// For every term, its places ascending, one list behind the other.
#[derive(Default)]
pub(super) struct Lists {
    /// Where the list of each term begins; one more for the end of the last.
    begins: Vec<u32>,
    places: Vec<u32>,
    counts: Vec<u8>,
}

impl Lists {
    /// Sorts finds by term. The parts must come in the order of their places.
    pub(super) fn of(terms: usize, parts: &[Shifted]) -> Self {
        let mut begins = vec![0u32; terms + 1];
        let finds =
            || parts.iter().flat_map(|part| part.found.iter().map(move |find| (part, find)));
        for (part, find) in finds() {
            begins[part.ids[find.term as usize] as usize + 1] += 1;
        }
        let mut total = 0;
        for begin in &mut begins {
            total += *begin;
            *begin = total;
        }
        let mut next = begins.clone();
        let mut places = vec![0; total as usize];
        let mut counts = vec![0; total as usize];
        for (part, find) in finds() {
            let slot = &mut next[part.ids[find.term as usize] as usize];
            places[*slot as usize] = find.place + part.offset;
            counts[*slot as usize] = find.count;
            *slot += 1;
        }
        Self { begins, places, counts }
    }

    /// The places of a term, ascending.
    pub(super) fn of_term(&self, term: usize) -> &[u32] {
        &self.places[self.range(term)]
    }

    /// How often the term occurs in each of its places.
    pub(super) fn counts(&self, term: usize) -> &[u8] {
        &self.counts[self.range(term)]
    }

    fn range(&self, term: usize) -> std::ops::Range<usize> {
        self.begins[term] as usize..self.begins[term + 1] as usize
    }
}
