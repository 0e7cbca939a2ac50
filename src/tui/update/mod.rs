//! What every message does to the model: pure, and done before it returns.
//!
//! - here: which key does what
//! - `asking`: questions, budgets, and what comes of them
//! - `authoring`: a world that changes, what is wrong with it, and the editor
//! - `going`: moving in panes, going to evidence, opening documents
//! - `picking`: lists to pick from
//! - `mouse`: the same by the mouse

mod asking;
mod authoring;
mod going;
mod mouse;
mod picking;

use crossterm::event::{KeyEvent, KeyEventKind, KeyModifiers};

use super::Kept;
use super::compare;
use super::find;
use super::keymap::Action;
use super::layout::{Pane, WIDEST};
use super::message::{Effect, Message};
use super::model::{Model, Popup, World};
use super::picker::Picked;
use super::possible::why_not;
use super::swept;
use super::typing::{self, Field};
use crate::catalog::Match;
use crate::selection::Engine;
use crate::world::Reader;

use asking::{again, breakpoint, came, cancel, retry, take, walk};
use going::{Step, moved, neighbour, open, visit, visited};

pub(super) use asking::{ask, set_budget};
pub(super) use going::keep_in_sight;

const STEP: u64 = 50;
const FAR_STEP: u64 = 500;

/// Applies a message; gives back what is to be done outside.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = match message {
        Message::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
        Message::Key(key) => pressed(model, key),
        Message::Mouse(event, hits) => mouse::event(model, event, &hits),
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
                let mut effects = again(model);
                effects.extend(authoring::check(model));
                effects
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
        Message::Visited { location, fetched } => {
            visited(model, &location, &fetched);
            Vec::new()
        }
        Message::Compared { number, side } => {
            if number != model.number {
                return Vec::new();
            }
            match model.compare.as_mut().filter(|it| it.is_waiting()) {
                Some(compare) => compare.take(*side),
                None if model.parity => model.notice = Some(asking::parity(model, &side)),
                None => {}
            }
            Vec::new()
        }
        Message::Changed => authoring::changed(model),
        Message::Reloaded(reloaded) => authoring::reloaded(model, *reloaded),
        Message::Found { load, findings } => {
            if load == model.loads {
                model.findings = Some(findings);
            }
            Vec::new()
        }
        Message::Walked { number, walked } => {
            if number == model.number
                && let Some(outcome) = &mut model.outcome
            {
                outcome.walked = Some(*walked);
            }
            Vec::new()
        }
        Message::Swept { wanted, sweep } => {
            swept::take(model, &wanted, *sweep);
            Vec::new()
        }
        Message::Saved(saved) => {
            saved_as(model, saved);
            Vec::new()
        }
        Message::Notice(words) => {
            model.notice = Some(words);
            Vec::new()
        }
    };
    model.refresh();
    effects.extend(walk(model));
    if model.popup == Some(Popup::Sweep) {
        effects.extend(swept::outstanding(model).map(Box::new).map(Effect::Sweep));
    }
    effects
}

/// A file is written, or its name is asked for again.
fn saved_as(model: &mut Model, saved: Result<String, String>) {
    match saved {
        Ok(words) => {
            model.typing = None;
            model.notice = Some(words);
        }
        Err(why) => match &mut model.typing {
            Some(typing) => typing.error = Some(why),
            None => model.notice = Some(why),
        },
    }
}

fn pressed(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    model.notice = None;
    let held = key.modifiers.contains(KeyModifiers::CONTROL);
    let action = match model.keymap.action(key) {
        // Only with Control does it leave from anywhere.
        Some(Action::Quit) if !held && model.popup.is_some() => Some(Action::Back),
        action => action,
    };
    // Of a list, too, one comes back to where one was.
    let stops = |action: &Action| matches!(action, Action::Suspend | Action::Redraw);
    if let Some(action) = action.filter(|action| held && stops(action)) {
        return act(model, action);
    }
    if let Some(picker) = &mut model.picker {
        return match picker.pressed(key) {
            Picked::Open => Vec::new(),
            Picked::Left => {
                model.picker = None;
                Vec::new()
            }
            Picked::This(pick) => picking::picked(model, pick),
        };
    }
    if model.typing.is_some() {
        let plain =
            |action: &Action| matches!(action, Action::Quit | Action::Suspend | Action::Redraw);
        return match action.filter(plain) {
            Some(action) if held => act(model, action),
            _ => typing::pressed(model, key),
        };
    }
    action.map_or_else(Vec::new, |action| act(model, action))
}

