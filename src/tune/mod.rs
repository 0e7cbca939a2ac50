//! What a budget buys and which engine is better, measured over recorded lookups.
//!
//! - `recorded`: recorded lookups, a line of JSON each

mod recorded;

pub use recorded::{LookupsError, RecordedLookup, RequiredPassage, read_lookups, write_lookups};
