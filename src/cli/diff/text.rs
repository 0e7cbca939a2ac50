//! What differs between two worlds, as text to read.

use std::fmt::Write as _;

use super::super::sweep::aligned;
use crate::selection::{Kind, TOKEN};
use crate::text::visible_line;
use crate::tune::{
    BlockDiff, DocumentChange, DocumentDiff, Pair, ResultChange, ResultDiff, RowDiff, Why,
};

/// Results that are shown of their own accord.
pub(super) const SHOWN: usize = 40;

/// The sign before what differs.
fn sign(what: ResultChange) -> char {
    match what {
        ResultChange::New => '+',
        ResultChange::Gone => '-',
        ResultChange::Changed | ResultChange::Version | ResultChange::Moved => '~',
    }
}

fn heading([before, after]: [&str; 2], what: &str) -> String {
    format!("{} to {}: {what}\n", visible_line(before), visible_line(after))
}

/// That not all was compared.
pub(super) fn incomplete(names: [&str; 2]) -> String {
    heading(
        names,
        "not complete: what was not read of one world is left out of both; if it was too much, \
         --max-documents takes more",
    )
}

/// The documents that differ.
pub(super) fn documents(documents: &[DocumentDiff], names: [&str; 2]) -> String {
    let kinds = [
        DocumentChange::New,
        DocumentChange::Changed,
        DocumentChange::Metadata,
        DocumentChange::Access,
        DocumentChange::Gone,
        DocumentChange::NotRead,
    ];
    let counts: Vec<String> = kinds
        .into_iter()
        .filter_map(|kind| {
            let count = documents.iter().filter(|document| document.what == kind).count();
            (count > 0).then(|| format!("{count} {}", kind.words()))
        })
        .collect();
    if counts.is_empty() {
        return heading(names, "no document differs");
    }
    let mut out = heading(names, &format!("documents: {}", counts.join(", ")));
    let lines: Vec<[String; 2]> = documents
        .iter()
        .map(|document| {
            let mut more = Vec::new();
            if let Pair { before: Some(before), after: Some(after) } = document.bytes
                && document.what == DocumentChange::Changed
            {
                more.push(format!("{before} to {after} bytes"));
            }
            if !document.keys.is_empty() {
                more.push(
                    document.keys.iter().map(|key| visible_line(key)).collect::<Vec<_>>().join(" "),
                );
            }
            if let Some(error) = &document.error {
                let said = |error: &Option<String>| {
                    error.as_deref().map_or("readable".to_owned(), visible_line)
                };
                more.push(format!("{} to {}", said(&error.before), said(&error.after)));
            }
            let more =
                if more.is_empty() { String::new() } else { format!("  ({})", more.join("; ")) };
            [
                format!("  {}", document.what.words()),
                format!("{}{more}", visible_line(&document.path)),
            ]
        })
        .collect();
    out.push_str(&left_aligned(&lines));
    out.push('\n');
    out
}

fn left_aligned(lines: &[[String; 2]]) -> String {
    let width = lines.iter().map(|[first, _]| first.len()).max().unwrap_or(0);
    lines.iter().map(|[first, second]| format!("{first:<width$}  {second}\n")).collect()
}

/// The results that differ.
pub(super) fn results(
    results: &[ResultDiff],
    asked: usize,
    names: [&str; 2],
    shown: usize,
) -> String {
    if asked == 0 {
        return heading(names, "no document has a title or a tag to look up");
    }
    let lookups = if asked == 1 { "lookup" } else { "lookups" };
    if results.is_empty() {
        return heading(names, &format!("no result of {asked} {lookups} differs"));
    }
    let differ = format!("{} of {asked} lookups differ in their results", results.len());
    let mut out = heading(names, &differ);
    for result in results.iter().take(shown) {
        out.push('\n');
        out.push_str(&one(result));
    }
    if results.len() > shown {
        let _ = writeln!(out, "\nand {} more; --all shows them", results.len() - shown);
    }
    out.push('\n');
    let sum = |of: fn(&ResultDiff) -> usize| results.iter().map(of).sum::<usize>();
    let mut lines = vec![["", "results", "parts"].map(str::to_owned)];
    let mut line = |name: &str, of: fn(&ResultDiff) -> usize| {
        let with = results.iter().filter(|result| of(result) > 0).count();
        lines.push([name.to_owned(), with.to_string(), sum(of).to_string()]);
    };
    line("rows", |result| result.rows.len());
    line("blocks", |result| result.blocks.len());
    line("hops", |result| result.hops.len());
    line("omissions", |result| result.omissions.len());
    line("required passages", |result| result.passages.len());
    out.push_str(&aligned(&lines));
    let (before, after) = (sum(|result| result.tokens.before), sum(|result| result.tokens.after));
    let _ = writeln!(out, "tokens of these results: {}", moved(before, after));
    out
}

