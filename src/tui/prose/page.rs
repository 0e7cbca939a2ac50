//! Lines of a fixed width: margins that nest, and text that is broken to fit.
//!
//! Everything here counts cells as the terminal does, one grapheme cluster at a
//! time; a cluster is never split.

use ratatui::buffer::CellWidth as _;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

/// A text of one style, cleaned. A line feed ends the line.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) style: Style,
}

impl Piece {
    pub(super) fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

/// The cells that a text takes.
pub(super) fn measure(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(cells).sum()
}

/// The cells that a grapheme cluster takes.
fn cells(cluster: &str) -> usize {
    usize::from(cluster.cell_width())
}

/// Pieces that take no more than `room` cells, cut with `…` where they did.
/// Gives them with their width.
pub(super) fn cut(pieces: &[Piece], room: usize) -> (Vec<Piece>, usize) {
    let total: usize = pieces.iter().map(|piece| measure(&piece.text)).sum();
    if total <= room {
        return (pieces.to_vec(), total);
    }
    let mut out = Vec::new();
    let mut used = 0;
    for piece in pieces {
        let mut text = String::new();
        for cluster in piece.text.graphemes(true) {
            let width = cells(cluster);
            if used + width + 1 > room {
                if room > 0 {
                    text.push('…');
                    used += 1;
                }
                out.push(Piece::new(text, piece.style));
                return (out, used);
            }
            text.push_str(cluster);
            used += width;
        }
        out.push(Piece::new(text, piece.style));
    }
    (out, used)
}

/// A text that takes no more than `room` cells, see [`cut`].
pub(super) fn cut_text(text: String, room: usize) -> String {
    let (pieces, _) = cut(&[Piece::new(text, Style::new())], room);
    pieces.into_iter().map(|piece| piece.text).collect()
}

#[derive(Debug)]
struct Margin {
    /// What stands before the first line only.
    first: Option<Span<'static>>,
    rest: Span<'static>,
    width: usize,
}

/// The lines so far and the margins of the next.
#[derive(Debug)]
pub(super) struct Page {
    lines: Vec<Line<'static>>,
    width: usize,
    margins: Vec<Margin>,
    /// Margins that found no room, all of them within the others.
    hidden: usize,
    taken: usize,
}

impl Page {
    pub(super) fn new(width: usize) -> Self {
        Self { lines: Vec::new(), width, margins: Vec::new(), hidden: 0, taken: 0 }
    }

    pub(super) fn into_lines(self) -> Vec<Line<'static>> {
        self.lines
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The cells between the margins and the edge.
    pub(super) fn room(&self) -> usize {
        self.width - self.taken
    }

    /// Opens a margin, unless margins took more than half of the width then: it is
    /// left out, and the answer is `false`.
    pub(super) fn open(&mut self, first: Option<Span<'static>>, rest: Span<'static>) -> bool {
        let width = measure(&rest.content);
        if self.hidden > 0 || self.taken + width > self.width / 2 {
            self.hidden += 1;
            return false;
        }
        self.taken += width;
        self.margins.push(Margin { first, rest, width });
        true
    }

    /// Closes the margin opened last.
    pub(super) fn close(&mut self) {
        if self.hidden > 0 {
            self.hidden -= 1;
        } else if let Some(margin) = self.margins.pop() {
            self.taken -= margin.width;
        }
    }

    /// Changes what stands in the margin opened last.
    fn set_margin(&mut self, rest: &Span<'static>) {
        if self.hidden == 0
            && let Some(margin) = self.margins.last_mut()
        {
            margin.rest = rest.clone();
        }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, content: Vec<Span<'static>>) {
        let mut spans: Vec<Span<'static>> = Vec::with_capacity(self.margins.len() + content.len());
        for margin in &mut self.margins {
            spans.push(margin.first.take().unwrap_or_else(|| margin.rest.clone()));
        }
        if content.is_empty() {
            while let Some(last) = spans.last_mut() {
                let kept = last.content.trim_end_matches(' ').len();
                if kept > 0 {
                    last.content.to_mut().truncate(kept);
                    break;
                }
                spans.pop();
            }
        }
        spans.extend(content);
        self.lines.push(Line::from(spans));
    }

    /// Adds one line from pieces that fit.
    pub(super) fn pieces(&mut self, pieces: impl IntoIterator<Item = Piece>) {
        let mut filler = Filler::new(self);
        for piece in pieces {
            filler.put(&piece.text, piece.style, 0);
        }
        filler.end_line();
    }

    /// Adds a text broken between words.
    pub(super) fn words(&mut self, pieces: &[Piece]) {
        let mut filler = Filler::new(self);
        for piece in pieces {
            filler.text(&piece.text, piece.style);
        }
        filler.end_word();
        if filler.used > 0 {
            filler.end_line();
        }
    }

