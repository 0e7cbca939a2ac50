//! `markscope replay`: recorded lookups put again, under one engine or two.

pub(super) mod text;

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use signal_hook::consts::SIGINT;

use super::args::{EngineName, Format, State, budget};
use super::lookups_file;
use super::open::open_and_tell;
use super::output::{self, End, Error, tell};
use super::progress::{Progress, interrupted};
use crate::text::visible_line;
use crate::tune::{
    CostModel, FORMAT, Options, Policy, PolicySpec, Replay, Report, ReportEntry, Rules,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope replay ./notes --lookups lookups.jsonl --engine selection --against rows
  markscope replay ./notes --lookups lookups.jsonl --out selection.json
  markscope replay ./notes --lookups lookups.jsonl --resume selection.json
  markscope replay ./notes --lookups lookups.jsonl --policy budget-first
  markscope replay ./notes --lookups lookups.jsonl --policy mixed --rules rules.toml

rules.toml: the first rule that holds decides, by category, by words, or by both.
  default = \"section-first\"
  [[rule]]
  category = \"survey\"
  policy = \"budget-first\"
  [[rule]]
  words = [\"compare\", \"all\"]
  policy = \"budget-first\"

Turns and their tokens are a model, not a reader: an attempt asks the lookup in one
turn, fetches each required passage that it has not got in one more, and answers
in the last; every turn is given the prompt and all results before it anew.

Ctrl-C leaves the report of what is done; --resume goes on from it.";

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Folder, store, archive, or `bundled`
    world: String,
    /// Recorded lookups, one JSON object a line
    #[arg(long, value_name = "FILE")]
    lookups: PathBuf,
    /// Which rules select the evidence
    #[arg(long, value_name = "ENGINE", default_value = "selection")]
    engine: EngineName,
    /// Rules that they are held against
    #[arg(long, value_name = "ENGINE")]
    against: Option<EngineName>,
    /// One budget for all lookups, in place of those recorded
    #[arg(long, value_name = "TOKENS", value_parser = budget)]
    budget: Option<u64>,
    /// Estimate turns and their tokens by this policy
    #[arg(long, value_name = "POLICY")]
    policy: Option<PolicyName>,
    /// The rules of the mixed policy, as TOML
    #[arg(long, value_name = "FILE", requires = "policy")]
    rules: Option<PathBuf>,
    /// Tokens of one turn's prompt without results
    #[arg(long, value_name = "TOKENS", default_value_t = CostModel::default().turn_tokens, value_parser = budget)]
    turn_tokens: u64,
    /// Tokens of one fetched passage
    #[arg(long, value_name = "TOKENS", default_value_t = CostModel::default().fetch_tokens, value_parser = budget)]
    fetch_tokens: u64,
    /// Write the report, as JSON, to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on from a report that is not complete; written back unless --out is given
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// What to print: a text to read, or the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PolicyName {
    /// The table first, then each required passage by a fetch
    SectionFirst,
    /// A budgeted lookup first, then fetches of what it left out
    BudgetFirst,
    /// One of the two, by --rules
    Mixed,
}

pub(super) fn run(args: &ReplayArgs) -> Result<End, Error> {
    let options = Options { budget: args.budget, policy: policy(args)? };
    let lookups = lookups_file::lookups(&args.lookups)?;
    let before = args.resume.as_deref().map(read_report).transpose()?;
    let opened = open_and_tell(&args.world, args.state)?;
    let replay = Replay {
        store: &opened.store,
        lookups: &lookups,
        engine: args.engine.engine(),
        against: args.against.map(EngineName::engine),
        options,
    };
    let hashes = replay.hashes();
    let mut entries = match (before, &args.resume) {
        (Some(before), Some(file)) => {
            let fresh = replay.report(hashes.clone(), Vec::new());
            check_resumed(&fresh, &before, file)?;
            before.entries
        }
        _ => Vec::new(),
    };
    let done: Vec<usize> = entries.iter().map(|entry| entry.lookup).collect();
    let left: Vec<usize> = (0..lookups.len()).filter(|at| !done.contains(&(at + 1))).collect();
    let stop = interrupted();
    let progress = Progress::new(left.len());
    let fresh: Vec<ReportEntry> = left
        .par_iter()
        .filter_map(|at| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let entry = replay.entry(*at);
            progress.step();
            entry
        })
        .collect();
    progress.end();
    entries.extend(fresh);
    let report = replay.report(hashes, entries);
    let out = args.out.as_ref().or(args.resume.as_ref());
    if let Some(file) = out {
        output::file(&report, file)?;
    }
    for entry in &report.entries {
        for remark in &entry.remarks {
            tell(&format!("markscope: {}: {}", visible_line(&entry.name), visible_line(remark)));
        }
    }
    match args.format {
        Format::Text => output::raw(&text::report(&report))?,
        Format::Json => output::json(&report)?,
    }
    if report.complete {
        return Ok(opened.end(End::Fine));
    }
    tell(&match out {
        Some(file) => format!(
            "markscope: ended after {} of {} lookups; --resume {} goes on",
            report.entries.len(),
            report.lookups,
            visible_line(&file.display().to_string())
        ),
        None => format!(
            "markscope: ended after {} of {} lookups; with --out FILE it could be resumed",
            report.entries.len(),
            report.lookups
        ),
    });
    Ok(End::Signal(SIGINT))
}

