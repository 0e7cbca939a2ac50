//! `markscope WORLD QUERY --plain`: everything the explorer shows, as sentences in
//! reading order. No lines are drawn, nothing depends on where it stands.

mod around;

use std::fmt::Write as _;

use super::explore::desk;
use super::lookup::end;
use super::network::wait;
use super::output::{self, End, Error, tell};
use super::worlds::{Wanted, Worlds, open_worlds};
use crate::check::Severity;
use crate::lookup::{Asked, MAX_BUDGET, Question};
use crate::selection::{
    Fate, Item, Kind, Omission, Outcome, PieceReport, Selection, TOKEN, TableRow, TargetReport,
};
use crate::text::visible_line;
use crate::tui::Finding;
use crate::tui::incoming::Pointers;
use crate::tune::{Entering, Walked};
use crate::world::Reader;

pub(super) fn run(wanted: &Wanted, mut question: Question, budget: u64) -> Result<End, Error> {
    wait(wanted, async {
        let worlds = open_worlds(wanted).await?;
        if let Some(scope) = &worlds.scope {
            question.request.scope.clone_from(scope);
        }
        let findings = findings(&worlds);
        let told = told(&worlds.reader, &question, budget, findings.as_deref());
        let (asked, is_empty) = told.await?;
        worlds.reader.close().await;
        Ok(end(&asked, is_empty, &worlds))
    })
}

/// What is wrong with a world on this machine; notes are for `check --notes`.
fn findings(worlds: &Worlds) -> Option<Vec<Finding>> {
    let desk = desk(worlds)?;
    let mut findings = (desk.check)();
    findings.retain(|finding| finding.severity != Severity::Note);
    Some(findings)
}

/// Tells a result, with what an author should know of its world; gives the answer, and whether it has no rows.
pub(super) async fn told(
    reader: &Reader,
    question: &Question,
    budget: u64,
    findings: Option<&[Finding]>,
) -> Result<(Asked, bool), Error> {
    let mut asked = reader.ask(question, budget).await.map_err(Error::World)?;
    let selection = reader.select_all(&mut asked, budget).await;
    if asked.told().is_none() {
        for line in asked.remarks().iter().chain(asked.failures()) {
            tell(&format!("markscope: {line}"));
        }
    }
    let omissions = selection.omissions();
    let walked = walked(reader, &mut asked);
    let entries = walked.as_ref().map(|walked| {
        omissions.iter().map(|omission| walked.entering(&selection, omission)).collect::<Vec<_>>()
    });
    let rows = asked.session().answered().rows();
    let mut out = head(&reader.name(), question, &asked, &selection);
    match asked.refusal() {
        Some(message) => line(&mut out, &format!("The store refused: {message}")),
        None => {
            table(&mut out, rows, &selection);
            relations(&mut out, &selection);
            evidence(&mut out, &selection);
            left_out(&mut out, &omissions, entries.as_deref());
            if asked.told().is_none() {
                if let Some(first) =
                    selection.strongest.as_ref().or(rows.first().map(|it| &it.path))
                {
                    let pointers = Pointers::of_reader(reader);
                    around::incoming(&mut out, first, pointers.as_ref().map(|it| it.to(first)));
                    let known = asked.session().document(first);
                    let known = known.or_else(|| reader.store()?.catalog().document(first));
                    if let Some(document) = known {
                        around::outline(&mut out, document, first, &selection.items);
                    }
                }
                around::curve(&mut out, walked.as_ref(), budget);
                around::findings(&mut out, findings, &asked, &selection);
            }
        }
    }
    output::result(&out)?;
    Ok((asked, selection.rows.is_empty()))
}

/// The answer over all budgets; none where that is not known: a server would have to
/// be asked for more documents.
fn walked(reader: &Reader, asked: &mut Asked) -> Option<Walked> {
    if asked.told().is_some() {
        return None;
    }
    let walked = Walked::new(MAX_BUDGET, |budget| {
        let (there, missing) = reader.select(asked, budget);
        if missing.is_empty() { Ok(there) } else { Err(()) }
    });
    walked.ok()
}

