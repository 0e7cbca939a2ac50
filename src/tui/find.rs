//! Finding words: on the reader's page, in a document opened whole, in the reader's
//! exact text, in two results side by side, and among the rows of the table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

use super::compare::{self, Compare};
use super::model::{Model, Popup};
use super::page::{Part, omission_lines};
use super::sign;
use super::theme::{Role, Theme};
use super::width::width;
use crate::text::lowercase;

/// How a line of a text goes with the one above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// It begins anew.
    Break,
    /// It may be the same sentence, wrapped at a space.
    Space,
    /// It is the same line, cut where the room ended.
    Cut,
}

/// Cells of a line that have a part of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    line: usize,
    from: u16,
    cells: u16,
    place: usize,
}

/// Words that are looked for in a text, and where they stand.
#[derive(Debug, Default)]
pub struct Find {
    /// The words, as typed; empty where nothing is looked for.
    pub words: String,
    /// The line where each place begins, in order.
    places: Vec<usize>,
    marks: Vec<Mark>,
    at: Option<usize>,
    is_current: bool,
}

impl Find {
    /// Looks for nothing any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The text has changed: the words are to be looked for again.
    pub fn outdate(&mut self) {
        self.is_current = false;
    }

    /// The lines where the words stand; one of them as often as they stand in it.
    pub fn lines(&self) -> &[usize] {
        &self.places
    }

    /// Which place it is, of how many, in words.
    pub fn count(&self) -> String {
        match (self.at, self.places.len()) {
            (_, 0) => "not found".into(),
            (Some(at), count) => format!("{} of {count}", at + 1),
            (None, 1) => "1 place".into(),
            (None, count) => format!("{count} places"),
        }
    }

    /// The line of the place that was gone to.
    pub fn line(&self) -> Option<usize> {
        self.at.and_then(|at| self.places.get(at).copied())
    }

    fn is_outdated(&self) -> bool {
        !self.words.is_empty() && !self.is_current
    }

    /// Looks through the lines, however the words are broken over them.
    pub fn look(&mut self, lines: impl Iterator<Item = (Joint, String)>) {
        self.is_current = true;
        self.places.clear();
        self.marks.clear();
        let words = lowercase(&self.words);
        if words.trim().is_empty() {
            return;
        }
        let mut text = String::new();
        // Where each line begins in the text, and the cells before it.
        let mut starts: Vec<(usize, usize)> = Vec::new();
        for (joint, line) in lines {
            let line = lowercase(&line);
            let trimmed = if joint == Joint::Space { line.trim_start() } else { line.as_str() };
            match joint {
                Joint::Space if !text.ends_with('\n') && !trimmed.is_empty() => {
                    text.truncate(text.trim_end_matches(' ').len());
                    text.push(' ');
                }
                Joint::Cut => {}
                Joint::Break | Joint::Space => text.push('\n'),
            }
            starts.push((text.len(), width(&line[..line.len() - trimmed.len()])));
            text.push_str(trimmed);
        }
        for (from, found) in text.match_indices(&words) {
            let to = from + found.len();
            let first = starts.partition_point(|(start, _)| *start <= from).saturating_sub(1);
            let place = self.places.len();
            self.places.push(first);
            for (line, (start, before)) in starts.iter().enumerate().skip(first) {
                if *start >= to {
                    break;
                }
                let end = starts.get(line + 1).map_or(text.len(), |(next, _)| *next);
                let part = &text[from.max(*start)..to.min(end)];
                let cells = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
                let head = text[*start..from.max(*start)].to_owned();
                let from = u16::try_from(*before).unwrap_or(u16::MAX).saturating_add(cells(&head));
                self.marks.push(Mark { line, from, cells: cells(part.trim_end()), place });
            }
        }
        self.at = self.at.filter(|at| *at < self.places.len());
    }

