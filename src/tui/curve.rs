//! The budget curve: what each budget buys, from nothing to all there is.
//!
//! A stepped chart, made of the same strokes as the meter, with the present budget
//! on it; below it what enters and leaves at each breakpoint.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::model::Model;
use super::outcome::name;
use super::page::whole_tokens;
use super::theme::Role;
use super::width::{cut, grouped, pad, shorten, width};
use super::{help, meter, paint};
use crate::selection::TOKEN;
use crate::text::visible_line;
use crate::tune::{Entry, Walked};

/// Draws the chart and the steps over the panes.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let inner = paint::popup(theme, area, "what every budget buys", &help::way_out(model), buf);
    let Some(outcome) = &model.outcome else { return };
    let Some(walked) = &outcome.walked else {
        let words = match outcome.refusal() {
            Some(_) => "The store refused: no budget buys anything.",
            None => "The curve is known when all documents have come.",
        };
        return paint::message(buf, inner, words, theme.style(Role::Dim));
    };
    let inner = inner.inner(ratatui::layout::Margin::new(1, 0));
    let high = (inner.height / 2).clamp(5, 16);
    let [chart, list] =
        Layout::vertical([Constraint::Length(high), Constraint::Fill(1)]).areas(inner);
    let last = walked.steps.last().map_or(0, |step| step.tokens);
    // Some room behind the last step shows that nothing more comes.
    let most = (last + last / 8).max(model.budget).max(1);
    self::chart(model, walked, most, chart, buf);
    steps(model, walked, list, buf);
}

/// The chart: a column for a budget, as high as what is spent there, by kind.
fn chart(model: &Model, walked: &Walked, most: u64, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let top = walked.steps.iter().map(|step| whole_tokens(step.used())).max().unwrap_or(0).max(1);
    let label = width(&grouped(top)).max(4);
    let left = u16::try_from(label + 2).unwrap_or(0);
    // The lowest rows are the axis and its numbers.
    let high = area.height.saturating_sub(2);
    let wide = area.width.saturating_sub(left);
    if high == 0 || wide < 8 {
        return;
    }
    let plot = Rect { x: area.x + left, width: wide, height: high, ..area };
    let budget_of = |column: u16| most * u64::from(column) / u64::from(wide - 1);
    let column_of = |budget: u64| {
        let at = u128::from(budget.min(most)) * u128::from(wide - 1) / u128::from(most);
        u16::try_from(at).unwrap_or(wide - 1)
    };
    for column in 0..wide {
        let step = &walked.steps[walked.at(budget_of(column))];
        let mut shares: Vec<(usize, (&str, Role))> =
            step.charged.iter().map(|(kind, bytes)| (*bytes, meter::sign(*kind))).collect();
        shares.sort_by_key(|(_, (glyph, _))| meter::order(glyph));
        for row in 0..high {
            // A cell shows what its middle stands in.
            let middle = (2 * u64::from(row) + 1) * top * TOKEN as u64 / (2 * u64::from(high));
            let mut sum = 0;
            let share = shares.iter().find(|(bytes, _)| {
                sum += *bytes as u64;
                sum > middle
            });
            let Some((_, (glyph, role))) = share else { break };
            let y = plot.bottom() - 1 - row;
            buf.set_stringn(plot.x + column, y, glyph, 1, theme.style(*role));
        }
    }
    // What would be spent if a budget were used up.
    for column in 0..wide {
        let row = rows(budget_of(column).min(top), top, high).saturating_sub(1);
        let cell = (plot.x + column, plot.bottom() - 1 - row);
        if budget_of(column) <= top
            && let Some(cell) = buf.cell_mut(cell)
            && cell.symbol() == " "
        {
            cell.set_symbol("·").set_style(theme.style(Role::Dim));
        }
    }
    let dim = theme.style(Role::Dim);
    for (row, number) in [(0, top), (high - 1, 0)] {
        let text = format!("{:>label$} ", grouped(number));
        buf.set_stringn(area.x, plot.y + row, text, label + 1, dim);
    }
    for row in 0..high {
        buf.set_stringn(plot.x - 1, plot.y + row, "│", 1, dim);
    }
    let here = column_of(model.budget);
    for row in 0..high {
        buf.set_stringn(plot.x + here, plot.y + row, "┃", 1, theme.style(Role::Key));
    }
    let axis: String = (0..wide)
        .map(|column| {
            let is_step = walked.steps.iter().skip(1).any(|step| column_of(step.tokens) == column);
            match column {
                _ if column == here => '▲',
                _ if is_step => '┴',
                _ => '─',
            }
        })
        .collect();
    paint::line(buf, Rect { y: plot.bottom(), height: 1, ..plot }, 0, &Line::styled(axis, dim));
    let now = format!("{} tokens", grouped(model.budget));
    let end = grouped(most);
    let mut numbers = vec![' '; usize::from(wide)];
    let mut put = |text: &str, at: usize| {
        for (place, c) in numbers.iter_mut().skip(at).zip(text.chars()) {
            *place = c;
        }
    };
    put("0", 0);
    put(&end, usize::from(wide).saturating_sub(end.len()));
    let at = usize::from(here).saturating_sub(now.len() / 2);
    put(&now, at.min(usize::from(wide).saturating_sub(now.len())));
    let numbers: String = numbers.into_iter().collect();
    let below = Rect { y: plot.bottom() + 1, height: 1, ..plot };
    paint::line(buf, below, 0, &Line::styled(numbers, theme.style(Role::Text)));
}

