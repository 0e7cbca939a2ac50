//! A list to pick from by typing a few letters: commands, documents, past lookups,
//! what to copy or to write, what to compare with.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use tui_input::Input;

use super::keymap::Action;
use super::model::Model;
use super::paint::{self, Rows};
use super::prose;
use super::save::Saved;
use super::theme::Role;
use super::typing::{MAX_BYTES, may_insert, request};
use super::width::{cut, pad, width};
use crate::document::Document;
use crate::text::{lower, lowercase, visible_line};

/// The narrowest screen with the beginning of a document beside the list.
const WITH_PREVIEW: u16 = 110;
/// Bytes of a document that are made ready to be shown beside the list.
const PREVIEWED: usize = 8 << 10;

/// What is picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// An action, as by its key.
    Action(Action),
    /// A document to open, by its location.
    Document(String),
    /// A past lookup, by its place.
    Past(usize),
    /// A text to copy, and what it is.
    Copy(String, String),
    /// Something to write to a file.
    Save(Saved),
    /// A theme, by its place.
    Theme(usize),
    /// What to compare with, by its place.
    Against(usize),
}

/// One entry.
#[derive(Debug, Clone)]
pub struct Choice {
    /// What is shown and searched.
    pub label: String,
    /// What is shown beside it.
    pub detail: String,
    /// Other words that it is found by, lowercase and never shown.
    pub also: &'static str,
    /// What it is.
    pub pick: Pick,
}

/// The list, and what is typed into it.
pub struct Picker {
    /// The title.
    pub title: &'static str,
    /// What is typed.
    pub input: Input,
    choices: Vec<Choice>,
    found: Vec<usize>,
    chosen: usize,
}

/// What a key does to a list.
pub enum Picked {
    /// It stays open.
    Open,
    /// It is left.
    Left,
    /// Something is picked.
    This(Pick),
}

impl Picker {
    /// A list of everything.
    pub fn new(title: &'static str, choices: Vec<Choice>) -> Self {
        let found = (0..choices.len()).collect();
        Self { title, input: Input::default(), choices, found, chosen: 0 }
    }

    /// The entries that fit what is typed, best first.
    pub fn found(&self) -> impl Iterator<Item = &Choice> {
        self.found.iter().filter_map(|index| self.choices.get(*index))
    }

    /// A key.
    pub fn pressed(&mut self, key: KeyEvent) -> Picked {
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        let last = self.found.len().saturating_sub(1);
        match key.code {
            KeyCode::Esc => return Picked::Left,
            KeyCode::Char('c') if held => return Picked::Left,
            KeyCode::Enter => return self.this(self.chosen),
            KeyCode::Up => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down => self.chosen = (self.chosen + 1).min(last),
            KeyCode::Char('p') if held => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Char('n') if held => self.chosen = (self.chosen + 1).min(last),
            KeyCode::PageUp => self.chosen = self.chosen.saturating_sub(10),
            KeyCode::PageDown => self.chosen = (self.chosen + 10).min(last),
            _ => {
                if let Some(request) = request(key)
                    && may_insert(request, self.input.value(), MAX_BYTES)
                {
                    self.input.handle(request);
                    self.search();
                }
            }
        }
        Picked::Open
    }

    /// The entry at a place of those found.
    pub fn this(&self, at: usize) -> Picked {
        match self.found().nth(at) {
            Some(choice) => Picked::This(choice.pick.clone()),
            None => Picked::Open,
        }
    }

