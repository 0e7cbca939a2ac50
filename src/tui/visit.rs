//! A document opened whole, with what leads on from it: its sections, the relations
//! it declares, its links, and the documents that point to it.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::editor::At;
use super::find::{Find, Joint};
use super::incoming::Incoming;
use super::model::Model;
use super::paint::{self, Entry, List, Rows};
use super::prose;
use super::sections::{self, Has};
use super::theme::{Role, Theme};
use super::width::{cut, grouped, shorten, width, wrap};
use crate::check::Place;
use crate::document::Document;
use crate::lookup::Fetched;
use crate::mark::{decoded_path, resolve};
use crate::relations::Relations;
use crate::selection::TOKEN;
use crate::text::visible_line;

/// The narrowest screen with text and list side by side.
const BESIDE: u16 = 100;

/// Where something leads from a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lead {
    /// A section of it, by its place in the outline.
    Section(usize),
    /// A relation that it declares, or a link in its text, or a document that points
    /// to it: what it is called, the location, and the fragment.
    Away(Way, String, String, String),
}

/// How something leads away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By a relation.
    Relation,
    /// By a link.
    Link,
    /// From there to here.
    Incoming,
}

/// How far the document is.
enum State {
    Waiting,
    Failed(String),
    Open(Arc<Document>),
}

/// A document opened whole.
pub struct Visit {
    /// Its location, without a fragment.
    pub location: String,
    fragment: String,
    state: State,
    leads: Vec<Lead>,
    lines: Vec<Line<'static>>,
    /// The first line of each section, where it was found.
    starts: Vec<usize>,
    key: Option<(u16, String)>,
    /// Whether the place that was asked for has been gone to.
    is_placed: bool,
    /// The place of a finding in it, and its line in the file.
    place: Option<(Place, usize)>,
    /// The line of that place.
    marked: Option<usize>,
    /// What is looked for in its text.
    pub find: Find,
    /// The first visible line.
    pub top: usize,
    /// The selected lead.
    pub chosen: usize,
    /// Whether the keys move in the list.
    pub on_list: bool,
}

impl Visit {
    /// A document that is still to come.
    pub fn new(location: String, fragment: String) -> Self {
        Self {
            location,
            fragment,
            state: State::Waiting,
            leads: Vec::new(),
            lines: Vec::new(),
            starts: Vec::new(),
            key: None,
            is_placed: false,
            place: None,
            marked: None,
            find: Find::default(),
            top: 0,
            chosen: 0,
            on_list: false,
        }
    }

    /// Takes what came.
    pub fn take(&mut self, fetched: Fetched, incoming: &[Incoming]) {
        let document = match fetched {
            Fetched::Document(document) => document,
            Fetched::Error(error) => {
                self.state = State::Failed(format!("a reader is told: {error}"));
                return;
            }
            Fetched::Failed(failure) => {
                self.state = State::Failed(failure.sentence);
                return;
            }
        };
        let headings = document.outline().headings();
        let mut leads: Vec<Lead> = (0..headings.len()).map(Lead::Section).collect();
        let relations = Relations::of(&self.location, document.metadata()).refs;
        leads.extend(relations.into_iter().map(|relation| {
            Lead::Away(Way::Relation, relation.predicate, relation.target, relation.fragment)
        }));
        for link in document.outline().links() {
            let (target, fragment) =
                link.destination.split_once('#').unwrap_or((&link.destination, ""));
            let location = match target {
                "" => self.location.clone(),
                target => {
                    let location = resolve(&self.location, target);
                    // A reader decodes a link before it asks for the document.
                    decoded_path(&location).unwrap_or(location)
                }
            };
            let label = document.body().get(link.range.clone()).unwrap_or_default();
            let label = label.split(']').next().unwrap_or(label).trim_start_matches('[');
            let lead = Lead::Away(Way::Link, label.to_owned(), location, fragment.to_owned());
            if !leads.contains(&lead) {
                leads.push(lead);
            }
        }
        leads.extend(incoming.iter().map(|from| {
            Lead::Away(Way::Incoming, from.predicate.clone(), from.source.clone(), String::new())
        }));
        self.leads = leads;
        self.state = State::Open(document);
        self.key = None;
    }

