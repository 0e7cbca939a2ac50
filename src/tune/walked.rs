//! An answer over all its budgets: what each result holds, and when something that
//! was left out comes in.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::curve::{Entry, entries, without};
use super::walk;
use crate::selection::{Change, Kind, Omission, Outcome, Selection};

/// The most steps that are kept; what is not looked at behind them is told.
const MOST: usize = 2000;

/// What holds from a budget on, up to the next step.
#[derive(Debug, Clone)]
pub struct Held {
    /// The budget, in tokens, from which it holds.
    pub tokens: u64,
    /// What is different here, first of all.
    pub change: Option<Change>,
    /// What the result holds, in its order.
    pub entries: Vec<Entry>,
    /// Bytes charged, by kind of item.
    pub charged: Vec<(Kind, usize)>,
    /// Bytes of the whole result text.
    pub bytes: usize,
    /// Rows that printed a block.
    pub expanded: usize,
    /// Related documents printed.
    pub related: usize,
    rows: Vec<bool>,
    strongest: Option<String>,
    targets: Vec<bool>,
}

impl Held {
    fn of(selection: &Selection, change: Option<&Change>) -> Self {
        let mut charged: Vec<(Kind, usize)> = Vec::new();
        for item in &selection.items {
            match charged.iter_mut().find(|(kind, _)| *kind == item.kind) {
                Some((_, sum)) => *sum += item.charged,
                None => charged.push((item.kind, item.charged)),
            }
        }
        Self {
            tokens: selection.budget,
            change: change.cloned(),
            entries: entries(selection),
            charged,
            bytes: selection.bytes(),
            expanded: selection.expanded,
            related: selection.related,
            rows: selection.rows.iter().map(|row| is_printed(row.outcome)).collect(),
            strongest: selection.strongest.clone(),
            targets: selection.targets.iter().map(|target| is_printed(target.outcome)).collect(),
        }
    }

    /// Bytes charged for all of it.
    pub fn used(&self) -> usize {
        self.charged.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Whether the reader has the row or the target that was left out at another budget of
    /// the same answer.
    fn shows(&self, omission: &Omission, strongest: Option<&str>) -> bool {
        let shown = |all: &[bool], at: usize| all.get(at).copied().unwrap_or(false);
        match (omission.row, omission.target) {
            (Some(row), _) => shown(&self.rows, row),
            (None, Some(target)) => {
                self.strongest.as_deref() == strongest && shown(&self.targets, target)
            }
            (None, None) => false,
        }
    }
}

/// Whether the reader has it as a piece of its own: what is in the table already, or
/// covered by another piece, does not come in as what was left out.
fn is_printed(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Printed | Outcome::SameText)
}

/// When something that was left out comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entering {
    /// The smallest larger budget, in tokens, at which the reader has it.
    pub tokens: u64,
    /// What the reader has now and would not have there.
    pub pushed_out: Vec<Entry>,
}

/// An answer over all its budgets, from 0 to where nothing changes any more.
#[derive(Debug, Clone)]
pub struct Walked {
    /// The steps, by budget; the first is that of no budget.
    pub steps: Vec<Held>,
    /// The budget, in tokens, behind which there are more steps than are kept.
    pub cut_at: Option<u64>,
    /// The steps that have a piece, or the relation line of a location, in order.
    places: HashMap<(bool, String), Vec<usize>>,
}

impl Walked {
    /// Walks over all budgets.
    ///
    /// # Errors
    /// Those of `select`.
    pub fn new<E>(most: u64, select: impl FnMut(u64) -> Result<Selection, E>) -> Result<Self, E> {
        let mut steps: Vec<Held> = Vec::new();
        let mut cut_at = None;
        walk(0, most, select, |selection, change| {
            if steps.len() == MOST {
                cut_at = Some(selection.budget.saturating_sub(1));
                return ControlFlow::Break(());
            }
            steps.push(Held::of(selection, change));
            ControlFlow::Continue(())
        })?;
        let mut places: HashMap<(bool, String), Vec<usize>> = HashMap::new();
        for (at, step) in steps.iter().enumerate() {
            for entry in &step.entries {
                let is_line = match entry.kind {
                    Kind::RelationLine => true,
                    Kind::Block | Kind::Stub => false,
                    _ => continue,
                };
                let of = places.entry((is_line, entry.location.clone())).or_default();
                if of.last() != Some(&at) {
                    of.push(at);
                }
            }
        }
        Ok(Self { steps, cut_at, places })
    }

