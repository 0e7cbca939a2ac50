//! `markscope check`: what an author should know before publishing.

mod report;
mod sarif;

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::slice;

use clap::{Args, ValueEnum};

use super::args::{Color, State};
use super::open::{Opened, documents, open, revision_of};
use super::output::{self, End, Error, tell};
use super::text_file;
use crate::check::{self, Place, RULES, Rule, Settings, Severity};
use crate::lookup::Store;
use crate::text::visible_line;
use crate::tui;
use crate::world::{Problem, Source, World};
use report::Report;

/// The settings of a world, in its folder.
const SETTINGS: &str = ".markscope.toml";
/// The settings are not as large by far; in bytes.
const MOST: u64 = 1 << 20;

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope check ./notes
  markscope check ./notes /adr --deny warnings
  markscope check ./notes --format sarif > notes.sarif
  markscope check --explain R006

A world's own settings stand in its .markscope.toml: `vocabulary`, `inverses`,
`budget`, and below [severity] a line such as R010 = \"allow\".";

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Folder, store, archive, or `bundled`
    #[arg(required_unless_present_any = ["explain", "list"])]
    world: Option<String>,
    /// Only documents at or below these paths
    paths: Vec<String>,
    #[command(flatten)]
    state: State,
    /// Text with the lines, one JSON object a line, or SARIF 2.1.0
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Count these as errors too
    #[arg(long, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Tell nothing of a rule, by its code or name; can be given again
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Tell notes too: they are worth knowing, and nothing is wrong
    #[arg(long)]
    notes: bool,
    /// Say what a rule is about and what it means for a reader
    #[arg(long, value_name = "CODE", conflicts_with_all = ["world", "list"])]
    explain: Option<String>,
    /// List all rules
    #[arg(long, conflicts_with = "world")]
    list: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    Warnings,
}

pub(super) fn run(args: &Check) -> Result<End, Error> {
    if args.list {
        return list();
    }
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let Some(world) = &args.world else {
        return Err(Error::Usage("which world?".into()));
    };
    let mut settings = settings(world)?;
    for name in &args.allow {
        settings.allow(name).map_err(Error::Usage)?;
    }
    let opened = open(world, args.state)?;
    let paths = paths(&opened, world, &args.paths)?;
    let mut reports = Report::of_problems(&opened.world, &settings);
    if !paths.is_empty() {
        reports.retain(|report| is_below(&path_of(&report.file, world), &paths));
    }
    let found = check::check(&opened.store, &settings);
    let is_wanted = |path: &str| paths.is_empty() || is_below(path, &paths);
    let found = found.into_iter().filter(|finding| is_wanted(&finding.path));
    // Notes are told of where they are asked for, and always to a program.
    let shows_notes = args.notes || args.format != Format::Text;
    let (notes, told): (Vec<_>, Vec<_>) =
        found.partition(|finding| finding.severity == Severity::Note && !shows_notes);
    let all = reports.len();
    reports.retain(|report| report.severity != Severity::Note || shows_notes);
    let notes = notes.len() + all - reports.len();
    reports.extend(Report::of_findings(&opened.world, &told));
    if args.deny == Some(Deny::Warnings) {
        for report in &mut reports {
            if report.severity == Severity::Warning {
                report.severity = Severity::Error;
            }
        }
    }
    match args.format {
        Format::Text => output::raw(&report::text(&reports, colours(args.color)))?,
        Format::Json => output::result(&report::json_lines(&reports)?)?,
        Format::Sarif => output::json(&sarif::log(&reports))?,
    }
    summary(&reports, notes, opened.store.catalog().documents().len());
    let failed = reports.iter().any(|report| report.severity == Severity::Error);
    Ok(if failed { End::NoMatch } else { End::Fine })
}

/// The path in a world that a file of it would have.
fn path_of(file: &Path, world: &str) -> String {
    format!("/{}", file.strip_prefix(world).unwrap_or(file).display())
}

/// Whether a path is one of some, or below one.
fn is_below(path: &str, paths: &[String]) -> bool {
    paths.iter().any(|wanted| {
        path == wanted || path.starts_with(&format!("{}/", wanted.trim_end_matches('/')))
    })
}

fn colours(color: Color) -> bool {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => wanted && io::stdout().is_terminal(),
    }
}

