//! What cannot be done where there are texts alone: a recorded result, or a tool.

use super::keymap::Action;
use super::model::{Model, Popup};
use crate::world::Reader;

/// Why an action is not possible where there are texts alone.
pub fn why_not(model: &Model, action: Action) -> Option<&'static str> {
    let changes_budget = matches!(
        action,
        Action::Budget
            | Action::BudgetDown
            | Action::BudgetUp
            | Action::BudgetDownFar
            | Action::BudgetUpFar
    );
    let changes_question = matches!(
        action,
        Action::Query
            | Action::Scope
            | Action::Filter
            | Action::Limit
            | Action::Match
            | Action::AllTags
    );
    let tells_of_others =
        matches!(action, Action::BreakpointDown | Action::BreakpointUp | Action::Curve);
    match model.reader {
        Some(Reader::Recorded(_)) if changes_budget || changes_question => {
            Some("a recorded result has one question and one budget: open its world to ask more")
        }
        Some(Reader::Recorded(_)) if action == Action::Engine => {
            Some("a recorded result has the engine that made it: open its world to ask more")
        }
        Some(Reader::Tool(_)) if action == Action::Engine => Some("the tool has its own engine"),
        // Without panes these are keys of what covers them.
        Some(Reader::Recorded(_) | Reader::Tool(_))
            if tells_of_others && !matches!(model.popup, Some(Popup::Document | Popup::Reader)) =>
        {
            Some("a text does not tell of other budgets: open its world to see them")
        }
        _ => None,
    }
}
