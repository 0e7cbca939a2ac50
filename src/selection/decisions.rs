//! The comparisons of a run, and the breakpoints that they give.
//!
//! Every decision compares what remains of the budget with a size or with zero.
//! While no decision changes, what remains moves one to one with the budget. So
//! the next budget at which anything changes is the present one and the smallest
//! deficit among the decisions that said no; and downward likewise from the
//! smallest slack among those that said yes.

use serde::Serialize;

use super::TOKEN;

/// What changes first at a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", content = "location", rename_all = "kebab-case")]
pub enum Change {
    /// There is a budget at all.
    Budget,
    /// The table leaves room for an expansion.
    Expansion,
    /// A row is looked at.
    Row(String),
    /// A relation's target is looked at.
    Target(String),
    /// A block fits.
    Block(String),
    /// The relation line of a document fits.
    RelationLine(String),
}

impl Change {
    /// In words, for a budget above the present one.
    pub fn gained(&self) -> String {
        match self {
            Self::Budget => "a note that the table alone exceeds the budget".into(),
            Self::Expansion => "the table leaves room for evidence".into(),
            Self::Row(location) => format!("row {location} is reached"),
            Self::Target(location) => format!("related {location} is reached"),
            Self::Block(location) => format!("{location} fits"),
            Self::RelationLine(path) => format!("the relation line of {path} fits"),
        }
    }

    /// In words, for a budget below the present one.
    pub fn lost(&self) -> String {
        match self {
            Self::Budget => "no budget, the table alone".into(),
            Self::Expansion => "the table leaves no room for evidence".into(),
            Self::Row(location) => format!("row {location} is no longer reached"),
            Self::Target(location) => format!("related {location} is no longer reached"),
            Self::Block(location) => format!("{location} no longer fits"),
            Self::RelationLine(path) => format!("the relation line of {path} no longer fits"),
        }
    }
}

/// The nearest budget at which something changes. Between it and the budget of
/// the run, nothing does, but for the budget's own mention in the note that the
/// table alone is over it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Breakpoint {
    /// The budget, in tokens.
    pub tokens: u64,
    /// What is different there, first of all.
    #[serde(flatten)]
    pub change: Change,
}

/// Collects the decisions of one run.
pub(super) struct Decisions {
    /// The budget of the run, in tokens.
    budget: u64,
    up: Option<Breakpoint>,
    down: Option<Breakpoint>,
}

impl Decisions {
    pub(super) fn new(budget: u64) -> Self {
        Self { budget, up: None, down: None }
    }

    /// Whether `size` bytes fit in what remains.
    pub(super) fn fits(
        &mut self,
        size: usize,
        remaining: i64,
        change: impl FnOnce() -> Change,
    ) -> bool {
        self.decide(remaining - bytes(size), change)
    }

    /// Whether anything remains.
    pub(super) fn some_left(&mut self, remaining: i64, change: impl FnOnce() -> Change) -> bool {
        self.decide(remaining - 1, change)
    }

    /// Says yes exactly if `margin` bytes are not negative, and notes how far the
    /// budget is from the other answer. Of decisions that turn at the same budget
    /// the first of the run is kept: what comes after it may go another way then.
    fn decide(&mut self, margin: i64, change: impl FnOnce() -> Change) -> bool {
        let token = TOKEN as u64;
        if margin < 0 {
            let tokens = self.budget + margin.unsigned_abs().div_ceil(token);
            if self.up.as_ref().is_none_or(|up| tokens < up.tokens) {
                self.up = Some(Breakpoint { tokens, change: change() });
            }
        } else {
            let step = margin.unsigned_abs() / token + 1;
            // Below zero tokens there is no budget to go to.
            if let Some(tokens) = self.budget.checked_sub(step)
                && self.down.as_ref().is_none_or(|down| tokens > down.tokens)
            {
                self.down = Some(Breakpoint { tokens, change: change() });
            }
        }
        margin >= 0
    }

    pub(super) fn breakpoints(self) -> (Option<Breakpoint>, Option<Breakpoint>) {
        (self.up, self.down)
    }
}

/// A size as a signed number, to compare with what remains.
pub(super) fn bytes(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
