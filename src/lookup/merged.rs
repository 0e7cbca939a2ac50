//! One lookup over several worlds: their tables as one, as the gateway's tool
//! merges them.
//!
//! Rows stand by their rank in their own world, then by importance, world and
//! path. A row's location is `mark://world/path#anchor`. A world whose table cannot
//! be read counts as failed, and failed worlds are named behind the table.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::Question;
use crate::catalog::{DEFAULT_LIMIT, MAX_LIMIT, Match};
use crate::mark::location_of;
use crate::selection::{Answered, Envelope, Worlds};
use crate::table::{RowKind, escape, escape_cell, row_kind, split_location, split_row};

/// What one world said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The world's name, as locations have it behind `mark://`.
    pub world: String,
    /// Its answer, or why there is none.
    pub answer: Result<PartAnswer, String>,
}

/// A world's answer to the lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartAnswer {
    /// The number of rows that it tells of.
    pub matches: Option<usize>,
    /// The match that it repeats.
    pub match_echo: Option<Match>,
    /// Its body with the table.
    pub body: String,
}

/// A row of one world. The cells keep their escapes.
struct Row<'a> {
    rank: usize,
    importance: f64,
    world: &'a str,
    path: String,
    anchor: String,
    cells: Vec<&'a str>,
}

impl Row<'_> {
    fn order(&self, other: &Self) -> Ordering {
        (self.rank.cmp(&other.rank))
            .then_with(|| other.importance.total_cmp(&self.importance))
            .then_with(|| self.world.cmp(other.world))
            .then_with(|| self.path.cmp(&other.path))
            .then_with(|| self.anchor.cmp(&other.anchor))
    }
}

/// The answers of several worlds as one.
///
/// # Errors
/// All worlds failed: their names with the reasons, in a sentence.
pub fn merge(question: &Question, parts: &[Part]) -> Result<Answered, String> {
    let mut rows = Vec::new();
    let mut failures: Vec<(&str, String)> = Vec::new();
    let mut fell_back: Vec<&str> = Vec::new();
    let asked = question.request.match_sent;
    for part in parts {
        let read = match &part.answer {
            Ok(answer) => read(&part.world, answer).map(|rows| (rows, answer.match_echo)),
            Err(error) => Err(error.clone()),
        };
        match read {
            Ok((found, echo)) => {
                rows.extend(found);
                if asked == Some(Match::Body) && echo != Some(Match::Body) {
                    fell_back.push(&part.world);
                }
            }
            Err(error) => failures.push((&part.world, error)),
        }
    }
    failures.sort();
    fell_back.sort_unstable();
    if failures.len() == parts.len() {
        let told: Vec<String> =
            failures.iter().map(|(world, error)| format!("{world}: {error}")).collect();
        return Err(format!("no world answers: {}", told.join("; ")));
    }
    rows.sort_by(Row::order);
    rows.truncate(question.request.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT));
    let envelope = Envelope {
        status: if failures.is_empty() { "ok" } else { "partial" }.to_owned(),
        matches: Some(rows.len()),
        match_echo: asked,
        worlds: Some(Worlds { asked: parts.len(), failed: failures.len() }),
    };
    let body = table(question, &rows, &fell_back, &failures);
    Ok(Answered::new(&envelope, &body, asked, question.verbose))
}

/// The rows of one table, read strictly: the header first, every row as wide as it,
/// up to the first line that is none.
fn read<'a>(world: &'a str, answer: &'a PartAnswer) -> Result<Vec<Row<'a>>, String> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    let mut width = None;
    for line in answer.body.lines() {
        let Some(cells) = split_row(line) else {
            if rows.is_empty() {
                continue;
            }
            break;
        };
        match (row_kind(&cells), width) {
            (RowKind::Header, None) => width = Some(cells.len()),
            (RowKind::Separator, Some(_)) if rows.is_empty() => {}
            (_, None) => return Err("its table has no header".into()),
            (RowKind::Data, Some(width)) if cells.len() == width => {
                let row = row(world, rows.len(), cells)?;
                rows.push(row);
            }
            _ => return Err(format!("row {} of its table cannot be read", rows.len() + 1)),
        }
    }
    if width.is_none() {
        return Err("its answer has no table".into());
    }
    match answer.matches {
        Some(matches) if matches != rows.len() => {
            Err(format!("it tells of {matches} rows, and its table has {}", rows.len()))
        }
        _ => Ok(rows),
    }
}

fn row<'a>(world: &'a str, rank: usize, cells: Vec<&'a str>) -> Result<Row<'a>, String> {
    let fault = |what: &str| format!("row {} of its table has {what}", rank + 1);
    let importance: f64 = cells[1]
        .parse()
        .ok()
        .filter(|importance| (0.0..=1.0).contains(importance))
        .ok_or_else(|| fault("an importance that is none"))?;
    let (path, anchor) = split_location(cells[0]);
    if !path.starts_with('/') {
        return Err(fault("a path that begins with no slash"));
    }
    Ok(Row { rank, importance, world, path, anchor, cells })
}