fn moved(before: usize, after: usize) -> String {
    if before == after {
        return format!("{after} as before");
    }
    let change = i128::try_from(after).unwrap_or(0) - i128::try_from(before).unwrap_or(0);
    format!("{before} to {after} ({change:+})")
}

fn one(result: &ResultDiff) -> String {
    let why = match &result.why {
        Why::Given => String::new(),
        Why::Recorded if result.name == result.query => "  (recorded)".into(),
        Why::Recorded => format!("  (recorded as {})", visible_line(&result.name)),
        Why::Title(path) => format!("  (title of {})", visible_line(path)),
        Why::Tag => "  (tag)".into(),
    };
    let mut out = format!("{}{why}\n", visible_line(&result.query));
    let mut line = |what: &str, sign: char, rest: &str| {
        let _ = writeln!(out, "  {what:<9} {sign} {rest}");
    };
    if let Some(status) = &result.status {
        line("status", '~', &visible_line(&format!("{} to {}", status.before, status.after)));
    }
    let tokens = moved(result.tokens.before, result.tokens.after);
    line("tokens", ' ', &format!("{tokens}, of a budget of {}", result.budget));
    for row in &result.rows {
        line("row", sign(row.what), &self::row(row));
    }
    for block in &result.blocks {
        line(name(block.kind), sign(block.what), &self::block(block));
    }
    for hop in &result.hops {
        let told = format!("{} (rel-{})", hop.location, hop.rel);
        line("hop", sign(hop.what), &visible_line(&told));
    }
    for omission in &result.omissions {
        let what = match omission.omission.kind {
            Kind::RelationLine => "relation line of ",
            _ => "",
        };
        let told = format!("{what}{}: {}", omission.omission.location, omission.omission.reason);
        line("left out", sign(omission.what), &visible_line(&told));
    }
    // What did not fit is told above, one by one.
    let is_told = |text: &str| !result.omissions.is_empty() && text.starts_with("did not fit: ");
    for note in result.notes.iter().filter(|note| !is_told(&note.text)) {
        line("note", sign(note.what), &visible_line(&note.text));
    }
    for passage in &result.passages {
        let told = format!("{} {}", passage.what.words(), passage.location);
        line("required", '~', &visible_line(&told));
    }
    out
}

fn row(row: &RowDiff) -> String {
    let location = visible_line(&row.location);
    let cells = match row.cells.is_empty() {
        true => String::new(),
        false => format!(" ({})", row.cells.join(", ")),
    };
    let place = |place: Option<usize>| place.map(|place| place.to_string()).unwrap_or_default();
    match row.what {
        ResultChange::New => format!("{location}, now row {}", place(row.place.after)),
        ResultChange::Gone => format!("{location}, was row {}", place(row.place.before)),
        ResultChange::Moved => format!(
            "{location}, row {} to {}{cells}",
            place(row.place.before),
            place(row.place.after)
        ),
        ResultChange::Changed | ResultChange::Version => format!("{location}{cells}"),
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::RelationLine => "relations",
        kind => kind.name(),
    }
}

fn block(block: &BlockDiff) -> String {
    let location = visible_line(&block.location);
    let tokens = |bytes: Option<usize>| bytes.unwrap_or(0) / TOKEN;
    match (block.what, block.bytes) {
        (ResultChange::Version, _) => format!("{location}, the same text in another version"),
        (_, Pair { before: Some(before), after: Some(after) }) => {
            let (before, after) = (before / TOKEN, after / TOKEN);
            if before == after {
                format!("{location}, other words in {after} tokens")
            } else {
                format!("{location}, {before} to {after} tokens")
            }
        }
        (_, Pair { before, after }) => {
            format!("{location}, {} tokens", tokens(after.or(before)))
        }
    }
}
