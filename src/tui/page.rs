//! The reader's page as lines: the evidence in reading order, the fold, and below
//! it what was left out. Wrapped once for a width; only what is visible is drawn.

use std::collections::HashMap;
use std::sync::Arc;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::omissions::subject;
use super::prose;
use super::sign;
use super::theme::{Role, Theme};
use super::width::{cut, grouped, sentence, shorten, width, wrap};
use crate::selection::{Item, Kind, Omission, Selection, TOKEN};
use crate::text::visible_line;

/// The longest lines that are good to read, in cells.
const WIDEST: usize = 100;

/// What a part of the page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// An item of the reader's text.
    Item(usize),
    /// The line where the reader's text ends.
    Fold,
    /// Something left out.
    Omission(usize),
}

/// A part of the page with its lines.
#[derive(Debug, Clone)]
pub struct Segment {
    /// What it is.
    pub part: Part,
    /// The first line on the page.
    pub start: usize,
    /// Whether it is evidence: neither envelope nor table, nor below the fold.
    pub is_evidence: bool,
    /// What stands at the right end of its first line, over that.
    pub beside: Option<String>,
    /// Tokens spent before it; none below the fold.
    pub spent: Option<u64>,
    head: Vec<Line<'static>>,
    body: Arc<Vec<Line<'static>>>,
    /// Lines that are made only where they are in sight, and empty ones behind.
    rest: usize,
}

impl Segment {
    /// How many lines it takes.
    pub fn height(&self) -> usize {
        self.head.len() + self.body.len() + self.rest
    }

    /// A line of it; none in the gap behind it, nor of an omission: for that there is
    /// [`omission_lines`].
    pub fn line(&self, at: usize) -> Option<&Line<'static>> {
        self.head.get(at).or_else(|| self.body.get(at.checked_sub(self.head.len())?))
    }
}

/// The page.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Its parts, in order.
    pub segments: Vec<Segment>,
    /// Cells for the running total in the gutter.
    pub gutter: usize,
    /// Cells of a line.
    pub room: usize,
    height: usize,
}

impl Page {
    /// All lines.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The first line of a part.
    pub fn start(&self, part: Part) -> Option<usize> {
        self.segments.iter().find(|segment| segment.part == part).map(|segment| segment.start)
    }

    /// The part that a line belongs to, by its place among the parts.
    pub fn at(&self, line: usize) -> Option<usize> {
        self.segments.partition_point(|segment| segment.start <= line).checked_sub(1)
    }

    fn push(&mut self, mut segment: Segment) {
        segment.start = self.height;
        self.height += segment.height();
        self.segments.push(segment);
    }
}

/// Rendered prose by text, for one width and theme at a time.
#[derive(Debug, Default)]
pub struct Prose {
    key: (u16, String),
    kept: HashMap<String, Arc<Vec<Line<'static>>>>,
}

impl Prose {
    fn render(&mut self, text: &str, width: u16, theme: &Theme) -> Arc<Vec<Line<'static>>> {
        if self.key.0 != width || self.key.1 != theme.name() || self.kept.len() > 1000 {
            self.key = (width, theme.name().to_owned());
            self.kept.clear();
        }
        if let Some(lines) = self.kept.get(text) {
            return Arc::clone(lines);
        }
        let lines = Arc::new(prose::render(text, width, theme));
        self.kept.insert(text.to_owned(), Arc::clone(&lines));
        lines
    }
}

/// Whole tokens of a number of bytes, rounded down as everywhere tokens are told.
pub fn whole_tokens(bytes: usize) -> u64 {
    (bytes / TOKEN) as u64
}

/// Lays the page out for `room` cells, gutter and all.
pub fn lay_out(
    selection: &Selection,
    omissions: &[Omission],
    room: u16,
    theme: &Theme,
    prose: &mut Prose,
) -> Page {
    let charged: usize = selection.items.iter().map(|item| item.charged).sum();
    let gutter = width(&grouped(whole_tokens(charged))).max(3);
    // Marker, number, a space, the ruler, a space; and one at the right edge.
    let room = usize::from(room).saturating_sub(gutter + 5).clamp(8, WIDEST);
    let mut page = Page { gutter, ..Page::default() };

    let mut spent = 0;
    for (index, item) in selection.items.iter().enumerate() {
        if item.kind != Kind::Gap {
            page.push(item_segment(index, item, spent, room, theme, prose));
        }
        spent += item.charged;
    }
    page.push(Segment {
        part: Part::Fold,
        start: 0,
        is_evidence: false,
        beside: None,
        spent: Some(whole_tokens(spent)),
        head: vec![fold(selection, spent, room, theme)],
        body: Arc::default(),
        rest: 1,
    });
    for (index, omission) in omissions.iter().enumerate() {
        let reason = sentence(&omission.reason);
        let fits = width(&reason) + 2 <= room;
        let lines = if fits { 1 } else { wrap(&reason, room.saturating_sub(2)).len() };
        page.push(Segment {
            part: Part::Omission(index),
            start: 0,
            is_evidence: false,
            beside: None,
            spent: None,
            head: Vec::new(),
            body: Arc::default(),
            rest: 1 + lines,
        });
    }
    page.room = room;
    page
}

