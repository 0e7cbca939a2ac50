//! One frame, from the model alone.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::layout::{Pane, SMALLEST, Slot};
use super::model::{Model, Popup};
use super::theme::Role;
use super::{
    ascii, curve, evidence, help, meter, omissions, paint, popup, query, reader, relations, stubs,
    table, welcome, why, wide,
};

/// Draws a frame.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    if let Some(cursor) = draw(model, area, frame.buffer_mut()) {
        frame.set_cursor_position(cursor);
    }
}

/// Draws into a buffer; gives the place of the cursor, where there is one.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let cursor = screen(model, area, buf);
    if model.ascii {
        ascii::pass(buf);
    }
    wide::settle(buf);
    cursor
}

fn screen(model: &Model, area: Rect, buf: &mut Buffer) -> Option<Position> {
    buf.set_style(area, model.theme().base());
    if (area.width, area.height) != model.size {
        // The size has just changed: the next frame knows it.
        return None;
    }
    let Some(layout) = &model.layout else {
        let (wide, high) = SMALLEST;
        let words =
            format!("markscope needs {wide}x{high}; this is {}x{}", area.width, area.height);
        paint::message(buf, area, &words, model.theme().style(Role::Text));
        return None;
    };
    if model.popup == Some(Popup::Reader) {
        reader::draw(model, area, buf);
        return None;
    }
    let mut cursor = query::draw(model, layout.top, buf);
    if model.outcome.is_some() {
        meter::draw(model, layout.meter, buf);
        for slot in &layout.slots {
            pane(model, slot, buf);
        }
        if let Some(area) = layout.why {
            why::draw(model, area, buf);
        }
    } else {
        welcome::draw(model, layout.body.union(layout.meter), buf);
    }
    cursor = help::footer(model, layout.footer, buf).or(cursor);
    if model.popup == Some(Popup::Curve) {
        curve::draw(model, layout.body, buf);
    } else if let Some(popup) = model.popup {
        popup::draw(model, popup, Rect { height: area.height - 1, ..area }, buf);
    }
    cursor
}

fn pane(model: &Model, slot: &Slot, buf: &mut Buffer) {
    match slot.pane {
        Pane::Table => table::draw(model, slot, buf),
        Pane::Evidence => evidence::draw(model, slot, buf),
        Pane::Relations => relations::draw(model, slot, buf),
        Pane::Stubs => stubs::draw(model, slot, buf),
        Pane::Omissions => omissions::draw(model, slot, buf),
    }
}

/// The title of a pane with its key and its count; `long` tells of rejected relations.
pub fn tab_title(model: &Model, pane: Pane, long: bool) -> String {
    let count = |count: usize| format!(" ({count})");
    let outcome = model.outcome.as_ref();
    let (key, count) = match pane {
        Pane::Table => return table::title(model),
        Pane::Evidence => (super::keymap::Action::Evidence, String::new()),
        Pane::Relations => (
            super::keymap::Action::Relations,
            outcome.map_or_else(String::new, |found| {
                let targets = found.selection.targets.len();
                match found.selection.rejected.len() {
                    rejected if long && rejected > 0 => {
                        format!(" ({targets}, {rejected} rejected)")
                    }
                    _ => count(targets),
                }
            }),
        ),
        Pane::Stubs => (
            super::keymap::Action::Stubs,
            outcome.map_or_else(String::new, |found| count(found.repeats.len())),
        ),
        Pane::Omissions => (
            super::keymap::Action::Omissions,
            outcome.map_or_else(String::new, |found| count(found.omissions.len())),
        ),
    };
    format!("{} {}{count}", model.keymap.first(key), pane.name())
}
