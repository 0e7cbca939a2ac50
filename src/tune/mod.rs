//! What a budget buys and which engine is better, measured over recorded lookups.
//!
//! - `recorded`: recorded lookups, a line of JSON each
//! - `import`: recorded lookups out of what others keep
//! - `coverage`: which required passages a result holds, and its figures
//! - `curve`: the exact budget curve of one lookup, and its knee
//! - `walked`: an answer over all its budgets, for those who explain one
//! - `sweep`: the curves of many lookups, and their sum; `swept`: the report of it,
//!   which may be resumed; `svg`: its chart
//! - `replay`: lookups put again under one engine or two; `report` is what comes of
//!   it, `hashes` what it was made of
//! - `policy`: a model of what a reader pays in turns
//! - `stats`: how much a difference may be owed to chance
//! - `compare`: two reports held against each other
//! - `parity`: whether two texts are the same bytes
//! - `diff`: what differs for a reader between two worlds, which `level` puts on one
//!   level

mod compare;
mod coverage;
mod curve;
mod diff;
mod documents;
mod hashes;
mod import;
pub(crate) mod json_fault;
mod level;
mod parity;
mod policy;
mod recorded;
mod replay;
mod report;
mod sound;
mod stats;
mod svg;
mod sweep;
mod swept;
mod walked;
mod wire_form;

pub use compare::{Between, Changed, Comparison, Mismatch, compare, mismatches};
pub use coverage::{Covered, Figures, Passages, normalised};
pub use curve::{Entry, Step, curve, knee, walk};
pub use diff::{
    BlockDiff, Change as ResultChange, HopDiff, NoteDiff, OmissionDiff, Pair, ResultDiff, RowDiff,
    Why, diff, titles_and_tags,
};
pub use documents::{DocumentChange, DocumentDiff, documents, unread};
pub use hashes::Hashes;
pub use import::{File as ImportFile, Found, ImportError, Imported, Source, import, results};
pub use level::{Side, Unread, level};
pub use parity::{Parting, parting};
pub use policy::{Attempt, CostModel, Estimate, Policy, PolicySpec, Rule, Rules};
pub use recorded::{LookupsError, RecordedLookup, RequiredPassage, read_lookups, write_lookups};
pub use replay::Replay;
pub use report::{
    Arm, ArmSummary, Difference, Entry as ReportEntry, FORMAT, HopsVerdict, Options, Report,
    Summary, Tests, Verdict, What, differences,
};
pub use stats::{Interval, RESAMPLES, SEED, SignTest, interval, sign_test};
pub use svg::svg;
pub use sweep::{LookupCurve, Point, Reached, Sweep, sweep_one, total};
pub use swept::{SWEEP_FORMAT, SweepReport, Sweeping};
pub use walked::{Entering, Held, Walked};
