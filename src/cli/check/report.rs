//! Findings with their files and lines, as text and as JSON lines.

use std::ops::Range;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use rayon::prelude::*;
use serde::Serialize;

use crate::check::{Finding, Located, Rule, Settings, Severity, locate};
use crate::cli::output::Error;
use crate::text::visible_line;
use crate::world::{Problem, World};

/// Characters of a line that are shown before and behind what is marked.
const AROUND: usize = 60;

/// Keys of the Open Knowledge Format that hold lists and mappings, which readers leave
/// alone.
const NESTED_IN_OKF: [&str; 3] = ["generated", "sources", "verified"];

/// How a packed file begins, whose lines are not those of its bytes.
const PACKED: [u8; 2] = [0x1f, 0x8b];

/// A finding with its place in a file.
pub(super) struct Report {
    pub(super) rule: &'static Rule,
    pub(super) severity: Severity,
    /// The document's path, where it is in the world.
    pub(super) path: Option<String>,
    /// The file, or the archive.
    pub(super) file: PathBuf,
    /// Where in the file; none where it has no lines of its own.
    pub(super) located: Option<Located>,
    /// The line it begins on, safe to print, and the marked bytes of that.
    shown: Option<(String, Range<usize>)>,
    pub(super) key: Option<String>,
    pub(super) message: String,
    pub(super) help: String,
}

impl Report {
    /// What the world says of its files. Each file is read once.
    pub(super) fn of_problems(world: &World, settings: &Settings) -> Vec<Self> {
        let files = world.problems().chunk_by(|a, b| a.file == b.file);
        let reports = files.flat_map(|problems| {
            let has_line = problems.iter().any(|problem| problem.line.is_some());
            let text = problems
                .first()
                .filter(|_| has_line)
                .and_then(|first| lines_of(world.bytes_of(&first.file)?));
            let lines: Vec<&str> = text.iter().flat_map(|text| text.lines()).collect();
            let report = |problem: &Problem| Self::of_problem(problem, &lines, settings);
            problems.iter().filter_map(report).collect::<Vec<_>>()
        });
        reports.collect()
    }

    fn of_problem(problem: &Problem, lines: &[&str], settings: &Settings) -> Option<Self> {
        let rule = Rule::of(if problem.left_out { "W001" } else { "W002" })?;
        let is_okf = problem.key.as_deref().is_some_and(|key| NESTED_IN_OKF.contains(&key));
        let severity = match settings.severity(rule)? {
            Severity::Warning if is_okf && !problem.left_out => Severity::Note,
            severity => severity,
        };
        let text = problem.line.and_then(|line| lines.get(line.checked_sub(1)?));
        let marked = text.map(|text| marked(text, problem));
        let located = problem.line.map(|line| {
            let (column, end_column) = match (text, &marked) {
                (Some(text), Some(marked)) => {
                    let column = |at: usize| 1 + text[..at].chars().count();
                    (column(marked.start), column(marked.end))
                }
                _ => (problem.column.unwrap_or(1), problem.column.unwrap_or(1)),
            };
            Located { line, column, end_line: line, end_column, range: 0..0 }
        });
        let shown = text.zip(marked).map(|(text, marked)| shown(text, marked));
        Some(Self {
            rule,
            severity,
            path: None,
            file: problem.file.clone(),
            located,
            shown,
            key: problem.key.clone(),
            message: problem.message.clone(),
            help: problem.help.clone(),
        })
    }

    /// Findings of documents, those of one document together. Each file is read once.
    pub(super) fn of_findings(world: &World, findings: &[Finding]) -> Vec<Self> {
        let documents: Vec<&[Finding]> = findings.chunk_by(|a, b| a.path == b.path).collect();
        let reports = documents.into_par_iter().flat_map_iter(|found| {
            let Some(first) = found.first() else { return Vec::new() };
            let text = world.text_of(&first.path);
            let documents = world.documents();
            let at = documents.binary_search_by(|document| document.path().cmp(&first.path));
            let body = at.map_or("", |at| documents[at].body());
            found.iter().map(|finding| Self::of_finding(finding, text.as_ref(), body)).collect()
        });
        let mut reports: Vec<Self> = reports.collect();
        reports.sort_by(|a, b| {
            let place = |report: &Self| report.located.as_ref().map(|located| located.range.start);
            (&a.path, place(a), a.rule.code).cmp(&(&b.path, place(b), b.rule.code))
        });
        reports
    }