    /// Looks for lines that have the words in one of their texts, seen or not, however
    /// they are broken there: each is one place, and what of it is seen marks itself.
    pub fn look_at_each<'a>(&mut self, lines: impl Iterator<Item = Vec<&'a str>>) {
        self.is_current = true;
        self.places.clear();
        self.marks.clear();
        let words = joined(&self.words);
        if !words.trim().is_empty() {
            let has = |texts: &Vec<&str>| texts.iter().any(|text| joined(text).contains(&words));
            let found = lines.enumerate().filter(|(_, texts)| has(texts));
            self.places.extend(found.map(|(line, _)| line));
        }
        self.at = self.at.filter(|at| *at < self.places.len());
    }

    /// Marks the words in a text that is drawn in an area of one line.
    pub fn draw_in(
        &self,
        theme: &Theme,
        area: Rect,
        (line, text): (usize, &str),
        buf: &mut Buffer,
    ) {
        let (words, text) = (lowercase(&self.words), lowercase(text));
        if words.trim().is_empty() {
            return;
        }
        let style = match self.line() == Some(line) {
            true => theme.selected(),
            false => theme.style(Role::Related).add_modifier(Modifier::UNDERLINED),
        };
        let cells = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
        for (from, found) in text.match_indices(&words) {
            let before = cells(&text[..from]);
            if before >= area.width {
                break;
            }
            let room = cells(found).min(area.width - before);
            buf.set_style(Rect { x: area.x + before, width: room, height: 1, ..area }, style);
        }
    }

    /// Goes to the first place from a line on, or the first of all; gives its line.
    fn from(&mut self, line: usize) -> Option<usize> {
        let next = self.places.iter().position(|place| *place >= line);
        self.at = next.or((!self.places.is_empty()).then_some(0));
        self.at.map(|at| self.places[at])
    }

    /// Goes to the next place, or the one before; gives its line.
    fn step(&mut self, forward: bool, top: usize) -> Option<usize> {
        let count = self.places.len();
        let last = count.checked_sub(1)?;
        let at = match (self.at, forward) {
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => at.checked_sub(1).unwrap_or(last),
            (None, true) => self.places.iter().position(|line| *line >= top).unwrap_or(0),
            (None, false) => self.places.iter().rposition(|line| *line < top).unwrap_or(last),
        };
        self.at = Some(at);
        Some(self.places[at])
    }

    /// Marks what was found in a line that is drawn at a row; the place that was gone
    /// to more than the others.
    pub fn draw(&self, theme: &Theme, area: Rect, row: u16, line: usize, buf: &mut Buffer) {
        let first = self.marks.partition_point(|mark| mark.line < line);
        for mark in self.marks[first..].iter().take_while(|mark| mark.line == line) {
            if mark.from >= area.width || row >= area.height {
                continue;
            }
            let place = Rect {
                x: area.x + mark.from,
                y: area.y + row,
                width: mark.cells.min(area.width - mark.from),
                height: 1,
            };
            let style = match self.at == Some(mark.place) {
                true => theme.selected(),
                false => theme.style(Role::Related).add_modifier(Modifier::UNDERLINED),
            };
            buf.set_style(place, style);
        }
    }
}

/// A text in small letters with one space for all between two words.
pub fn joined(text: &str) -> String {
    // At both ends it is of the words.
    let ends = |c: char| if c.is_whitespace() { " " } else { "" };
    let (first, last) = (text.chars().next(), text.chars().last());
    let words: Vec<&str> = text.split_whitespace().collect();
    let (before, after) = (first.map_or("", ends), last.map_or("", ends));
    lowercase(&format!("{before}{}{after}", words.join(" ")))
}

/// Whether what covers the panes is a text that words are looked for in.
pub fn is_over(model: &Model) -> bool {
    match model.popup {
        Some(Popup::Document | Popup::Reader) => true,
        Some(Popup::Compare) => model.compare.as_ref().is_some_and(|it| it.other().is_some()),
        _ => false,
    }
}

/// The text that words are looked for in: what is on the screen.
pub fn here(model: &Model) -> &Find {
    match (model.popup, model.visits.last(), &model.compare) {
        (Some(Popup::Reader), ..) => &model.text.find,
        (Some(Popup::Document), Some(visit), _) => &visit.find,
        (Some(Popup::Compare), _, Some(compare)) => &compare.find,
        _ => &model.find,
    }
}

/// The same, to be changed.
pub fn here_mut(model: &mut Model) -> &mut Find {
    match (model.popup, model.visits.last_mut(), &mut model.compare) {
        (Some(Popup::Reader), ..) => &mut model.text.find,
        (Some(Popup::Document), Some(visit), _) => &mut visit.find,
        (Some(Popup::Compare), _, Some(compare)) => &mut compare.find,
        _ => &mut model.find,
    }
}

/// The first line in sight, and how many are.
fn sight(model: &Model) -> (usize, usize) {
    match (model.popup, model.visits.last(), &model.compare) {
        (Some(Popup::Reader), ..) => (model.popup_top, super::reader::rows(model)),
        (Some(Popup::Document), Some(visit), _) => (visit.top, model.visit_rows()),
        (Some(Popup::Compare), _, Some(compare)) => (compare.top, compare::rows(model)),
        _ => (model.page_top, model.page_rows()),
    }
}

/// Looks for words, from what is in sight on.
pub fn set(model: &mut Model, words: String) {
    let (top, _) = sight(model);
    let find = here_mut(model);
    find.words = words;
    find.at = None;
    find.outdate();
    update(model);
    if let Some(line) = here_mut(model).from(top) {
        show(model, line);
    }
}

/// Finds the places again, where the text has changed.
pub fn update(model: &mut Model) {
    if model.find.is_outdated() {
        let lines = page_lines(model);
        model.find.look(lines.into_iter());
    }
    if model.text.find.is_outdated() {
        let joint = |continued| if continued { Joint::Cut } else { Joint::Break };
        let lines = &model.text.lines;
        let lines = lines.iter().map(|(continued, line)| (joint(*continued), line.clone()));
        model.text.find.look(lines);
    }
    if let Some(visit) = model.visits.last_mut()
        && visit.find.is_outdated()
    {
        visit.look();
    }
    if let Some(compare) = model.compare.as_mut().filter(|it| it.find.is_outdated()) {
        compare.look();
    }
}

