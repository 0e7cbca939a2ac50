//! The budget curve of one lookup: exact, from breakpoint to breakpoint.
//!
//! Between two breakpoints of a result nothing changes but the budget's own mention
//! in the note that the table alone is over it. That mention grows with the number
//! of its digits, so the walk also stops at powers of ten there: what it yields is
//! what a run at every token would.

use std::collections::HashMap;
use std::ops::ControlFlow;

use serde::Serialize;

use crate::selection::{Change, Documents, Kind, Missing, Outcome, Selection, Session};

/// A step of the curve: what holds from a budget on, up to the next step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The budget, in tokens, from which it holds.
    pub tokens: u64,
    /// What is different here, first of all; none at the beginning, and where no
    /// more than a number in a note changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// What the result has and had not before, in the result's order.
    pub entering: Vec<Entry>,
    /// What the result had before and has no more: a larger block earlier on may
    /// take the room of later ones.
    pub leaving: Vec<Entry>,
    /// Bytes charged to the budget.
    pub used: usize,
    /// Bytes of the whole result text.
    pub bytes: usize,
    /// Rows that printed a block.
    pub expanded: usize,
    /// Related documents printed.
    pub related: usize,
}

/// An item of a result that has a place of its own: a block, a stub, a note that
/// something is covered, a relation line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Where a reader can cite it.
    pub location: String,
}

/// The exact curve of an answered lookup between two budgets, both included. The
/// first step has everything that is there at `from` as entering.
///
/// # Errors
/// [`Missing`] where `documents` does not know a document yet.
pub fn curve(
    session: &mut Session,
    documents: &mut dyn Documents,
    from: u64,
    to: u64,
) -> Result<Vec<Step>, Missing> {
    let mut steps: Vec<Step> = Vec::new();
    let mut before: Vec<Entry> = Vec::new();
    let select =
        |budget: u64| session.try_select(i64::try_from(budget).unwrap_or(i64::MAX), documents);
    walk(from, to, select, |selection, change| {
        let now = entries(selection);
        steps.push(Step {
            tokens: selection.budget,
            change: change.cloned(),
            entering: without(&now, &before),
            leaving: without(&before, &now),
            used: selection.items.iter().map(|item| item.charged).sum(),
            bytes: selection.bytes(),
            expanded: selection.expanded,
            related: selection.related,
        });
        before = now;
        ControlFlow::Continue(())
    })?;
    Ok(steps)
}

/// Visits the result at `from` and at each budget up to `to` at which its text, or
/// what was fetched for it, is another one, with what changes there, until a visit
/// breaks off.
///
/// # Errors
/// Those of `select`.
pub fn walk<E>(
    from: u64,
    to: u64,
    mut select: impl FnMut(u64) -> Result<Selection, E>,
    mut visit: impl FnMut(&Selection, Option<&Change>) -> ControlFlow<()>,
) -> Result<(), E> {
    let mut budget = from;
    let mut change = None;
    let mut before: Option<Selection> = None;
    while budget <= to {
        let selection = select(budget)?;
        // Not every decision of the engine `rows` shows.
        let is_same = |before: &Selection| {
            before.items == selection.items && before.fetched == selection.fetched
        };
        if !before.as_ref().is_some_and(is_same) && visit(&selection, change.as_ref()).is_break() {
            break;
        }
        let mut next = selection.up.clone().map(|up| (up.tokens, Some(up.change)));
        if let Some(longer) = longer_mention(&selection)
            && next.as_ref().is_none_or(|(tokens, _)| longer < *tokens)
        {
            next = Some((longer, None));
        }
        let Some((tokens, what)) = next else { break };
        (budget, change) = (tokens, what);
        before = Some(selection);
    }
    Ok(())
}

/// The next budget with more digits, where the result mentions its budget.
fn longer_mention(selection: &Selection) -> Option<u64> {
    let mentions = selection.rows.first().is_some_and(|row| row.outcome == Outcome::TableAlone);
    mentions.then(|| 10u64.checked_pow(selection.budget.checked_ilog10()? + 1)).flatten()
}

pub(super) fn entries(selection: &Selection) -> Vec<Entry> {
    let items = selection.items.iter().filter(|item| {
        matches!(item.kind, Kind::Block | Kind::Stub | Kind::Covered | Kind::RelationLine)
    });
    items
        .filter_map(|item| Some(Entry { kind: item.kind, location: item.location.clone()? }))
        .collect()
}

/// The entries of one list beyond those of another; each counts as often as it is
/// there.
pub(super) fn without(of: &[Entry], other: &[Entry]) -> Vec<Entry> {
    let mut left: HashMap<&Entry, usize> = HashMap::new();
    for entry in other {
        *left.entry(entry).or_default() += 1;
    }
    let is_new = |entry: &&Entry| match left.get_mut(*entry) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    of.iter().filter(is_new).cloned().collect()
}

/// Where a rising curve bends: of its points, the one farthest above the straight
/// line from the first to the last. Of equally far ones the first; none where no
/// point is above the line.
///
/// Both axes are taken as parts of the whole way, so neither unit matters.
pub fn knee(points: &[(u64, u64)], to: u64) -> Option<u64> {
    let (&(first_x, first_y), &(_, last_y)) = (points.first()?, points.last()?);
    let (width, height) =
        (i128::from(to) - i128::from(first_x), i128::from(last_y) - i128::from(first_y));
    if width <= 0 || height <= 0 {
        return None;
    }
    let mut best = None;
    let mut most = 0;
    for &(x, y) in points {
        // Above the line by this, times width and height: whole numbers, so exact. Only
        // figures that a file makes up come near the largest number.
        let risen = (i128::from(y) - i128::from(first_y)).saturating_mul(width);
        let gone = (i128::from(x) - i128::from(first_x)).saturating_mul(height);
        let above = risen.saturating_sub(gone);
        if above > most {
            (best, most) = (Some(x), above);
        }
    }
    best
}