    /// Goes up or down by a number of entries.
    pub fn step(&mut self, by: isize) {
        let last = self.found.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    fn search(&mut self) {
        let words = lowercase(self.input.value());
        let words: Vec<&str> = words.split_whitespace().collect();
        let ranked = self.choices.iter().enumerate().filter_map(|(index, choice)| {
            let label = lowercase(&choice.label);
            let detail = lowercase(&choice.detail);
            let ranks = words.iter().map(|word| rank(word, &label, choice.also, &detail));
            Some((ranks.sum::<Option<usize>>()?, index))
        });
        let mut ranked: Vec<(usize, usize)> = ranked.collect();
        ranked.sort_unstable();
        self.found = ranked.into_iter().map(|(_, index)| index).collect();
        self.chosen = 0;
    }

    /// Draws the list; gives the place of the cursor and where the entries are.
    pub fn draw(&self, model: &Model, area: Rect, buf: &mut Buffer) -> (Position, Rows) {
        let theme = model.theme();
        let preview = self.choices.iter().any(|choice| document(model, choice).is_some())
            && area.width >= WITH_PREVIEW;
        let wide = area.width.min(if preview { 170 } else { 96 });
        let high = u16::try_from(self.choices.len() + 4).unwrap_or(u16::MAX).min(area.height);
        let place = Rect {
            x: area.x + (area.width - wide) / 2,
            y: area.y + (area.height - high) / 3,
            width: wide,
            height: high,
        };
        let hint = format!("{} of {} · Enter takes it · Esc", self.found.len(), self.choices.len());
        let inner = paint::popup(theme, place, self.title, &hint, buf);
        let mut inner = inner.inner(ratatui::layout::Margin::new(1, 0));
        if preview {
            let halves = [Constraint::Percentage(48), Constraint::Fill(1)];
            let [left, right] = Layout::horizontal(halves).spacing(3).areas(inner);
            inner = left;
            let document = self.found().nth(self.chosen).and_then(|it| document(model, it));
            for row in right.top()..right.bottom() {
                buf.set_string(right.x - 2, row, "│", theme.style(Role::Border));
            }
            if let Some(document) = document {
                let body = document.body();
                let begin = &body[..body.floor_char_boundary(PREVIEWED)];
                let lines = prose::render(begin, right.width, theme);
                for (row, line) in (0..right.height).zip(&lines) {
                    paint::line(buf, right, row, line);
                }
            }
        }
        let (shown, before) = super::query::window(&self.input, usize::from(inner.width) - 2);
        let line = Line::from(vec![
            Span::styled("› ", theme.style(Role::Key)),
            Span::styled(shown, theme.style(Role::Title)),
        ]);
        paint::line(buf, inner, 0, &line);
        let x = inner.x + 2 + u16::try_from(before).unwrap_or(0);
        let cursor = Position::new(x, inner.y);
        let list = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
        let rows = usize::from(list.height);
        let first = self.chosen.saturating_sub(rows / 2);
        let first = first.min(self.found.len().saturating_sub(rows));
        let widest = self.found().map(|choice| width(&choice.label)).max().unwrap_or(0);
        let room = usize::from(list.width).saturating_sub(2);
        let most = (room * 3 / 5).max(room.saturating_sub(24));
        let label_room = widest.min(most);
        let words = lowercase(self.input.value());
        let words: Vec<&str> = words.split_whitespace().collect();
        for (row, (at, choice)) in (0..list.height).zip(self.found().enumerate().skip(first)) {
            let label = pad(&cut(&visible_line(&choice.label), label_room), label_room);
            let detail = cut(&visible_line(&choice.detail), room.saturating_sub(label_room + 2));
            let marker = if at == self.chosen { "▸ " } else { "  " };
            let mut spans = vec![Span::styled(marker, theme.style(Role::Title))];
            let (of_label, of_detail) = places(&words, choice);
            spans.extend(with_marks(&label, &of_label, theme.style(Role::Text)));
            spans.push(Span::raw("  "));
            spans.extend(with_marks(&detail, &of_detail, theme.style(Role::Dim)));
            paint::line(buf, list, row, &Line::from(spans));
            if at == self.chosen {
                buf.set_style(Rect { y: list.y + row, height: 1, ..list }, theme.selected());
            }
        }
        if self.found.is_empty() {
            let line = Line::styled("  nothing fits", theme.style(Role::Dim));
            paint::line(buf, list, 0, &line);
        }
        (cursor, Rows { area: list, first, count: self.found.len() })
    }
}

/// The document that an entry stands for, where its text is at hand.
fn document<'a>(model: &'a Model, choice: &Choice) -> Option<&'a Document> {
    let Pick::Document(path) = &choice.pick else { return None };
    let store = model.reader.as_ref()?.store()?;
    store.catalog().document(path).map(|document| &**document)
}