/// The lines of the page.
fn page_lines(model: &Model) -> Vec<(Joint, String)> {
    let mut lines = Vec::with_capacity(model.page.height());
    for segment in &model.page.segments {
        let omitted = match (segment.part, &model.outcome) {
            (Part::Omission(index), Some(outcome)) => outcome.omissions.get(index),
            _ => None,
        };
        let made = omitted.map(|it| omission_lines(it, model.page.room, model.theme()));
        for at in 0..segment.height() {
            let line = made.as_ref().map_or_else(|| segment.line(at), |made| made.get(at));
            let joint = if at == 0 { Joint::Break } else { Joint::Space };
            lines.push((joint, line.map(Line::to_string).unwrap_or_default()));
        }
    }
    lines
}

/// Goes to the next place, or the one before; says which it is.
pub fn go(model: &mut Model, forward: bool) {
    update(model);
    let (top, _) = sight(model);
    let find = here_mut(model);
    if find.words.is_empty() {
        model.notice = Some("nothing is looked for".into());
        return;
    }
    let line = find.step(forward, top);
    model.notice = Some(told(model, None));
    if let Some(line) = line {
        show(model, line);
    }
}

/// What was found, and the keys that go on.
pub fn told(model: &Model, keys: Option<String>) -> String {
    let find = here(model);
    let compare = model.compare.as_ref().filter(|_| model.popup == Some(Popup::Compare));
    let found = format!("“{}”: {}", find.words, find.count());
    let parts = [Some(found), keys, compare.and_then(Compare::side_found)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn show(model: &mut Model, line: usize) {
    let (top, rows) = sight(model);
    if line >= top && line < top + rows {
        return;
    }
    let wanted = line.saturating_sub(rows / 3);
    match (model.popup, model.visits.last_mut(), &mut model.compare) {
        (Some(Popup::Reader), ..) => {
            model.popup_top = wanted.min(model.text.lines.len().saturating_sub(rows));
        }
        (Some(Popup::Compare), _, Some(compare)) => {
            compare.top = wanted.min(compare.height().saturating_sub(rows));
        }
        (Some(Popup::Document), Some(visit), _) => {
            visit.top = wanted.min(visit.height().saturating_sub(rows));
        }
        _ => model.page_top = wanted.min(model.last_top()),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Places and marks of words in lines; `~` before a line: cut, `_`: wrapped.
    fn found(words: &str, lines: &[&str]) -> (Vec<usize>, Vec<(usize, u16, u16)>) {
        let mut find = Find { words: words.into(), ..Find::default() };
        find.look(lines.iter().map(|line| match line.split_at_checked(1) {
            Some(("~", rest)) => (Joint::Cut, rest.to_owned()),
            Some(("_", rest)) => (Joint::Space, rest.to_owned()),
            _ => (Joint::Break, (*line).to_owned()),
        }));
        let marks = find.marks.iter().map(|mark| (mark.line, mark.from, mark.cells)).collect();
        (find.places, marks)
    }

    #[test]
    fn words_are_found_however_they_are_broken_over_lines() {
        let two = |line| (line, 0, 4);
        assert_eq!(found("a b", &["A B a b"]), (vec![0, 0], vec![(0, 0, 3), (0, 4, 3)]));
        assert_eq!(found("one two", &["x one", "_  two"]), (vec![0], vec![(0, 2, 3), (1, 2, 3)]));
        assert_eq!(found("one two", &["x one", "two"]), (vec![], vec![]));
        assert_eq!(found("one two", &["x one", "_", "_two"]), (vec![], vec![]));
        assert_eq!(found("abcdef", &["xxab", "~cdef"]), (vec![0], vec![(0, 2, 2), two(1)]));
        assert_eq!(found("é b", &["日本 É", "_b"]), (vec![0], vec![(0, 5, 1), (1, 0, 1)]));
        assert_eq!(found(" ", &["a b"]), (vec![], vec![]));
        assert_eq!(found("b ", &["", "a b", "_c"]), (vec![1], vec![(1, 2, 1)]));
    }

    #[test]
    fn steps_go_round_and_begin_at_what_is_in_sight() {
        let mut find = Find { words: "a".into(), ..Find::default() };
        find.look(["a", "b", "a", "a a"].iter().map(|line| (Joint::Break, (*line).to_owned())));
        assert_eq!(find.places, [0, 2, 3, 3]);
        assert_eq!(find.step(true, 1), Some(2));
        assert_eq!(find.count(), "2 of 4");
        assert_eq!(find.step(true, 1), Some(3));
        assert_eq!(find.step(true, 1), Some(3));
        assert_eq!(find.step(true, 1), Some(0));
        assert_eq!(find.step(false, 1), Some(3));
        assert_eq!(find.from(4), Some(0));
    }
}