    /// The document, once it is there.
    pub fn document(&self) -> Option<&Arc<Document>> {
        match &self.state {
            State::Open(document) => Some(document),
            State::Waiting | State::Failed(_) => None,
        }
    }

    /// Whether it is still to come.
    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    /// Its text.
    pub fn body(&self) -> Option<String> {
        self.document().map(|document| document.body().to_owned())
    }

    /// How many leads there are.
    pub fn leads(&self) -> usize {
        self.leads.len()
    }

    /// The selected lead.
    pub fn lead(&self) -> Option<&Lead> {
        self.leads.get(self.chosen)
    }

    /// All lines of the text.
    pub fn height(&self) -> usize {
        self.lines.len()
    }

    /// Where a reader can cite what is looked at: the selected section, or that at the
    /// top.
    pub fn citation(&self) -> String {
        let Some(document) = self.document() else { return self.location.clone() };
        let headings = document.outline().headings();
        let heading = match self.lead() {
            Some(Lead::Section(index)) if self.on_list => headings.get(*index),
            _ => self.section_at_top().and_then(|index| headings.get(index)),
        };
        sections::citation(document, &self.location, heading)
    }

    /// The section that the first visible line is in.
    fn section_at_top(&self) -> Option<usize> {
        self.starts.iter().rposition(|start| *start <= self.top)
    }

    /// Renders the text for a width, unless that is done; goes to the section that was
    /// asked for where it is new.
    pub fn lay_out(&mut self, width: u16, theme: &Theme) {
        let State::Open(document) = &self.state else { return };
        let key = (width, theme.name().to_owned());
        if self.key.as_ref() == Some(&key) {
            return;
        }
        let is_new = !std::mem::replace(&mut self.is_placed, true);
        let section = self.section_at_top();
        let (mut lines, keys) = declared(document, usize::from(width), theme);
        let head = lines.len();
        let body = prose::render(document.body(), width, theme);
        self.starts = starts(document, &body).into_iter().map(|start| start + head).collect();
        lines.extend(body);
        self.marked = self.place.as_ref().and_then(|(place, _)| match place {
            Place::Key(key) | Place::Value(key, ..) => {
                keys.iter().find(|(name, _)| name == key).map(|(_, line)| *line)
            }
            Place::Body(from, _) => Some(line_of(document, *from, &lines, &self.starts, head)),
            Place::Document => Some(0),
        });
        self.lines = lines;
        self.key = Some(key);
        self.find.outdate();
        if is_new && let Some(line) = self.marked {
            self.top = line.saturating_sub(3);
            return;
        }
        let wanted = match is_new {
            true => document.outline().find(&self.fragment).and_then(|found| {
                let headings = document.outline().headings();
                headings.iter().position(|heading| std::ptr::eq(heading, found))
            }),
            false => section,
        };
        if let Some(at) = wanted.filter(|_| !is_new || !self.fragment.is_empty()) {
            self.top = self.starts.get(at).copied().unwrap_or(0);
            if is_new {
                self.chosen = at;
            }
        }
    }

    /// Looks for the words anew.
    pub fn look(&mut self) {
        let lines = self.lines.iter().map(|line| (Joint::Space, line.to_string()));
        self.find.look(lines);
    }

    /// Where a finding is in it, to be gone to once it is there.
    pub fn point_to(&mut self, place: Place, line: usize) {
        self.place = Some((place, line));
        self.key = None;
        self.is_placed = false;
    }

    /// Where the author's editor opens it: at the section that is looked at.
    pub fn edited_at(&self) -> At {
        let Some(document) = self.document() else { return At::Line(1) };
        let headings = document.outline().headings();
        let section = match self.lead() {
            Some(Lead::Section(index)) if self.on_list => Some(*index),
            _ => self.section_at_top(),
        };
        match (&self.place, section.and_then(|index| headings.get(index))) {
            (Some((_, line)), _) => At::Line(*line),
            (None, Some(heading)) => {
                At::FromEnd(document.body().len().saturating_sub(heading.start))
            }
            (None, None) => At::Line(1),
        }
    }

    /// Goes to a section.
    pub fn go_to(&mut self, section: usize) {
        if let Some(start) = self.starts.get(section) {
            self.top = *start;
        }
    }
}