    fn of_finding(finding: &Finding, text: Option<&(PathBuf, String)>, body: &str) -> Self {
        let located = text.map(|(_, text)| locate(text, body, &finding.place));
        let shown = text.zip(located.as_ref()).map(|((_, text), located)| {
            let start = text[..located.range.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
            let marked = located.range.start - start..located.range.end.min(end) - start;
            shown(text[start..end].trim_end_matches('\r'), marked)
        });
        let file = match text {
            Some((file, _)) => file.clone(),
            None => PathBuf::from(finding.path.trim_start_matches('/')),
        };
        Self {
            rule: finding.rule,
            severity: finding.severity,
            file,
            located,
            shown,
            key: finding.place.key().map(str::to_owned),
            message: visible_line(&finding.message),
            help: visible_line(&finding.help),
            path: Some(finding.path.clone()),
        }
    }

    /// The file as it is shown.
    pub(super) fn file(&self) -> String {
        visible_line(&self.file.display().to_string())
    }
}

/// The text of a file that may be no UTF-8, for its lines; a byte order mark is no part
/// of them. There is none of a file in UTF-16 or of a packed one.
fn lines_of(bytes: Vec<u8>) -> Option<String> {
    if bytes.starts_with(&PACKED) {
        return None;
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.as_bytes().contains(&0) => return None,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    Some(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// What of its line a problem is about: the key that stands there, else one character;
/// without a column all of the line.
fn marked(line: &str, problem: &Problem) -> Range<usize> {
    let Some(column) = problem.column else {
        return line.len() - line.trim_start().len()..line.trim_end().len().max(1).min(line.len());
    };
    let places = line.char_indices().map(|(at, _)| at);
    let start = places.clone().nth(column.saturating_sub(1)).unwrap_or(line.len());
    let key = problem.key.as_deref().filter(|key| line[start..].starts_with(key));
    let one = line[start..].chars().next().map_or(0, char::len_utf8);
    start..start + key.map_or(one, str::len)
}

/// A line that is safe to print, cut to what is around the marked bytes.
fn shown(line: &str, marked: Range<usize>) -> (String, Range<usize>) {
    let end = marked.end.min(line.len());
    let marked = marked.start.min(end)..end;
    let before: Vec<char> = line[..marked.start].chars().collect();
    let cut = before.len().saturating_sub(AROUND);
    let before: String = before[cut..].iter().collect();
    let middle: String = line[marked.clone()].chars().take(2 * AROUND).collect();
    let after: String = line[marked.end..].chars().take(AROUND).collect();
    let mut out = if cut > 0 { "…".to_owned() } else { String::new() };
    out.push_str(&visible_line(&before));
    let start = out.len();
    out.push_str(&visible_line(&middle));
    let end = out.len();
    out.push_str(&visible_line(&after));
    (out, start..end)
}

/// All findings as a compiler tells its own.
pub(super) fn text(reports: &[Report], colours: bool) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    let one = |report: &Report| {
        let level = match report.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let file = report.file();
        let title = level.primary_title(report.message.as_str()).id(report.rule.code);
        let help = Level::HELP.message(report.help.as_str());
        let group = match (&report.shown, &report.located) {
            (Some((line, marked)), Some(located)) => {
                // A place without a character of its own still has a mark.
                let marked = marked.start..marked.end.max(marked.start);
                let snippet = Snippet::source(line.as_str())
                    .line_start(located.line)
                    .path(file.as_str())
                    .annotation(AnnotationKind::Primary.span(marked));
                Group::with_title(title).element(snippet).element(help)
            }
            (_, located) => {
                let mut origin = annotate_snippets::Origin::path(file.as_str());
                if let Some(located) = located {
                    origin = origin.line(located.line).char_column(located.column);
                }
                Group::with_title(title).element(origin).element(help)
            }
        };
        let rendered = renderer.render(&[group]) + "\n\n";
        match &report.located {
            Some(located) => with_origin(rendered, &file, located),
            None => rendered,
        }
    };
    reports.par_iter().map(one).collect()
}

/// The second line names the place. The renderer counts its column in the line as it is
/// shown, which may be cut and hold signs for what cannot be printed.
fn with_origin(rendered: String, file: &str, located: &Located) -> String {
    let Some(from) = rendered.find('\n').map(|at| at + 1) else { return rendered };
    let to = rendered[from..].find('\n').map_or(rendered.len(), |length| from + length);
    let place = format!("{file}:{}:", located.line);
    let Some(at) = rendered[from..to].rfind(&place) else { return rendered };
    let column = from + at + place.len();
    let digits = rendered[column..].bytes().take_while(u8::is_ascii_digit).count();
    format!("{}{}{}", &rendered[..column], located.column, &rendered[column + digits..])
}

#[derive(Serialize)]
struct Line<'a> {
    code: &'a str,
    name: &'a str,
    severity: Severity,
    file: String,
    path: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    key: Option<&'a str>,
    message: &'a str,
    help: &'a str,
}

/// All findings as JSON, an object a line.
pub(super) fn json_lines(reports: &[Report]) -> Result<String, Error> {
    let mut out = String::new();
    for report in reports {
        let located = report.located.as_ref();
        let line = Line {
            code: report.rule.code,
            name: report.rule.name,
            severity: report.severity,
            file: report.file.display().to_string(),
            path: report.path.as_deref(),
            line: located.map(|located| located.line),
            column: located.map(|located| located.column),
            end_line: located.map(|located| located.end_line),
            end_column: located.map(|located| located.end_column),
            key: report.key.as_deref(),
            message: &report.message,
            help: &report.help,
        };
        out.push_str(&serde_json::to_string(&line).map_err(std::io::Error::from)?);
        out.push('\n');
    }
    Ok(out)
}
