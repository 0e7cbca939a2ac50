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

/// Keys that a store writes without `meta.`.
const BARE: [&str; 6] = ["type", "title", "description", "resource", "timestamp", "tags"];

/// The line on which a key is declared: as it is, in quotes, or as a store has it. Of
/// several the last is the one that counts; a store's own spelling before others, but
/// for those keys of which it knows both.
fn key_in(head: &str, key: &str) -> Option<Key> {
    let own = format!("meta.{key}");
    let spellings = [key.to_owned(), format!("\"{key}\""), format!("'{key}'"), own.clone()];
    // In a folder `meta.x` is a key of that name and no other spelling of `x`.
    let is_store = head.starts_with("---\nversion: ");
    let spellings = if is_store { &spellings[..] } else { &spellings[..3] };
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
            let is_own = is_store && (*spelling == own || BARE.contains(&key));
            if is_own || !matches!(best, Some((true, _))) {
                let colon = line[spelling.len()..].find(':').unwrap_or(0);
                let value = at + spelling.len() + colon + 1..head.len();
                best = Some((is_own, Key { key: at..at + spelling.len(), value }));
                open = true;
            }
        }
        at += line.len();
    }
    match best {
        Some((_, found)) => Some(found),
        None if is_store => None,
        None => spellings.iter().find_map(|spelling| indented(head, spelling)),
    }
}

/// A key that does not begin its line: in front matter that is written in braces, or
/// all of which is indented.
fn indented(head: &str, spelling: &str) -> Option<Key> {
    head.match_indices(spelling).find_map(|(at, _)| {
        let end = at + spelling.len();
        let rest = &head[end..];
        let colon = rest.len() - rest.trim_start_matches(' ').len();
        let is_key = head[..at].ends_with(['{', ',', ' ']) && rest[colon..].starts_with(':');
        is_key.then(|| Key { key: at..end, value: end + colon + 1..head.len() })
    })
}

/// A part of a value, as a whole part if it stands as one; `before` equal ones are
/// passed over, and comments where it is anywhere else.
fn part_in(head: &str, key: &Key, part: &str, before: usize) -> Option<Range<usize>> {
    let value = &head[key.value.clone()];
    let is_end = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || ",[]{}\"'".contains(c));
    let is_whole = |at: usize| {
        is_end(value[..at].chars().next_back()) && is_end(value[at + part.len()..].chars().next())
    };
    let is_said = |at: usize| {
        let line = value[..at].rsplit('\n').next().unwrap_or_default();
        !line.starts_with('#') && !line.contains(" #") && !line.contains("\t#")
    };
    let places = || value.match_indices(part).map(|(at, _)| at);
    let start = places()
        .filter(|at| is_whole(*at) && is_said(*at))
        .nth(before)
        .or_else(|| places().filter(|at| is_whole(*at)).nth(before))
        .or_else(|| places().next())?;
    let start = key.value.start + start;
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
        let part = |text: &str, key: &str, part: &str, before: usize| {
            let found = locate(text, "", &Place::Value(key.into(), part.into(), before));
            (found.line, found.column, found.end_column)
        };
        let commented = "---\nrel-by: [ /a.md, # not /b.md\n  /b.md, /b.md ]\n---\n";
        assert_eq!(part(commented, "rel-by", "/b.md", 0), (3, 3, 8));
        assert_eq!(part(commented, "rel-by", "/b.md", 1), (3, 10, 15));
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
