//! The outline of a document: its headings and the sections they open.

use std::fmt::Write as _;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use super::anchor::{Anchors, slug};
use super::scan::{Link, Scanned, Scanner};
use super::source;
use crate::text::eq_fold;

/// A heading and the section it opens. Offsets are bytes into the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// From 1 to 6.
    pub level: u8,
    /// The source of the heading's inline text runs, joined, as written.
    pub text: String,
    /// The name of the section, unique within the document.
    pub anchor: String,
    /// Where the line begins that holds the heading's first text.
    pub start: usize,
    /// Where the next heading of the same or a higher level begins, or the body ends.
    pub end: usize,
    /// Lines of the section: line feeds, plus one if it does not end in one.
    pub lines: usize,
}

impl Heading {
    /// The byte range of the section.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What is known of a body after its one parse.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    headings: Vec<Heading>,
    opening: Option<Range<usize>>,
    scanned: Scanned,
}

impl Outline {
    /// Parses a body as CommonMark without extensions.
    pub fn parse(body: &str) -> Self {
        let source = source::for_parser(body);
        let mut outline = Self::default();
        let mut anchors = Anchors::default();
        let mut open: Option<OpenHeading> = None;
        let mut depth = 0usize;
        let mut scanner = Scanner::default();
        for (event, range) in Parser::new_ext(&source, Options::empty()).into_offset_iter() {
            scanner.take(&event, &range, body);
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    open = Some(OpenHeading::new(level, range.start));
                }
                Event::End(TagEnd::Heading(_)) => {
                    if let Some(mut heading) = open.take().filter(|heading| heading.has_content) {
                        heading.trim();
                        let anchor = anchors.take(&heading.text);
                        outline.headings.push(Heading {
                            level: heading.level,
                            text: heading.text,
                            anchor,
                            start: line_start(body, heading.start),
                            end: body.len(),
                            lines: 0,
                        });
                    }
                }
                Event::Start(Tag::Paragraph) if depth == 0 && outline.opening.is_none() => {
                    outline.opening = Some(range);
                    depth += 1;
                }
                other => {
                    match &other {
                        Event::Start(_) if open.is_none() => depth += 1,
                        Event::End(_) if open.is_none() => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    if let Some(heading) = &mut open {
                        heading.take(&other, range, body);
                    }
                }
            }
        }
        outline.scanned = scanner.end();
        outline.close_sections(body);
        outline
    }

    /// The headings, in document order.
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// The links, in document order.
    pub fn links(&self) -> &[Link] {
        &self.scanned.links
    }

    /// The bytes of headings without text, which open no section.
    pub fn empty_headings(&self) -> &[Range<usize>] {
        &self.scanned.empty_headings
    }

    /// The first heading that an anchor names, as somebody typed it: trimmed, one
    /// leading `#` dropped, compared without case; else compared after the anchor
    /// rule, so that a heading's own text names it too.
    pub fn find(&self, typed: &str) -> Option<&Heading> {
        let wanted = typed.trim();
        let wanted = wanted.strip_prefix('#').unwrap_or(wanted);
        self.headings.iter().find(|heading| eq_fold(&heading.anchor, wanted)).or_else(|| {
            let slugged = slug(wanted);
            self.headings.iter().find(|heading| heading.anchor == slugged)
        })
    }

    /// The first paragraph at top level, its source trimmed.
    pub fn opening_paragraph<'a>(&self, body: &'a str) -> Option<&'a str> {
        let range = self.opening.clone()?;
        Some(body[range].trim()).filter(|paragraph| !paragraph.is_empty())
    }

    /// The text that stands for a document too large to print: its headings, its
    /// opening paragraph, and how to fetch one section. `path` is the location as
    /// the table had it.
    pub fn text(&self, body: &str, path: &str) -> String {
        let mut out = String::new();
        if self.headings.is_empty() {
            out.push_str("(document has no headings)\n");
        }
        for heading in &self.headings {
            for _ in 1..heading.level {
                out.push_str("  ");
            }
            // Writing to a String cannot fail.
            let _ =
                writeln!(out, "- {} (#{}, {} lines)", heading.text, heading.anchor, heading.lines);
        }
        if let Some(paragraph) = self.opening_paragraph(body) {
            let _ = writeln!(out, "\n{paragraph}");
        }
        let _ =
            writeln!(out, "\nfetch {path}#<anchor> for a section; force=true for the full body");
        out
    }

    /// Gives every section its end and its lines, from the last heading back.
    fn close_sections(&mut self, body: &str) {
        // The start of the nearest later heading of each level or a higher one.
        let mut next_start = [body.len(); 7];
        for heading in self.headings.iter_mut().rev() {
            let level = usize::from(heading.level);
            heading.end = next_start[level];
            for later in &mut next_start[level..] {
                *later = heading.start;
            }
            let section = &body.as_bytes()[heading.start..heading.end];
            heading.lines = memchr::memchr_iter(b'\n', section).count()
                + usize::from(section.last().is_some_and(|byte| *byte != b'\n'));
        }
    }
}

struct OpenHeading {
    level: u8,
    text: String,
    start: usize,
    has_content: bool,
    ends_in_text: bool,
    autolink: bool,
    /// Where the last inline element ended, to notice a backslash before the next.
    taken_to: usize,
}

impl OpenHeading {
    fn new(level: HeadingLevel, start: usize) -> Self {
        Self {
            level: level as u8,
            text: String::new(),
            start,
            has_content: false,
            ends_in_text: false,
            autolink: false,
            taken_to: start,
        }
    }

    /// White space at the end of the heading's line is no part of its text. The
    /// parser sees to it, but not at the end of the body nor for a carriage return.
    fn trim(&mut self) {
        if self.ends_in_text {
            let kept = self.text.trim_end_matches(|c: char| c.is_ascii_whitespace()).len();
            self.text.truncate(kept);
        }
    }

    fn take(&mut self, event: &Event<'_>, range: Range<usize>, body: &str) {
        self.has_content = true;
        self.ends_in_text = matches!(event, Event::Text(_));
        match event {
            Event::Start(Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. }) => {
                self.autolink = true;
            }
            Event::End(TagEnd::Link) => self.autolink = false,
            Event::Text(_) if !self.autolink => {
                // The parser leaves the backslash of an escape out of the text it
                // gives; the rule takes the text as written.
                let escaped =
                    range.start > self.taken_to && body.as_bytes()[range.start - 1] == b'\\';
                let from = range.start - usize::from(escaped);
                self.text.push_str(&body[from..range.end]);
            }
            Event::Code(code) => self.text.push_str(code),
            _ => {}
        }
        // An opening tag spans its content; only what is behind the start of that
        // content has been taken.
        self.taken_to = match event {
            Event::Start(_) => range.start + 1,
            _ => range.end,
        };
    }
}

fn line_start(body: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &body.as_bytes()[..at]).map_or(0, |newline| newline + 1)
}
