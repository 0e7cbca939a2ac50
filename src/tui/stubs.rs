//! Stubs and coverage: text that the reader has once, though it was found twice.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::layout::Slot;
use super::model::Model;
use super::paint::{self, Entry, List};
use super::sign;
use super::theme::Role;
use super::width::shorten;
use crate::selection::{Kind, Outcome};
use crate::text::visible_line;

/// Draws the pane.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) {
    let area = paint::pane(model, slot, |pane, long| super::view::tab_title(model, pane, long), buf);
    let Some(outcome) = &model.outcome else { return };
    let theme = model.theme();
    let items = &outcome.selection.items;
    if outcome.repeats.is_empty() {
        let words = "Nothing was found twice.";
        return paint::message(buf, area, words, theme.style(Role::Dim));
    }
    let (row, target) = model.origin();
    let location = |index: Option<usize>| {
        let item = index.and_then(|index| items.get(index));
        visible_line(item.and_then(|item| item.location.as_deref()).unwrap_or_default())
    };
    let entry = |index: usize, room: usize| {
        let item = &items[outcome.repeats[index]];
        let what = if item.kind == Kind::Stub { Outcome::SameText } else { Outcome::Covered };
        let joint = if item.kind == Kind::Stub { " = " } else { " in " };
        let encloses = item.text.contains(" encloses ");
        let joint = if encloses { " around " } else { joint };
        let left = room.saturating_sub(2 + joint.len());
        let own = shorten(&location(Some(outcome.repeats[index])), left * 5 / 9);
        let of = left.saturating_sub(super::width::width(&own));
        let line = Line::from(vec![
            Span::styled(format!("{} ", sign::sign(what)), theme.style(sign::role(what))),
            Span::styled(own, theme.style(Role::Text)),
            Span::styled(joint, theme.style(Role::Dim)),
            Span::styled(shorten(&location(item.refers_to), of), theme.style(Role::Text)),
        ]);
        let related =
            (row.is_some() && item.row == row) || (target.is_some() && item.target == target);
        Entry { line, related }
    };
    let chosen = model.chosen.repeat;
    let foot = outcome.repeats.get(chosen).map(|index| {
        let item = &items[*index];
        match item.kind {
            Kind::Stub => "a stub says where the same text stands".to_owned(),
            _ if item.text.contains(" encloses ") => {
                "encloses what is printed above; skipped".to_owned()
            }
            _ => "lies within what is printed above".to_owned(),
        }
    });
    let list = List {
        head: Vec::new(),
        count: outcome.repeats.len(),
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot: foot.unwrap_or_default(),
        entry: &entry,
    };
    paint::list(theme, area, &list, buf);
}
