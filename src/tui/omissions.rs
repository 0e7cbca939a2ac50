//! What the reader did not get, in the order it would have come, and behind it
//! the documents that are left out of the world.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::layout::Slot;
use super::model::Model;
use super::paint::{self, Entry, List};
use super::sign;
use super::theme::Role;
use super::width::{cut, grouped, pad, shorten, width};
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
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) {
    let area = paint::pane(model, slot, |pane| super::view::tab_title(model, pane), buf);
    let Some(outcome) = &model.outcome else { return };
    let theme = model.theme();
    let omissions = &outcome.omissions;
    let count = omissions.len() + model.problems.len();
    if count == 0 {
        let words = if outcome.rows().is_empty() {
            "There was nothing to leave out."
        } else {
            "Nothing was left out."
        };
        return paint::message(buf, area, words, theme.style(Role::Dim));
    }
    let shorts = omissions.iter().filter_map(|omission| omission.short);
    let shorts = shorts.map(|short| width(&grouped(short)) + 6).max().unwrap_or(0);
    let labels = sign::width(omissions.iter().map(|omission| omission.outcome)).max(12);
    let (row, target) = model.origin();
    let entry = |index: usize, room: usize| {
        let Some(omission) = omissions.get(index) else {
            let problem = model.problems.get(index - omissions.len());
            let words = visible_line(problem.map_or("", String::as_str));
            let line = Line::from(vec![
                Span::styled(pad("! not read", labels), theme.style(Role::Failed)),
                Span::styled(cut(&words, room.saturating_sub(labels)), theme.style(Role::Text)),
            ]);
            return Entry { line, related: false };
        };
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
    let foot = match omissions.get(chosen) {
        Some(omission) => visible_line(&omission.reason),
        None => chosen
            .checked_sub(omissions.len())
            .and_then(|at| model.problems.get(at))
            .map(|problem| visible_line(problem))
            .unwrap_or_default(),
    };
    let list = List {
        head: Vec::new(),
        count,
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot,
        entry: &entry,
    };
    paint::list(theme, area, &list, buf);
}
