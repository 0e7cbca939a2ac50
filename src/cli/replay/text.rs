//! A replay's report, and a comparison of two, as text to read.

use std::fmt::Write as _;

use crate::cli::sweep::{aligned, shortened};
use crate::text::{counted, visible_line};
use crate::tune::{
    ArmSummary, Between, Comparison, Difference, HopsVerdict, Interval, Report, ReportEntry,
    SignTest, Summary, Tests,
};

/// Below this many lookups a sample is called small.
const SMALL: u64 = 30;

/// Differences that are listed one by one.
const LISTED: usize = 40;

/// A count beside its part of the whole.
fn of(count: u64, whole: u64) -> String {
    match whole {
        0 => format!("{count} of 0"),
        whole => format!("{count} of {whole} ({:.0}%)", count as f64 * 100.0 / whole as f64),
    }
}

/// What to know of figures that are not of all lookups.
pub(in crate::cli) fn not_complete(done: usize, lookups: usize) -> String {
    let done = of(done as u64, lookups as u64);
    format!("NOT COMPLETE: {done}; all figures are of these")
}

/// What to know of required passages before their counts are read; nothing where all of
/// them are there.
pub(in crate::cli) fn odd_passages(required: u64, absent: u64, left_out: u64) -> String {
    let mut out = String::new();
    if absent > 0 {
        let _ = writeln!(
            out,
            "{} required passages do not stand in the world: no result can hold them",
            of(absent, required)
        );
    }
    if left_out > 0 {
        let words = match left_out {
            1 => "passage lies in an old version and counts",
            _ => "passages lie in old versions and count",
        };
        let _ = writeln!(out, "{left_out} more {words} for nothing");
    }
    out
}

fn change(before: u64, after: u64) -> String {
    let change = i128::from(after) - i128::from(before);
    match before {
        0 => format!("{change:+}"),
        before => format!("{change:+} ({:+.1}%)", change as f64 * 100.0 / before as f64),
    }
}

pub(super) fn report(report: &Report) -> String {
    let engine = report.engine.name();
    let head = match report.against {
        Some(against) => format!("{} to {engine}", against.name()),
        None => engine.to_owned(),
    };
    let budget = match report.options.budget {
        Some(budget) => format!("{budget} tokens each"),
        None => "the recorded budgets".into(),
    };
    let mut out = format!(
        "{} in {}, {head}, {budget}\n",
        counted(report.lookups, "lookup"),
        visible_line(&report.world)
    );
    if !report.complete {
        out.push_str(&not_complete(report.entries.len(), report.lookups));
        out.push('\n');
    }
    let all = &report.all;
    out.push_str(&odd_passages(all.required, all.absent, all.left_out));
    out.push('\n');
    let against = report.against.map(|against| against.name());
    out.push_str(&sums(&report.all, engine, against));
    out.push('\n');
    if report.categories.len() > 1 {
        out.push_str(&categories(report));
        out.push('\n');
    }
    out.push_str(&entries(&report.entries));
    let all = &report.all;
    let changed = report.entries.iter().filter(|entry| !entry.differences.is_empty());
    let changed = changed.map(|entry| (entry.name.as_str(), entry.differences.as_slice()));
    if report.against.is_some() {
        out.push_str(&differences(changed));
    }
    out.push_str(&hops(&all.hops, all.engine.hop_fired, all.lookups));
    if let Some(tests) = &all.change {
        out.push_str(&statistics(tests, all.lookups, all.refused));
    }
    if let Some(policy) = &report.options.policy {
        let _ = write!(
            out,
            "\nturns by the policy {}: a model, not a reader ({} tokens a turn, {} a fetch)\n",
            policy.name.name(),
            policy.cost.turn_tokens,
            policy.cost.fetch_tokens
        );
        out.push_str(&questions(&report.entries));
        out.push_str(&turns(engine, &all.engine));
        if let (Some(name), Some(against)) = (against, &all.against) {
            out.push_str(&turns(name, against));
        }
    }
    out
}

