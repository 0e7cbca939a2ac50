//! What the reader did not get, in the order it would have come.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::layout::Slot;
use super::model::Model;
use super::paint::{self, Entry, List, Rows};
use super::sign;
use super::theme::Role;
use super::width::{grouped, pad, sentence, shorten, width};
use crate::selection::{Kind, Omission};
use crate::text::visible_line;

/// What was left out, in at most `room` cells: a location, or the relation line of one.
pub fn subject(omission: &Omission, room: usize) -> String {
    let location = visible_line(&omission.location);
    if omission.kind != Kind::RelationLine {
        return shorten(&location, room);
    }
    let what = "relation line of ";
    format!("{what}{}", shorten(&location, room.saturating_sub(what.len())))
}

/// Draws the pane.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) -> Option<Rows> {
    let area = paint::pane(model, slot, buf);
    let outcome = model.outcome.as_ref()?;
    let theme = model.theme();
    let omissions = &outcome.omissions;
    if omissions.is_empty() {
        let words = if outcome.rows().is_empty() {
            "There was nothing to leave out."
        } else {
            "Nothing was left out."
        };
        paint::message(buf, area, words, theme.style(Role::Dim));
        return None;
    }
    let shorts = omissions.iter().filter_map(|omission| omission.short);
    let shorts = shorts.map(|short| width(&grouped(short)) + 6).max().unwrap_or(0);
    let labels = sign::width(omissions.iter().map(|omission| omission.outcome)).max(12);
    let (row, target) = model.origin();
    let entry = |index: usize, room: usize| {
        let omission = &omissions[index];
        let short = omission.short.map(|short| format!("{} short", grouped(short)));
        let left = room.saturating_sub(labels + shorts + 2);
        let location = subject(omission, left);
        let fill = left.saturating_sub(width(&location)) + 2;
        let short = short.unwrap_or_default();
        let fill = fill + shorts.saturating_sub(width(&short));
        let line = Line::from(vec![
            Span::styled(
                pad(&sign::label(omission.outcome), labels),
                theme.style(sign::role(omission.outcome)),
            ),
            Span::styled(location, theme.style(Role::Text)),
            Span::raw(" ".repeat(fill)),
            Span::styled(short, theme.style(Role::Dim)),
        ]);
        let related = (row.is_some() && omission.row == row)
            || (target.is_some() && omission.target == target);
        Entry { line, related }
    };
    let chosen = model.chosen.omission;
    let foot = omissions.get(chosen).map(|omission| {
        let reason = sentence(&omission.reason);
        match outcome.entering(omission) {
            Some(entering) => format!("{reason}; {}", visible_line(&entering)),
            None => reason,
        }
    });
    let list = List {
        head: Vec::new(),
        count: omissions.len(),
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot: foot.unwrap_or_default(),
        foot_most: 2,
        entry: &entry,
    };
    Some(paint::list(theme, area, &list, buf))
}
