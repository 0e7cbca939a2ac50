//! `markscope WORLD QUERY --plain`: everything the explorer shows, as sentences in
//! reading order. No lines are drawn, nothing depends on where it stands.

use std::fmt::Write as _;

use super::lookup::end;
use super::network::wait;
use super::output::{self, End, Error, tell};
use super::worlds::{Wanted, open_worlds};
use crate::lookup::{Asked, MAX_BUDGET, Question};
use crate::selection::{Item, Kind, Omission, Outcome, Selection, TOKEN, TableRow, TargetReport};
use crate::text::visible_line;
use crate::tune::{Entering, Walked};
use crate::world::Reader;

pub(super) fn run(wanted: &Wanted, mut question: Question, budget: u64) -> Result<End, Error> {
    wait(wanted, async {
        let worlds = open_worlds(wanted).await?;
        if let Some(scope) = &worlds.scope {
            question.request.scope.clone_from(scope);
        }
        let (asked, is_empty) = told(&worlds.reader, &question, budget).await?;
        worlds.reader.close().await;
        Ok(end(&asked, is_empty, &worlds))
    })
}

/// Tells a result; gives the answer, and whether it has no rows.
pub(super) async fn told(
    reader: &Reader,
    question: &Question,
    budget: u64,
) -> Result<(Asked, bool), Error> {
    let mut asked = reader.ask(question, budget).await.map_err(Error::World)?;
    let selection = reader.select_all(&mut asked, budget).await;
    if asked.told().is_none() {
        for line in asked.remarks().iter().chain(asked.failures()) {
            tell(&format!("markscope: {line}"));
        }
    }
    let omissions = selection.omissions();
    let entries = entries(reader, &mut asked, &selection, &omissions);
    let rows = asked.session().answered().rows();
    let mut out = head(&reader.name(), question, &asked, &selection);
    match asked.refusal() {
        Some(message) => line(&mut out, &format!("The store refused: {message}")),
        None => {
            table(&mut out, rows, &selection);
            relations(&mut out, &selection);
            evidence(&mut out, &selection.items);
            left_out(&mut out, &omissions, entries.as_deref());
        }
    }
    output::result(&out)?;
    Ok((asked, selection.rows.is_empty()))
}

/// When each omission comes in, and at whose cost; none where that is not known: a
/// server would have to be asked for more documents.
fn entries(
    reader: &Reader,
    asked: &mut Asked,
    selection: &Selection,
    omissions: &[Omission],
) -> Option<Vec<Option<Entering>>> {
    if asked.told().is_some() {
        return None;
    }
    let walked = Walked::new(MAX_BUDGET, |budget| {
        let (there, missing) = reader.select(asked, budget);
        if missing.is_empty() { Ok(there) } else { Err(()) }
    });
    let walked = walked.ok()?;
    Some(omissions.iter().map(|omission| walked.entering(selection, omission)).collect())
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
        left if left < 0 => format!("Overdrawn by {} bytes", left.unsigned_abs()),
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
    if reason.starts_with(outcome.word()) {
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

fn evidence(out: &mut String, items: &[Item]) {
    let told: Vec<&Item> = items
        .iter()
        .filter(|item| !matches!(item.kind, Kind::Envelope | Kind::Table | Kind::Gap))
        .collect();
    heading(out, &format!("Evidence, in the order the reader gets it: {} pieces.", told.len()));
    for (at, item) in told.iter().enumerate() {
        let location = item.location.as_deref().map(|of| format!(" of {of}")).unwrap_or_default();
        line(
            out,
            &format!(
                "Piece {} of {}: {}{location}, {} tokens, {} bytes.",
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
                    out => {
                        let out =
                            out.iter().map(|it| format!("{} {}", it.kind.name(), it.location));
                        format!("would push out {}", out.collect::<Vec<_>>().join(", "))
                    }
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
