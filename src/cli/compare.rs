//! `markscope compare`: two reports of replays held against each other.

use std::path::{Path, PathBuf};

use clap::Args;

use super::args::Format;
use super::output::{self, End, Error, tell};
use super::replay::{changed, read_report, text};
use crate::text::visible_line;
use crate::tune::{Between, Report, compare, mismatches};

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope replay ./notes --lookups lookups.jsonl --engine rows --out rows.json
  markscope replay ./notes --lookups lookups.jsonl --out selection.json
  markscope compare rows.json selection.json
  markscope compare section-first.json budget-first.json --policies

Two reports are compared only if they differ in the engine alone, or with
--policies in the policy alone: world, lookups and all else must be the same.
Of a report that holds one engine against another, the first is compared.";

#[derive(Debug, Args)]
pub(super) struct Compare {
    /// The report before
    first: PathBuf,
    /// The report after
    second: PathBuf,
    /// Compare two policies under one engine, not two engines
    #[arg(long)]
    policies: bool,
    /// A text to read, or JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub(super) fn run(args: &Compare) -> Result<End, Error> {
    let first = whole_report(&args.first)?;
    let second = whole_report(&args.second)?;
    let between = if args.policies { Between::Policies } else { Between::Engines };
    let policy = |report: &Report| report.options.policy.as_ref().map(|policy| policy.name.name());
    if args.policies {
        for (report, file) in [(&first, &args.first), (&second, &args.second)] {
            if policy(report).is_none() {
                return Err(Error::Usage(format!(
                    "{} has no policy; make it with `markscope replay --policy`",
                    visible_line(&file.display().to_string())
                )));
            }
        }
    }
    let mismatches = mismatches(&first, &second, between);
    if !mismatches.is_empty() {
        let what = if args.policies { "policy" } else { "engine" };
        tell(&format!("markscope: the reports differ in more than the {what}"));
        for mismatch in &mismatches {
            tell(&format!(
                "markscope: {}: {} and {}",
                mismatch.key,
                shown(&mismatch.first),
                shown(&mismatch.second)
            ));
        }
        return Ok(End::Usage);
    }
    for (report, file) in [(&first, &args.first), (&second, &args.second)] {
        report.changed().map_or(Ok(()), |fault| Err(changed(file, &fault)))?;
    }
    let comparison = compare(&first, &second, between);
    match args.format {
        Format::Json => output::json(&comparison)?,
        Format::Text => {
            let name = |report: &Report| match between {
                Between::Engines => report.engine.name(),
                Between::Policies => policy(report).unwrap_or_default(),
            };
            output::raw(&text::comparison(&comparison, [name(&first), name(&second)]))?;
        }
    }
    Ok(End::Fine)
}

fn whole_report(file: &Path) -> Result<Report, Error> {
    let report = read_report(file)?;
    if report.complete {
        return match report.fault() {
            None => Ok(report),
            Some(fault) => Err(changed(file, &fault)),
        };
    }
    let shown = visible_line(&file.display().to_string());
    Err(Error::Usage(format!(
        "{shown} is not complete: {} of {} lookups; `markscope replay --resume {shown}` goes on",
        report.entries.len(),
        report.lookups
    )))
}

/// A value for a message, not longer than it can be read.
fn shown(value: &str) -> String {
    let value = visible_line(value);
    match value.char_indices().nth(96) {
        Some((cut, _)) => format!("{}…", &value[..cut]),
        None => value,
    }
}
