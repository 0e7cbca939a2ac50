//! Where in a file a place of a document is.

use std::ops::Range;

use super::Place;
use super::written::{Written, in_front_matter, in_store};

/// A place in a file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The last line.
    pub end_line: usize,
    /// The column behind the last character, in the last line.
    pub end_column: usize,
    /// The bytes of the file's text.
    pub range: Range<usize>,
}

impl Located {
    /// Lines and columns of some bytes of a text.
    pub fn of(text: &str, range: Range<usize>) -> Self {
        let position = |at: usize| {
            let before = &text[..at];
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            // A byte order mark is no character of the line: no editor counts it.
            let line = &before[start..];
            let marks = usize::from(start == 0 && line.starts_with('\u{feff}'));
            (1 + before.matches('\n').count(), 1 + line.chars().count() - marks)
        };
        let (line, column) = position(range.start);
        let (end_line, end_column) = position(range.end);
        Self { line, column, end_line, end_column, range }
    }
}

/// Finds a place in the text of a document's file, front matter included. `body` is
/// the document's body, which is the end of the text.
///
/// A place that cannot be found is the file's first line; a part of a value
/// that cannot is its key.
pub fn locate(text: &str, body: &str, place: &Place) -> Located {
    let start = text.len().saturating_sub(body.len());
    let head = text.get(..start).unwrap_or_default();
    let first = || {
        let end = text.find('\n').unwrap_or(text.len());
        let line = text[..end].trim_end_matches('\r');
        0..line.len()
    };
    let range = match place {
        Place::Document => first(),
        Place::Body(from, to) => {
            let clamp = |at: usize| (start + at).min(text.len());
            if text.is_char_boundary(clamp(*from)) && text.is_char_boundary(clamp(*to)) {
                clamp(*from)..clamp(*to)
            } else {
                first()
            }
        }
        Place::Key(key) => written(head, key).map_or_else(first, |found| found.key),
        Place::Value(key, part, nth) => match written(head, key) {
            None => first(),
            Some(found) => found.part(*nth, part).unwrap_or(found.key),
        },
    };
    Located::of(text, range)
}

/// Keys that a store writes without `meta.`.
const BARE: [&str; 6] = ["type", "title", "description", "resource", "timestamp", "tags"];
/// Lines that a store writes behind the version.
const OF_STORE: [&str; 3] = ["\narchived: ", "\nprevious-hash: ", "\nmeta."];

/// A key with its value, as the head of a file has them.
fn written(head: &str, key: &str) -> Option<Written> {
    // In a folder `meta.x` is a key of that name and no other spelling of `x`.
    let is_store =
        head.starts_with("---\nversion: ") && OF_STORE.iter().any(|line| head.contains(line));
    if is_store {
        return in_store(head, key_in(head, key)?, key == "tags");
    }
    in_front_matter(head, key)
}

