//! What the explorer has around a result, as sentences: what points to its first
//! document, the sections of that, what each budget buys, and what an author should
//! know.

use std::collections::HashSet;

use super::{heading, line};
use crate::check::Severity;
use crate::document::Document;
use crate::lookup::Asked;
use crate::selection::{Item, Kind, Selection, TOKEN};
use crate::tui::Finding;
use crate::tui::incoming::Incoming;
use crate::tune::{Entry, Walked};

/// What points to a document. None where the world is not in memory.
pub(super) fn incoming(out: &mut String, path: &str, incoming: Option<&[Incoming]>) {
    let Some(incoming) = incoming else {
        let words = "it is known only where the whole world is in memory";
        return heading(out, &format!("Documents that point to {path}: {words}."));
    };
    let count = incoming.len();
    heading(out, &format!("Documents that point to {path}: {count}. No reader sees them."));
    for (at, from) in incoming.iter().enumerate() {
        let (predicate, source) = (&from.predicate, &from.source);
        line(out, &format!("Pointer {} of {count}: {source} declares {predicate}.", at + 1));
    }
}

/// The sections of a document with what the reader has of each.
pub(super) fn outline(out: &mut String, document: &Document, path: &str, items: &[Item]) {
    let headings = document.outline().headings();
    let version = document.version().map(|version| format!("/v{version}")).unwrap_or_default();
    heading(out, &format!("Outline of {path}{version}: {} sections.", headings.len()));
    if headings.is_empty() {
        line(out, "It has no headings: it cannot be cited by section.");
    }
    for (at, section) in headings.iter().enumerate() {
        line(
            out,
            &format!(
                "Section {} of {}: {}, level {}, #{}, {} tokens: {}.",
                at + 1,
                headings.len(),
                section.text,
                section.level,
                section.anchor,
                (section.end - section.start) / TOKEN,
                had(items, path, section.start..section.end)
            ),
        );
    }
}

/// What the reader has of a part of a document.
fn had(items: &[Item], path: &str, part: std::ops::Range<usize>) -> &'static str {
    let of = items.iter().filter(|item| item.path.as_deref() == Some(path));
    let ranges = of.filter_map(|item| Some((item.kind, item.range.as_ref()?)));
    let (mut some, mut elsewhere) = (false, false);
    for (kind, range) in ranges {
        let is_whole = range.start <= part.start && part.end <= range.end;
        match kind {
            Kind::Block if is_whole => return "the reader has all of it",
            Kind::Block => some |= range.start < part.end && part.start < range.end,
            Kind::Stub => elsewhere |= is_whole,
            _ => {}
        }
    }
    match (some, elsewhere) {
        (true, _) => "the reader has some of it",
        (false, true) => "the reader has its text elsewhere in the result",
        (false, false) => "the reader has nothing of it",
    }
}

/// What each budget buys.
pub(super) fn curve(out: &mut String, walked: Option<&Walked>, budget: u64) {
    let Some(walked) = walked else {
        let words = "not known, a server would have to be asked for more documents";
        return heading(out, &format!("What each budget buys: {words}."));
    };
    let (count, here) = (walked.steps.len(), walked.at(budget) + 1);
    heading(out, &format!("What each budget buys: {count} steps, this is step {here}."));
    for (at, step) in walked.steps.iter().enumerate() {
        let (entering, leaving) = walked.change(at);
        let what = match (at, entering.as_slice(), leaving.as_slice()) {
            (0, ..) => "The table alone.".to_owned(),
            (_, [], []) => "Only a note changes.".to_owned(),
            (_, entering, []) => format!("Enters: {}.", names(entering)),
            (_, [], leaving) => format!("Leaves: {}.", names(leaving)),
            (_, entering, leaving) => {
                format!("Enters: {}. Leaves: {}.", names(entering), names(leaving))
            }
        };
        line(
            out,
            &format!(
                "Step {} of {count}: from {} tokens on, {} tokens spent, {} rows expanded, \
                 {} related. {what}",
                at + 1,
                step.tokens,
                step.used() / TOKEN,
                step.expanded,
                step.related
            ),
        );
    }
}

/// Pieces by their kind and place.
pub(super) fn names(entries: &[Entry]) -> String {
    let names = entries.iter().map(|entry| format!("{} {}", entry.kind.name(), entry.location));
    names.collect::<Vec<_>>().join(", ")
}

/// What an author should know of the documents of a result. None where the world is
/// not on this machine.
pub(super) fn findings(
    out: &mut String,
    findings: Option<&[Finding]>,
    asked: &Asked,
    selection: &Selection,
) {
    let Some(findings) = findings else {
        return heading(out, "Findings are for worlds on this machine.");
    };
    let rows = asked.session().answered().rows().iter().map(|row| row.path.as_str());
    let targets = selection.targets.iter().map(|target| target.relation.target.as_str());
    let shown: HashSet<&str> = rows.chain(targets).collect();
    let is_here =
        |finding: &&Finding| finding.path.as_deref().is_some_and(|path| shown.contains(path));
    let mut here: Vec<&Finding> = findings.iter().filter(is_here).collect();
    here.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let (count, all) = (here.len(), findings.len());
    heading(out, &format!("Findings in the documents of this result: {count} of {all}."));
    for (at, finding) in here.iter().enumerate() {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        line(
            out,
            &format!(
                "Finding {} of {count}: {severity} {} in {}, line {}: {}. Way out: {}.",
                at + 1,
                finding.code,
                finding.path.as_deref().unwrap_or_default(),
                finding.line,
                finding.message.trim_end_matches('.'),
                finding.help.trim_end_matches('.')
            ),
        );
    }
    if count < all {
        line(out, "The others are told by `markscope check` over the same world.");
    }
}
