//! What every message does to the model: pure, and done before it returns.

use crossterm::event::{KeyEvent, KeyEventKind};
use tui_input::Input;

use super::keymap::Action;
use super::layout::Pane;
use super::message::{Answered, Effect, Message};
use super::model::{Model, Popup, Typing, World};
use super::outcome::Outcome;
use super::page::Part;
use super::typing;
use crate::catalog::Match;
use crate::lookup::{Fetched, MAX_BUDGET};
use crate::selection::Engine;
use crate::world::Reader;

const STEP: u64 = 50;
const FAR_STEP: u64 = 500;

/// Applies a message; gives back what is to be done outside.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = match message {
        Message::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
        Message::Key(key) => pressed(model, key),
        Message::Paste(text) => {
            typing::paste(model, &text);
            Vec::new()
        }
        Message::Resize(width, height) => {
            model.size = (width, height);
            Vec::new()
        }
        Message::Opened(opened) => match *opened {
            Ok(opened) => {
                model.opened(opened);
                again(model)
            }
            Err(why) => {
                model.world = World::Failed(why);
                Vec::new()
            }
        },
        Message::Tick => {
            model.waited = model.waited.saturating_add(1);
            return Vec::new();
        }
        Message::Progress(words) => {
            model.progress = words;
            return Vec::new();
        }
        Message::Answered(answered) => take(model, *answered),
        Message::NoAnswer { number, why } => {
            if number == model.number {
                model.waiting = false;
                model.outcome = None;
                model.trouble = Some(why);
            }
            Vec::new()
        }
        Message::Fetched { number, location, fetched } => came(model, number, location, *fetched),
    };
    model.refresh();
    effects.extend(walk(model));
    effects
}

/// Works out what the screen tells of other budgets. Documents are fetched for it
/// only where somebody asked for the curve.
fn walk(model: &mut Model) -> Vec<Effect> {
    if !model.tells_of_budgets() {
        return Vec::new();
    }
    let Some(reader) = model.reader.clone() else { return Vec::new() };
    let Some(outcome) = &mut model.outcome else { return Vec::new() };
    if !outcome.pending.is_empty() {
        return Vec::new();
    }
    let mut missing = outcome.walk(&reader);
    if model.popup != Some(Popup::Curve) {
        return Vec::new();
    }
    missing.retain(|location| outcome.pending.insert(location.clone()));
    fetch(model, reader, missing)
}

fn pressed(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    model.notice = None;
    let held = key.modifiers.contains(crossterm::event::KeyModifiers::CONTROL);
    let action = match model.keymap.action(key) {
        // Only with Control does it leave from anywhere.
        Some(Action::Quit) if !held && model.popup.is_some() => Some(Action::Back),
        action => action,
    };
    if model.typing.is_some() {
        let plain =
            |action: &Action| matches!(action, Action::Quit | Action::Suspend | Action::Redraw);
        match action.filter(plain) {
            Some(action) if held => return act(model, action),
            _ => return typing::pressed(model, key),
        }
    }
    action.map_or_else(Vec::new, |action| act(model, action))
}

fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::Quit => return vec![Effect::Quit],
        Action::Suspend => return vec![Effect::Suspend],
        Action::Redraw => return vec![Effect::Repaint],
        Action::Back => return back(model),
        Action::Retry => return retry(model),
        Action::Help => toggle(model, Popup::Help),
        Action::Why if model.outcome.is_some() => toggle(model, Popup::Why),
        Action::Reader if model.outcome.is_some() => toggle(model, Popup::Reader),
        Action::Curve if model.popup == Some(Popup::Curve) => {
            model.popup = None;
            moved(model, Step::Top);
        }
        Action::Curve if model.outcome.is_some() => toggle(model, Popup::Curve),
        Action::Problems => toggle(model, Popup::Problems),
        Action::Theme => model.notice = Some(model.next_theme()),
        _ if let Some(step) = Step::of(action) => moved(model, step),
        // What changes the question or the panes is done in sight of them.
        _ if !matches!(model.popup, None | Some(Popup::Why | Popup::Curve)) => {}
        Action::Query => {
            model.popup = None;
            let query = model.question.request.query.clone();
            model.typing = Some(Typing::Query(Input::new(query)));
        }
        Action::Match => {
            model.question.request.match_sent = match model.question.request.match_sent {
                None => Some(Match::Body),
                Some(Match::Body) => Some(Match::Catalog),
                Some(Match::Catalog) => None,
            };
            return again(model);
        }
        Action::Engine => {
            model.question.engine = match model.question.engine {
                Engine::Selection => Engine::Rows,
                Engine::Rows => Engine::Selection,
            };
            return again(model);
        }
        Action::Budget => {
            model.popup = None;
            let input = Input::new(model.budget.to_string());
            model.typing = Some(Typing::Budget { input, whole: true, error: None });
        }
        Action::BudgetDown => return set_budget(model, model.budget.saturating_sub(STEP)),
        Action::BudgetUp => return set_budget(model, model.budget.saturating_add(STEP)),
        Action::BudgetDownFar => return set_budget(model, model.budget.saturating_sub(FAR_STEP)),
        Action::BudgetUpFar => return set_budget(model, model.budget.saturating_add(FAR_STEP)),
        Action::BreakpointDown => return breakpoint(model, false),
        Action::BreakpointUp => return breakpoint(model, true),
        Action::NextPane => model.focus_on(neighbour(model.focus, 1)),
        Action::PreviousPane => model.focus_on(neighbour(model.focus, Pane::ALL.len() - 1)),
        Action::Evidence => model.focus_on(Pane::Evidence),
        Action::Relations => model.focus_on(Pane::Relations),
        Action::Stubs => model.focus_on(Pane::Stubs),
        Action::Omissions => model.focus_on(Pane::Omissions),
        Action::Zoom if model.outcome.is_some() => model.zoom = !model.zoom,
        Action::Open => open(model),
        _ => {}
    }
    Vec::new()
}

fn toggle(model: &mut Model, popup: Popup) {
    model.popup = if model.popup == Some(popup) { None } else { Some(popup) };
    model.popup_top = 0;
}

fn back(model: &mut Model) -> Vec<Effect> {
    if model.popup.take().is_some() {
        return Vec::new();
    }
    if model.is_busy() && model.reader.is_some() {
        return cancel(model);
    }
    if !std::mem::take(&mut model.zoom) {
        model.focus_on(Pane::Table);
    }
    Vec::new()
}

/// Waits no longer. What has come stays.
fn cancel(model: &mut Model) -> Vec<Effect> {
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
fn retry(model: &mut Model) -> Vec<Effect> {
    match model.world {
        World::Failed(_) => {
            model.world = World::Opening;
            model.waited = 0;
            model.progress.clear();
            vec![Effect::Open]
        }
        World::Opening => Vec::new(),
        World::Open => again(model),
    }
}

fn neighbour(pane: Pane, step: usize) -> Pane {
    let at = Pane::ALL.iter().position(|other| *other == pane).unwrap_or(0);
    Pane::ALL[(at + step) % Pane::ALL.len()]
}

/// Asks the question again, if it was asked before.
fn again(model: &mut Model) -> Vec<Effect> {
    if model.has_query { ask(model) } else { Vec::new() }
}

/// Puts the question to the world under a new number; what was under way for the
/// one before is of no use any more.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let Some(reader) = model.reader.clone() else { return Vec::new() };
    model.number += 1;
    model.waiting = true;
    model.waited = 0;
    model.trouble = None;
    if let Some(outcome) = &mut model.outcome {
        outcome.pending.clear();
    }
    let question = model.question.clone();
    vec![Effect::Cancel, Effect::Ask { number: model.number, reader, question }]
}

fn take(model: &mut Model, answered: Answered) -> Vec<Effect> {
    if answered.number != model.number {
        return Vec::new();
    }
    model.waiting = false;
    let Some(reader) = model.reader.clone() else { return Vec::new() };
    let same_query = model
        .outcome
        .as_ref()
        .is_some_and(|before| before.question.request.query == answered.question.request.query);
    if !same_query {
        model.chosen = super::model::Chosen::default();
    }
    let (outcome, missing) = Outcome::new(answered.question, answered.asked, &reader, model.budget);
    model.outcome = Some(outcome);
    model.touch();
    model.refresh();
    model.page_top = model.beginning();
    fetch(model, reader, missing)
}

/// What is missing is fetched beside the screen.
fn fetch(model: &mut Model, reader: Reader, locations: Vec<String>) -> Vec<Effect> {
    if locations.is_empty() {
        return Vec::new();
    }
    vec![Effect::Fetch { number: model.number, reader, locations }]
}

