//! The ranked table as a store writes it, and the snippet of a row.

use std::fmt::Write as _;

use super::{Match, Row};
use crate::table::{escape, escape_cell};
use crate::text::lowercase;

/// The longest snippet, in bytes.
const SNIPPET: usize = 240;

/// The body of a LOOKUP answer, beginning with an empty line.
pub(super) fn table(query: &str, scope: &str, matched: Match, rows: &[Row]) -> String {
    let mut out = format!("\n# Lookup matches for \"{}\" in {}\n\n", escape(query), escape(scope));
    out.push_str(match matched {
        Match::Catalog => {
            "| Path | Importance | Title | Tags |\n|------|------------|-------|------|\n"
        }
        Match::Body => {
            "| Path | Importance | Title | Tags | Snippet |\n\
             |------|------------|-------|------|---------|\n"
        }
    });
    for row in rows {
        // Writing to a String cannot fail.
        let _ = write!(out, "| {}", escape_cell(&row.path));
        if !row.anchor.is_empty() {
            let _ = write!(out, "#{}", row.anchor);
        }
        let _ = write!(
            out,
            " | {:.2} | {} | {} |",
            row.importance,
            escape_cell(&row.title),
            escape_cell(&row.tags.join(", "))
        );
        if matched == Match::Body {
            let _ = write!(out, " {} |", escape_cell(&row.snippet));
        }
        out.push('\n');
    }
    out
}

/// The first of the lines that have the most distinct terms in them, cut to 240
/// bytes with `...`.
pub(super) fn snippet(plain: &str, terms: &[String]) -> String {
    let mut best = "";
    let mut most = None;
    for line in plain.lines() {
        let lowered = lowercase(line);
        let found = terms.iter().filter(|term| lowered.contains(term.as_str())).count();
        if most.is_none_or(|most| found > most) {
            (best, most) = (line, Some(found));
        }
        if found == terms.len() {
            break;
        }
    }
    if best.len() <= SNIPPET {
        return best.to_owned();
    }
    let cut = best.floor_char_boundary(SNIPPET - 3);
    format!("{}...", &best[..cut])
}
