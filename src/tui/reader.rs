//! The reader's text, exactly, with what could drive a terminal made visible.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::find::Find;
use super::model::Model;
use super::theme::Role;
use super::width::{chop, grouped};
use crate::selection::Selection;
use crate::text::visible;

/// The text in lines for a width.
#[derive(Debug, Default)]
pub struct Text {
    key: Option<(u64, u16)>,
    /// The rows: whether one goes on with the line above, and its text.
    pub lines: Vec<(bool, String)>,
    /// What is looked for in it.
    pub find: Find,
    bytes: usize,
    charged: usize,
    /// Whether documents are missing that it waits for.
    is_partial: bool,
}

impl Text {
    /// Lays the text out, unless it is laid out already.
    pub fn lay_out(&mut self, selection: &Selection, version: u64, width: u16) {
        if self.key == Some((version, width)) {
            return;
        }
        self.key = Some((version, width));
        self.find.outdate();
        self.bytes = selection.bytes();
        self.is_partial = selection.awaits.is_some();
        self.charged = selection.items.iter().map(|item| item.charged).sum();
        let text = visible(&selection.text());
        let chopped = text.lines().flat_map(|line| {
            let pieces = chop(line, usize::from(width)).into_iter().enumerate();
            pieces.map(|(at, piece)| (at > 0, piece.to_owned()))
        });
        self.lines = chopped.collect();
    }
}

/// The lines that are in sight: the screen but for its first and its last.
pub fn rows(model: &Model) -> usize {
    usize::from(model.size.1).saturating_sub(2).max(1)
}

/// Draws it over everything but the foot.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let lines = &model.text.lines;
    let words = format!(
        " the reader's text{} · {} bytes, {} charged · lines {}–{} of {}",
        if model.text.is_partial { ", of which not all has come" } else { "" },
        grouped(model.text.bytes),
        grouped(model.text.charged),
        grouped((model.popup_top + 1).min(lines.len())),
        grouped((model.popup_top + rows(model)).min(lines.len())),
        grouped(lines.len())
    );
    let way_out = format!("{} ", super::help::way_out(model));
    super::paint::bar(area, buf, &words, &way_out, theme.style(Role::Selected));
    let inner = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: u16::try_from(rows(model)).unwrap_or(0).min(area.height.saturating_sub(1)),
    };
    let in_sight = lines.iter().enumerate().skip(model.popup_top);
    for (row, (at, (continued, line))) in (0..inner.height).zip(in_sight) {
        let y = inner.y + row;
        if *continued {
            buf.set_stringn(area.x, y, "┆", usize::from(area.width), theme.style(Role::Dim));
        }
        let room = usize::from(inner.width);
        buf.set_stringn(inner.x, y, line, room, theme.style(Role::Text));
        model.text.find.draw(theme, inner, row, at, buf);
    }
}