/// Does what an action says.
pub(super) fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if let Some(words) = why_not(model, action) {
        model.notice = Some(words.into());
        return Vec::new();
    }
    match action {
        Action::Quit => return vec![Effect::Quit],
        Action::Suspend => return vec![Effect::Suspend],
        Action::Redraw => return vec![Effect::Repaint],
        Action::Back => return back(model),
        Action::Retry => return retry(model),
        Action::Help => toggle(model, Popup::Help),
        Action::Why if model.outcome.is_some() => toggle(model, Popup::Why),
        Action::Reader if model.outcome.is_some() => {
            model.text.find.clear();
            toggle(model, Popup::Reader);
        }
        Action::Curve if model.popup == Some(Popup::Curve) => {
            model.popup = None;
            moved(model, Step::Top);
        }
        Action::Curve if matches!(model.popup, Some(Popup::Document | Popup::Reader)) => {
            moved(model, Step::Top);
        }
        Action::Curve if model.outcome.is_some() => toggle(model, Popup::Curve),
        Action::Sweep => toggle(model, Popup::Sweep),
        Action::Problems => toggle(model, Popup::Problems),
        Action::Theme => match model.next_theme() {
            Ok(at) => return picking::go_to_theme(model, at),
            Err(why) => model.notice = Some(why.into()),
        },
        Action::Palette => model.picker = Some(picking::commands(model)),
        Action::Documents => model.picker = picking::documents(model),
        Action::Copy if model.outcome.is_some() || model.popup == Some(Popup::Document) => {
            model.picker = Some(super::save::copies(model));
        }
        Action::Edit => return authoring::edit(model),
        Action::Save => model.picker = Some(super::save::files(model)),
        Action::Mouse => {
            model.mouse = !model.mouse;
            let words = if model.mouse { "the mouse is on" } else { "the mouse is off" };
            model.notice = Some(words.into());
            return vec![Effect::Mouse(model.mouse)];
        }
        Action::Open if model.popup == Some(Popup::Compare) => return take_other(model),
        Action::Open if model.popup == Some(Popup::Sweep) => return asking::ask_swept(model),
        Action::Open | Action::NextPane | Action::PreviousPane
            if model.popup == Some(Popup::Document) =>
        {
            return going::in_document(model, action);
        }
        Action::Find | Action::Query if model.popup == Some(Popup::Help) => {
            model.picker = Some(picking::commands(model));
        }
        // There is no query to be typed here: `/` is what a pager looks for words with.
        Action::Find | Action::Query if find::is_over(model) => {
            if model.popup == Some(Popup::Document)
                && let Some(visit) = model.visits.last_mut()
            {
                visit.on_list = false;
            }
            typing::begin(model, Field::Find);
        }
        Action::FindNext | Action::FindPrevious
            if model.popup == Some(Popup::Compare) && find::here(model).words.is_empty() =>
        {
            going::to_difference(model, action == Action::FindNext);
        }
        Action::FindNext | Action::FindPrevious
            if !matches!(model.popup, Some(Popup::Help | Popup::Problems)) =>
        {
            find::go(model, action == Action::FindNext);
        }
        _ if let Some(step) = Step::of(action) => moved(model, step),
        // What changes the question or the panes is done in sight of them.
        _ if !is_in_sight(model) => {}
        _ => return in_sight(model, action),
    }
    Vec::new()
}

/// Whether the panes are in sight, or what stands over them is of the same result.
fn is_in_sight(model: &Model) -> bool {
    matches!(model.popup, None | Some(Popup::Why | Popup::Curve | Popup::Sweep))
}

/// Does what was picked by its words: a key that does nothing over what covers the panes
/// leaves that first.
fn act_picked(model: &mut Model, action: Action) -> Vec<Effect> {
    let stays = matches!(
        action,
        Action::Quit
            | Action::Suspend
            | Action::Redraw
            | Action::Back
            | Action::Retry
            | Action::Why
            | Action::Reader
            | Action::Theme
            | Action::Documents
            | Action::Copy
            | Action::Edit
            | Action::Save
            | Action::Mouse
            | Action::Open
            | Action::Find
            | Action::FindNext
            | Action::FindPrevious
    );
    if model.popup == Some(Popup::Help) || !(stays || is_in_sight(model)) {
        model.popup = None;
        model.compare = None;
        model.visits.clear();
    }
    act(model, action)
}