/// Rows of `high` for a share of `top`; what is there at all has one.
fn rows(part: u64, top: u64, high: u16) -> u16 {
    let rows = (part * u64::from(high) + top / 2) / top;
    u16::try_from(rows).unwrap_or(high).clamp(u16::from(part > 0), high)
}

/// What enters and leaves at each breakpoint, the present step in the middle.
fn steps(model: &Model, walked: &Walked, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let at = walked.at(model.budget);
    let step = &walked.steps[at];
    let words = format!(
        "at {} tokens: {} spent, {} rows expanded, {} related · step {} of {}",
        grouped(model.budget),
        grouped(whole_tokens(step.used())),
        step.expanded,
        step.related,
        at + 1,
        walked.steps.len()
    );
    let words = cut(&words, usize::from(area.width));
    paint::line(buf, area, 0, &Line::styled(words, theme.style(Role::Title)));
    let area = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let shown = usize::from(area.height);
    let count = walked.steps.len();
    let first = at.saturating_sub(shown / 2).min(count.saturating_sub(shown));
    let numbers = walked.steps.iter().map(|step| width(&grouped(step.tokens))).max().unwrap_or(1);
    for (row, index) in (0..area.height).zip(first..count) {
        let step = &walked.steps[index];
        let (entering, leaving) = walked.change(index);
        let room = usize::from(area.width).saturating_sub(numbers + 18);
        let words = self::words(index, &entering, &leaving, room);
        let marker = if index == at { "▸ " } else { "  " };
        let number = format!("{:>numbers$}", grouped(step.tokens));
        let spent = pad(&format!("{} spent", grouped(step.used() / TOKEN)), 13);
        let line = Line::from(vec![
            Span::styled(marker, theme.style(Role::Title)),
            Span::styled(number, theme.style(Role::Text)),
            Span::styled(format!("  {spent} "), theme.style(Role::Dim)),
            Span::styled(words, theme.style(Role::Text)),
        ]);
        paint::line(buf, area, row, &line);
        if index == at {
            buf.set_style(Rect { y: area.y + row, height: 1, ..area }, theme.selected());
        }
    }
}

fn words(index: usize, entering: &[Entry], leaving: &[Entry], room: usize) -> String {
    if index == 0 {
        return cut("no budget: the table alone", room);
    }
    if entering.is_empty() && leaving.is_empty() {
        return cut("only a note changes", room);
    }
    let count = entering.len() + leaving.len();
    // Each has its part of the line.
    let part = (room / count.clamp(1, 3)).saturating_sub(3);
    let one = |sign: &str, entry: &Entry| {
        format!("{sign} {}", shorten(&visible_line(&name(entry)), part.max(12)))
    };
    let all = entering.iter().map(|entry| one("+", entry));
    let all: Vec<String> = all.chain(leaving.iter().map(|entry| one("−", entry))).collect();
    cut(&all.join("  "), room)
}
