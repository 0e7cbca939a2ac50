//! Stubs and coverage: text that the reader has once, though it was found twice.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::layout::Slot;
use super::model::Model;
use super::paint::{self, Entry, List, Rows};
use super::sign;
use super::theme::Role;
use super::width::{shorten, width};
use crate::selection::{Kind, Outcome};
use crate::text::visible_line;

/// Draws the pane.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) -> Option<Rows> {
    let area = paint::pane(model, slot, buf);
    let outcome = model.outcome.as_ref()?;
    let theme = model.theme();
    let items = &outcome.selection.items;
    if outcome.repeats.is_empty() {
        let words = "Nothing was found twice.";
        paint::message(buf, area, words, theme.style(Role::Dim));
        return None;
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
        let (own, of) = (location(Some(outcome.repeats[index])), location(item.refers_to));
        let (own, of) = beside(&own, &of, left);
        let line = Line::from(vec![
            Span::styled(format!("{} ", sign::sign(what)), theme.style(sign::role(what))),
            Span::styled(own, theme.style(Role::Text)),
            Span::styled(joint, theme.style(Role::Dim)),
            Span::styled(of, theme.style(Role::Text)),
        ]);
        let related =
            (row.is_some() && item.row == row) || (target.is_some() && item.target == target);
        Entry { line, related }
    };
    let chosen = model.chosen.repeat;
    let foot = outcome.repeats.get(chosen).map(|index| {
        let item = &items[*index];
        let of = location(item.refers_to);
        match item.kind {
            Kind::Stub => format!("a stub says that the same text stands in {of}"),
            _ if item.text.contains(" encloses ") => format!("encloses {of}; skipped"),
            _ => format!("lies within {of}"),
        }
    });
    let list = List {
        head: Vec::new(),
        count: outcome.repeats.len(),
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot: foot.unwrap_or_default(),
        foot_most: 2,
        entry: &entry,
    };
    Some(paint::list(theme, area, &list, buf))
}

/// Two locations in one line: each has half of it, and what the other leaves.
fn beside(one: &str, other: &str, room: usize) -> (String, String) {
    let least = room / 2;
    let first = shorten(one, room - width(other).min(least));
    let second = shorten(other, room - width(&first).min(room));
    (first, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_locations_have_room() {
        let (one, other) =
            beside("/genres/a.md/v3#about-these-pages", "/b.md#about-these-pages", 40);
        assert!(one.starts_with("…/a.md#about") && other.starts_with("/b.md#"), "{one} {other}");
        assert!(width(&one) + width(&other) <= 40);
        let (one, other) = beside("/a.md", "/genres/shoegaze.md#about", 30);
        assert_eq!((one.as_str(), other.as_str()), ("/a.md", "/genres/shoegaze.md#about"));
    }
}
