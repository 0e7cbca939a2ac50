//! `markscope sweep`: what each budget buys.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use signal_hook::consts::SIGINT;

use super::args::{EngineName, State, budget};
use super::lookups_file::{lookups, text};
use super::open::open_and_tell;
use super::output::{self, End, Error, tell};
use super::progress::{Progress, interrupted};
use crate::text::visible_line;
use crate::tune::{LookupCurve, Sweep, SweepFile, svg, sweep_one};

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope sweep bundled --lookups lookups.jsonl
  markscope sweep ./notes --lookups lookups.jsonl --to 4000 --format csv
  markscope sweep ./notes --lookups lookups.jsonl --format svg > curve.svg
  markscope sweep ./notes --lookups lookups.jsonl --out sweep.json
  markscope sweep ./notes --lookups lookups.jsonl --resume sweep.json

The curve is exact: it is taken at the budgets at which a result changes, and
holds in between. --format csv and json have every step.

The knee is the budget at which the curve is farthest above the straight line
from its beginning to its end, both axes taken as parts of the whole. It is told
of the required passages contained, or, where none is required, of the rows
expanded and the related documents.

Ctrl-C leaves what is done in the file of --out; --resume goes on from it.";

/// Lines of the curve that a table shows of its own accord.
const SHOWN: usize = 24;

#[derive(Debug, Args)]
pub(super) struct SweepArgs {
    /// Folder, store, archive, or `bundled`
    world: String,
    /// Recorded lookups, one JSON object a line
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
    /// A table, every step as CSV or JSON, or a chart
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
    /// Write the curves, as JSON, to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on from a file that is not complete; written back unless --out is given
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
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
    let opened = open_and_tell(&args.world, args.state)?;
    let engine = args.engine.engine();
    let mut file = SweepFile::new(&opened.store, &lookups, engine, (args.from, args.to));
    if let Some(before) = &args.resume {
        file.resume(read(before)?).map_err(|(key, there, now)| {
            Error::Usage(format!(
                "{} cannot be resumed: {key} is {} there and {now} now",
                visible_line(&before.display().to_string()),
                visible_line(&there)
            ))
        })?;
    }
    let left = file.left();
    let stop = interrupted();
    let progress = Progress::new(left.len());
    let done: Vec<(usize, LookupCurve)> = left
        .par_iter()
        .filter_map(|at| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let curve = sweep_one(&lookups[*at], &opened.store, engine, args.from, args.to);
            progress.step();
            Some((*at, curve))
        })
        .collect();
    progress.end();
    file.add(done);
    let out = args.out.as_ref().or(args.resume.as_ref());
    if let Some(out) = out {
        output::file(&file, out)?;
    }
    let ended = (!file.complete).then(|| unfinished(&file, out));
    let sweep = Sweep::of(args.from, args.to, engine, file.curves.into_values().collect());
    for curve in &sweep.lookups {
        for remark in &curve.remarks {
            tell(&format!("markscope: {}: {}", visible_line(&curve.name), visible_line(remark)));
        }
    }
    let title = format!(
        "{} lookups in {}, {} to {} tokens, engine {}",
        sweep.lookups.len(),
        visible_line(opened.store.name()),
        sweep.from,
        sweep.to,
        engine.name()
    );
    match args.format {
        Format::Table => output::raw(&table(&sweep, &title, args.all))?,
        Format::Csv => output::result(&csv(&sweep))?,
        Format::Json => output::json(&sweep)?,
        Format::Svg => output::result(&svg(&sweep, &title))?,
    }
    match ended {
        None => Ok(opened.end(End::Fine)),
        Some(words) => {
            tell(&words);
            Ok(End::Signal(SIGINT))
        }
    }
}

/// How far an interrupted run has come, and how it goes on.
fn unfinished(file: &SweepFile, out: Option<&PathBuf>) -> String {
    let (done, all) = (file.curves.len(), file.lookups);
    match out {
        Some(out) => format!(
            "markscope: ended after {done} of {all} lookups; --resume {} goes on",
            visible_line(&out.display().to_string())
        ),
        None => format!(
            "markscope: ended after {done} of {all} lookups; with --out FILE it could be resumed"
        ),
    }
}

/// Reads a sweep that was written before.
fn read(file: &Path) -> Result<SweepFile, Error> {
    let shown = visible_line(&file.display().to_string());
    let text = text(file)?;
    let mut json = serde_json::Deserializer::from_str(&text);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let why = visible_line(&error.inner().to_string());
        Error::Usage(format!("{shown} is no file of a sweep: {}: {why}", error.path()))
    })?;
    json.end().map_err(|error| Error::Usage(format!("{shown}: {error}")))?;
    Ok(read)
}