/// One line, harmless.
fn line(out: &mut String, words: &str) {
    out.push_str(&visible_line(words));
    out.push('\n');
}

fn head(world: &str, question: &Question, asked: &Asked, selection: &Selection) -> String {
    let mut out = String::new();
    let status = asked.status();
    if let Some(told) = asked.told() {
        line(&mut out, &format!("Recorded result: {world}"));
        if !question.request.query.is_empty() {
            line(&mut out, &format!("Query: {}", question.request.query));
            line(&mut out, &format!("Scope: {}.", question.request.scope));
        }
        line(&mut out, &format!("Status: {status}"));
        let budget = told.budget.map_or("not in the text".into(), |it| format!("{it} tokens"));
        let bytes = selection.bytes();
        let spent = format!("{} tokens, {bytes} bytes", bytes / TOKEN);
        line(&mut out, &format!("Budget: {budget}. The text has {spent}."));
        for unknown in &told.unknown {
            line(&mut out, &format!("Not in the text: {unknown}."));
        }
        return out;
    }
    let request = &question.request;
    line(&mut out, &format!("World: {world}"));
    line(&mut out, &format!("Query: {}", request.query));
    let matched = match request.match_sent {
        Some(crate::catalog::Match::Body) => "body",
        Some(crate::catalog::Match::Catalog) => "catalog",
        None => "not sent",
    };
    let filter = if request.filter.is_empty() { "none" } else { &request.filter };
    line(
        &mut out,
        &format!(
            "Match: {matched}. Scope: {}. Filter: {filter}. Engine: {}.",
            request.scope,
            question.engine.name()
        ),
    );
    line(&mut out, &format!("Status: {status}"));
    let used: usize = selection.items.iter().map(|item| item.charged).sum();
    let budget = selection.budget;
    let left = match selection.remaining {
        left if left < 0 => match ((used / TOKEN) as u64).saturating_sub(budget) {
            0 => format!("Overdrawn by {} bytes", left.unsigned_abs()),
            tokens => format!("Overdrawn by {tokens} tokens"),
        },
        _ => format!("{} tokens left", budget.saturating_sub((used / TOKEN) as u64)),
    };
    line(
        &mut out,
        &format!(
            "Budget: {budget} tokens, {} bytes. Spent: {} tokens, {used} bytes. {left}.",
            budget.saturating_mul(TOKEN as u64),
            used / TOKEN
        ),
    );
    let kinds = [
        ("envelope", selection.charged(Kind::Envelope) + selection.charged(Kind::Gap)),
        ("table", selection.charged(Kind::Table)),
        ("blocks", selection.charged(Kind::Block)),
        ("relation lines", selection.charged(Kind::RelationLine)),
        ("stubs", selection.charged(Kind::Stub) + selection.charged(Kind::Covered)),
        ("notes", selection.charged(Kind::Note)),
    ];
    // Counted such that the tokens of all of them add up to what is spent.
    let mut before = 0;
    let mut spent = Vec::new();
    for (name, bytes) in kinds {
        let tokens = (before + bytes) / TOKEN - before / TOKEN;
        before += bytes;
        if bytes > 0 {
            spent.push(format!("{name} {tokens} tokens"));
        }
    }
    if !spent.is_empty() {
        line(&mut out, &format!("Spent on: {}.", spent.join(", ")));
    }
    match &selection.up {
        Some(up) => {
            line(
                &mut out,
                &format!("Next change upward: at {} tokens, {}.", up.tokens, up.change.gained()),
            );
        }
        None => line(&mut out, "Next change upward: none, a larger budget buys nothing more."),
    }
    match &selection.down {
        Some(down) => {
            let words = down.change.lost();
            line(&mut out, &format!("Next change downward: at {} tokens, {words}.", down.tokens));
        }
        None => line(&mut out, "Next change downward: none."),
    }
    out
}

fn heading(out: &mut String, words: &str) {
    out.push('\n');
    line(out, words);
}

/// What became of something, in a sentence without saying it twice.
fn fate(outcome: Outcome, reason: &str) -> String {
    if reason.contains(outcome.word()) {
        reason.to_owned()
    } else {
        format!("{}: {reason}", outcome.word())
    }
}

