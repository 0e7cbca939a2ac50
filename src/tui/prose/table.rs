//! A table as aligned columns, narrowed to the page.

use pulldown_cmark::Alignment;
use ratatui::style::{Modifier, Style};

use super::page::{Page, Piece, cut, measure};
use crate::tui::width::shorten;

/// Cells that a column keeps for its heading where its rows need fewer.
const LEAST: usize = 4;

/// One row.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<Vec<Piece>>,
    /// A line that only fell into the table and is shown as written.
    pub(super) literal: bool,
}

/// A table as it is collected: the first row is the heading.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) rows: Vec<Row>,
}

impl Table {
    /// Adds the table's lines to a page.
    pub(super) fn lay_out(mut self, page: &mut Page, mark: Style) {
        if let Some(heading) = self.rows.first_mut() {
            for piece in heading.cells.iter_mut().flatten() {
                piece.style = piece.style.add_modifier(Modifier::BOLD);
            }
        }
        let columns = self.alignments.len().max(1);
        let bars = 3 * (columns - 1);
        let Some(room) = page.room().checked_sub(bars).filter(|room| *room >= columns) else {
            // No room for columns: nothing is cut, the cells follow each other.
            for row in &self.rows {
                page.words(&row.joined(mark));
            }
            return;
        };
        let widths = self.widths(columns, room);
        for (index, row) in self.rows.iter().enumerate() {
            if row.literal {
                page.words(&row.joined(mark));
                continue;
            }
            page.pieces(row.aligned(&widths, &self.alignments, mark));
            if index == 0 {
                let rule: Vec<_> = widths.iter().map(|width| "─".repeat(*width)).collect();
                page.pieces([Piece::new(rule.join("─┼─"), mark)]);
            }
        }
    }

    /// The widths of the columns: what they need, else what they need but for their
    /// headings, the widest narrowed until all fit.
    fn widths(&self, columns: usize, room: usize) -> Vec<usize> {
        let whole = self.needed(columns, 0);
        if whole.iter().sum::<usize>() <= room {
            return whole;
        }
        let mut widths = self.needed(columns, 1);
        for (width, whole) in widths.iter_mut().zip(whole) {
            *width = whole.min((*width).max(LEAST));
        }
        narrowed(widths, room)
    }

    /// What the columns need for the rows from one on.
    fn needed(&self, columns: usize, from: usize) -> Vec<usize> {
        let mut widths = vec![1; columns];
        for row in self.rows.iter().skip(from).filter(|row| !row.literal) {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                let needed: usize = cell.iter().map(|piece| measure(&piece.text)).sum();
                *width = needed.max(*width);
            }
        }
        widths
    }
}

/// The widest narrowed until all fit.
fn narrowed(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    let total = |most: usize| -> usize { widths.iter().map(|width| most.min(*width)).sum() };
    if total(room) <= room {
        return widths.iter().map(|width| room.min(*width)).collect();
    }
    let (mut fits, mut exceeds) = (1, room);
    while exceeds - fits > 1 {
        let middle = usize::midpoint(fits, exceeds);
        if total(middle) <= room { fits = middle } else { exceeds = middle }
    }
    let mut left = room - total(fits);
    for width in &mut widths {
        if *width > fits {
            let more = usize::from(left > 0);
            *width = fits + more;
            left -= more;
        }
    }
    widths
}

impl Row {
    fn joined(&self, mark: Style) -> Vec<Piece> {
        let mut out = Vec::new();
        for cell in &self.cells {
            if self.literal && cell.is_empty() {
                continue;
            }
            if !out.is_empty() {
                out.push(Piece::new(" │ ", mark));
            }
            out.extend(cell.iter().cloned());
        }
        out
    }

    fn aligned(&self, widths: &[usize], alignments: &[Alignment], mark: Style) -> Vec<Piece> {
        let mut out = Vec::new();
        let spaces = |count: usize| Piece::new(" ".repeat(count), Style::new());
        for (index, width) in widths.iter().enumerate() {
            if index > 0 {
                out.push(Piece::new(" │ ", mark));
            }
            let cell = self.cells.get(index).map(Vec::as_slice).unwrap_or_default();
            let (pieces, used) = narrow(cell, *width);
            let left = width - used;
            let before = match alignments.get(index) {
                Some(Alignment::Right) => left,
                Some(Alignment::Center) => left / 2,
                _ => 0,
            };
            if used > 0 {
                out.push(spaces(before));
                out.extend(pieces);
            } else if index + 1 < widths.len() {
                out.push(spaces(before));
            }
            if index + 1 < widths.len() {
                out.push(spaces(left - before));
            }
        }
        out
    }
}

/// A cell that takes no more than `room`. A path keeps its end, which tells it from
/// the others.
fn narrow(cell: &[Piece], room: usize) -> (Vec<Piece>, usize) {
    match cell {
        [piece] if piece.text.starts_with('/') && !piece.text.contains(' ') => {
            let text = shorten(&piece.text, room);
            let used = measure(&text);
            (vec![Piece::new(text, piece.style)], used)
        }
        _ => cut(cell, room),
    }
}