fn item_segment(
    index: usize,
    item: &Item,
    spent: usize,
    room: usize,
    theme: &Theme,
    prose: &mut Prose,
) -> Segment {
    let size = match item.charged {
        0 => format!("{} free", grouped(item.tokens())),
        _ => grouped(item.tokens()),
    };
    let text = item.text.trim_matches('\n');
    let (frame, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut beside = None;
    let (head, body, gap) = match item.kind {
        Kind::Envelope => {
            let style = theme.style(Role::Envelope);
            let mut lines = text.lines().map(|line| cut(&visible_line(line), room));
            let first = lines.next().unwrap_or_default();
            let first = cut(&first, room.saturating_sub(width(&size) + 1));
            let mut head = vec![ends(&first, &size, room, style, theme)];
            head.extend(lines.map(|line| Line::styled(line, style)));
            (head, Arc::default(), 1)
        }
        Kind::Table => {
            // Of a thousand lines none is made anew: the size is laid over the first.
            beside = Some(size);
            let lines = prose.render(text, u16::try_from(room).unwrap_or(u16::MAX), theme);
            (Vec::new(), lines, 1)
        }
        Kind::Block | Kind::Stub => {
            let room_left = room.saturating_sub(width(&size) + 2);
            let mark = ">>> ";
            let location = visible_line(frame.strip_prefix(mark).unwrap_or(frame));
            let location = shorten(&location, room_left.saturating_sub(mark.len()));
            let frame = format!("{mark}{location}");
            let role = if item.kind == Kind::Block { Role::Title } else { Role::Stub };
            let head = vec![ends(&frame, &size, room, theme.style(role), theme)];
            let body = if item.kind == Kind::Block {
                prose.render(rest, u16::try_from(room).unwrap_or(u16::MAX), theme)
            } else {
                let lines = wrap(&visible_line(rest), room);
                Arc::new(styled(lines, theme.style(Role::Stub)))
            };
            (head, body, 1)
        }
        kind => {
            let role = match kind {
                Kind::RelationLine => Role::RelationLine,
                Kind::Covered => Role::Stub,
                _ => Role::Note,
            };
            let lines = wrap(&visible_line(text), room.saturating_sub(width(&size) + 2));
            let style = theme.style(role);
            let mut lines = lines.into_iter();
            let first = lines.next().unwrap_or_default();
            let mut head = vec![ends(&first, &size, room, style, theme)];
            head.extend(lines.map(|line| Line::styled(format!("    {line}"), style)));
            for line in head.iter_mut().skip(1) {
                let cut_to = cut(&line.to_string(), room);
                *line = Line::styled(cut_to, style);
            }
            (head, Arc::default(), usize::from(kind == Kind::RelationLine))
        }
    };
    let is_evidence = !matches!(item.kind, Kind::Envelope | Kind::Table);
    Segment {
        part: Part::Item(index),
        start: 0,
        is_evidence,
        beside,
        spent: Some(whole_tokens(spent)),
        head,
        body,
        rest: gap,
    }
}

fn fold(selection: &Selection, spent: usize, room: usize, theme: &Theme) -> Line<'static> {
    let words = match selection.budget {
        _ if selection.awaits.is_some() => "the rest has not come".to_owned(),
        0 => "the reader's text ends here · no budget".to_owned(),
        budget => format!(
            "the reader's text ends here · {} of {} tokens",
            grouped(whole_tokens(spent)),
            grouped(budget)
        ),
    };
    let words = cut(&words, room.saturating_sub(6));
    let dashes = "─".repeat(room.saturating_sub(width(&words) + 4));
    Line::styled(format!("── {words} {dashes}"), theme.style(Role::Mark))
}

/// The lines of something left out. There may be a thousand, of which a few are in
/// sight.
pub fn omission_lines(omission: &Omission, room: usize, theme: &Theme) -> Vec<Line<'static>> {
    let short = omission.short.map(|short| format!("{} short", grouped(short)));
    let short = short.unwrap_or_default();
    let left = room.saturating_sub(width(&short) + 4);
    let location = subject(omission, left);
    let fill = room.saturating_sub(2 + width(&location) + width(&short));
    let dim = theme.style(Role::Dim);
    let head = Line::from(vec![
        Span::styled(
            format!("{} ", sign::sign(omission.outcome)),
            theme.style(sign::role(omission.outcome)),
        ),
        Span::styled(location, dim),
        Span::raw(" ".repeat(fill)),
        Span::styled(short, dim),
    ]);
    let reason = wrap(&sentence(&omission.reason), room.saturating_sub(2));
    let reason = reason.into_iter().map(|line| format!("  {line}")).collect();
    let mut lines = vec![head];
    lines.extend(styled(reason, dim));
    lines
}

/// A text at the left and a size at the right edge.
fn ends(left: &str, right: &str, room: usize, style: Style, theme: &Theme) -> Line<'static> {
    let fill = room.saturating_sub(width(left) + width(right));
    Line::from(vec![
        Span::styled(left.to_owned(), style),
        Span::raw(" ".repeat(fill)),
        Span::styled(right.to_owned(), theme.style(Role::Dim)),
    ])
}

fn styled(lines: Vec<String>, style: Style) -> Vec<Line<'static>> {
    lines.into_iter().map(|line| Line::styled(line, style)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_is_not_rendered_again() {
        let theme = Theme::terminal();
        let mut prose = Prose::default();
        let first = prose.render("# A\n\ntext", 40, &theme);
        assert!(Arc::ptr_eq(&first, &prose.render("# A\n\ntext", 40, &theme)));
        assert!(!Arc::ptr_eq(&first, &prose.render("# A\n\ntext", 41, &theme)));
    }
}
