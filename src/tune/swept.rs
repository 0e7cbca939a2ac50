//! The report of a sweep. It may be of a part of the lookups, and is then gone on
//! from; the same sweep, in one go or in several, is the same file.

use serde::{Deserialize, Serialize};

use super::hashes::Hashes;
use super::recorded::RecordedLookup;
use super::report::PROGRAM;
use super::sweep::{LookupCurve, Sweep, sweep_one, total};
use crate::lookup::Store;
use crate::selection::Engine;

/// The format of a report.
pub const SWEEP_FORMAT: &str = "markscope-sweep-v1";

/// A sweep: what is put to which world, under which rules, between which budgets.
pub struct Sweeping<'a> {
    /// The world.
    pub store: &'a Store,
    /// The lookups.
    pub lookups: &'a [RecordedLookup],
    /// The rules that select.
    pub engine: Engine,
    /// The smallest budget, in tokens.
    pub from: u64,
    /// The largest budget, in tokens.
    pub to: u64,
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepReport {
    /// [`SWEEP_FORMAT`].
    pub format: String,
    /// The program and its version.
    pub program: String,
    /// Whether every lookup is in it.
    pub complete: bool,
    /// Which world, by name, for people.
    pub world: String,
    /// Documents of the world.
    pub documents: usize,
    /// How many lookups there are, in it or not.
    pub asked: usize,
    /// The smallest budget, in tokens.
    pub from: u64,
    /// The largest budget, in tokens.
    pub to: u64,
    /// The rules that select.
    pub engine: Engine,
    /// All that it depends on, to compare by.
    pub hashes: Hashes,
    /// The curves, in the order of the lookups.
    pub lookups: Vec<LookupCurve>,
    /// The sum over those that are in it.
    pub all: LookupCurve,
}

/// What a sweep depends on beside world, lookups and engine.
#[derive(Serialize)]
struct Between {
    from: u64,
    to: u64,
}

impl Sweeping<'_> {
    /// The hashes of all that the sweep depends on.
    pub fn hashes(&self) -> Hashes {
        let between = Between { from: self.from, to: self.to };
        Hashes::of(self.store, self.lookups, self.engine, &between)
    }

    /// The curve of one lookup, by its place, counted from 0.
    pub fn curve(&self, at: usize) -> Option<LookupCurve> {
        let lookup = self.lookups.get(at)?;
        let curve = sweep_one(lookup, self.store, self.engine, self.from, self.to);
        Some(LookupCurve { lookup: Some(at + 1), ..curve })
    }

    /// The report of what is done so far; it is complete where every lookup is.
    pub fn report(&self, hashes: Hashes, mut curves: Vec<LookupCurve>) -> SweepReport {
        curves.sort_by_key(|curve| curve.lookup);
        curves.dedup_by_key(|curve| curve.lookup);
        let report = SweepReport {
            format: SWEEP_FORMAT.into(),
            program: PROGRAM.into(),
            complete: curves.len() == self.lookups.len(),
            world: self.store.name().to_owned(),
            documents: self.store.catalog().documents().len(),
            asked: self.lookups.len(),
            from: self.from,
            to: self.to,
            engine: self.engine,
            hashes,
            all: total(&curves, self.to),
            lookups: curves,
        };
        report.sealed()
    }
}

impl SweepReport {
    /// The curves and their sum, without what they were made of.
    pub fn sweep(&self) -> Sweep {
        let Self { from, to, engine, .. } = *self;
        Sweep { from, to, engine, lookups: self.lookups.clone(), all: self.all.clone() }
    }

    /// The key at fault, and why, of a report that was read: each curve has the place
    /// of a lookup, and its budgets rise from the smallest to no more than the largest.
    pub fn fault(&self) -> Option<(String, String)> {
        self.lookups.iter().enumerate().find_map(|(at, curve)| {
            let fault = |key: &str, why: String| Some((format!("lookups[{at}].{key}"), why));
            if !curve.lookup.is_some_and(|place| (1..=self.asked).contains(&place)) {
                return fault("lookup", format!("a place is a number from 1 to {}", self.asked));
            }
            let rises = curve.points.is_sorted_by(|one, next| one.budget < next.budget);
            let begins = curve.points.first().is_some_and(|point| point.budget == self.from);
            let ends = curve.points.last().is_some_and(|point| point.budget <= self.to);
            if rises && begins && ends {
                return None;
            }
            fault("points", format!("budgets rise from {} to {} at most", self.from, self.to))
        })
    }

    /// The key and the words of a report that is not as it was written, wherever that
    /// may be.
    pub fn changed(&self) -> Option<(String, String)> {
        self.hashes.broken(&self.says())
    }

    /// What is hashed of it: all but its hashes and its sum.
    fn says(&self) -> impl Serialize {
        let made = (self.complete, self.documents, self.asked, self.from, self.to, self.engine);
        (&self.format, &self.program, &self.world, made, &self.lookups)
    }

    /// The report with the hash of what it says.
    pub fn sealed(mut self) -> Self {
        let seal = self.hashes.seal(&self.says());
        self.hashes.report = seal;
        self
    }
}
