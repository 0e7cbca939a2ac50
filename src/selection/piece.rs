//! What a row or a relation's target would print.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::LARGE;
use crate::document::Document;
use crate::text::lowercase;

/// The terms that choose the sections of a large document: the query lowercased,
/// split at white space, each trimmed of quotes and punctuation, two bytes or more.
pub fn expansion_terms(query: &str) -> Vec<String> {
    lowercase(query)
        .split_whitespace()
        .map(|term| term.trim_matches(['"', '\'', '.', ',', ';', ':', '(', ')']))
        .filter(|term| term.len() >= 2)
        .map(str::to_owned)
        .collect()
}

/// One piece of a document that may be printed as a block.
#[derive(Debug)]
pub(super) struct Piece {
    /// Where a reader can cite it: path, version, anchor.
    pub(super) location: String,
    /// The bytes of the body that it covers; an outline covers none.
    pub(super) range: Option<Range<usize>>,
    /// The text, trimmed of white space at both ends.
    pub(super) text: Arc<str>,
    /// The text as printed: a line that begins with the frame's own mark is
    /// indented. `None` where no line does.
    framed: Option<String>,
}

impl Piece {
    fn new(location: String, range: Option<Range<usize>>, text: &str) -> Self {
        let text = text.trim();
        Self { location, range, framed: framed(text), text: text.into() }
    }

    /// The text as it stands in a block.
    pub(super) fn framed(&self) -> &str {
        self.framed.as_deref().unwrap_or(&self.text)
    }
}

/// A text whose lines cannot be taken for the frame, if any could.
fn framed(text: &str) -> Option<String> {
    let forges = |line: &str| line.starts_with(">>>");
    if !text.split('\n').any(forges) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if forges(line) {
            out.push(' ');
        }
        out.push_str(line);
    }
    Some(out)
}

/// All that a location and an anchor may print of a document.
#[derive(Debug)]
pub(super) enum Pieces {
    /// The anchor names no section.
    NoSection,
    /// A section, or a whole small document.
    One(Piece),
    /// The matching sections of a large document, and, where none of them is
    /// printed, its outline.
    Large { sections: Vec<Piece>, outline: OnceLock<Piece> },
}

impl Pieces {
    /// Chooses the pieces. `path` is the location as the table or the relation
    /// has it; `pin` gives a whole document the anchor of its one H1.
    pub(super) fn choose(
        document: &Document,
        path: &str,
        anchor: &str,
        terms: &[String],
        pin: bool,
    ) -> Self {
        if !anchor.is_empty() {
            return match document.outline().find(anchor) {
                // Cited as it was asked for, which finds the section again.
                Some(heading) => Self::One(section(document, path, anchor, heading.range())),
                None => Self::NoSection,
            };
        }
        if document.body().len() < LARGE {
            let anchor = if pin { pinned(document).unwrap_or_default() } else { "" };
            return Self::One(section(document, path, anchor, 0..document.body().len()));
        }
        Self::Large { sections: matching_sections(document, path, terms), outline: OnceLock::new() }
    }
}

/// The outline that stands for a large document.
pub(super) fn outline_piece(document: &Document, path: &str) -> Piece {
    let text = document.outline().text(document.body(), path);
    Piece::new(location(document, path, ""), None, &text)
}

fn section(document: &Document, path: &str, anchor: &str, range: Range<usize>) -> Piece {
    let text = &document.body()[range.clone()];
    Piece::new(location(document, path, anchor), Some(range), text)
}

fn location(document: &Document, path: &str, anchor: &str) -> String {
    let mut out = path.to_owned();
    if let Some(version) = document.version() {
        out.push_str(&format!("/v{version}"));
    }
    if !anchor.is_empty() {
        out.push('#');
        out.push_str(anchor);
    }
    out
}

/// The anchor of the H1 that a whole document can be cited by: its first heading,
/// with nothing before it, whose section is all of the body.
pub fn pinned(document: &Document) -> Option<&str> {
    let first = document.outline().headings().first()?;
    let body = document.body();
    let whole = first.level == 1
        && body[..first.start].trim().is_empty()
        && body[first.end..].bytes().all(|byte| byte == b'\n');
    whole.then_some(first.anchor.as_str())
}

/// Sections of level 2 or deeper that hold all terms, outermost only.
fn matching_sections(document: &Document, path: &str, terms: &[String]) -> Vec<Piece> {
    if terms.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut covered = 0;
    for heading in document.outline().headings() {
        if heading.level < 2 || heading.start < covered {
            continue;
        }
        let text = lowercase(&document.body()[heading.range()]);
        if terms.iter().all(|term| memchr::memmem::find(text.as_bytes(), term.as_bytes()).is_some())
        {
            covered = heading.end;
            out.push(section(document, path, &heading.anchor, heading.range()));
        }
    }
    out
}
