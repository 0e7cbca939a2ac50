//! The posting lists: where each term occurs.
//!
//! While documents are read, finds are only appended to one run in the order they
//! come; at the end the run is sorted by term into flat lists. That keeps memory
//! small and touches it in order.

use super::index::number;

/// One find: a term in a section or document, and how often.
struct Find {
    term: u32,
    place: u32,
    count: u8,
}

/// Finds in the order they came.
#[derive(Default)]
pub(super) struct Found {
    all: Vec<Find>,
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

    /// The finds, sorted by term.
    pub(super) fn sorted(self) -> Lists {
        let terms = self.last.len();
        let mut begins = vec![0u32; terms + 1];
        for find in &self.all {
            begins[find.term as usize + 1] += 1;
        }
        let mut total = 0;
        for begin in &mut begins {
            total += *begin;
            *begin = total;
        }
        let mut next = begins.clone();
        let mut places = vec![0; self.all.len()];
        let mut counts = vec![0; self.all.len()];
        for find in &self.all {
            let slot = &mut next[find.term as usize];
            places[*slot as usize] = find.place;
            counts[*slot as usize] = find.count;
            *slot += 1;
        }
        Lists { begins, places, counts }
    }
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
    /// The places of a term, ascending, with how often it occurs in each, at most
    /// 255: ranking looks at no larger count.
    pub(super) fn of_term(&self, term: u32) -> (&[u32], &[u8]) {
        // A term that was only ever found elsewhere lies beyond the last list.
        match self.begins.get(term as usize..term as usize + 2) {
            Some(&[begin, end]) => {
                let range = begin as usize..end as usize;
                (&self.places[range.clone()], &self.counts[range])
            }
            _ => (&[], &[]),
        }
    }
}
