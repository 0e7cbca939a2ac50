//! One frame, from the model alone.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::hits::{Hits, Spot};
use super::layout::{Layout, Pane, SMALLEST, Slot};
use super::model::{Model, Popup};
use super::paint::{Length, Rows};
use super::theme::Role;
use super::{
    ascii, compare, curve, evidence, findings, help, meter, omissions, outline, paint, popup,
    query, reader, relations, stubs, swept, table, visit, welcome, why, wide,
};

/// Draws a frame.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    view_with_hits(model, frame);
}

/// Draws a frame; gives what stands where on it.
pub fn view_with_hits(model: &Model, frame: &mut Frame<'_>) -> Hits {
    let area = frame.area();
    let Drawn { cursor, hits } = draw(model, area, frame.buffer_mut());
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
    hits
}

/// What a frame is beside its cells.
#[derive(Debug, Default)]
pub struct Drawn {
    /// The place of the cursor, where there is one.
    pub cursor: Option<Position>,
    /// What stands where.
    pub hits: Hits,
}

/// Draws into a buffer.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) -> Drawn {
    let mut hits = Hits::default();
    let cursor = screen(model, area, buf, &mut hits);
    if model.ascii {
        ascii::pass(buf);
    }
    wide::settle(buf);
    Drawn { cursor, hits }
}

fn screen(model: &Model, area: Rect, buf: &mut Buffer, hits: &mut Hits) -> Option<Position> {
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
        let cursor = help::footer(model, layout.footer, buf);
        return picker(model, layout, buf, hits).or(cursor);
    }
    let mut cursor = query::draw(model, layout.top, buf);
    if model.outcome.is_some() {
        meter::draw(model, layout.meter, buf);
        for slot in &layout.slots {
            if let Some(rows) = pane(model, slot, buf) {
                hits.push(Spot::Pane(slot.pane), rows);
            }
        }
        if let Some(area) = layout.why {
            why::draw(model, area, buf);
        }
    } else {
        welcome::draw(model, layout.body.union(layout.meter), buf);
    }
    cursor = help::footer(model, layout.footer, buf).or(cursor);
    let over = Rect { height: area.height - 1, ..area };
    match model.popup {
        Some(Popup::Curve) => curve::draw(model, layout.body, buf),
        Some(Popup::Sweep) => swept::draw(model, layout.body, buf),
        Some(Popup::Compare) => compare::draw(model, layout.body, buf),
        Some(Popup::Document) => {
            if let Some(rows) = visit::draw(model, layout.over(), buf) {
                hits.push(Spot::Leads, rows);
            }
        }
        Some(popup) => popup::draw(model, popup, over, buf),
        None => {}
    }
    picker(model, layout, buf, hits).or(cursor)
}

/// Draws the list to pick from, over whatever is there; gives the place of the cursor.
fn picker(model: &Model, layout: &Layout, buf: &mut Buffer, hits: &mut Hits) -> Option<Position> {
    let (at, rows) = model.picker.as_ref()?.draw(model, layout.over(), buf);
    hits.push(Spot::Picker, rows);
    Some(at)
}

fn pane(model: &Model, slot: &Slot, buf: &mut Buffer) -> Option<Rows> {
    match slot.pane {
        Pane::Table => table::draw(model, slot, buf),
        Pane::Outline => outline::draw(model, slot, buf),
        Pane::Findings => findings::draw(model, slot, buf),
        Pane::Evidence => {
            evidence::draw(model, slot, buf);
            None
        }
        Pane::Relations => relations::draw(model, slot, buf),
        Pane::Stubs => stubs::draw(model, slot, buf),
        Pane::Omissions => omissions::draw(model, slot, buf),
    }
}

/// The title of a pane with its key, and as much of its count as there is room for.
pub fn tab_title(model: &Model, pane: Pane, length: Length) -> String {
    let count = |count: usize| format!(" ({count})");
    let outcome = model.outcome.as_ref();
    let count = |number: usize| match length {
        Length::Least | Length::Short => String::new(),
        Length::Counted | Length::Long => count(number),
    };
    let (key, count) = match pane {
        Pane::Table => return table::title(model),
        Pane::Evidence => (super::keymap::Action::Evidence, String::new()),
        Pane::Relations => (
            super::keymap::Action::Relations,
            outcome.map_or_else(String::new, |found| {
                let targets = found.selection.targets.len();
                match found.selection.rejected.len() {
                    rejected if length == Length::Long && rejected > 0 => {
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
        Pane::Findings => (
            super::keymap::Action::Findings,
            model.findings.as_ref().map_or_else(String::new, |_| count(findings::count(model))),
        ),
        Pane::Outline => (
            super::keymap::Action::Outline,
            model.outlined.as_ref().map_or_else(String::new, |(_, document)| {
                count(document.outline().headings().len())
            }),
        ),
        Pane::Omissions => (
            super::keymap::Action::Omissions,
            outcome.map_or_else(String::new, |found| count(found.omissions.len())),
        ),
    };
    let name = if length == Length::Least { pane.short() } else { pane.name() };
    format!("{} {name}{count}", model.keymap.first(key))
}
