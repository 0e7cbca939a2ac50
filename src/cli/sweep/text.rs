//! A sweep as a table to read and as CSV, and what tables of other commands share.

use std::fmt::Write as _;

use crate::cli::replay::text::{not_complete, odd_passages};
use crate::text::visible_line;
use crate::tune::{Figures, LookupCurve, SweepReport};

/// Lines of the curve that a table shows of its own accord.
const SHOWN: usize = 24;

/// The table of a sweep, with every step of every curve if `all` are wanted.
pub(super) fn table(sweep: &SweepReport, title: &str, all: bool) -> String {
    let mut out = format!("{title}\n");
    if !sweep.complete {
        out.push_str(&not_complete(sweep.lookups.len(), sweep.asked));
        out.push('\n');
    }
    out.push_str(&odd_passages(sweep.all.required, sweep.all.absent, sweep.all.left_out));
    out.push('\n');
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
        let most = |of: fn(&Figures) -> u64| {
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

/// Every step of every curve as CSV; the sum comes last, as `all`.
pub(super) fn csv(sweep: &SweepReport) -> String {
    let mut out = String::from(
        "lookup,name,budget,tokens,bytes,rows,expanded,hops,blocks,citable_blocks,stubs,fetches,\
         required,contained,citable\n",
    );
    for curve in sweep.lookups.iter().chain([&sweep.all]) {
        let number = curve.lookup.map_or("all".to_owned(), |place| place.to_string());
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
pub(in crate::cli) fn shortened(name: &str) -> String {
    let name = visible_line(name);
    match name.char_indices().nth(28) {
        Some((cut, _)) => format!("{}…", &name[..cut]),
        None => name,
    }
}

/// Lines of cells, the first to the left and the others to the right.
pub(in crate::cli) fn aligned<const N: usize>(lines: &[[String; N]]) -> String {
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