fn table(out: &mut String, rows: &[TableRow], selection: &Selection) {
    heading(out, &format!("Rows: {}, of which {} expanded.", rows.len(), selection.expanded));
    for (at, (row, report)) in rows.iter().zip(&selection.rows).enumerate() {
        let tags =
            if row.tags.is_empty() { String::new() } else { format!(" Tags: {}.", row.tags) };
        line(
            out,
            &format!(
                "Row {} of {}: {}. Title: {}. Importance: {}.{tags} Outcome: {}.",
                at + 1,
                rows.len(),
                row.location(),
                row.title,
                row.importance,
                fate(report.outcome, &report.reason)
            ),
        );
    }
}

fn relations(out: &mut String, selection: &Selection) {
    let Some(strongest) = &selection.strongest else {
        return heading(out, "Relations: no row printed a block, so none are followed.");
    };
    let count = selection.targets.len();
    heading(out, &format!("Relations of {strongest}: {count}."));
    for (at, TargetReport { relation, outcome, reason, .. }) in selection.targets.iter().enumerate()
    {
        line(
            out,
            &format!(
                "Relation {} of {count}: {} {}. Outcome: {}.",
                at + 1,
                relation.predicate,
                relation.location(),
                fate(*outcome, reason)
            ),
        );
    }
    for rejected in &selection.rejected {
        line(
            out,
            &format!(
                "Rejected: {} with the value {}. No reader sees it.",
                rejected.key, rejected.value
            ),
        );
    }
}

/// What a block has of its document, where that is no range that is known.
fn extent(selection: &Selection, at: usize) -> &'static str {
    let of_rows = selection.rows.iter().flat_map(|row| &row.pieces);
    let of_targets = selection.targets.iter().flat_map(|target| &target.pieces);
    let piece = of_rows
        .chain(of_targets)
        .find(|piece| matches!(piece.fate, Fate::Printed { item } if item == at));
    match piece {
        Some(PieceReport { not_told: Some(words), .. }) => words,
        Some(PieceReport { range: None, .. }) => "an outline",
        _ => "",
    }
}

fn evidence(out: &mut String, selection: &Selection) {
    let told: Vec<(usize, &Item)> = selection
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| !matches!(item.kind, Kind::Envelope | Kind::Table | Kind::Gap))
        .collect();
    heading(out, &format!("Evidence, in the order the reader gets it: {} pieces.", told.len()));
    for (at, (index, item)) in told.iter().enumerate() {
        let extent = match extent(selection, *index) {
            "" => String::new(),
            words => format!(", {words}"),
        };
        let location = item.location.as_deref().map(|of| format!(" of {of}")).unwrap_or_default();
        line(
            out,
            &format!(
                "Piece {} of {}: {}{location}, {} tokens, {} bytes{extent}.",
                at + 1,
                told.len(),
                item.kind.name(),
                item.tokens(),
                item.bytes()
            ),
        );
        for text in item.text.trim_matches('\n').lines() {
            line(out, text);
        }
        let _ = writeln!(out, "End of piece {}.", at + 1);
    }
}

fn left_out(out: &mut String, omissions: &[Omission], entries: Option<&[Option<Entering>]>) {
    heading(out, &format!("Left out: {}.", omissions.len()));
    for (at, omission) in omissions.iter().enumerate() {
        let enters = match entries.and_then(|entries| entries.get(at)) {
            Some(Some(entering)) => {
                let cost = match entering.pushed_out.as_slice() {
                    [] => "would push out nothing".to_owned(),
                    out => format!("would push out {}", around::names(out)),
                };
                format!(" Enters at a budget of {} tokens, {cost}.", entering.tokens)
            }
            Some(None) => " No larger budget lets it in.".into(),
            None => " It is not known when it enters.".into(),
        };
        line(
            out,
            &format!(
                "Left out {} of {}: {} {}. Outcome: {}.{enters}",
                at + 1,
                omissions.len(),
                omission.kind.name(),
                omission.location,
                fate(omission.outcome, &omission.reason)
            ),
        );
    }
}
