//! Finding words: on the reader's page, and among the rows of the table.

use ratatui::text::Line;

use super::model::Model;
use super::page::{Part, omission_lines};
use super::sign;
use crate::text::lowercase;

/// Words that are looked for on the page, and where they stand.
#[derive(Debug, Default)]
pub struct Find {
    /// The words, as typed; empty where nothing is looked for.
    pub words: String,
    /// The lines of the page that have them.
    pub lines: Vec<usize>,
    version: Option<(u64, u16, usize)>,
}

impl Find {
    /// Looks for nothing any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Looks for words, from what is in sight on.
pub fn set(model: &mut Model, words: String) {
    model.find.words = words;
    model.find.version = None;
    update(model);
    let top = model.page_top;
    let next = model.find.lines.iter().find(|line| **line >= top);
    if let Some(line) = next.or(model.find.lines.first()).copied() {
        show(model, line);
    }
}

/// Finds the lines again, where the page has changed.
pub fn update(model: &mut Model) {
    let version = model.page_version();
    if model.find.words.is_empty() || model.find.version == version {
        return;
    }
    let words = lowercase(&model.find.words);
    let mut lines = Vec::new();
    for segment in &model.page.segments {
        let has = |line: &Line<'_>| lowercase(&line.to_string()).contains(&words);
        let omitted = match (segment.part, &model.outcome) {
            (Part::Omission(index), Some(outcome)) => outcome.omissions.get(index),
            _ => None,
        };
        let made = omitted.map(|it| omission_lines(it, model.page.room, model.theme()));
        for at in 0..segment.height() {
            let line = made.as_ref().map_or_else(|| segment.line(at), |made| made.get(at));
            if line.is_some_and(has) {
                lines.push(segment.start + at);
            }
        }
    }
    model.find.lines = lines;
    model.find.version = version;
}

/// Goes to the next place, or the one before; says which it is.
pub fn go(model: &mut Model, forward: bool) {
    update(model);
    let lines = &model.find.lines;
    if model.find.words.is_empty() || lines.is_empty() {
        let words = if model.find.words.is_empty() { "nothing is looked for" } else { "not found" };
        model.notice = Some(words.into());
        return;
    }
    let now = model.found_at.filter(|line| lines.contains(line)).unwrap_or(model.page_top);
    let next = if forward {
        lines.iter().find(|line| **line > now).or(lines.first())
    } else {
        lines.iter().rev().find(|line| **line < now).or(lines.last())
    };
    let Some(line) = next.copied() else { return };
    let at = lines.iter().position(|other| *other == line).unwrap_or(0);
    model.notice = Some(format!("“{}”: {} of {}", model.find.words, at + 1, lines.len()));
    show(model, line);
}

fn show(model: &mut Model, line: usize) {
    model.found_at = Some(line);
    let rows = model.page_rows();
    if line < model.page_top || line >= model.page_top + rows {
        model.page_top = line.saturating_sub(rows / 3).min(model.last_top());
    }
}

/// Whether a row of the table has all the words of the sieve: in its location, title
/// or tags, or as the word for its outcome.
pub fn passes(model: &Model, row: usize) -> bool {
    let Some(outcome) = &model.outcome else { return true };
    let Some(cells) = outcome.rows().get(row) else { return true };
    let fate =
        outcome.selection.rows.get(row).map(|report| sign::told(report.outcome, &report.pieces));
    let all =
        format!("{} {} {} {}", cells.location(), cells.title, cells.tags, fate.unwrap_or_default());
    let all = lowercase(&all);
    lowercase(&model.sieve).split_whitespace().all(|word| all.contains(word))
}