fn table(sweep: &Sweep, title: &str, all: bool) -> String {
    let mut out = format!("{title}\n\n");
    let mut lines = vec![[
        "lookup".to_owned(),
        "steps".into(),
        "tokens".into(),
        "rows".into(),
        "hops".into(),
        "contained".into(),
        "citable".into(),
        "from".into(),
        "citable from".into(),
        "knee".into(),
    ]];
    for curve in sweep.lookups.iter().chain([&sweep.all]) {
        let last = curve.points.last().map(|point| point.figures).unwrap_or_default();
        let most = |of: fn(&crate::tune::Figures) -> u64| {
            curve.points.iter().map(|point| of(&point.figures)).max().unwrap_or(0)
        };
        let (contained, citable) =
            (most(|figures| figures.contained), most(|figures| figures.citable));
        let reached =
            |count: u64| count.checked_sub(1).and_then(|at| curve.reached.get(at as usize));
        let or_dash = |budget: Option<u64>| budget.map_or("-".to_owned(), |b| b.to_string());
        lines.push([
            shortened(&curve.name),
            curve.points.len().to_string(),
            last.tokens.to_string(),
            format!("{}/{}", last.expanded, last.rows),
            last.hops.to_string(),
            format!("{contained}/{}", curve.required),
            format!("{citable}/{}", curve.required),
            or_dash(reached(contained).and_then(|reached| reached.contained)),
            or_dash(reached(citable).and_then(|reached| reached.citable)),
            or_dash(curve.knee),
        ]);
    }
    out.push_str(&aligned(&lines));
    let _ = write!(
        out,
        "\nSteps, tokens, rows and hops are those at {} tokens. `contained` and `citable` are\n\
         the most passages that any budget gives, of those required; `from` is the smallest\n\
         budget that gives as many.\n",
        sweep.to
    );
    if all && sweep.lookups.len() > 1 {
        for curve in &sweep.lookups {
            let _ = write!(out, "\n{}\n{}", visible_line(&curve.name), steps(curve, usize::MAX));
        }
    }
    let shown = if all { usize::MAX } else { SHOWN };
    let _ = write!(out, "\nall lookups, each with the budget\n{}", steps(&sweep.all, shown));
    let left_out = sweep.all.points.len().saturating_sub(shown);
    if left_out > 0 {
        let _ = writeln!(
            out,
            "{left_out} of {} steps are left out; --all shows them",
            sweep.all.points.len()
        );
    }
    out
}

/// The steps of a curve; of many, as many as wanted, evenly.
fn steps(curve: &LookupCurve, most: usize) -> String {
    let points = &curve.points;
    let mut wanted: Vec<usize> = (0..points.len()).collect();
    if points.len() > most {
        let every = |at: usize| at * (points.len() - 1) / (most - 1).max(1);
        wanted = (0..most).map(every).collect();
        wanted.dedup();
    }
    let mut lines =
        vec![["budget", "tokens", "rows", "hops", "contained", "citable"].map(str::to_owned)];
    for at in wanted {
        let (budget, figures) = (points[at].budget, points[at].figures);
        lines.push([
            budget.to_string(),
            figures.tokens.to_string(),
            format!("{}/{}", figures.expanded, figures.rows),
            figures.hops.to_string(),
            format!("{}/{}", figures.contained, curve.required),
            format!("{}/{}", figures.citable, curve.required),
        ]);
    }
    aligned(&lines)
}

fn csv(sweep: &Sweep) -> String {
    let mut out = String::from(
        "lookup,name,budget,tokens,bytes,rows,expanded,hops,blocks,citable_blocks,stubs,fetches,\
         required,contained,citable\n",
    );
    let numbered = sweep.lookups.iter().enumerate();
    let numbered = numbered.map(|(at, curve)| ((at + 1).to_string(), curve));
    for (number, curve) in numbered.chain([("all".to_owned(), &sweep.all)]) {
        for point in &curve.points {
            let f = &point.figures;
            let _ = writeln!(
                out,
                "{number},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                quoted(&curve.name),
                point.budget,
                f.tokens,
                f.bytes,
                f.rows,
                f.expanded,
                f.hops,
                f.blocks,
                f.citable_blocks,
                f.stubs,
                f.fetches,
                curve.required,
                f.contained,
                f.citable
            );
        }
    }
    out
}

/// A field of CSV as RFC 4180 has it.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A name that leaves room for the figures.
pub(super) fn shortened(name: &str) -> String {
    let name = visible_line(name);
    match name.char_indices().nth(28) {
        Some((cut, _)) => format!("{}…", &name[..cut]),
        None => name,
    }
}

/// Lines of cells, the first to the left and the others to the right.
pub(super) fn aligned<const N: usize>(lines: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(unicode_width::UnicodeWidthStr::width(cell.as_str()));
        }
    }
    let mut out = String::new();
    for line in lines {
        for (at, (cell, width)) in line.iter().zip(widths).enumerate() {
            let pad = width - unicode_width::UnicodeWidthStr::width(cell.as_str());
            let space = " ".repeat(pad);
            let _ = match at {
                0 => write!(out, "{cell}{space}"),
                _ => write!(out, "  {space}{cell}"),
            };
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}
