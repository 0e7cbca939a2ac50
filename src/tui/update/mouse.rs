//! The mouse: focus, entries, tabs, scrolling, and the budget dragged on the bar.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::asking::breakpoint;
use super::going::{Step, moved, moved_in, open, show};
use super::{going, picking, set_budget};
use crate::tui::hits::{Hits, Spot};
use crate::tui::layout::Pane;
use crate::tui::message::Effect;
use crate::tui::meter;
use crate::tui::model::{Model, Popup};
use crate::tui::paint;
use crate::tui::picker::Picked;
use crate::tui::visit;

/// Lines of a text for one notch of the wheel.
const NOTCH: isize = 3;

/// What the mouse did.
pub(super) fn event(model: &mut Model, event: MouseEvent, hits: &Hits) -> Vec<Effect> {
    let place = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::ScrollUp => scrolled(model, place, -1),
        MouseEventKind::ScrollDown => scrolled(model, place, 1),
        MouseEventKind::Down(MouseButton::Left) => {
            model.notice = None;
            return pressed(model, place, hits);
        }
        MouseEventKind::Drag(MouseButton::Left) => return dragged(model, place),
        MouseEventKind::Up(_) => model.dragged = None,
        _ => {}
    }
    Vec::new()
}

fn scrolled(model: &mut Model, place: Position, by: isize) {
    if let Some(picker) = &mut model.picker {
        return picker.step(by);
    }
    if model.popup == Some(Popup::Document) {
        let over = model.layout.as_ref().map(|layout| layout.over()).unwrap_or_default();
        if let Some(visit) = model.visits.last_mut() {
            let (text, _) = visit::split(over, visit.on_list);
            let on_list = !text.is_some_and(|text| text.contains(place));
            visit.on_list = on_list;
            moved(model, Step::Lines(if on_list { by } else { by * NOTCH }));
        }
        return;
    }
    if model.popup.is_some() {
        return moved(model, Step::Lines(by * NOTCH));
    }
    let slots = model.layout.as_ref().map(|layout| layout.slots.clone()).unwrap_or_default();
    if let Some(slot) = slots.iter().find(|slot| slot.area.contains(place)) {
        let by = if slot.pane == Pane::Evidence { by * NOTCH } else { by };
        moved_in(model, slot.pane, Step::Lines(by));
    }
}

fn pressed(model: &mut Model, place: Position, hits: &Hits) -> Vec<Effect> {
    if let Some(picker) = &model.picker {
        let Some(at) = hits.at(Spot::Picker, place) else {
            model.picker = None;
            return Vec::new();
        };
        return match picker.this(at) {
            Picked::This(pick) => picking::picked(model, pick),
            Picked::Open | Picked::Left => Vec::new(),
        };
    }
    if model.popup == Some(Popup::Document) {
        return pressed_document(model, place, hits);
    }
    if model.popup.is_none_or(|popup| matches!(popup, Popup::Curve | Popup::Sweep))
        && let Some(scale) = meter::scale_at(model, place)
    {
        model.typing = None;
        model.dragged = Some(scale);
        return dragged(model, place);
    }
    if model.popup.is_some() || model.typing.is_some() {
        return Vec::new();
    }
    let slots = model.layout.as_ref().map(|layout| layout.slots.clone()).unwrap_or_default();
    let Some(slot) = slots.iter().find(|slot| slot.area.contains(place)) else {
        return Vec::new();
    };
    if place.y == slot.area.y {
        model.focus_on(paint::tab_at(model, slot, place.x).unwrap_or(slot.pane));
        return Vec::new();
    }
    let again = model.focus == slot.pane;
    model.focus_on(slot.pane);
    if slot.pane == Pane::Evidence {
        let line = model.page_top + usize::from(place.y.saturating_sub(slot.inner().y));
        let part = model.page.at(line).map(|at| model.page.segments[at].part);
        model.pointed = part;
        if let Some(part) = part {
            model.follow(part);
        }
        return Vec::new();
    }
    let Some(at) = hits.at(Spot::Pane(slot.pane), place) else { return Vec::new() };
    let shown = model.rows_shown();
    let chosen = match slot.pane {
        Pane::Table => &mut model.chosen.row,
        Pane::Relations => &mut model.chosen.target,
        Pane::Stubs => &mut model.chosen.repeat,
        Pane::Omissions => &mut model.chosen.omission,
        Pane::Outline => &mut model.chosen.section,
        Pane::Findings => &mut model.chosen.finding,
        Pane::Evidence => return Vec::new(),
    };
    let at = if slot.pane == Pane::Table { shown.get(at).copied().unwrap_or(at) } else { at };
    // A second press on the same entry goes there.
    if std::mem::replace(chosen, at) == at && again {
        return open(model);
    }
    if !matches!(slot.pane, Pane::Outline | Pane::Findings) {
        show(model);
    }
    Vec::new()
}

fn pressed_document(model: &mut Model, place: Position, hits: &Hits) -> Vec<Effect> {
    let at = hits.at(Spot::Leads, place);
    let Some(visit) = model.visits.last_mut() else { return Vec::new() };
    visit.on_list = at.is_some();
    let Some(at) = at else { return Vec::new() };
    visit.chosen = at;
    going::follow_lead(model)
}

fn dragged(model: &mut Model, place: Position) -> Vec<Effect> {
    let Some(scale) = model.dragged else { return Vec::new() };
    match meter::budget_at(model, place.x, scale) {
        // The bar ends there, the budgets do not.
        None => breakpoint(model, true),
        Some(budget) => set_budget(model, budget),
    }
}