/// Which letters of a label and of what stands beside it, by their number, are what an
/// entry was found by.
fn places(words: &[&str], choice: &Choice) -> (Vec<usize>, Vec<usize>) {
    let letters = |text: &str| visible_line(text).chars().map(lower).collect::<Vec<char>>();
    let (label, detail) = (letters(&choice.label), letters(&choice.detail));
    let (mut of_label, mut of_detail) = (Vec::new(), Vec::new());
    for word in words {
        let letters: Vec<char> = word.chars().collect();
        let whole = |text: &[char]| text.windows(letters.len()).position(|it| *it == letters[..]);
        if let Some(at) = whole(&label) {
            of_label.extend(at..at + letters.len());
        } else if choice.also.split(' ').any(|other| other.starts_with(word)) {
            // By a word that is not shown.
        } else if let Some(at) = whole(&detail) {
            of_detail.extend(at..at + letters.len());
        } else {
            let mut rest = label.iter().enumerate();
            let next = |c: &char| rest.find(|(_, other)| *other == c).map(|(at, _)| at);
            of_label.extend(letters.iter().filter_map(next));
        }
    }
    (of_label, of_detail)
}

/// A text with some of its letters underlined.
fn with_marks(text: &str, marks: &[usize], style: Style) -> Vec<Span<'static>> {
    let marked = style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
    let mut out: Vec<Span<'static>> = Vec::new();
    let mut last = None;
    for (at, c) in text.chars().enumerate() {
        let joins = width(c.encode_utf8(&mut [0; 4])) == 0;
        let is_marked = if joins { last == Some(true) } else { marks.contains(&at) };
        match out.last_mut() {
            Some(span) if last == Some(is_marked) => span.content.to_mut().push(c),
            _ => out.push(Span::styled(c.to_string(), if is_marked { marked } else { style })),
        }
        last = Some(is_marked);
    }
    out
}

/// How well a word fits an entry: less is better, none where it does not. Letters in
/// one piece come before letters in order, the beginning of a part before its middle,
/// the label before its other words, and these before what stands beside it.
fn rank(word: &str, label: &str, also: &str, detail: &str) -> Option<usize> {
    if let Some(at) = label.find(word) {
        let starts = label[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        return Some(label.len() / 8 + if starts { 0 } else { 40 });
    }
    if also.split(' ').any(|other| other.starts_with(word)) {
        return Some(100 + label.len() / 8);
    }
    if detail.contains(word) {
        return Some(200 + label.len() / 8);
    }
    let mut rest = label.chars();
    let in_order = word.chars().all(|c| rest.any(|other| other == c));
    in_order.then_some(400 + label.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first() {
        let paths = ["/bands/blue-cheer.md", "/genres/dub.md", "/bands/sub-dub.md", "/d/u/b.md"];
        let choice = |path: &&str| Choice {
            label: (*path).to_owned(),
            detail: String::new(),
            also: "",
            pick: Pick::Document((*path).to_owned()),
        };
        let mut picker = Picker::new("documents", paths.iter().map(choice).collect());
        for c in "dub".chars() {
            picker.pressed(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
        }
        let found: Vec<&str> = picker.found().map(|choice| choice.label.as_str()).collect();
        assert_eq!(found, ["/genres/dub.md", "/bands/sub-dub.md", "/d/u/b.md"]);
        picker.pressed(KeyEvent::new(KeyCode::Down, KeyModifiers::NONE));
        let picked = picker.pressed(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
        let Picked::This(Pick::Document(path)) = picked else { panic!("a document") };
        assert_eq!(path, "/bands/sub-dub.md");
    }
}
