//! The budget engine: which evidence a budget buys, and why.
//!
//! A reader sends a query and a budget in tokens; the store answers with a ranked
//! table; the engine fills the rest of the budget with evidence. It is pure: it
//! asks for a document and is given one or an error. What it yields is a
//! [`Selection`]: typed items whose texts, joined, are the reader's text; an
//! outcome for every row, relation target and piece; and the exact budgets, up
//! and down, at which anything would change.
//!
//! - `answered`: what stands ahead of the expansion: envelope and table
//! - `piece`: what a row or a target would print
//! - `run`: one run over the rows and one hop, under one budget; `print`: how it
//!   prints
//! - `decisions`: the comparisons a run makes, and the breakpoints they give
//! - `report`: items, outcomes, breakpoints; `reason`: the same in words
//! - `read_back`: a result out of its text, as a transcript holds it
//! - `session`: the documents held for one lookup, over any number of budgets
//!
//! All sizes are bytes of UTF-8; a token is 4 bytes, rounded down where tokens
//! are printed.

mod answered;
mod decisions;
mod piece;
mod print;
mod read_back;
mod reason;
mod report;
mod run;
mod session;

pub use answered::{Answered, Envelope, TableRow, Worlds};
pub use decisions::{Breakpoint, Change};
pub use piece::{expansion_terms, pinned};
pub use read_back::{NoResult, ReadBack, read_back};
pub use report::{
    Fate, Item, Kind, LineReport, Omission, Outcome, PieceReport, RowReport, Selection,
    TargetReport,
};
pub use run::hop_order;
pub use session::{Documents, Missing, Session};

use serde::{Deserialize, Serialize};

/// Bytes of one token.
pub const TOKEN: usize = 4;
/// The most documents fetched for one result, direct and related together.
pub const FETCH_LIMIT: usize = 10;
/// The most related documents printed for one result.
pub const RELATED_LIMIT: usize = 3;
/// The most pieces that the did-not-fit note names.
pub const NAMED_UNFIT: usize = 3;
/// Bodies of this many bytes or more are not printed whole.
pub const LARGE: usize = 8192;

/// Which rules select the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Evidence selection under one budget for the whole result.
    #[default]
    Selection,
    /// The engine before it, kept for comparison: the table is free, rows are
    /// printed as they come, no coalescing, no relations.
    Rows,
}

impl Engine {
    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::Rows => "rows",
        }
    }
}
