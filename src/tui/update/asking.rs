//! Questions, budgets, and what comes of them.

use super::reader;
use crate::lookup::{Fetched, MAX_BUDGET};
use crate::tui::compare::{self, Side};
use crate::tui::keymap::Action;
use crate::tui::message::{Answered, Effect};
use crate::tui::model::{Chosen, Model, Past, Popup, World};
use crate::tui::outcome::Outcome;
use crate::tui::page::whole_tokens;
use crate::world::Reader;

/// The most past lookups that are kept.
const KEPT: usize = 200;

/// Waits no longer. What has come stays.
pub(super) fn cancel(model: &mut Model) -> Vec<Effect> {
    // What comes all the same is for an outdated number.
    model.number += 1;
    let asking = std::mem::take(&mut model.waiting);
    if let Some(outcome) = &mut model.outcome {
        outcome.pending.clear();
    }
    let key = model.keymap.first(Action::Retry);
    if asking && model.outcome.is_none() {
        model.trouble = Some("Cancelled before there was an answer.".into());
    } else {
        model.notice = Some(format!("cancelled; {key} asks again"));
    }
    vec![Effect::Cancel]
}

/// Asks the same once more, or opens the world once more.
pub(super) fn retry(model: &mut Model) -> Vec<Effect> {
    match model.world {
        World::Failed(_) => {
            model.world = World::Opening;
            model.waited = 0;
            model.progress.clear();
            vec![Effect::Open]
        }
        World::Opening => Vec::new(),
        // What was read last would only answer as before.
        World::Open if model.unread.is_some() => super::authoring::changed(model),
        World::Open => again(model),
    }
}

/// Asks the question again, if it was asked before.
pub(super) fn again(model: &mut Model) -> Vec<Effect> {
    if model.has_query { ask(model) } else { Vec::new() }
}

/// Puts the question to the world under a new number; what was under way for the
/// one before is of no use any more.
pub(in crate::tui) fn ask(model: &mut Model) -> Vec<Effect> {
    let Some(reader) = reader(model) else { return Vec::new() };
    model.number += 1;
    model.waiting = true;
    model.waited = 0;
    model.trouble = None;
    if let Some(outcome) = &mut model.outcome {
        outcome.pending.clear();
    }
    let question = model.question.clone();
    vec![
        Effect::Cancel,
        Effect::Ask { number: model.number, reader, question, budget: model.budget },
    ]
}

pub(super) fn take(model: &mut Model, answered: Answered) -> Vec<Effect> {
    if answered.number != model.number {
        return Vec::new();
    }
    model.waiting = false;
    let Some(reader) = reader(model) else { return Vec::new() };
    let same_query = model
        .outcome
        .as_ref()
        .is_some_and(|before| before.question.request.query == answered.question.request.query);
    if !same_query {
        model.chosen = Chosen::default();
        model.sieve.clear();
        model.find.clear();
    }
    let (outcome, missing) = Outcome::new(answered.question, answered.asked, &reader, model.budget);
    model.outcome = Some(outcome);
    model.touch();
    super::keep_in_sight(model);
    model.refresh();
    record(model);
    let mut effects = Vec::new();
    // A world that was saved answers once more, which nobody asked for.
    if !std::mem::take(&mut model.is_quiet) || !same_query {
        model.page_top = model.beginning();
        let question = model.question.clone();
        effects.push(Effect::Record { question, budget: model.budget });
    }
    effects.extend(fetch(model, reader, missing));
    if model.parity
        && let Some(beside) = model.beside.clone()
    {
        let question = Box::new(model.question.clone());
        let (number, budget) = (model.number, model.budget);
        effects.push(Effect::Compare { number, reader: beside, question, budget });
    }
    effects
}

/// Takes the result on the screen up among the past lookups.
fn record(model: &mut Model) {
    let Some(outcome) = &model.outcome else { return };
    let selection = &outcome.selection;
    let past = Past {
        question: outcome.question.clone(),
        budget: model.budget,
        rows: outcome.rows().len(),
        expanded: selection.expanded,
        spent: whole_tokens(selection.items.iter().map(|item| item.charged).sum()),
    };
    model.history.retain(|other| other.question != past.question);
    model.history.push(past);
    if model.history.len() > KEPT {
        model.history.remove(0);
    }
}

/// What is missing is fetched beside the screen.
fn fetch(model: &mut Model, reader: Reader, locations: Vec<String>) -> Vec<Effect> {
    if locations.is_empty() {
        return Vec::new();
    }
    vec![Effect::Fetch { number: model.number, reader, locations }]
}

