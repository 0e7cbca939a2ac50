//! Recorded lookups put again, under an engine and the one it is held against.

use super::coverage::{Figures, Passages};
use super::hashes::Hashes;
use super::policy::Attempt;
use super::recorded::{RecordedLookup, RequiredPassage};
use super::report::{Arm, Entry, FORMAT, Options, PROGRAM, Report, Summary, differences};
use crate::lookup::Store;
use crate::selection::{Engine, TOKEN};

/// A replay: what is put to which world, under which rules.
pub struct Replay<'a> {
    /// The world.
    pub store: &'a Store,
    /// The lookups.
    pub lookups: &'a [RecordedLookup],
    /// The rules that select.
    pub engine: Engine,
    /// The rules that they are held against.
    pub against: Option<Engine>,
    /// What else it depends on.
    pub options: Options,
}

impl Replay<'_> {
    /// The hashes of all that the replay depends on.
    pub fn hashes(&self) -> Hashes {
        Hashes::of(self.store, self.lookups, self.engine, &self.options)
    }

    /// One lookup, by its place, counted from 0.
    pub fn entry(&self, at: usize) -> Option<Entry> {
        let lookup = self.lookups.get(at)?;
        let own = lookup.own_world();
        let store = own.as_ref().unwrap_or(self.store);
        let mut passages = Passages::of(lookup, store);
        let mut remarks = passages.remarks().to_vec();
        let asked = lookup.ask(store, self.engine, false);
        if asked.status() != "ok" {
            let why = asked.refusal().unwrap_or_default();
            remarks.push(format!("refused: {}: {why}", asked.status()));
        }
        let status = asked.status().to_owned();
        let engine = self.arm(lookup, store, self.engine, &mut passages);
        let against = self.against.map(|against| self.arm(lookup, store, against, &mut passages));
        let required: Vec<String> = passages.measured().map(RequiredPassage::location).collect();
        let differences = match &against {
            Some(against) => differences(&required, &against.passages, &engine.passages),
            None => Vec::new(),
        };
        Some(Entry {
            lookup: at + 1,
            name: lookup.name().to_owned(),
            category: lookup.category.clone(),
            budget: self.budget(lookup),
            status,
            required,
            left_out: passages.left_out().iter().map(RequiredPassage::location).collect(),
            absent: passages.absent().iter().map(RequiredPassage::location).collect(),
            engine,
            against,
            differences,
            remarks,
        })
    }

    fn budget(&self, lookup: &RecordedLookup) -> u64 {
        self.options.budget.unwrap_or_else(|| lookup.budget())
    }

    fn arm(
        &self,
        lookup: &RecordedLookup,
        store: &Store,
        engine: Engine,
        passages: &mut Passages,
    ) -> Arm {
        let mut asked = lookup.ask(store, engine, false);
        let table_tokens = (asked.session().answered().spent() / TOKEN) as u64;
        let selection = asked.select(store, self.budget(lookup));
        let covered = passages.covered(&selection);
        let figures = Figures::of(&selection, &covered);
        let attempt = Attempt {
            table_tokens,
            result_tokens: figures.tokens,
            required: covered.len() as u64,
            contained: figures.contained,
        };
        let policy = self.options.policy.as_ref();
        Arm {
            figures,
            passages: covered,
            turns: policy.and_then(|policy| policy.estimate(lookup, attempt)),
        }
    }

    /// The report of what is done so far; it is complete where every lookup is.
    pub fn report(&self, hashes: Hashes, mut entries: Vec<Entry>) -> Report {
        entries.sort_by_key(|entry| entry.lookup);
        entries.dedup_by_key(|entry| entry.lookup);
        let report = Report {
            format: FORMAT.into(),
            program: PROGRAM.into(),
            complete: entries.len() == self.lookups.len(),
            world: self.store.name().to_owned(),
            documents: self.store.catalog().documents().len(),
            lookups: self.lookups.len(),
            engine: self.engine,
            against: self.against,
            options: self.options.clone(),
            hashes,
            all: Summary::of(&entries),
            categories: Summary::by_category(&entries),
            entries,
        };
        report.sealed()
    }
}