fn policy(args: &ReplayArgs) -> Result<Option<PolicySpec>, Error> {
    let Some(name) = args.policy else { return Ok(None) };
    let rules = match (&args.rules, name) {
        (Some(file), PolicyName::Mixed) => Some(rules(file)?),
        (Some(_), _) => {
            return Err(Error::Usage("--rules goes with --policy mixed alone".into()));
        }
        (None, PolicyName::Mixed) => {
            return Err(Error::Usage(
                "--policy mixed needs --rules FILE; `markscope replay --help` shows one".into(),
            ));
        }
        (None, _) => None,
    };
    let name = match name {
        PolicyName::SectionFirst => Policy::SectionFirst,
        PolicyName::BudgetFirst => Policy::BudgetFirst,
        PolicyName::Mixed => Policy::Mixed,
    };
    let cost = CostModel { turn_tokens: args.turn_tokens, fetch_tokens: args.fetch_tokens };
    Ok(Some(PolicySpec { name, rules, cost }))
}

fn rules(file: &Path) -> Result<Rules, Error> {
    Rules::parse(&lookups_file::text(file)?).map_err(|(line, message)| {
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let file = file.display().to_string();
        Error::Usage(format!("{}{line}: {}", visible_line(&file), visible_line(&message)))
    })
}

/// Reads a report.
pub(super) fn read_report(file: &Path) -> Result<Report, Error> {
    let shown = visible_line(&file.display().to_string());
    let text = lookups_file::text(file)?;
    let mut json = serde_json::Deserializer::from_str(&text);
    let report: Report = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let why = visible_line(&error.inner().to_string());
        Error::Usage(format!("{shown} is no report of a replay: {}: {why}", error.path()))
    })?;
    json.end().map_err(|error| Error::Usage(format!("{shown}: {error}")))?;
    if report.format != FORMAT {
        return Err(Error::Usage(format!(
            "{shown} has the format {}; this program reads {FORMAT}",
            visible_line(&report.format)
        )));
    }
    Ok(report)
}

/// A report can be resumed where all that it depends on is the same.
fn check_resumed(now: &Report, before: &Report, file: &Path) -> Result<(), Error> {
    let against = |report: &Report| report.against.map_or("none", |engine| engine.name());
    let pairs = [
        ("hashes.world", &now.hashes.world, &before.hashes.world),
        ("hashes.lookups", &now.hashes.lookups, &before.hashes.lookups),
        ("hashes.engine", &now.hashes.engine, &before.hashes.engine),
        ("hashes.options", &now.hashes.options, &before.hashes.options),
        ("against", &against(now).to_owned(), &against(before).to_owned()),
    ];
    match pairs.into_iter().find(|(_, now, before)| now != before) {
        None => Ok(()),
        Some((key, now, before)) => Err(Error::Usage(format!(
            "{} cannot be resumed: {key} is {} there and {} now",
            visible_line(&file.display().to_string()),
            visible_line(before),
            visible_line(now)
        ))),
    }
}
