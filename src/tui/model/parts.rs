//! What the state is made of, beside what has a file of its own.

use crate::lookup::Question;

/// The world, as far as it is there.
pub enum World {
    /// It is being read and indexed.
    Opening,
    /// It can be asked.
    Open,
    /// It cannot be opened; why, and the way out.
    Failed(String),
}

/// Something that covers the panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Popup {
    /// The keys.
    Help,
    /// The words for what is selected.
    Why,
    /// What is wrong with the world's files.
    Problems,
    /// The reader's text.
    Reader,
    /// The budget curve.
    Curve,
    /// Two results side by side.
    Compare,
    /// A document opened whole.
    Document,
    /// What a budget buys over recorded lookups.
    Sweep,
}

/// The selected entry of each list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Row of the table.
    pub row: usize,
    /// Relation target, or behind them what is declared in vain.
    pub target: usize,
    /// Stub or covered note.
    pub repeat: usize,
    /// Omission.
    pub omission: usize,
    /// Section of the outline.
    pub section: usize,
    /// Finding.
    pub finding: usize,
}

/// A lookup that was made.
#[derive(Debug, Clone)]
pub struct Past {
    /// What was asked.
    pub question: Question,
    /// The last budget, in tokens.
    pub budget: u64,
    /// Rows of the table.
    pub rows: usize,
    /// Rows that printed a block.
    pub expanded: usize,
    /// Tokens spent.
    pub spent: u64,
}
