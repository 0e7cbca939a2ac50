//! Two reports, held against each other: strictly, so that what is told as an
//! engine's or a policy's doing is nothing else's.

use serde::Serialize;

use super::report::{Arm, Difference, Entry, HopsVerdict, Report, Tests, differences, hops};
use crate::selection::Engine;

/// What two reports may differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Between {
    /// The engine.
    Engines,
    /// The policy and its rules.
    Policies,
}

/// A key in which two reports differ and must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The key, as it is in the reports.
    pub key: String,
    /// Its value in the first.
    pub first: String,
    /// Its value in the second.
    pub second: String,
}

/// Two reports over the same lookups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What they were compared for.
    pub between: Between,
    /// The engine of the first report.
    pub first: Engine,
    /// The engine of the second.
    pub second: Engine,
    /// How many lookups there are.
    pub lookups: usize,
    /// Lookups that were refused, and are in no pair.
    pub refused: usize,
    /// Lookups with required passages that are measured.
    pub judged: u64,
    /// Required passages that are measured.
    pub required: u64,
    /// Sums of the first, as its report has them.
    pub before: super::report::ArmSummary,
    /// Sums of the second.
    pub after: super::report::ArmSummary,
    /// How much the change may be owed to chance.
    pub change: Tests,
    /// What can be said of hops, of the second or, where only the first has any, of
    /// the first.
    pub hops: HopsVerdict,
    /// The lookups whose coverage differs.
    pub differences: Vec<Changed>,
}

/// A lookup whose coverage differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Its place, counted from 1.
    pub lookup: usize,
    /// Its id or query.
    pub name: String,
    /// How.
    pub differences: Vec<Difference>,
}

/// Every key in which two reports differ beyond what is compared.
pub fn mismatches(first: &Report, second: &Report, between: Between) -> Vec<Mismatch> {
    let mut out = Vec::new();
    let mut same = |key: &str, a: String, b: String| {
        if a != b {
            out.push(Mismatch { key: key.to_owned(), first: a, second: b });
        }
    };
    same("format", first.format.clone(), second.format.clone());
    same("program", first.program.clone(), second.program.clone());
    same("hashes.world", first.hashes.world.clone(), second.hashes.world.clone());
    same("hashes.lookups", first.hashes.lookups.clone(), second.hashes.lookups.clone());
    if between == Between::Policies {
        same("engine", first.engine.name().into(), second.engine.name().into());
        same("hashes.engine", first.hashes.engine.clone(), second.hashes.engine.clone());
    }
    let none = || "none".to_owned();
    let budget = |report: &Report| report.options.budget.map_or_else(none, |b| b.to_string());
    same("options.budget", budget(first), budget(second));
    let policy = |report: &Report| report.options.policy.clone();
    let cost = |of: fn(&super::policy::CostModel) -> u64, report: &Report| {
        policy(report).map_or_else(none, |policy| of(&policy.cost).to_string())
    };
    if between == Between::Engines {
        let name = |report: &Report| policy(report).map_or_else(none, |p| p.name.name().into());
        let rules = |report: &Report| {
            let rules = policy(report).and_then(|policy| policy.rules);
            rules.map_or_else(none, |rules| serde_json::to_string(&rules).unwrap_or_default())
        };
        same("options.policy.name", name(first), name(second));
        same("options.policy.rules", rules(first), rules(second));
    }
    let turn = |report| cost(|cost| cost.turn_tokens, report);
    same("options.policy.cost.turn_tokens", turn(first), turn(second));
    let fetch = |report| cost(|cost| cost.fetch_tokens, report);
    same("options.policy.cost.fetch_tokens", fetch(first), fetch(second));
    same("documents", first.documents.to_string(), second.documents.to_string());
    same("entries", lookups_of(first), lookups_of(second));
    out
}

/// Which lookups a report has, at which budgets, and what they require.
fn lookups_of(report: &Report) -> String {
    let mut out = format!("{} lookups", report.entries.len());
    for entry in &report.entries {
        let category = entry.category.as_deref().unwrap_or_default();
        let (lookup, name, budget, status) =
            (entry.lookup, &entry.name, entry.budget, &entry.status);
        out.push_str(&format!("; {lookup} {name} {category} {budget} {status} "));
        out.push_str(&entry.required.join(" "));
    }
    out
}

/// Holds the second report against the first. They must not have
/// [mismatches](mismatches).
pub fn compare(first: &Report, second: &Report, between: Between) -> Comparison {
    let pairs: Vec<(&Entry, &Entry)> = first.entries.iter().zip(&second.entries).collect();
    let answered = pairs.iter().filter(|(a, b)| !a.is_refused() && !b.is_refused());
    let arms: Vec<(&Arm, &Arm)> = answered.map(|(a, b)| (&a.engine, &b.engine)).collect();
    let fires = |report: &Report| report.all.engine.hop_fired > 0;
    // Whichever of the two hops is the one to judge.
    let hops = if between == Between::Policies {
        second.all.hops.clone()
    } else if fires(first) && !fires(second) {
        let reversed: Vec<(&Arm, &Arm)> = arms.iter().map(|(a, b)| (*b, *a)).collect();
        hops(first.entries.iter().map(|entry| &entry.engine), Some(&reversed))
    } else {
        hops(second.entries.iter().map(|entry| &entry.engine), Some(&arms))
    };
    let changed = pairs.iter().filter_map(|(before, after)| {
        let differences =
            differences(&after.required, &before.engine.passages, &after.engine.passages);
        (!differences.is_empty()).then(|| Changed {
            lookup: after.lookup,
            name: after.name.clone(),
            differences,
        })
    });
    Comparison {
        between,
        first: first.engine,
        second: second.engine,
        lookups: pairs.len(),
        refused: pairs.len() - arms.len(),
        judged: second.all.judged,
        required: second.all.required,
        before: first.all.engine,
        after: second.all.engine,
        change: Tests::of(&arms),
        hops,
        differences: changed.collect(),
    }
}