/// A document has come: the result goes on from there.
pub(super) fn came(
    model: &mut Model,
    number: u64,
    location: String,
    fetched: Fetched,
) -> Vec<Effect> {
    let Some(outcome) = model.outcome.as_mut().filter(|_| number == model.number) else {
        return Vec::new();
    };
    if !outcome.pending.remove(&location) {
        return Vec::new();
    }
    let failed = outcome.asked.failures().len();
    outcome.asked.give(location, fetched);
    if outcome.asked.failures().len() > failed {
        let key = model.keymap.first(Action::Retry);
        model.notice = Some(format!("not all documents came: {key} asks again"));
    }
    reselect(model)
}

/// Sets the budget; the answer that is there gives its result for it.
pub(in crate::tui) fn set_budget(model: &mut Model, budget: u64) -> Vec<Effect> {
    match model.reader {
        Some(Reader::Recorded(_)) => return Vec::new(),
        Some(Reader::Tool(_)) => {
            model.budget = budget.min(MAX_BUDGET);
            return again(model);
        }
        _ => {}
    }
    model.budget = budget.min(MAX_BUDGET);
    reselect(model)
}

fn reselect(model: &mut Model) -> Vec<Effect> {
    let Some(reader) = reader(model) else { return Vec::new() };
    let Some(outcome) = &mut model.outcome else { return Vec::new() };
    if outcome.pending.is_empty() {
        model.waited = 0;
    }
    let missing = outcome.select(&reader, model.budget);
    model.touch();
    record(model);
    fetch(model, reader, missing)
}

pub(super) fn breakpoint(model: &mut Model, up: bool) -> Vec<Effect> {
    let Some(outcome) = &model.outcome else { return Vec::new() };
    let selection = &outcome.selection;
    let next = if up { &selection.up } else { &selection.down };
    match next {
        Some(next) if next.tokens > MAX_BUDGET => {
            model.notice = Some("the next breakpoint is above the largest budget".into());
        }
        Some(next) => {
            let tokens = next.tokens;
            return set_budget(model, tokens);
        }
        None if up => model.notice = Some("nothing changes above this budget".into()),
        None => model.notice = Some("nothing changes below this budget".into()),
    }
    Vec::new()
}

/// Works out what the screen tells of other budgets. Documents are fetched for it
/// only where somebody asked for the curve.
pub(super) fn walk(model: &mut Model) -> Vec<Effect> {
    if !model.tells_of_budgets() {
        return Vec::new();
    }
    let Some(reader) = reader(model) else { return Vec::new() };
    let Some(outcome) = &mut model.outcome else { return Vec::new() };
    if !outcome.pending.is_empty() {
        return Vec::new();
    }
    if outcome.is_walking() {
        return Vec::new();
    }
    if let Some(walk) = outcome.walk_apart(&reader, model.number) {
        return vec![Effect::Walk(Box::new(walk))];
    }
    let mut missing = outcome.walk(&reader);
    if model.popup != Some(Popup::Curve) {
        return Vec::new();
    }
    missing.retain(|location| outcome.pending.insert(location.clone()));
    fetch(model, reader, missing)
}

/// Asks the selected one of the lookups that are swept, at the present budget.
pub(super) fn ask_swept(model: &mut Model) -> Vec<Effect> {
    let Some(lookup) = model.swept.as_ref().and_then(|swept| swept.lookup()) else {
        return Vec::new();
    };
    model.question = lookup.question(model.question.engine, model.question.verbose);
    if !lookup.rows.is_empty() {
        model.notice = Some("its rows were recorded; here the world gives them".into());
    }
    model.has_query = true;
    model.popup = None;
    ask(model)
}

/// Asks a past question again, at its budget.
pub(super) fn ask_past(model: &mut Model, at: usize) -> Vec<Effect> {
    let Some(past) = model.history.get(at).cloned() else { return Vec::new() };
    model.question = past.question;
    model.budget = past.budget;
    model.has_query = true;
    ask(model)
}

/// Whether the world beside gives a reader the same bytes, in a sentence.
pub(super) fn parity(model: &Model, beside: &Result<Side, String>) -> String {
    let key = model.keymap.first(Action::Compare);
    match (&model.outcome, beside) {
        (Some(outcome), Ok(side)) => {
            let words = compare::parity(&outcome.selection, &side.selection);
            format!("parity: {words} ({key} compares)")
        }
        (_, Err(why)) => format!("parity: there is nothing to hold it against: {why}"),
        (None, Ok(_)) => "parity: there is no result".into(),
    }
}
