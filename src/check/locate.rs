//! Where in a file a place of a document is.

use std::ops::Range;

use super::Place;

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
            (1 + before.matches('\n').count(), 1 + before[start..].chars().count())
        };
        let (line, column) = position(range.start);
        let (end_line, end_column) = position(range.end);
        Self { line, column, end_line, end_column, range }
    }
}

/// Finds a place in the text of a document's file, front matter included. `body` is
/// the document's body, which is the end of the text.
///
/// A place that cannot be found is the file's first line; a value that is not written
/// on one line is the line of its key.
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
        Place::Key(key) => key_in(head, key).map_or_else(first, |found| found.key),
        Place::Value(key, part, before) => match key_in(head, key) {
            None => first(),
            Some(found) => part_in(head, &found, part, *before).unwrap_or(found.key),
        },
    };
    Located::of(text, range)
}

struct Key {
    key: Range<usize>,
    /// From behind the key to the next key, or the end of the block.
    value: Range<usize>,
}

/// The line on which a key is declared: as it is, in quotes, or as a store has it. Of
/// several the last is the one that counts, and a store's own spelling before others.
fn key_in(head: &str, key: &str) -> Option<Key> {
    let spellings =
        [format!("meta.{key}"), key.to_owned(), format!("\"{key}\""), format!("'{key}'")];
    let mut at = 0;
    let mut open = false;
    let mut best: Option<(bool, Key)> = None;
    for line in head.split_inclusive('\n') {
        let is_new =
            !line.starts_with([' ', '\t', '-', '\n', '\r', '#']) || line.starts_with("---");
        if is_new {
            if let Some((_, found)) = best.as_mut().filter(|_| open) {
                found.value.end = at;
            }
            open = false;
        }
        let matched = spellings.iter().find(|spelling| {
            let rest = line.strip_prefix(spelling.as_str());
            rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
        });
        if let Some(spelling) = matched {
            let is_store = spelling.starts_with("meta.") && !key.starts_with("meta.");
            if is_store || !matches!(best, Some((true, _))) {
                let colon = line[spelling.len()..].find(':').unwrap_or(0);
                let value = at + spelling.len() + colon + 1..head.len();
                best = Some((is_store, Key { key: at..at + spelling.len(), value }));
                open = true;
            }
        }
        at += line.len();
    }
    best.map(|(_, found)| found)
}

/// A part of a value, as a whole part if it stands as one; `before` equal ones are
/// passed over.
fn part_in(head: &str, key: &Key, part: &str, before: usize) -> Option<Range<usize>> {
    let value = &head[key.value.clone()];
    let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ",[]\"'".contains(c));
    let mut whole = value.match_indices(part).filter(|(at, part)| {
        is_end(value[..*at].chars().next_back()) && is_end(value[at + part.len()..].chars().next())
    });
    let (at, part) = whole.nth(before).or_else(|| value.match_indices(part).next())?;
    let start = key.value.start + at;
    (!part.is_empty()).then_some(start..start + part.len())
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
        let value = |key: &str, part: &str| Place::value(key, part);
        for (place, line, column, want) in [
            (Place::Document, 1, 1, "---"),
            (Place::Key("rel-by".into()), 3, 1, "rel-by"),
            (value("rel-by", "/b.md"), 3, 16, "/b.md"),
            (value("rel-x", "/d.md"), 5, 3, "/d.md"),
            (Place::Key("rel-x".into()), 4, 1, "\"rel-x\""),
            (value("rel-bye", "/b.md"), 6, 10, "/b.md"),
            (value("rel-by", "nowhere"), 3, 1, "rel-by"),
            (value("none", "x"), 1, 1, "---"),
            (Place::Value("rel-x".into(), "/d.md".into(), 1), 5, 3, "/d.md"),
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
        for (part, before, column) in [("/b.md", 0, 14), ("/a.md", 0, 21), ("/b.md", 1, 28)] {
            let found = locate(text, "", &Place::Value("rel-by".into(), part.into(), before));
            assert_eq!((found.line, found.column), (5, column), "{part} {before}");
        }
        let found = locate("---\nx: 1\nx: 2\n---\n", "", &Place::Key("x".into()));
        assert_eq!(found.line, 3);
    }
}