fn sums(all: &Summary, engine: &str, against: Option<&str>) -> String {
    let mut lines = vec![["".to_owned(), "".into(), "".into(), "".into()]];
    let after = &all.engine;
    match (against, &all.against) {
        (Some(name), Some(before)) => {
            lines[0] = ["".into(), name.into(), engine.into(), "change".into()];
            lines.extend(figures(before, after, all));
        }
        _ => {
            lines[0] = ["".into(), engine.into(), "".into(), "".into()];
            for [name, _, after, _] in figures(after, after, all) {
                lines.push([name, after, String::new(), String::new()]);
            }
        }
    }
    aligned(&lines)
}

fn figures(before: &ArmSummary, after: &ArmSummary, all: &Summary) -> Vec<[String; 4]> {
    let (a, b) = (&before.figures, &after.figures);
    let count =
        |name: &str, a: u64, b: u64| [name.to_owned(), a.to_string(), b.to_string(), change(a, b)];
    let part = |name: &str, a: u64, b: u64, whole: u64| {
        [name.to_owned(), of(a, whole), of(b, whole), change(a, b)]
    };
    vec![
        count("result tokens", a.tokens, b.tokens),
        [
            "rows expanded".into(),
            of(a.expanded, a.rows),
            of(b.expanded, b.rows),
            change(a.expanded, b.expanded),
        ],
        count("related documents", a.hops, b.hops),
        part("lookups with a hop", before.hop_fired, after.hop_fired, all.lookups),
        [
            "blocks citable".into(),
            of(a.citable_blocks, a.blocks),
            of(b.citable_blocks, b.blocks),
            change(a.citable_blocks, b.citable_blocks),
        ],
        count("stubs", a.stubs, b.stubs),
        count("fetches", a.fetches, b.fetches),
        part("passages contained", a.contained, b.contained, all.required),
        part("  under a citable header", a.citable, b.citable, all.required),
        part("lookups sufficient", before.sufficient, after.sufficient, all.judged),
    ]
}

fn categories(report: &Report) -> String {
    let mut lines =
        vec![["category", "lookups", "tokens", "hops", "contained", "citable"].map(str::to_owned)];
    for (name, summary) in &report.categories {
        let name = if name.is_empty() { "(none)" } else { name };
        let pair = |of: fn(&ArmSummary) -> u64| match &summary.against {
            Some(before) => format!("{} > {}", of(before), of(&summary.engine)),
            None => of(&summary.engine).to_string(),
        };
        let required = summary.required;
        lines.push([
            shortened(name),
            summary.lookups.to_string(),
            pair(|arm| arm.figures.tokens),
            pair(|arm| arm.figures.hops),
            format!("{} of {required}", pair(|arm| arm.figures.contained)),
            format!("{} of {required}", pair(|arm| arm.figures.citable)),
        ]);
    }
    aligned(&lines)
}

fn entries(entries: &[ReportEntry]) -> String {
    let mut lines = vec![
        ["lookup", "budget", "tokens", "rows", "hops", "contained", "citable"].map(str::to_owned),
    ];
    for entry in entries {
        let pair = |of: fn(&crate::tune::Figures) -> u64| match &entry.against {
            Some(before) => format!("{} > {}", of(&before.figures), of(&entry.engine.figures)),
            None => of(&entry.engine.figures).to_string(),
        };
        let required = entry.required.len();
        lines.push([
            shortened(&entry.name),
            entry.budget.to_string(),
            pair(|figures| figures.tokens),
            format!("{} of {}", pair(|figures| figures.expanded), entry.engine.figures.rows),
            pair(|figures| figures.hops),
            format!("{} of {required}", pair(|figures| figures.contained)),
            format!("{} of {required}", pair(|figures| figures.citable)),
        ]);
    }
    aligned(&lines)
}

fn differences<'a>(changed: impl Iterator<Item = (&'a str, &'a [Difference])>) -> String {
    let lines: Vec<String> = changed
        .flat_map(|(name, differences)| {
            differences.iter().map(move |difference| {
                format!(
                    "  {}: {} {}\n",
                    shortened(name),
                    difference.what.words(),
                    visible_line(&difference.location)
                )
            })
        })
        .collect();
    let mut out = String::from("\ndifferences that matter\n");
    if lines.is_empty() {
        out.push_str("  none: every required passage is covered as before\n");
    }
    out.extend(lines.iter().take(LISTED).map(String::as_str));
    if lines.len() > LISTED {
        let _ = writeln!(out, "  and {} more; the report has all", lines.len() - LISTED);
    }
    out
}