/// What changes the question or the panes.
fn in_sight(model: &mut Model, action: Action) -> Vec<Effect> {
    let field = match action {
        Action::Query => Some(Field::Query),
        Action::Budget => Some(Field::Budget),
        Action::Scope => Some(Field::Scope),
        Action::Filter => Some(Field::Filter),
        Action::Limit => Some(Field::Limit),
        Action::Find if model.outcome.is_some() && model.focus == Pane::Table => Some(Field::Sieve),
        Action::Find if model.outcome.is_some() => Some(Field::Find),
        _ => None,
    };
    if let Some(field) = field {
        let stays = match model.popup {
            Some(Popup::Curve) => true,
            Some(Popup::Sweep) => action == Action::Budget,
            _ => false,
        };
        if !stays {
            model.popup = None;
        }
        typing::begin(model, field);
        return Vec::new();
    }
    match action {
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
        Action::AllTags => {
            model.question.verbose = !model.question.verbose;
            return again(model);
        }
        Action::History => model.picker = picking::history(model),
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
        Action::Outline => model.focus_on(Pane::Outline),
        Action::Findings => model.focus_on(Pane::Findings),
        Action::Notes => authoring::notes(model),
        Action::Zoom if model.outcome.is_some() => model.zoom = !model.zoom,
        Action::Narrower => return resize(model, -2),
        Action::Wider => return resize(model, 2),
        Action::Open => return open(model),
        Action::Document => return going::open_subject(model),
        Action::Compare if model.outcome.is_some() => {
            model.picker = compare::picker(model);
            if model.picker.is_none() {
                model.notice =
                    Some("there is nothing to compare with: open its world to ask more".into());
            }
        }
        Action::Keep if model.outcome.is_some() => {
            model.kept = compare::present(model);
            let key = model.keymap.first(Action::Compare);
            model.notice = Some(format!("kept; {key} compares with it"));
        }
        _ => {}
    }
    Vec::new()
}

fn resize(model: &mut Model, by: i16) -> Vec<Effect> {
    model.wider = (model.wider + by).clamp(-WIDEST, WIDEST);
    vec![Effect::Remember(Kept::Wider(model.wider))]
}

fn toggle(model: &mut Model, popup: Popup) {
    model.popup = if model.popup == Some(popup) { None } else { Some(popup) };
    model.popup_top = 0;
}

/// Takes what the present result is compared with in its place.
fn take_other(model: &mut Model) -> Vec<Effect> {
    let Some(side) = model.compare.as_ref().and_then(|compare| compare.other()) else {
        return Vec::new();
    };
    let (question, budget) = (side.question.clone(), side.budget);
    model.popup = None;
    model.compare = None;
    model.budget = budget;
    model.question = question;
    again(model)
}

fn back(model: &mut Model) -> Vec<Effect> {
    if find::is_over(model) {
        let find = find::here_mut(model);
        if !find.words.is_empty() {
            find.clear();
            return Vec::new();
        }
    }
    if model.popup == Some(Popup::Document) {
        model.visits.pop();
        if model.visits.is_empty() {
            model.popup = None;
        }
        return Vec::new();
    }
    if model.popup.take().is_some() {
        model.compare = None;
        return Vec::new();
    }
    if model.is_busy() && model.reader.is_some() {
        return cancel(model);
    }
    if !model.find.words.is_empty() {
        model.find.clear();
    } else if !model.sieve.is_empty() {
        model.sieve.clear();
    } else if !std::mem::take(&mut model.zoom) {
        model.focus_on(Pane::Table);
    }
    Vec::new()
}

/// The world that questions go to.
fn reader(model: &Model) -> Option<Reader> {
    model.reader.clone()
}

/// Opens a document whole, over what is there.
pub(super) fn go_to(model: &mut Model, location: String, fragment: String) -> Vec<Effect> {
    visit(model, location, fragment)
}
