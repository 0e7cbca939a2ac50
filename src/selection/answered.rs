//! What the reader is shown ahead of the expansion: envelope, table, and the note
//! about the match; and the table's rows, read back as a reader reads them.

use std::fmt::Write as _;

use serde::Serialize;

use crate::catalog::{Answer, Match, Refusal};
use crate::table::{RowKind, cap_table_tags, row_kind, split_location, split_row, unescape};

pub(super) const FELL_BACK: &str = "\nnote: server answered from the catalog (no body match); \
                         an empty table is not evidence of absence\n";

/// A store's answer to a LOOKUP, as far as the envelope shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// `ok`, or why not.
    pub status: String,
    /// The number of rows, where the answer gives one.
    pub matches: Option<usize>,
    /// The match that the answer repeats, where it does.
    pub match_echo: Option<Match>,
    /// How many worlds were asked, where it was more than one.
    pub worlds: Option<Worlds>,
}

/// How many worlds one lookup went to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worlds {
    /// Those asked.
    pub asked: usize,
    /// Those that failed.
    pub failed: usize,
}

impl Envelope {
    fn text(&self) -> String {
        let mut out = format!("status: {}\n", self.status);
        // Writing to a String cannot fail.
        if let Some(Worlds { asked, failed }) = self.worlds {
            let succeeded = asked.saturating_sub(failed);
            let _ = write!(out, "worlds: {asked}\nsucceeded: {succeeded}\nfailed: {failed}\n");
        }
        if let Some(matches) = self.matches {
            let _ = writeln!(out, "matches: {matches}");
        }
        // A reader's tool tells of the body match alone: the catalog is what it
        // asks for by saying nothing.
        if self.match_echo == Some(Match::Body) {
            let _ = writeln!(out, "match: {}", Match::Body);
        }
        out.push('\n');
        out
    }
}

/// A data row of the table, as a reader reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableRow {
    /// The location that is asked for. Not the document's own where its path has
    /// a `#`: the reader takes that for the beginning of an anchor.
    pub path: String,
    /// The anchor; empty where the row is a document.
    pub anchor: String,
    /// The location the store meant; differs from `path` where that has a `#`.
    pub declared: String,
    /// The importance cell.
    pub importance: String,
    /// The title without escapes.
    pub title: String,
    /// The tags without escapes, as the table shows them.
    pub tags: String,
    /// The snippet without escapes; empty where the table has no such column.
    pub snippet: String,
}

impl TableRow {
    /// The location with its anchor.
    pub fn location(&self) -> String {
        if self.anchor.is_empty() {
            self.path.clone()
        } else {
            format!("{}#{}", self.path, self.anchor)
        }
    }

    fn read(line: &str) -> Option<Self> {
        let cells = split_row(line)?;
        if row_kind(&cells) != RowKind::Data {
            return None;
        }
        // Two steps, each of which drops the cell's escapes: a `#` of the path
        // itself cuts it, as it does for every reader.
        let (path, anchor) = split_location(&unescape(cells[0]));
        Some(Self {
            path,
            anchor,
            declared: split_location(cells[0]).0,
            importance: cells[1].to_owned(),
            title: unescape(cells[2]),
            tags: unescape(cells[3]),
            snippet: cells.get(4).map(|cell| unescape(cell)).unwrap_or_default(),
        })
    }
}

/// What stands ahead of the expansion, and the rows to expand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    status: String,
    envelope: String,
    table: String,
    note: Option<&'static str>,
    rows: Vec<TableRow>,
}

impl Answered {
    /// From a store's answer. `asked` is the match that the request carried;
    /// unless `verbose`, a row shows at most ten tags.
    pub fn new(envelope: &Envelope, body: &str, asked: Option<Match>, verbose: bool) -> Self {
        let ok = match envelope.status.as_str() {
            "ok" => true,
            // Only where several worlds were asked; from one it is no status known.
            "partial" => envelope.worlds.is_some(),
            _ => false,
        };
        let table = if verbose || !ok { body.to_owned() } else { cap_table_tags(body) };
        let fell_back =
            ok && asked == Some(Match::Body) && envelope.match_echo != Some(Match::Body);
        Self {
            status: envelope.status.clone(),
            envelope: envelope.text(),
            rows: if ok { table.lines().filter_map(TableRow::read).collect() } else { Vec::new() },
            table,
            note: fell_back.then_some(FELL_BACK),
        }
    }

    /// From what the catalog of a world in memory says.
    pub fn from_catalog(
        answer: &Result<Answer, Refusal>,
        asked: Option<Match>,
        verbose: bool,
    ) -> Self {
        let (envelope, body) = match answer {
            Ok(answer) => (
                Envelope {
                    status: "ok".into(),
                    matches: Some(answer.rows.len()),
                    match_echo: answer.match_echo,
                    worlds: None,
                },
                answer.body.clone(),
            ),
            Err(refusal) => (
                Envelope {
                    status: refusal.status().into(),
                    matches: None,
                    match_echo: None,
                    worlds: None,
                },
                refusal.body(),
            ),
        };
        Self::new(&envelope, &body, asked, verbose)
    }

    /// From a result's text, in its parts.
    pub(super) fn read_back(
        status: &str,
        envelope: &str,
        table: &str,
        note: Option<&'static str>,
    ) -> Self {
        let is_ok = matches!(status, "ok" | "partial");
        Self {
            status: status.to_owned(),
            envelope: envelope.to_owned(),
            rows: if is_ok {
                table.lines().filter_map(TableRow::read).collect()
            } else {
                Vec::new()
            },
            table: table.to_owned(),
            note,
        }
    }

    /// The status of the answer; anything but `ok` and `partial` (some
    /// worlds of several failed) is not expanded.
    pub fn status(&self) -> &str {
        &self.status
    }

    /// The envelope with the empty line behind it.
    pub fn envelope(&self) -> &str {
        &self.envelope
    }

    /// The body of the answer as the reader is shown it.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The note behind the table that a body match was asked for but not made.
    pub fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// The table's data rows, in order.
    pub fn rows(&self) -> &[TableRow] {
        &self.rows
    }

    /// Bytes of all that stands ahead of the expansion.
    pub fn spent(&self) -> usize {
        self.envelope.len() + self.table.len() + self.note.map_or(0, str::len)
    }
}
