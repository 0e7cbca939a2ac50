//! The ranked table with what became of each row.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::layout::Slot;
use super::model::Model;
use super::outcome::Outcome;
use super::paint::{self, Entry, List, Rows};
use super::sign;
use super::theme::Role;
use super::width::{cut, grouped, pad, sentence, shorten, width};
use crate::selection::{RowReport, TableRow};
use crate::text::visible_line;

/// The title: how many of the rows the reader has the evidence of.
pub fn title(model: &Model) -> String {
    let Some(outcome) = &model.outcome else { return "table".into() };
    match outcome.rows().len() {
        0 => "table · no rows".into(),
        rows if !model.sieve.is_empty() => {
            let shown = grouped(model.rows_shown().len());
            format!(
                "table · {shown} of {} rows with “{}”",
                grouped(rows),
                visible_line(&model.sieve)
            )
        }
        rows => {
            format!(
                "table · {} of {} rows expanded",
                grouped(outcome.selection.expanded),
                grouped(rows)
            )
        }
    }
}

/// Draws the table.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) -> Option<Rows> {
    let area = paint::pane(model, slot, buf);
    let outcome = model.outcome.as_ref()?;
    let theme = model.theme();
    if outcome.rows().is_empty() {
        match outcome.refusal() {
            Some((_, message)) => {
                let words = format!("The store refuses: {}", visible_line(message));
                paint::message(buf, area, &words, theme.style(Role::Error));
            }
            None => paint::message(buf, area, "no rows", theme.style(Role::Dim)),
        }
        return None;
    }
    let columns = Columns::new(
        outcome.rows(),
        &outcome.selection.rows,
        usize::from(area.width).saturating_sub(3),
    );
    let (row, target) = model.origin();
    let shown = model.rows_shown();
    let entry = |at: usize, _| Entry {
        line: entry(model, outcome, &columns, shown[at]),
        related: target.is_none() && row == Some(shown[at]),
    };
    let chosen = model.chosen.row;
    if shown.is_empty() {
        let words = format!("no row has “{}”", visible_line(&model.sieve));
        paint::message(buf, area, &words, theme.style(Role::Dim));
        return None;
    }
    let has_why = model.layout.as_ref().is_some_and(|layout| layout.why.is_some());
    // Not at the cost of the first five rows, with the reason below them.
    let first = outcome.rows().len().min(5) + 1 + usize::from(!has_why);
    let head = match usize::from(area.height) >= first {
        true => vec![columns.head(theme.style(Role::Dim))],
        false => Vec::new(),
    };
    let list = List {
        head,
        count: shown.len(),
        selected: shown.iter().position(|row| *row == chosen).unwrap_or(0),
        reversed: true,
        foot: match outcome.selection.rows.get(chosen) {
            Some(row) if !has_why => reason(row),
            _ => String::new(),
        },
        foot_most: 2,
        entry: &entry,
    };
    Some(paint::list(theme, area, &list, buf))
}

/// The reason of a row in words, with that of its relation line where it is missing.
pub fn reason(row: &RowReport) -> String {
    let mut words = sentence(&row.reason);
    if let Some(short) = row.relation_line.as_ref().and_then(|line| line.short()) {
        words.push_str(&format!("; its relation line is {} tokens short", grouped(short)));
    }
    words
}

fn entry(model: &Model, outcome: &Outcome, columns: &Columns, index: usize) -> Line<'static> {
    let theme = model.theme();
    let row = &outcome.rows()[index];
    let mut spans = Vec::new();
    if let Some(report) = outcome.selection.rows.get(index) {
        let label = pad(&sign::told(report.outcome, &report.pieces), columns.outcome);
        spans.push(Span::styled(label, theme.style(sign::role(report.outcome))));
    }
    let sign = if model.changed.contains(&row.path) { "≠ " } else { "" };
    let left = columns.location.saturating_sub(width(sign));
    let location = format!("{sign}{}", shorten(&visible_line(&row.location()), left));
    spans.push(Span::styled(pad(&location, columns.location), theme.style(Role::Text)));
    let mut cell = |text: &str, room: usize, role: Role| {
        if room > 0 {
            let text = pad(&cut(&visible_line(text), room), room);
            spans.push(Span::styled(format!("  {text}"), theme.style(role)));
        }
    };
    cell(&row.importance, columns.importance, Role::Dim);
    cell(&row.title, columns.title, Role::Text);
    cell(&row.tags, columns.tags, Role::Dim);
    Line::from(spans)
}

const IMPORTANCE: &str = "importance";

/// The widths of the cells behind sign and word; 0 for one that has no room.
struct Columns {
    outcome: usize,
    location: usize,
    importance: usize,
    title: usize,
    tags: usize,
}

impl Columns {
    fn new(rows: &[TableRow], reports: &[RowReport], room: usize) -> Self {
        let outcome = sign::width(reports.iter().map(|report| report.outcome)).max(9);
        let room = room.saturating_sub(outcome);
        let widest = |cell: &dyn Fn(&TableRow) -> usize| rows.iter().map(cell).max().unwrap_or(0);
        let locations = widest(&|row| width(&visible_line(&row.location())));
        let titles = widest(&|row| width(&visible_line(&row.title)));
        let tags = widest(&|row| width(&visible_line(&row.tags)));
        let importance = widest(&|row| width(&row.importance)).clamp(4, 6);
        let beside = importance + 2;
        // Where a title would be a stump, the location gets its room.
        let with_title = room >= beside + 24 + 2 + 14;
        let most = if with_title { (room - beside) * 3 / 5 } else { room.saturating_sub(beside) };
        let location = locations.clamp(8, most.max(8));
        let mut left = room.saturating_sub(location + beside);
        let mut take = |wanted: usize, least: usize| {
            if left < least + 2 {
                return 0;
            }
            let taken = wanted.max(5).min(left - 2);
            left -= taken + 2;
            taken
        };
        let title = if with_title { take(titles, 10) } else { 0 };
        let tags = take(tags, 12);
        // What is left spells the heading out.
        let whole = IMPORTANCE.len();
        let importance = if left + importance >= whole { whole } else { importance };
        Self { outcome, location, importance, title, tags }
    }

    fn head(&self, style: ratatui::style::Style) -> Line<'static> {
        let mut words =
            format!("  {}{}", pad("outcome", self.outcome), pad("location", self.location));
        let importance = if self.importance < IMPORTANCE.len() { "imp." } else { IMPORTANCE };
        for (name, room) in
            [(importance, self.importance), ("title", self.title), ("tags", self.tags)]
        {
            if room > 0 {
                words.push_str(&format!("  {}", pad(name, room)));
            }
        }
        Line::styled(words, style)
    }
}