    /// The steps at which the reader has what was left out at another budget of the same
    /// answer: the last before `here`, and the first after it.
    fn around(
        &self,
        here: usize,
        omission: &Omission,
        strongest: Option<&str>,
    ) -> (Option<usize>, Option<usize>) {
        let is_line = omission.kind == Kind::RelationLine;
        if is_line || omission.short.is_some() {
            let key = (is_line, omission.location.clone());
            let of = self.places.get(&key).map(Vec::as_slice).unwrap_or_default();
            let before = of.partition_point(|step| *step < here);
            let after = of.partition_point(|step| *step <= here);
            return (before.checked_sub(1).map(|at| of[at]), of.get(after).copied());
        }
        // Never reached: its pieces are not known by name.
        let has = |step: &Held| step.shows(omission, strongest);
        let (earlier, later) = (&self.steps[..here], &self.steps[here + 1..]);
        let after = later.iter().position(has).map(|at| here + 1 + at);
        (earlier.iter().rposition(has), after)
    }

    /// The step that holds at a budget, by its place.
    pub fn at(&self, budget: u64) -> usize {
        self.steps.partition_point(|step| step.tokens <= budget).saturating_sub(1)
    }

    /// What a step has that the one before has not, and what it has no more.
    pub fn change(&self, at: usize) -> (Vec<Entry>, Vec<Entry>) {
        let now = self.steps.get(at).map(|step| step.entries.as_slice()).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| self.steps.get(at));
        let before = before.map(|step| step.entries.as_slice()).unwrap_or_default();
        (without(now, before), without(before, now))
    }

    /// The largest smaller budget, in tokens, at which the reader has what a selection of
    /// this answer left out.
    pub fn had_at(&self, selection: &Selection, omission: &Omission) -> Option<u64> {
        let strongest = selection.strongest.as_deref();
        let here = self.at(selection.budget);
        let (last, _) = self.around(here, omission, strongest);
        let last = last?;
        // It is there up to where the next step begins.
        self.steps.get(last + 1).map(|next| next.tokens.saturating_sub(1))
    }

    /// When something that a selection of this answer left out comes in; none where
    /// no larger budget lets it in.
    pub fn entering(&self, selection: &Selection, omission: &Omission) -> Option<Entering> {
        let strongest = selection.strongest.as_deref();
        let (_, next) = self.around(self.at(selection.budget), omission, strongest);
        let step = &self.steps[next?];
        let now = entries(selection);
        Some(Entering { tokens: step.tokens, pushed_out: without(&now, &step.entries) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;
    use std::sync::Arc;

    use super::*;
    use crate::document::Document;
    use crate::lookup::{Question, Store};

    #[test]
    fn what_is_said_to_enter_is_shown_up_to_there() {
        let document = |path: &str, words: usize| {
            Arc::new(Document::new(path, format!("# Stone\n\n{}\n", "stone ".repeat(words))))
        };
        let documents = [document("/a.md", 30), document("/b.md", 200), document("/c.md", 3)];
        let store = Store::new("stones", documents, BTreeMap::new());
        let mut asked = store.ask(&Question::new("stone"));
        let walked =
            Walked::new(10_000, |budget| Ok::<_, Infallible>(asked.select(&store, budget)))
                .expect("it never fails");
        let mut said = 0;
        for budget in 1..600 {
            let selection = asked.select(&store, budget);
            for omission in selection.omissions() {
                let Some(entering) = walked.entering(&selection, &omission) else { continue };
                said += 1;
                let is_shown = |budget: u64, asked: &mut crate::lookup::Asked| {
                    let there = asked.select(&store, budget);
                    there.rows[omission.row.unwrap_or(0)].outcome.is_shown()
                };
                assert!(is_shown(entering.tokens, &mut asked));
                assert!(!is_shown(entering.tokens - 1, &mut asked));
            }
        }
        assert!(said > 500, "{said}");
    }
}
