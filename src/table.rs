//! The grammar of a lookup's ranked table: how cells are escaped, and how a
//! reader reads a table back.

use crate::text::eq_fold;

const ESCAPED: &[char] = &['\\', '[', ']', '(', ')', '*', '_', '`', '~', '#', '|'];

/// The most tags a row shows a reader before the rest is only counted.
const SHOWN_TAGS: usize = 10;

const COLUMNS: [&str; 5] = ["Path", "Importance", "Title", "Tags", "Snippet"];

/// A text with a backslash before every character that means something in a table
/// or in markdown.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if ESCAPED.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// [`escape`], with every line break (CRLF, CR, LF) as one space first.
pub fn escape_cell(text: &str) -> String {
    escape(&text.replace("\r\n", " ").replace(['\r', '\n'], " "))
}

/// A text without the backslashes that [`escape`] puts; others stay.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\'
            && let Some(next) = chars.next_if(|next| ESCAPED.contains(next))
        {
            out.push(next);
        } else {
            out.push(c);
        }
    }
    out
}

/// The trimmed cells of a table row, escapes kept, or `None` for a line that is
/// no row: a row's first and last characters are `|`, trimmed of white space.
pub fn split_row(line: &str) -> Option<Vec<&str>> {
    let line = line.trim();
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    Some(split_unescaped(inner, '|').map(str::trim).collect())
}

/// What a row of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// The names of the columns.
    Header,
    /// The rule below the header.
    Separator,
    /// A match.
    Data,
    /// A row of another table: not four and not five cells.
    Other,
}

/// What the cells of a row make it.
pub fn row_kind(cells: &[&str]) -> RowKind {
    if cells.len() != 4 && cells.len() != 5 {
        return RowKind::Other;
    }
    if cells.iter().zip(COLUMNS).all(|(cell, name)| eq_fold(cell, name)) {
        return RowKind::Header;
    }
    let is_rule = |cell: &&str| {
        let dashes = cell.trim_matches(':');
        dashes.len() >= 3 && dashes.bytes().all(|byte| byte == b'-')
    };
    if cells.iter().all(is_rule) {
        return RowKind::Separator;
    }
    RowKind::Data
}

/// The path and the anchor of a location cell: cut at the first `#` that is not
/// escaped, the path unescaped, the anchor as it stands. No anchor is empty.
pub fn split_location(cell: &str) -> (String, String) {
    let mut parts = split_unescaped(cell, '#');
    let path = parts.next().unwrap_or_default();
    let anchor = cell.get(path.len() + 1..).unwrap_or_default();
    (unescape(path), anchor.to_owned())
}

/// A tags cell with at most ten tags, then `+N more`.
pub fn cap_tags(cell: &str) -> String {
    let tags: Vec<&str> = cell.split(',').map(str::trim).collect();
    if tags.len() <= SHOWN_TAGS {
        return cell.to_owned();
    }
    format!("{}, +{} more", tags[..SHOWN_TAGS].join(", "), tags.len() - SHOWN_TAGS)
}

/// A table with the tags of every data row capped; every other line as it is.
pub fn cap_table_tags(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    for (index, line) in body.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        match capped_row(line) {
            Some(row) => out.push_str(&row),
            None => out.push_str(line),
        }
    }
    out
}

fn capped_row(line: &str) -> Option<String> {
    let mut cells = split_row(line)?;
    if row_kind(&cells) != RowKind::Data {
        return None;
    }
    let capped = cap_tags(cells[3]);
    if capped == cells[3] {
        return None;
    }
    cells[3] = &capped;
    Some(format!("| {} |", cells.join(" | ")))
}

/// Splits at a separator that an even number of backslashes precedes.
fn split_unescaped(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut backslashes = 0usize;
    text.split(move |c: char| {
        let splits = c == separator && backslashes.is_multiple_of(2);
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        splits
    })
}