    /// Adds lines broken at the edge only, every space kept. The margin opened
    /// last is `bar`, and `wrapped` beside what continues a line.
    pub(super) fn cells(&mut self, pieces: &[Piece], bar: &Span<'static>, wrapped: &Span<'static>) {
        let mut filler = Filler::new(self);
        filler.wrapped = Some(wrapped.clone());
        for piece in pieces {
            let mut lines = piece.text.split('\n');
            if let Some(line) = lines.next() {
                filler.exact(line, piece.style);
            }
            for line in lines {
                filler.end_line();
                filler.page.set_margin(bar);
                filler.exact(line, piece.style);
            }
        }
        filler.end_line();
        self.set_margin(bar);
    }
}

/// Fills lines of a page.
struct Filler<'p, 't> {
    page: &'p mut Page,
    room: usize,
    spans: Vec<Span<'static>>,
    used: usize,
    /// Spaces before the next word.
    gap: usize,
    gap_style: Style,
    /// The word so far, in parts of one style each, with their widths.
    word: Vec<(&'t str, Style, usize)>,
    word_width: usize,
    wrapped: Option<Span<'static>>,
}

impl<'p, 't> Filler<'p, 't> {
    fn new(page: &'p mut Page) -> Self {
        Self {
            room: page.room(),
            page,
            spans: Vec::new(),
            used: 0,
            gap: 0,
            gap_style: Style::new(),
            word: Vec::new(),
            word_width: 0,
            wrapped: None,
        }
    }

    fn text(&mut self, text: &'t str, style: Style) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.bytes().position(|byte| matches!(byte, b' ' | b'\n'));
            let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
            self.part(word, style);
            match tail.as_bytes().first() {
                Some(b'\n') => {
                    self.end_word();
                    self.end_line();
                }
                Some(_) => {
                    self.end_word();
                    self.gap += 1;
                    self.gap_style = style;
                }
                None => break,
            }
            rest = &tail[1..];
        }
    }

    /// Part of a word. A line may also be broken beside a wide character.
    fn part(&mut self, part: &'t str, style: Style) {
        if part.is_ascii() {
            if !part.is_empty() {
                self.word.push((part, style, part.len()));
                self.word_width += part.len();
            }
            return;
        }
        let mut start = 0;
        let mut width = 0;
        for (at, cluster) in part.grapheme_indices(true) {
            let wide = cells(cluster);
            if wide < 2 {
                width += wide;
                continue;
            }
            if start < at {
                self.word.push((&part[start..at], style, width));
                self.word_width += width;
            }
            self.end_word();
            start = at + cluster.len();
            width = 0;
            self.word.push((cluster, style, wide));
            self.word_width = wide;
            self.end_word();
        }
        if start < part.len() {
            self.word.push((&part[start..], style, width));
            self.word_width += width;
        }
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        if self.used > 0 && self.used + self.gap + self.word_width > self.room {
            self.end_line();
        }
        let gap = self.gap.min(self.room.saturating_sub(1));
        if gap > 0 {
            self.put(&" ".repeat(gap), self.gap_style, gap);
        }
        self.gap = 0;
        for (part, style, width) in std::mem::take(&mut self.word) {
            if self.used + width <= self.room {
                self.put(part, style, width);
            } else {
                self.clusters(part, style);
            }
        }
        self.word_width = 0;
    }

    /// A text with every space kept.
    fn exact(&mut self, text: &str, style: Style) {
        if text.is_ascii() && self.used + text.len() <= self.room {
            self.put(text, style, text.len());
        } else {
            self.clusters(text, style);
        }
    }

    /// A text that is longer than the line.
    fn clusters(&mut self, text: &str, style: Style) {
        if text.is_ascii() {
            return self.bytes(text, style);
        }
        let mut start = 0;
        let mut width = 0;
        for (at, cluster) in text.grapheme_indices(true) {
            let mut wide = cells(cluster);
            let lost = wide > self.room;
            if lost {
                wide = 1;
            }
            if lost || self.used + width + wide > self.room {
                self.put(&text[start..at], style, width);
                start = at;
                width = 0;
                if self.used + wide > self.room {
                    self.wrap();
                }
            }
            if lost {
                // Wider than the whole line: there is no way to show it.
                self.put("…", style, 1);
                start = at + cluster.len();
            } else {
                width += wide;
            }
        }
        self.put(&text[start..], style, width);
    }

    /// [`Self::clusters`] of ASCII.
    fn bytes(&mut self, text: &str, style: Style) {
        let mut rest = text;
        while self.used + rest.len() > self.room {
            let (part, tail) = rest.split_at(self.room - self.used);
            self.put(part, style, part.len());
            self.wrap();
            rest = tail;
        }
        self.put(rest, style, rest.len());
    }

    fn wrap(&mut self) {
        self.end_line();
        if let Some(wrapped) = self.wrapped.clone() {
            self.page.set_margin(&wrapped);
        }
    }

    fn put(&mut self, text: &str, style: Style, width: usize) {
        if text.is_empty() {
            return;
        }
        self.used += width;
        match self.spans.last_mut() {
            // Clusters are counted within a span: a text whose beginning would join
            // the span before stays on its own.
            Some(last) if last.style == style && joins_safely(&last.content, text) => {
                last.content.to_mut().push_str(text);
            }
            _ => self.spans.push(Span::styled(text.to_owned(), style)),
        }
    }

    fn end_line(&mut self) {
        self.gap = 0;
        self.used = 0;
        let spans = std::mem::take(&mut self.spans);
        self.page.line(spans);
    }
}

/// Whether two texts have the same clusters joined as apart: certain when they
/// meet at a printable character of ASCII.
fn joins_safely(before: &str, after: &str) -> bool {
    let plain = |byte: Option<&u8>| byte.is_some_and(|byte| (0x20..0x7f).contains(byte));
    plain(after.as_bytes().first())
        && (plain(before.as_bytes().last())
            || before.chars().next_back().is_some_and(|c| !is_prepend(c)))
}

/// Whether a character may join what follows it into one cluster.
fn is_prepend(c: char) -> bool {
    let mut text = String::from(c);
    text.push('a');
    text.graphemes(true).count() == 1
}
