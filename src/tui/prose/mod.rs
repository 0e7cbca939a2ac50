//! Markdown as styled lines for a pane.
//!
//! The lines are made once for a text, a width and a theme, and the pane shows a
//! slice of them. Tables, strikethrough and task lists are understood for
//! display only: what a section is, and where it ends, is decided elsewhere
//! without them.

mod code;
mod page;
mod source;
mod table;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::theme::{Role, Theme};
use page::{Page, Piece, cut_text, measure};
use source::{LITERAL, clean_line, push_clean};
use table::{Row, Table};

/// The most cells that a link's target takes beside its label.
const TARGET: usize = 40;

/// A document's text as lines no wider than `width` cells: rendered markdown,
/// safe to show. Every line is owned, so that a caller can keep them.
///
/// A line of the text that begins with ` >>>` is shown as written, on a line of
/// its own.
pub fn render(markdown: &str, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let source = source::prepare(markdown);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut renderer = Renderer::new(&source, usize::from(width.max(1)), theme);
    for (event, range) in Parser::new_ext(&source, options).into_offset_iter() {
        renderer.event(event, range);
    }
    renderer.finish()
}

/// Loads what highlighting needs, some 40 ms at the first code block otherwise.
/// For a thread in the background; a second call costs next to nothing.
pub fn warm_up() {
    code::warm_up();
}

/// What holds blocks, with the number of lines before it.
#[derive(Debug, Clone, Copy)]
enum Holder {
    Quote(usize),
    Item(usize),
}

#[derive(Debug)]
struct List {
    /// The number of the next item.
    number: Option<u64>,
    loose: bool,
}

#[derive(Debug)]
struct Code {
    info: String,
    text: String,
}

#[derive(Debug)]
struct Renderer<'a> {
    source: &'a str,
    theme: &'a Theme,
    page: Page,
    /// How far into the source everything has been shown.
    shown: usize,
    /// Whether a blank line comes before the next block.
    blank: bool,
    holders: Vec<Holder>,
    lists: Vec<List>,
    /// The text of the open block.
    text: Vec<Piece>,
    /// The column of the open line of that text, before it is broken.
    column: usize,
    /// Whether the open line must be shown as written.
    literal: bool,
    styles: Vec<Style>,
    /// Where the open link or image began in `text`.
    links: Vec<usize>,
    /// The targets of open links and images.
    targets: Vec<String>,
    code: Option<Code>,
    html: Option<String>,
    table: Option<Table>,
    /// How much code may still be highlighted.
    budget: usize,
}

impl<'a> Renderer<'a> {
    fn new(source: &'a str, width: usize, theme: &'a Theme) -> Self {
        Self {
            source,
            theme,
            page: Page::new(width),
            shown: 0,
            blank: false,
            holders: Vec::new(),
            lists: Vec::new(),
            text: Vec::new(),
            column: 0,
            literal: false,
            styles: vec![theme.style(Role::Text)],
            links: Vec::new(),
            targets: Vec::new(),
            code: None,
            html: None,
            table: None,
            budget: code::LIMIT,
        }
    }