/// What the publisher declares, a line for each key, and the line of each.
fn declared(
    document: &Document,
    room: usize,
    theme: &Theme,
) -> (Vec<Line<'static>>, Vec<(String, usize)>) {
    let mut lines = Vec::new();
    let mut keys = Vec::new();
    // What it is first, relations last: the store keeps no order of its own.
    let place = |key: &str| {
        let first = ["title", "type", "description", "tags", "importance"];
        match first.iter().position(|name| *name == key) {
            Some(at) => at,
            None => first.len() + usize::from(key.starts_with("rel-")),
        }
    };
    let mut declared: Vec<_> = document.metadata().iter().collect();
    declared.sort_by_key(|(key, _)| place(key));
    for (key, value) in declared {
        keys.push((key.clone(), lines.len()));
        let role = if key.starts_with("rel-") { Role::RelationLine } else { Role::Dim };
        let words = visible_line(&format!("{key}: {value}"));
        let rows = wrap(&words, room).into_iter();
        lines.extend(rows.map(|row| Line::styled(row, theme.style(role))));
    }
    if !lines.is_empty() {
        let rule = "─".repeat(room.min(24));
        lines.push(Line::styled(rule, theme.style(Role::Mark)));
    }
    (lines, keys)
}

/// The line that shows a byte of the body, or the beginning of its section.
fn line_of(
    document: &Document,
    at: usize,
    lines: &[Line<'static>],
    starts: &[usize],
    head: usize,
) -> usize {
    let headings = document.outline().headings();
    let section = headings.iter().rposition(|heading| heading.start <= at);
    let from = section.and_then(|at| starts.get(at).copied()).unwrap_or(head);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let source = document.body().get(at..).unwrap_or_default().lines().next().unwrap_or_default();
    let wanted: String = letters(source).chars().take(10).collect();
    let found = lines.iter().enumerate().skip(from);
    let mut found = found.filter(|(_, line)| letters(&line.to_string()).contains(&wanted));
    found.next().map_or(from, |(line, _)| line)
}

/// The line where each section begins: headings are rendered with their marks, in
/// order. One that is not found begins where the one before does.
fn starts(document: &Document, lines: &[Line<'static>]) -> Vec<usize> {
    let mut from = 0;
    let mut starts = Vec::new();
    for heading in document.outline().headings() {
        let mark = format!("{} ", "#".repeat(usize::from(heading.level)));
        let first = heading.text.split_whitespace().next().unwrap_or_default();
        let first: String = first.chars().filter(|c| c.is_alphanumeric()).take(6).collect();
        let found = lines.iter().enumerate().skip(from).find(|(_, line)| {
            let text = line.to_string();
            text.strip_prefix(&mark).is_some_and(|rest| {
                let rest: String = rest.chars().filter(|c| c.is_alphanumeric()).collect();
                rest.starts_with(&first)
            })
        });
        match found {
            Some((at, _)) => {
                starts.push(at);
                from = at + 1;
            }
            None => starts.push(from.saturating_sub(1)),
        }
    }
    starts
}

/// The areas of text and list; either may be away on a narrow screen.
pub fn split(area: Rect, on_list: bool) -> (Option<Rect>, Option<Rect>) {
    if area.width < BESIDE {
        return if on_list { (None, Some(area)) } else { (Some(area), None) };
    }
    let list = (area.width * 2 / 5).min(70);
    let text = Rect { width: area.width - list, ..area };
    (Some(text), Some(Rect { x: area.x + text.width, width: list, ..area }))
}

/// The cells of the text's lines in its area.
pub fn text_width(area: Rect) -> u16 {
    let (text, list) = split(area, false);
    text.or(list).map_or(8, |area| area.width.saturating_sub(4)).clamp(8, 100)
}

/// Draws the document over the panes; gives where the leads are.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) -> Option<Rows> {
    let theme = model.theme();
    let visit = model.visits.last()?;
    ratatui::widgets::Widget::render(ratatui::widgets::Clear, area, buf);
    buf.set_style(area, theme.base());
    let (text, list) = split(area, visit.on_list);
    if let Some(area) = text {
        draw_text(model, visit, area, buf);
    }
    list.and_then(|area| draw_leads(model, visit, area, buf))
}

fn draw_text(model: &Model, visit: &Visit, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let room = usize::from(area.width);
    let title = match visit.document() {
        Some(document) => {
            let size = format!(
                " · {} bytes, {} tokens",
                grouped(document.body().len()),
                grouped(document.body().len() / TOKEN)
            );
            let cited = visible_line(&sections::citation(document, &visit.location, None));
            format!("{}{size}", shorten(&cited, room.saturating_sub(width(&size) + 6)))
        }
        None => shorten(&visible_line(&visit.location), room.saturating_sub(6)),
    };
    let inner = paint::focusable(theme, area, &title, !visit.on_list, buf);
    match &visit.state {
        State::Waiting => {
            let mut words = "fetching …".to_owned();
            if let Some(spinner) = paint::spinner(model.waited) {
                words = format!("{words}\n\n{spinner} {}", super::welcome::seconds(model.waited));
            }
            paint::message(buf, inner, &words, theme.style(Role::Dim));
        }
        State::Failed(why) => {
            let words = format!("It cannot be opened.\n\n{}", visible_line(why));
            paint::message(buf, inner, &words, theme.style(Role::Error));
        }
        State::Open(_) => {
            let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner };
            let lines = visit.lines.iter().enumerate().skip(visit.top);
            for (row, (at, line)) in (0..inner.height).zip(lines) {
                paint::line(buf, inner, row, line);
                visit.find.draw(theme, inner, row, at, buf);
                if visit.marked == Some(at) {
                    let mark = Rect { x: inner.x - 1, y: inner.y + row, width: 1, height: 1 };
                    paint::line(buf, mark, 0, &Line::styled("▌", theme.style(Role::Failed)));
                }
            }
            let rows = usize::from(inner.height);
            if visit.lines.len() > rows {
                let last = (visit.top + rows).min(visit.lines.len());
                let words = format!("{}–{last} of {}", visit.top + 1, visit.lines.len());
                paint::corner(theme, inner, &words, buf);
            }
        }
    }
}

