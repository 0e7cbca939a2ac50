//! What a budget buys and which engine is better, measured over recorded lookups.
//!
//! - `recorded`: recorded lookups, a line of JSON each
//! - `coverage`: which required passages a result holds, and its figures
//! - `curve`: the exact budget curve of one lookup, and its knee
//! - `sweep`: the curves of many lookups, and their sum; `svg`: its chart

mod coverage;
mod curve;
mod recorded;
mod svg;
mod sweep;

pub use coverage::{Covered, Figures, Passages, normalised};
pub use curve::{Entry, Step, curve, knee, walk};
pub use recorded::{LookupsError, RecordedLookup, RequiredPassage, read_lookups, write_lookups};
pub use svg::svg;
pub use sweep::{LookupCurve, Point, Reached, Sweep, sweep_one, total};