    fn finish(mut self) -> Vec<Line<'static>> {
        self.flush();
        self.definitions(self.source.len());
        self.page.into_lines()
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => {
                if let Some(code) = &mut self.code {
                    code.text.push_str(&text);
                } else {
                    self.inline(&range);
                    if text.starts_with(LITERAL) {
                        self.literal = true;
                        if let Some(row) = self.table.as_mut().and_then(|t| t.rows.last_mut()) {
                            row.literal = true;
                        }
                    }
                    self.push(&text, self.style());
                }
            }
            Event::Code(text) => {
                self.inline(&range);
                self.push(&text, self.style().patch(self.theme.style(Role::Code)));
            }
            Event::InlineHtml(text) => {
                self.inline(&range);
                self.push(&text, self.style().patch(self.theme.style(Role::Dim)));
            }
            Event::Html(text) => {
                if let Some(html) = &mut self.html {
                    html.push_str(&text);
                }
            }
            Event::SoftBreak if !self.literal => {
                self.inline(&range);
                self.push(" ", self.style());
            }
            Event::SoftBreak | Event::HardBreak => {
                self.inline(&range);
                self.literal = false;
                self.push("\n", self.style());
            }
            Event::Rule => {
                self.open(&range);
                let rule = "─".repeat(self.page.room());
                self.page.line(vec![Span::styled(rule, self.theme.style(Role::Mark))]);
                self.blank = true;
            }
            Event::TaskListMarker(done) => {
                self.inline(&range);
                let mark = if done { "[x] " } else { "[ ] " };
                self.push(mark, self.theme.style(Role::Mark));
            }
            // Not asked for from the parser.
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                self.open(&range);
                if let (Some(Holder::Item(_)), Some(list)) =
                    (self.holders.last(), self.lists.last_mut())
                {
                    list.loose = true;
                }
            }
            Tag::Heading { level, .. } => {
                self.open(&range);
                let style = self.patched(Role::Heading);
                self.styles.push(style);
                let marks = "#".repeat(level as usize);
                self.push(&marks, style);
                self.push(" ", style);
            }
            Tag::BlockQuote(_) => {
                self.open_within(&range);
                let bar = Span::styled("│ ", self.theme.style(Role::Mark));
                self.page.open(None, bar);
                self.holders.push(Holder::Quote(self.page.len()));
                self.styles.push(self.theme.style(Role::Quote));
            }
            Tag::List(number) => {
                self.flush();
                self.lists.push(List { number, loose: false });
            }
            Tag::Item => self.item(&range),
            Tag::CodeBlock(kind) => {
                self.open(&range);
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(Code { info, text: String::new() });
            }
            Tag::HtmlBlock => {
                self.open(&range);
                self.html = Some(String::new());
            }
            Tag::Table(alignments) => {
                self.open(&range);
                self.table = Some(Table { alignments, rows: Vec::new() });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Row::default());
                }
            }
            Tag::TableCell => self.column = 0,
            Tag::Emphasis => self.modify(Modifier::ITALIC, &range),
            Tag::Strong => self.modify(Modifier::BOLD, &range),
            Tag::Strikethrough => self.modify(Modifier::CROSSED_OUT, &range),
            Tag::Link { link_type, dest_url, .. } => {
                self.inline(&range);
                self.styles.push(self.patched(Role::Link));
                self.links.push(self.text.len());
                let alone = matches!(link_type, LinkType::Autolink | LinkType::Email);
                self.targets.push(if alone { String::new() } else { clean_line(&dest_url) });
            }
            Tag::Image { dest_url, .. } => {
                self.inline(&range);
                self.styles.push(self.patched(Role::Dim));
                self.push("[image: ", self.style());
                self.links.push(self.text.len());
                self.targets.push(clean_line(&dest_url));
            }
            // Not asked for from the parser.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph => {
                self.flush();
                self.blank = true;
            }
            TagEnd::Heading(_) => {
                self.styles.pop();
                self.flush();
                self.blank = true;
            }
            TagEnd::BlockQuote(_) => {
                self.leave(range.end);
                self.styles.pop();
                self.blank = true;
            }
            TagEnd::Item => {
                self.leave(range.end);
                self.blank = self.lists.last().is_some_and(|list| list.loose);
            }
            TagEnd::List(_) => {
                self.lists.pop();
                if !matches!(self.holders.last(), Some(Holder::Item(_))) {
                    self.blank = true;
                }
            }
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take() {
                    self.code_block(&code);
                }
                self.blank = true;
            }
            TagEnd::HtmlBlock => {
                let html = self.html.take().unwrap_or_default();
                self.plain_lines(html.trim_end_matches('\n'), Role::Dim);
                self.blank = true;
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    table.lay_out(&mut self.page, self.theme.style(Role::Mark));
                }
                self.blank = true;
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    row.cells.push(cell);
                }
                self.literal = false;
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link => self.end_link(),
            TagEnd::Image => self.end_image(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Begins a block that holds text.
    fn open(&mut self, range: &Range<usize>) {
        self.open_within(range);
        self.shown = self.shown.max(range.end);
    }

    /// Begins a block that holds blocks.
    fn open_within(&mut self, range: &Range<usize>) {
        self.flush();
        self.definitions(range.start);
        self.separate();
    }

    fn separate(&mut self) {
        if std::mem::take(&mut self.blank) {
            self.page.line(Vec::new());
        }
    }

    /// Goes on with the text of a block. In the items of a tight list nothing
    /// else announces it.
    fn inline(&mut self, range: &Range<usize>) {
        if self.text.is_empty() && self.table.is_none() && range.start >= self.shown {
            self.definitions(range.start);
            self.separate();
        }
        self.shown = self.shown.max(range.end);
    }

    /// Ends a quotation or an item, which shows at least one line.
    fn leave(&mut self, at: usize) {
        self.flush();
        self.definitions(at);
        if let Some(Holder::Quote(lines) | Holder::Item(lines)) = self.holders.pop()
            && lines == self.page.len()
        {
            self.page.line(Vec::new());
        }
        self.page.close();
    }

    fn item(&mut self, range: &Range<usize>) {
        self.open_within(range);
        let mark = match self.lists.last_mut().and_then(|list| list.number.as_mut()) {
            Some(number) => {
                let source = self.source.get(range.clone()).unwrap_or_default().trim_start();
                let rest = source.trim_start_matches(|c: char| c.is_ascii_digit());
                let end = if rest.starts_with(')') { ')' } else { '.' };
                let mark = format!("{number}{end} ");
                *number = number.saturating_add(1);
                mark
            }
            None => "• ".to_owned(),
        };
        let style = self.theme.style(Role::Mark);
        let indent = Span::raw(" ".repeat(measure(&mark)));
        if !self.page.open(Some(Span::styled(mark.clone(), style)), indent) {
            self.push(&mark, style);
        }
        self.holders.push(Holder::Item(self.page.len()));
    }

    /// Shows what defines the targets of links. The parser gives no event for it,
    /// but a reader gets it.
    fn definitions(&mut self, until: usize) {
        let from = self.shown;
        self.shown = from.max(until);
        let Some(gap) = self.source.get(from..until) else { return };
        let marks = |c: char| {
            matches!(c, ' ' | '\t' | '>' | '-' | '*' | '+' | '.' | ')') || c.is_ascii_digit()
        };
        let lines = gap.split('\n').map(|line| line.trim_start_matches(marks).trim_end());
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        if lines.first().is_some_and(|line| line.starts_with('[')) {
            self.separate();
            self.plain_lines(&lines.join("\n"), Role::Dim);
            self.blank = true;
        }
    }

    /// Shows lines as written, without a bar.
    fn plain_lines(&mut self, text: &str, role: Role) {
        let mut clean = String::with_capacity(text.len());
        push_clean(&mut clean, text, &mut 0);
        let pieces = [Piece::new(clean, self.theme.style(role))];
        let none = Span::raw("");
        self.page.open(None, none.clone());
        self.page.cells(&pieces, &none, &none);
        self.page.close();
    }

    fn code_block(&mut self, code: &Code) {
        let mark = self.theme.style(Role::Mark);
        let bar = Span::styled("┃ ", mark);
        let info = clean_line(code.info.trim());
        // The first mark tells the language from a line of the code.
        let first = (!info.is_empty()).then(|| Span::styled("┏ ", mark));
        self.page.open(first, bar.clone());
        if !info.is_empty() {
            let label = cut_text(info, self.page.room());
            self.page.line(vec![Span::styled(label, self.theme.style(Role::Dim))]);
        }
        let text = code.text.strip_suffix('\n').unwrap_or(&code.text);
        let token = code.info.split([' ', '\t', ',', '{']).next().unwrap_or_default();
        let parts = if text.len() <= self.budget { code::parts(text, token) } else { None };
        let parts = match parts {
            Some(parts) => {
                self.budget -= text.len();
                parts
            }
            None => [(0..text.len(), Role::Text)].into(),
        };
        let mut column = 0;
        let pieces: Vec<Piece> = parts
            .iter()
            .map(|(range, role)| {
                let mut clean = String::with_capacity(range.len());
                push_clean(&mut clean, &text[range.clone()], &mut column);
                Piece::new(clean, self.theme.style(*role))
            })
            .collect();
        self.page.cells(&pieces, &bar, &Span::styled("┆ ", mark));
        self.page.close();
    }

    fn end_link(&mut self) {
        self.styles.pop();
        let from = self.links.pop().unwrap_or_default();
        let target = self.targets.pop().unwrap_or_default();
        let label = self.text.iter().skip(from).flat_map(|piece| piece.text.chars());
        if target.is_empty() || self.table.is_some() || label.eq(target.chars()) {
            return;
        }
        let target = cut_text(target, TARGET.min(self.page.room().saturating_sub(2)));
        self.push_shown(&format!(" ({target})"), self.patched(Role::Dim));
    }

    fn end_image(&mut self) {
        let from = self.links.pop().unwrap_or_default();
        let target = self.targets.pop().unwrap_or_default();
        if self.text.len() == from {
            self.push_shown(&cut_text(target, TARGET), self.style());
        }
        self.push("]", self.style());
        self.styles.pop();
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn patched(&self, role: Role) -> Style {
        self.style().patch(self.theme.style(role))
    }

    fn modify(&mut self, modifier: Modifier, range: &Range<usize>) {
        // Only the opening mark has been seen of it.
        self.inline(&(range.start..range.start));
        self.styles.push(self.style().add_modifier(modifier));
    }

    fn push(&mut self, text: &str, style: Style) {
        let mut clean = String::with_capacity(text.len());
        push_clean(&mut clean, text, &mut self.column);
        self.text.push(Piece { text: clean, style });
    }

    /// Adds a text that has been cleaned.
    fn push_shown(&mut self, text: &str, style: Style) {
        self.column += measure(text);
        self.text.push(Piece::new(text, style));
    }

    /// Ends the text of a block.
    fn flush(&mut self) {
        self.column = 0;
        self.literal = false;
        if !self.text.is_empty() {
            self.page.words(&self.text);
            self.text.clear();
        }
    }
}

#[cfg(test)]
mod tests;
