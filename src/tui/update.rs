//! What every message does to the model: pure, and done before it returns.

use std::sync::Arc;

use crossterm::event::{KeyEvent, KeyEventKind};
use tui_input::Input;

use super::keymap::Action;
use super::layout::Pane;
use super::message::{Answered, Effect, Message};
use super::model::{Model, Outcome, Popup, Typing, World};
use super::page::Part;
use super::typing;
use crate::catalog::Match;
use crate::lookup::MAX_BUDGET;
use crate::selection::Engine;

const STEP: u64 = 50;
const FAR_STEP: u64 = 500;

/// Applies a message; gives back what is to be done outside.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let effects = match message {
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
            Ok((store, problems)) => {
                model.opened(&store);
                model.store = Some(Arc::new(store));
                model.problems.extend(problems);
                again(model)
            }
            Err(why) => {
                model.world = World::Failed(why);
                Vec::new()
            }
        },
        Message::Answered(answered) => {
            take(model, *answered);
            Vec::new()
        }
    };
    model.refresh();
    effects
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
        Action::Back => back(model),
        Action::Help => toggle(model, Popup::Help),
        Action::Why if model.outcome.is_some() => toggle(model, Popup::Why),
        Action::Reader if model.outcome.is_some() => toggle(model, Popup::Reader),
        Action::Problems => toggle(model, Popup::Problems),
        Action::Theme => model.notice = Some(model.next_theme()),
        _ if let Some(step) = Step::of(action) => moved(model, step),
        // What changes the question or the panes is done in sight of them.
        _ if model.popup.is_some() && !matches!(model.popup, Some(Popup::Why)) => {}
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
        Action::BudgetDown => set_budget(model, model.budget.saturating_sub(STEP)),
        Action::BudgetUp => set_budget(model, model.budget.saturating_add(STEP)),
        Action::BudgetDownFar => set_budget(model, model.budget.saturating_sub(FAR_STEP)),
        Action::BudgetUpFar => set_budget(model, model.budget.saturating_add(FAR_STEP)),
        Action::BreakpointDown => breakpoint(model, false),
        Action::BreakpointUp => breakpoint(model, true),
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

fn back(model: &mut Model) {
    if model.popup.take().is_none() && !std::mem::take(&mut model.zoom) {
        model.focus_on(Pane::Table);
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

/// Puts the question to the store under a new number.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let Some(store) = model.store.clone() else { return Vec::new() };
    model.number += 1;
    model.waiting = true;
    vec![Effect::Ask { number: model.number, store, question: model.question.clone() }]
}

fn take(model: &mut Model, answered: Answered) {
    if answered.number != model.number {
        return;
    }
    model.waiting = false;
    let Some(store) = model.store.clone() else { return };
    let same_query = model
        .outcome
        .as_ref()
        .is_some_and(|before| before.question.request.query == answered.question.request.query);
    if !same_query {
        model.chosen = super::model::Chosen::default();
    }
    let outcome = Outcome::new(answered.question, answered.asked, &store, model.budget);
    model.outcome = Some(outcome);
    model.page_top = 0;
    model.touch();
}

/// Sets the budget; the answer that is there gives its result for it.
pub(super) fn set_budget(model: &mut Model, budget: u64) {
    model.budget = budget.min(MAX_BUDGET);
    let Some(store) = model.store.clone() else { return };
    let Some(outcome) = &mut model.outcome else { return };
    outcome.select(&store, model.budget);
    model.touch();
}

fn breakpoint(model: &mut Model, up: bool) {
    let Some(outcome) = &model.outcome else { return };
    let selection = &outcome.selection;
    let next = if up { &selection.up } else { &selection.down };
    match next {
        Some(next) if next.tokens > MAX_BUDGET => {
            model.notice = Some("the next breakpoint is above the largest budget".into());
        }
        Some(next) => {
            let tokens = next.tokens;
            set_budget(model, tokens);
        }
        None if up => model.notice = Some("nothing changes above this budget".into()),
        None => model.notice = Some("nothing changes below this budget".into()),
    }
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