/// The key of a line that a store writes. Of several the last is the one that counts; a
/// store's own spelling before others, but for those keys of which it knows both.
fn key_in(head: &str, key: &str) -> Option<Range<usize>> {
    let own = format!("meta.{key}");
    let mut at = 0;
    let mut best: Option<(bool, Range<usize>)> = None;
    for line in head.split_inclusive('\n') {
        let matched = [key, own.as_str()].into_iter().find(|spelling| {
            let rest = line.strip_prefix(spelling);
            rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
        });
        if let Some(spelling) = matched {
            let is_own = spelling == own || BARE.contains(&key);
            if is_own || !matches!(best, Some((true, _))) {
                best = Some((is_own, at..at + spelling.len()));
            }
        }
        at += line.len();
    }
    best.map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_lines_and_columns() {
        let body = "# Ä b\n\ntext\n";
        let text = format!(
            "---\ntitle: Ä\nrel-by: /a.md, /b.md\n\"rel-x\": [/c.md,\n  /d.md]\nrel-bye: /b.md\n---\n{body}"
        );
        let value = |key: &str, part: &str| Place::Value(key.into(), part.into(), 1);
        for (place, line, column, want) in [
            (Place::Document, 1, 1, "---"),
            (Place::Key("rel-by".into()), 3, 1, "rel-by"),
            (value("rel-by", "/b.md"), 3, 16, "/b.md"),
            (value("rel-x", "/d.md"), 5, 3, "/d.md"),
            (Place::Key("rel-x".into()), 4, 1, "\"rel-x\""),
            (Place::Value("rel-bye".into(), "/b.md".into(), 0), 6, 10, "/b.md"),
            (value("rel-by", "nowhere"), 3, 1, "rel-by"),
            (value("none", "x"), 1, 1, "---"),
            (Place::Value("rel-x".into(), "/d.md".into(), 2), 4, 1, "\"rel-x\""),
            (Place::Body(0, 6), 8, 1, "# Ä b"),
            (Place::Body(5, 6), 8, 5, "b"),
            (Place::Body(3, 6), 1, 1, "---"),
            (Place::Body(8, 500), 10, 1, "text\n"),
        ] {
            let found = locate(&text, body, &place);
            assert_eq!((found.line, found.column), (line, column), "{place:?}");
            assert_eq!(&text[found.range], want, "{place:?}");
        }
    }

    /// A store reads its own spelling, and of several lines the last.
    #[test]
    fn the_line_that_counts_is_found() {
        let text = "---\nversion: 1\nrel-by: /a.md\nmeta.rel-by: /a.md, /b.md\nmeta.rel-by: /b.md, /a.md, /b.md\nrel-by: /b.md\n---\n";
        for (part, nth, column) in [("/b.md", 0, 14), ("/a.md", 1, 21), ("/b.md", 2, 28)] {
            let found = locate(text, "", &Place::Value("rel-by".into(), part.into(), nth));
            assert_eq!((found.line, found.column), (5, column), "{part} {nth}");
        }
        let found = locate("---\nx: 1\nx: 2\n---\n", "", &Place::Key("x".into()));
        assert_eq!(found.line, 3);
    }

    /// Of a key that a store knows bare and with `meta.`, the last line counts; in a
    /// folder they are two keys.
    #[test]
    fn the_spelling_that_counts_is_found() {
        let found = |text: &str, key: &str| locate(text, "", &Place::Key(key.into())).line;
        let block = "meta.title: A\ntitle: B\nmeta.by: c\nby: d\n---\n";
        let store = format!("---\nversion: 1\n{block}");
        assert_eq!((found(&store, "title"), found(&store, "by")), (4, 5));
        let folder = format!("---\ntype: Note\n{block}");
        assert_eq!((found(&folder, "title"), found(&folder, "by")), (4, 6));
        assert_eq!((found(&folder, "meta.title"), found(&folder, "meta.by")), (3, 5));
    }

    #[test]
    fn comments_braces_and_indented_keys_are_no_hindrance() {
        let part = |text: &str, key: &str, part: &str, nth: usize| {
            let found = locate(text, "", &Place::Value(key.into(), part.into(), nth));
            (found.line, found.column, found.end_column)
        };
        let commented = "---\nrel-by: [ /a.md, # not /b.md\n  /b.md, /b.md ]\n---\n";
        assert_eq!(part(commented, "rel-by", "/b.md", 1), (3, 3, 8));
        assert_eq!(part(commented, "rel-by", "/b.md", 2), (3, 10, 15));
        let braces = "---\n{title: rel-by, tags: [a], rel-by: /b.md}\n---\n";
        assert_eq!(part(braces, "rel-by", "/b.md", 0), (2, 36, 41));
        assert_eq!(part(braces, "tags", "a", 0), (2, 24, 25));
        let indented = "---\n  title: x\n  \"rel-by\" : /b.md\n---\n";
        assert_eq!(part(indented, "rel-by", "/b.md", 0), (3, 14, 19));
        assert_eq!(part(indented, "title", "none", 0), (2, 3, 8));
    }

    /// No editor counts a byte order mark.
    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let text = "\u{feff}# Ä b\n\nc\n";
        let column = |place: &Place| {
            let found = locate(text, &text[3..], place);
            (found.line, found.column, found.end_column)
        };
        assert_eq!(column(&Place::Document), (1, 1, 6));
        assert_eq!(column(&Place::Body(0, 6)), (1, 1, 6));
        assert_eq!(column(&Place::Body(8, 9)), (3, 1, 2));
    }
}
