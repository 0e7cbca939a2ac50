//! `markscope sweep`: what each budget buys.

mod text;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::args::{EngineName, State, budget};
use super::lookups_file::lookups;
use super::open::open_and_tell;
use super::output::{self, End, Error, tell};
use super::progress::{Progress, Stop};
use super::replay::text::not_complete;
use super::report_file::{self, check_resumed};
use super::result_file::{self, Reads, shown};
use crate::text::{counted, visible_line};
use crate::tune::{LookupCurve, SWEEP_FORMAT, SweepReport, Sweeping, svg};
pub(super) use text::{aligned, shortened};
use text::{csv, table};

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope sweep bundled --lookups lookups.jsonl
  markscope sweep ./notes --lookups lookups.jsonl --to 4000 --format csv
  markscope sweep ./notes --lookups lookups.jsonl --format svg > curve.svg
  markscope sweep ./notes --lookups lookups.jsonl --out curves.json
  markscope sweep ./notes --lookups lookups.jsonl --resume curves.json

The curve is exact: it is taken at the budgets at which a result changes, and
holds in between. --format csv and json have every step.

The knee is the budget at which the curve is farthest above the straight line
from its beginning to its end, both axes taken as parts of the whole. It is told
of the required passages contained, or, where none is required, of the rows
expanded and the related documents.

Ctrl-C, SIGTERM and SIGHUP leave the report of what is done, and a long run writes it
every few seconds; --resume goes on from it.";

#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    /// Folder, store, archive, or `bundled`
    world: String,
    /// Recorded lookups, one JSON object a line; - is stdin
    #[arg(long, value_name = "FILE")]
    lookups: PathBuf,
    /// The smallest budget, in tokens
    #[arg(long, value_name = "TOKENS", default_value = "0", value_parser = budget)]
    from: u64,
    /// The largest budget, in tokens
    #[arg(long, value_name = "TOKENS", default_value = "8000", value_parser = budget)]
    to: u64,
    /// Which rules select the evidence
    #[arg(long, value_name = "ENGINE", default_value = "selection")]
    engine: EngineName,
    /// Write the report, as JSON, to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on from a report that is not complete; written back unless --out is given
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// A table, every step as CSV or JSON, or a chart
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
    /// Show every step of every curve in the table
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
    Svg,
}

pub(super) fn run(args: &SweepArgs) -> Result<End, Error> {
    if args.from > args.to {
        return Err(Error::Usage(format!(
            "--from {} is more than --to {}; give the smaller budget first",
            args.from, args.to
        )));
    }
    let lookups = lookups(&args.lookups)?;
    let before = args.resume.as_deref().map(read_report).transpose()?;
    let out = args.out.as_ref().or(args.resume.as_ref());
    if let Some(file) = out {
        let reads = Reads { files: vec![&args.lookups], worlds: vec![&args.world] };
        result_file::check(file, "--out", &reads)?;
    }
    let opened = open_and_tell(&args.world, args.state)?;
    let sweeping = Sweeping {
        store: &opened.store,
        lookups: &lookups,
        engine: args.engine.engine(),
        from: args.from,
        to: args.to,
    };
    let hashes = sweeping.hashes();
    let curves = match (before, &args.resume) {
        (Some(before), Some(file)) => {
            let now = [lookups.len() as u64, args.from, args.to].map(|count| count.to_string());
            let then = [before.asked as u64, before.from, before.to].map(|count| count.to_string());
            let known = [
                ("asked", now[0].as_str(), then[0].as_str()),
                ("from", &now[1], &then[1]),
                ("to", &now[2], &then[2]),
                ("engine", sweeping.engine.name(), before.engine.name()),
            ];
            check_resumed(file, (&hashes, &before.hashes), &known)?;
            before.changed().map_or(Ok(()), |fault| Err(no_report(file, &fault)))?;
            before.lookups
        }
        _ => Vec::new(),
    };
    let left = report_file::left(lookups.len(), curves.iter().filter_map(|curve| curve.lookup));
    let stop = Stop::listen();
    let progress = Progress::resumed(lookups.len() - left.len(), lookups.len());
    let report_of = |fresh: &[LookupCurve]| {
        let all = [&curves[..], fresh].concat();
        sweeping.report(hashes.clone(), all)
    };
    let fresh = report_file::work(
        &left,
        &stop,
        &progress,
        |at| sweeping.curve(at),
        |fresh| out.map_or(Ok(()), |file| report_file::write(&report_of(fresh), file)),
    )?;
    progress.end();
    let report = report_of(&fresh);
    if let Some(file) = out {
        report_file::write(&report, file)?;
    }
    for curve in &report.lookups {
        for remark in &curve.remarks {
            tell(&format!("markscope: {}: {}", visible_line(&curve.name), visible_line(remark)));
        }
    }
    let title = title(&report);
    match args.format {
        Format::Table => output::raw(&table(&report, &title, args.all))?,
        Format::Csv => output::result(&csv(&report))?,
        Format::Json => output::json(&report)?,
        Format::Svg if report.complete => output::result(&svg(&report.sweep(), &title))?,
        Format::Svg => {
            let part = not_complete(report.lookups.len(), report.asked);
            output::result(&svg(&report.sweep(), &format!("{title}. {part}")))?;
        }
    }
    if report.complete {
        return Ok(opened.end(End::Fine));
    }
    report_file::tell_ended(report.lookups.len(), report.asked, out, &stop);
    Ok(stop.end())
}

fn title(report: &SweepReport) -> String {
    format!(
        "{} in {}, {} to {} tokens, engine {}",
        counted(report.asked, "lookup"),
        visible_line(&report.world),
        report.from,
        report.to,
        report.engine.name()
    )
}

/// Reads a report to go on from.
fn read_report(file: &Path) -> Result<SweepReport, Error> {
    let report =
        report_file::read(file, "sweep", |report: &SweepReport| &report.format, SWEEP_FORMAT)?;
    match report.fault() {
        None => Ok(report),
        Some(fault) => Err(no_report(file, &fault)),
    }
}

fn no_report(file: &Path, (key, why): &(String, String)) -> Error {
    Error::Usage(format!("{} is no report of a sweep: {key}: {why}", shown(file)))
}
