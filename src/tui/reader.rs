//! The reader's text, exactly, with what could drive a terminal made visible.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

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

/// Draws it over everything.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let lines = &model.text.lines;
    let rows = usize::from(area.height).saturating_sub(1);
    let words = format!(
        " the reader's text{} · {} bytes, {} charged · {} lines",
        if model.text.is_partial { ", of which not all has come" } else { "" },
        grouped(model.text.bytes),
        grouped(model.text.charged),
        grouped(lines.len())
    );
    let way_out = format!("{} ", super::help::way_out(model));
    super::paint::bar(area, buf, &words, &way_out, theme.style(Role::Selected));
    for (at, (continued, line)) in lines.iter().skip(model.popup_top).take(rows).enumerate() {
        let y = area.y + 1 + u16::try_from(at).unwrap_or(u16::MAX);
        if *continued {
            buf.set_stringn(area.x, y, "┆", usize::from(area.width), theme.style(Role::Dim));
        }
        buf.set_stringn(
            area.x + 1,
            y,
            line,
            usize::from(area.width.saturating_sub(2)),
            theme.style(Role::Text),
        );
    }
}