fn draw_leads(model: &Model, visit: &Visit, area: Rect, buf: &mut Buffer) -> Option<Rows> {
    let theme = model.theme();
    let inner = paint::focusable(theme, area, "outline, relations, links", visit.on_list, buf);
    let document = visit.document()?;
    if visit.leads.is_empty() {
        let words = "It has no sections, and nothing leads on from it.";
        paint::message(buf, inner, words, theme.style(Role::Dim));
        return None;
    }
    let headings = document.outline().headings();
    let at_top = visit.section_at_top();
    let entry = |index: usize, room: usize| match &visit.leads[index] {
        Lead::Section(at) => {
            let heading = &headings[*at];
            let has = Has::of(model.outcome.as_ref(), &visit.location, heading);
            let line = sections::line(has, heading, room, theme);
            Entry { line, related: Some(*at) == at_top }
        }
        Lead::Away(way, name, location, fragment) => {
            let (mark, role) = match way {
                Way::Relation => ("→", Role::RelationLine),
                Way::Link => ("›", Role::Link),
                Way::Incoming => ("←", Role::Dim),
            };
            let name = cut(&visible_line(name), (room / 3).max(8));
            let left = room.saturating_sub(width(&name) + 4);
            let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
            let location = shorten(&visible_line(&format!("{location}{fragment}")), left);
            let line = Line::from(vec![
                Span::styled(format!("{mark} "), theme.style(role)),
                Span::styled(format!("{name}  "), theme.style(role)),
                Span::styled(location, theme.style(Role::Text)),
            ]);
            Entry { line, related: false }
        }
    };
    let foot = visit.lead().map(|lead| match lead {
        Lead::Section(at) => {
            let has = Has::of(model.outcome.as_ref(), &visit.location, &headings[*at]);
            has.words().to_owned()
        }
        Lead::Away(Way::Relation, ..) => "a relation that it declares".to_owned(),
        Lead::Away(Way::Link, ..) => "a link in its text".to_owned(),
        Lead::Away(Way::Incoming, ..) => "points here; no lookup follows it".to_owned(),
    });
    let list = List {
        head: Vec::new(),
        count: visit.leads.len(),
        selected: visit.chosen,
        reversed: visit.on_list,
        foot: foot.unwrap_or_default(),
        foot_most: 2,
        entry: &entry,
    };
    Some(paint::list(theme, inner, &list, buf))
}