fn table(
    question: &Question,
    rows: &[Row<'_>],
    fell_back: &[&str],
    failures: &[(&str, String)],
) -> String {
    let query = question.request.query.trim();
    let mut out = format!("# Lookup matches for \"{}\" across readable worlds\n\n", escape(query));
    let wide = question.request.match_sent == Some(Match::Body);
    out.push_str(if wide {
        "| Path | Importance | Title | Tags | Snippet |\n\
         |------|------------|-------|------|---------|\n"
    } else {
        "| Path | Importance | Title | Tags |\n|------|------------|-------|------|\n"
    });
    // Writing to a String cannot fail.
    for row in rows {
        let location = escape_cell(&location_of(row.world, &row.path));
        let _ = write!(out, "| {location}");
        if !row.anchor.is_empty() {
            let _ = write!(out, "#{}", row.anchor);
        }
        let cells = row.cells[1..4].join(" | ");
        let _ = write!(out, " | {cells} |");
        if wide {
            let _ = write!(out, " {} |", row.cells.get(4).copied().unwrap_or_default());
        }
        out.push('\n');
    }
    if !fell_back.is_empty() {
        let worlds = fell_back.join(", ");
        let _ = write!(out, "\nnote: answered from the catalog (no body match): {worlds}\n");
    }
    if !failures.is_empty() {
        out.push_str("\n## World failures\n\n| World | Error |\n|-------|-------|\n");
        for (world, error) in failures {
            let _ = writeln!(out, "| {} | {} |", escape_cell(world), escape_cell(error));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(world: &str, echo: Option<Match>, rows: &[&str]) -> Part {
        let mut body =
            "\n# Lookup\n\n| Path | Importance | Title | Tags |\n|---|---|---|---|\n".to_owned();
        for row in rows {
            body.push_str(row);
            body.push('\n');
        }
        let answer = PartAnswer { matches: Some(rows.len()), match_echo: echo, body };
        Part { world: world.into(), answer: Ok(answer) }
    }

    fn question(matched: Option<Match>, limit: Option<usize>) -> Question {
        let mut question = Question::new(" st[one ");
        question.request.match_sent = matched;
        question.request.limit = limit;
        question
    }

    #[test]
    fn rows_stand_by_rank_importance_world_and_path() {
        let parts = [
            part("b", None, &["| /b1.md | 0.50 | B1 |  |", "| /b2 x.md | 0.90 | B2 | t |"]),
            part(
                "a",
                None,
                &["| /a1.md#s-1 | 0.50 | A \\| 1 | x, y |", "| /a2.md | 0.10 | A2 |  |"],
            ),
            Part { world: "c".into(), answer: Err("it is\nasleep".into()) },
        ];
        let got = merge(&question(None, Some(3)), &parts).expect("two answer");
        assert_eq!(
            got.envelope(),
            "status: partial\nworlds: 3\nsucceeded: 2\nfailed: 1\nmatches: 3\n\n"
        );
        assert_eq!(
            got.table(),
            "# Lookup matches for \"st\\[one\" across readable worlds\n\n\
             | Path | Importance | Title | Tags |\n|------|------------|-------|------|\n\
             | mark://a/a1.md#s-1 | 0.50 | A \\| 1 | x, y |\n\
             | mark://b/b1.md | 0.50 | B1 |  |\n\
             | mark://b/b2%20x.md | 0.90 | B2 | t |\n\
             \n## World failures\n\n| World | Error |\n|-------|-------|\n| c | it is asleep |\n"
        );
        assert_eq!(got.rows().len(), 3);
        assert_eq!(got.rows()[0].location(), "mark://a/a1.md#s-1");
    }

    #[test]
    fn worlds_that_fell_back_are_named() {
        let parts =
            [part("b", None, &[]), part("a", Some(Match::Catalog), &["| /a.md | 1.00 | A | |"])];
        let got = merge(&question(Some(Match::Body), None), &parts).expect("both answer");
        assert_eq!(
            got.envelope(),
            "status: ok\nworlds: 2\nsucceeded: 2\nfailed: 0\nmatches: 1\nmatch: body\n\n"
        );
        assert!(got.table().ends_with(
            "| mark://a/a.md | 1.00 | A |  |  |\n\nnote: answered from the catalog (no body match): a, b\n"
        ));
        assert_eq!(got.note(), None);
    }

    #[test]
    fn a_table_that_cannot_be_read_fails_its_world() {
        let whole = |body: &str, matches| {
            let answer = PartAnswer { matches, match_echo: None, body: body.into() };
            let parts = [Part { world: "w".into(), answer: Ok(answer) }, part("ok", None, &[])];
            let got = merge(&question(None, None), &parts).expect("one answers");
            got.table().lines().last().unwrap_or_default().to_owned()
        };
        let head = "| Path | Importance | Title | Tags |\n|---|---|---|---|\n";
        for (body, matches, want) in [
            ("nothing", None, "its answer has no table"),
            ("| /a.md | 0.5 | A | |\n", None, "its table has no header"),
            (
                &format!("{head}| a.md | 0.5 | A | |\n"),
                None,
                "row 1 of its table has a path that begins with no slash",
            ),
            (
                &format!("{head}| /a.md | 1.5 | A | |\n"),
                None,
                "row 1 of its table has an importance that is none",
            ),
            (&format!("{head}| /a.md | 0.5 | A |\n"), None, "row 1 of its table cannot be read"),
            (
                &format!("{head}| /a.md | 0.5 | A | |\n"),
                Some(2),
                "it tells of 2 rows, and its table has 1",
            ),
        ] {
            assert_eq!(whole(body, matches), format!("| w | {} |", escape_cell(want)));
        }
        let failed = [Part { world: "w".into(), answer: Err("no".into()) }];
        assert_eq!(merge(&question(None, None), &failed), Err("no world answers: w: no".into()));
    }
}