/// A document has come: the result goes on from there.
fn came(model: &mut Model, number: u64, location: String, fetched: Fetched) -> Vec<Effect> {
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
pub(super) fn set_budget(model: &mut Model, budget: u64) -> Vec<Effect> {
    model.budget = budget.min(MAX_BUDGET);
    reselect(model)
}

fn reselect(model: &mut Model) -> Vec<Effect> {
    let Some(reader) = model.reader.clone() else { return Vec::new() };
    let Some(outcome) = &mut model.outcome else { return Vec::new() };
    if outcome.pending.is_empty() {
        model.waited = 0;
    }
    let missing = outcome.select(&reader, model.budget);
    model.touch();
    fetch(model, reader, missing)
}

fn breakpoint(model: &mut Model, up: bool) -> Vec<Effect> {
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

/// Goes from an entry to its place on the page.
fn open(model: &mut Model) {
    if model.focus == Pane::Evidence || model.outcome.is_none() {
        return;
    }
    let Some(part) = model.destination() else { return };
    model.pointed = matches!(model.focus, Pane::Stubs | Pane::Omissions).then_some(part);
    if let Part::Item(item) = part {
        follow(model, item);
    }
    model.zoom = false;
    model.focus_on(Pane::Evidence);
    // The page may have another width now.
    model.refresh();
    if let Some(start) = model.page.start(part) {
        model.page_top = start.min(model.last_top());
    }
}

/// Selects the row that an item belongs to, so that its marks stay.
fn follow(model: &mut Model, item: usize) {
    let Some(outcome) = &model.outcome else { return };
    if let Some(row) = outcome.selection.items.get(item).and_then(|item| item.row) {
        model.chosen.row = row;
    }
}

/// A step in a pane.
#[derive(Clone, Copy)]
enum Step {
    Lines(isize),
    Pages(isize),
    Halves(isize),
    Top,
    End,
}

impl Step {
    fn of(action: Action) -> Option<Self> {
        Some(match action {
            Action::Up => Self::Lines(-1),
            Action::Down => Self::Lines(1),
            Action::PageUp => Self::Pages(-1),
            Action::PageDown => Self::Pages(1),
            Action::HalfUp => Self::Halves(-1),
            Action::HalfDown => Self::Halves(1),
            Action::Top => Self::Top,
            Action::End => Self::End,
            _ => return None,
        })
    }

    /// The place after the step, from 0 to `last`, with `page` lines in view.
    fn from(self, at: usize, last: usize, page: usize) -> usize {
        let page = isize::try_from(page.max(2)).unwrap_or(isize::MAX);
        let by = match self {
            Self::Lines(by) => by,
            Self::Pages(by) => by * (page - 1),
            Self::Halves(by) => by * (page / 2),
            Self::Top => return 0,
            Self::End => return last,
        };
        at.saturating_add_signed(by).min(last)
    }
}

fn moved(model: &mut Model, step: Step) {
    if let Some(popup) = model.popup {
        let rows = usize::from(model.size.1).saturating_sub(1);
        let last = match popup {
            Popup::Reader => model.text.lines.len().saturating_sub(rows),
            popup => super::popup::last_top(model, popup),
        };
        model.popup_top = step.from(model.popup_top.min(last), last, rows);
        return;
    }
    if model.focus != Pane::Evidence {
        model.pointed = None;
    }
    let Some(outcome) = &model.outcome else { return };
    let slot = model.layout.as_ref().and_then(|layout| layout.slot(model.focus));
    let rows = slot.map_or(1, |slot| usize::from(slot.inner().height)).max(1);
    let last = |count: usize| count.saturating_sub(1);
    let chosen = &mut model.chosen;
    match model.focus {
        Pane::Evidence => {
            model.page_top = step.from(model.page_top, model.last_top(), rows);
            return;
        }
        Pane::Table => chosen.row = step.from(chosen.row, last(outcome.rows().len()), rows - 1),
        Pane::Relations => {
            chosen.target = step.from(chosen.target, last(outcome.relations()), rows - 1);
        }
        Pane::Stubs => {
            chosen.repeat = step.from(chosen.repeat, last(outcome.repeats.len()), rows - 1);
        }
        Pane::Omissions => {
            chosen.omission = step.from(chosen.omission, last(outcome.omissions.len()), rows - 1);
        }
    }
    if let Some(start) = model.destination().and_then(|part| model.page.start(part)) {
        model.page_top = start.min(model.last_top());
    }
}
