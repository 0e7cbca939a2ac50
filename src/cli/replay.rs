//! `markscope replay`: recorded lookups put again, under one engine or two.

pub(super) mod text;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::args::{Budgets, EngineName, Format, State, tokens};
use super::lookups_file;
use super::open::open_and_tell;
use super::output::{self, End, Error, tell};
use super::progress::{Progress, Stop};
use super::report_file::{self, check_resumed};
use super::result_file::{self, Reads, shown};
use crate::selection::Engine;
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

Ctrl-C, SIGTERM and SIGHUP leave the report of what is done, and a long run writes it
every few seconds; --resume goes on from it.";

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Folder, store, archive, or `bundled`
    world: String,
    /// Recorded lookups, one JSON object a line; - is stdin
    #[arg(long, value_name = "FILE")]
    lookups: PathBuf,
    /// Which rules select the evidence
    #[arg(long, value_name = "ENGINE", default_value = "selection")]
    engine: EngineName,
    /// Rules that they are held against
    #[arg(long, value_name = "ENGINE")]
    against: Option<EngineName>,
    #[command(flatten)]
    budgets: Budgets,
    /// Estimate turns and their tokens by this policy
    #[arg(long, value_name = "POLICY")]
    policy: Option<PolicyName>,
    /// The rules of the mixed policy, as TOML
    #[arg(long, value_name = "FILE", requires = "policy")]
    rules: Option<PathBuf>,
    /// Tokens of one turn's prompt without results
    #[arg(long, value_name = "TOKENS", default_value_t = CostModel::default().turn_tokens, value_parser = tokens)]
    turn_tokens: u64,
    /// Tokens of one fetched passage
    #[arg(long, value_name = "TOKENS", default_value_t = CostModel::default().fetch_tokens, value_parser = tokens)]
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
    let options = Options { budget: args.budgets.of_all(), policy: policy(args)? };
    let mut lookups = lookups_file::lookups(&args.lookups)?;
    args.budgets.fill(&mut lookups);
    let before = args.resume.as_deref().map(read_report).transpose()?;
    let out = args.out.as_ref().or(args.resume.as_ref());
    if let Some(file) = out {
        let files = [Some(&args.lookups), args.rules.as_ref()].into_iter().flatten();
        let files = files.map(PathBuf::as_path).collect();
        result_file::check(file, "--out", &Reads { files, worlds: vec![&args.world] })?;
    }
    let opened = open_and_tell(&args.world, args.state)?;
    let replay = Replay {
        store: &opened.store,
        lookups: &lookups,
        engine: args.engine.engine(),
        against: args.against.map(EngineName::engine),
        options,
    };
    let hashes = replay.hashes();
    let entries = match (before, &args.resume) {
        (Some(before), Some(file)) => {
            let name = |engine: Option<Engine>| engine.map_or("none", Engine::name);
            let count = (lookups.len().to_string(), before.lookups.to_string());
            let known = [
                ("lookups", count.0.as_str(), count.1.as_str()),
                ("engine", replay.engine.name(), before.engine.name()),
                ("against", name(replay.against), name(before.against)),
            ];
            check_resumed(file, (&hashes, &before.hashes), &known)?;
            if let Some(fault) = before.entry_fault().or_else(|| before.changed()) {
                return Err(changed(file, &fault));
            }
            before.entries
        }
        _ => Vec::new(),
    };
    let left = report_file::left(lookups.len(), entries.iter().map(|entry| entry.lookup));
    let stop = Stop::listen();
    let progress = Progress::resumed(lookups.len() - left.len(), lookups.len());
    let report_of = |fresh: &[ReportEntry]| {
        let all = [&entries[..], fresh].concat();
        replay.report(hashes.clone(), all)
    };
    let fresh = report_file::work(
        &left,
        &stop,
        &progress,
        |at| replay.entry(at),
        |fresh| out.map_or(Ok(()), |file| report_file::write(&report_of(fresh), file)),
    )?;
    progress.end();
    let report = report_of(&fresh);
    if let Some(file) = out {
        report_file::write(&report, file)?;
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
        // Where every lookup is refused nothing was measured.
        let is_measured = report.entries.iter().any(|entry| !entry.is_refused());
        return Ok(opened.end(if is_measured { End::Fine } else { End::NoMatch }));
    }
    report_file::tell_ended(report.entries.len(), report.lookups, out, &stop);
    Ok(stop.end())
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
        Error::Usage(format!("{}{line}: {}", shown(file), visible_line(&message)))
    })
}

/// Reads a report.
pub(super) fn read_report(file: &Path) -> Result<Report, Error> {
    report_file::read(file, "replay", |report: &Report| &report.format, FORMAT)
}

/// A report that does not hold together was not written by a replay.
pub(super) fn changed(file: &Path, (key, words): &(String, String)) -> Error {
    let (file, key) = (shown(file), visible_line(key));
    Error::Usage(format!("{file} is not as a replay writes it: {key}: {words}"))
}