fn hops(verdict: &HopsVerdict, fired: u64, lookups: u64) -> String {
    format!(
        "\nhops fired in {} lookups\nverdict on hops: {} ({})\n",
        of(fired, lookups),
        verdict.verdict.name(),
        verdict.why
    )
}

fn statistics(tests: &Tests, lookups: u64, refused: u64) -> String {
    let mut out = String::new();
    if let Some(tokens) = &tests.tokens {
        let _ = writeln!(out, "\nresult tokens per lookup: {}", interval(tokens));
    }
    let _ = writeln!(out, "contained: {}", sign(&tests.contained));
    let _ = writeln!(out, "citable: {}", sign(&tests.citable));
    if refused > 0 {
        let _ = writeln!(out, "{} refused, in no pair", counted(refused, "lookup"));
    }
    if lookups - refused < SMALL {
        let _ = writeln!(out, "a small sample: {}", counted(lookups - refused, "lookup"));
    }
    out
}

fn interval(interval: &Interval) -> String {
    if interval.pairs == 1 {
        return format!("{:+} in one pair, which gives no interval", interval.mean);
    }
    format!(
        "{:+} on average, 95% from {:+} to {:+} (bootstrap over {} pairs, {} draws, seed {})",
        interval.mean,
        interval.low,
        interval.high,
        interval.pairs,
        interval.resamples,
        interval.seed
    )
}

fn sign(test: &SignTest) -> String {
    format!(
        "more in {}, fewer in {}, the same in {}; sign test p = {}",
        test.more, test.fewer, test.same, test.p
    )
}

/// The estimate of each question that has one.
fn questions(entries: &[ReportEntry]) -> String {
    let mut lines = vec![["  question", "policy", "turns", "tokens"].map(str::to_owned)];
    for entry in entries {
        if let Some(turns) = &entry.engine.turns {
            lines.push([
                format!("  {}", shortened(&entry.name)),
                turns.policy.name().into(),
                turns.turns.to_string(),
                turns.tokens.to_string(),
            ]);
        }
    }
    aligned(&lines)
}

fn turns(name: &str, arm: &ArmSummary) -> String {
    let mean = |sum: u64| sum as f64 / arm.estimated.max(1) as f64;
    format!(
        "  {name}: {:.2} turns and {:.0} tokens per question, over {} questions with required \
         passages\n",
        mean(arm.turns),
        mean(arm.turn_tokens),
        arm.estimated
    )
}

/// A comparison of two reports; `names` are what to call them.
pub(in crate::cli) fn comparison(comparison: &Comparison, names: [&str; 2]) -> String {
    let mut out = format!(
        "{}, {} to {}\n\n",
        counted(comparison.lookups, "lookup"),
        visible_line(names[0]),
        visible_line(names[1])
    );
    let all = Summary {
        lookups: comparison.lookups as u64,
        judged: comparison.judged,
        required: comparison.required,
        engine: comparison.after,
        against: Some(comparison.before),
        ..Summary::default()
    };
    if comparison.between == Between::Engines {
        out.push_str(&sums(&all, names[1], Some(names[0])));
    }
    // Under two policies the results are the same; what differs is what is asked.
    if comparison.between == Between::Engines {
        let changed = comparison.differences.iter();
        out.push_str(&differences(
            changed.map(|changed| (changed.name.as_str(), changed.differences.as_slice())),
        ));
        let fired = comparison.after.hop_fired.max(comparison.before.hop_fired);
        out.push_str(&hops(&comparison.hops, fired, comparison.lookups as u64));
        let refused = comparison.refused as u64;
        out.push_str(&statistics(&comparison.change, comparison.lookups as u64, refused));
    }
    if let Some(change) = &comparison.change.turn_tokens {
        out.push_str("\nturns: a model, not a reader\n");
        out.push_str(&turns(names[0], &comparison.before));
        out.push_str(&turns(names[1], &comparison.after));
        let _ = writeln!(out, "  tokens per question: {}", interval(change));
        if (change.pairs as u64) < SMALL {
            let _ = writeln!(out, "  a small sample: {}", counted(change.pairs, "question"));
        }
    }
    out
}