/// What is wrong with a world, for the explorer: all that `check --notes` would tell.
pub(super) fn findings(world: &World, store: &Store, settings: &Settings) -> Vec<tui::Finding> {
    let told = check::check(store, settings);
    let places: HashMap<_, _> = told
        .iter()
        .map(|it| ((it.path.clone(), it.rule.code, visible_line(&it.message)), it.place.clone()))
        .collect();
    let mut reports = Report::of_problems(world, settings);
    reports.extend(Report::of_findings(world, &told));
    let finding = |report: Report| {
        let key = report.path.clone().map(|path| (path, report.rule.code, report.message.clone()));
        tui::Finding {
            code: report.rule.code,
            severity: report.severity,
            place: key.and_then(|key| places.get(&key).cloned()).unwrap_or(Place::Document),
            path: report.path,
            line: report.located.as_ref().map_or(1, |located| located.line),
            file: report.file,
            message: report.message,
            help: report.help,
        }
    };
    reports.into_iter().map(finding).collect()
}

/// The settings in a world's folder, or the usual ones; of a git revision those that it
/// had.
pub(super) fn settings(world: &str) -> Result<Settings, Error> {
    let file = Path::new(world).join(SETTINGS);
    let shown = visible_line(&file.display().to_string());
    let read = match revision_of(world) {
        Some((folder, revision)) => Ok(World::text_in_revision(folder, revision, SETTINGS)),
        None => text_file::read(&file, MOST).map(Some),
    };
    let text = match read {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(Settings::default()),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(Settings::default());
        }
        Err(error) => return Err(Error::Usage(format!("{shown} cannot be read: {error}"))),
    };
    Settings::parse(&text).map_err(|error| {
        let line = error.line.map(|line| format!(":{line}")).unwrap_or_default();
        Error::Usage(format!("{shown}{line}: {}", visible_line(&error.message)))
    })
}

/// The paths asked for, as the world has them; each must be there.
fn paths(opened: &Opened, world: &str, wanted: &[String]) -> Result<Vec<String>, Error> {
    let root = match opened.world.source() {
        Some(Source::Path(root)) => Some(root.as_path()),
        Some(Source::Bundled) => None,
        // A revision has the folder's paths, in front of which its own name may stand.
        None => Some(Path::new(world)),
    };
    wanted
        .iter()
        .map(|path| {
            // A file as a shell completes it is meant as the document it is.
            let below = root.and_then(|root| Path::new(path).strip_prefix(root).ok());
            let path = below.map_or(path.clone(), |below| format!("/{}", below.display()));
            let path = format!("/{}", path.trim_matches('/'));
            let catalog = opened.store.catalog();
            let is_there = catalog.document(&path).is_some() || catalog.is_directory(&path);
            // A file that could not be read is there too: why is what is asked.
            let is_faulty = |problem: &Problem| {
                is_below(&path_of(&problem.file, world), slice::from_ref(&path))
            };
            if is_there || opened.world.problems().iter().any(is_faulty) {
                Ok(path)
            } else {
                Err(Error::NoMatch(format!(
                    "there is no document and no folder {} in this world",
                    visible_line(&path)
                )))
            }
        })
        .collect()
}

fn summary(reports: &[Report], notes: usize, count: usize) {
    let mut parts = Vec::new();
    for (severity, noun) in
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
    {
        let many = reports.iter().filter(|report| report.severity == severity).count();
        if many > 0 {
            parts.push(format!("{many} {noun}{}", if many == 1 { "" } else { "s" }));
        }
    }
    let what = if parts.is_empty() { "nothing wrong".to_owned() } else { parts.join(", ") };
    let more = match notes {
        0 => String::new(),
        1 => "; --notes tells one note more".to_owned(),
        notes => format!("; --notes tells {notes} notes more"),
    };
    tell(&format!("markscope: {what} in {}{more}", documents(count)));
}

fn list() -> Result<End, Error> {
    let lines: String = RULES
        .iter()
        .map(|rule| {
            format!(
                "{}  {:<19}  {:<7}  {}\n",
                rule.code,
                rule.name,
                rule.severity.name(),
                rule.what
            )
        })
        .collect();
    output::result(&lines)?;
    Ok(End::Fine)
}

fn explain(code: &str) -> Result<End, Error> {
    let Some(rule) = Rule::of(code) else {
        let names = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
        let near = check::nearest(code, names).map(|near| format!("; there is {near}"));
        return Err(Error::Usage(format!(
            "there is no rule {}{}",
            visible_line(code),
            near.unwrap_or_else(|| "; --list shows all".into())
        )));
    };
    let mut text =
        format!("{} {} ({})\n{}\n\n", rule.code, rule.name, rule.severity.name(), rule.what);
    let mut width = 0;
    for word in rule.explanation.split(' ') {
        if width > 0 && width + 1 + word.len() > 80 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
    output::result(&text)?;
    Ok(End::Fine)
}
