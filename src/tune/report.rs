//! The report of a replay: what each lookup gives under an engine, and under the
//! one that it is held against.
//!
//! It has no time and no place of its making, and everything stands in the order of
//! the lookups or of names: the same replay twice is the same file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::coverage::{Covered, Figures};
use super::hashes::Hashes;
use super::policy::{Estimate, PolicySpec};
use super::stats::{Interval, SignTest, interval, sign_test};
use crate::selection::Engine;
use crate::text::counted;

/// The format of a report.
pub const FORMAT: &str = "markscope-replay-v1";
/// The program that makes reports.
pub const PROGRAM: &str = concat!("markscope ", env!("CARGO_PKG_VERSION"));

/// A report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// [`FORMAT`].
    pub format: String,
    /// The program and its version.
    pub program: String,
    /// Whether every lookup is in it.
    pub complete: bool,
    /// Which world, by name, for people.
    pub world: String,
    /// Documents of the world.
    pub documents: usize,
    /// How many lookups there are, in it or not.
    pub lookups: usize,
    /// The rules that select.
    pub engine: Engine,
    /// The rules that they are held against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Engine>,
    /// What else it depends on.
    pub options: Options,
    /// All of this, to compare by.
    pub hashes: Hashes,
    /// The lookups, in their order.
    pub entries: Vec<Entry>,
    /// All lookups together.
    pub all: Summary,
    /// The lookups of each category; those without one are under the empty name.
    pub categories: BTreeMap<String, Summary>,
}

/// What a replay depends on beside world, lookups and engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// One budget in place of those recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// The policy that turns are estimated by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicySpec>,
}

/// One lookup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its place, counted from 1.
    pub lookup: usize,
    /// Its id or query.
    pub name: String,
    /// Its category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The budget, in tokens.
    pub budget: u64,
    /// The status of the answer.
    pub status: String,
    /// Required passages that are measured: their places.
    pub required: Vec<String>,
    /// Required passages of versions that are not current.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Of those measured, the ones that stand nowhere in the world, so that no result
    /// can hold them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// Under the engine.
    pub engine: Arm,
    /// Under the one that it is held against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Arm>,
    /// What the engine gives and the other does not, or the reverse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// What to know about the lookup, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// One lookup under one engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// What the result costs and holds.
    pub figures: Figures,
    /// How each required passage is covered.
    pub passages: Vec<Covered>,
    /// The estimate of turns, if a policy was asked for and a passage is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Estimate>,
}

/// A difference that matters to a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// What it is.
    pub what: What,
    /// The required passage.
    pub location: String,
}

/// What a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The passage is contained now, and was not.
    Contained,
    /// The passage was contained, and is not now.
    Lost,
    /// The passage was contained, and is not now; a stub says where its text stands.
    LostToStub,
    /// The passage can be cited now; it was contained before.
    Citable,
    /// The passage could be cited; it is still contained.
    NoLongerCitable,
}

impl What {
    /// In words, before the passage's place.
    pub fn words(self) -> &'static str {
        match self {
            Self::Contained => "gained",
            Self::Lost => "lost",
            Self::LostToStub => "lost (a stub says where its text stands)",
            Self::Citable => "citable now",
            Self::NoLongerCitable => "no longer citable",
        }
    }
}

/// The differences in how passages are covered.
pub fn differences(required: &[String], before: &[Covered], after: &[Covered]) -> Vec<Difference> {
    let pairs = required.iter().zip(before.iter().zip(after));
    pairs
        .filter_map(|(location, (before, after))| {
            let what = match (before.contained, after.contained) {
                (false, true) => What::Contained,
                (true, false) if after.by_stub => What::LostToStub,
                (true, false) => What::Lost,
                _ if !before.citable && after.citable => What::Citable,
                _ if before.citable && !after.citable => What::NoLongerCitable,
                _ => return None,
            };
            Some(Difference { what, location: location.clone() })
        })
        .collect()
}

/// Several lookups together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// How many lookups.
    pub lookups: u64,
    /// Lookups that were refused, as one whose query is too long: they say nothing of an
    /// engine, and are in no pair.
    #[serde(default, skip_serializing_if = "is_none")]
    pub refused: u64,
    /// Lookups with required passages that are measured.
    pub judged: u64,
    /// Required passages that are measured.
    pub required: u64,
    /// Required passages of versions that are not current.
    pub left_out: u64,
    /// Of those measured, the ones that stand nowhere in the world.
    #[serde(default, skip_serializing_if = "is_none")]
    pub absent: u64,
    /// Under the engine.
    pub engine: ArmSummary,
    /// Under the one that it is held against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<ArmSummary>,
    /// The change between the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Tests>,
    /// What can be said of hops.
    pub hops: HopsVerdict,
}

/// Several lookups under one engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSummary {
    /// The sum of figures.
    pub figures: Figures,
    /// Lookups in which a hop fired: a related document was printed.
    pub hop_fired: u64,
    /// Required passages that came along a relation alone.
    pub by_hop: u64,
    /// Lookups with required passages, all of them contained.
    pub sufficient: u64,
    /// Lookups that have an estimate of turns.
    pub estimated: u64,
    /// Their turns.
    pub turns: u64,
    /// Their tokens.
    pub turn_tokens: u64,
}

/// How much a change may be owed to chance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tests {
    /// The change of result tokens.
    pub tokens: Option<Interval>,
    /// The change of required passages contained.
    pub contained: SignTest,
    /// The change of required passages citable.
    pub citable: SignTest,
    /// The change of estimated tokens, where both have estimates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_tokens: Option<Interval>,
}

/// What can be said of hops.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Passages came along relations, and none was lost for them.
    Pass,
    /// Where hops fired, fewer passages are contained than without.
    Fail,
    /// The lookups do not tell.
    #[default]
    Inconclusive,
}

impl Verdict {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// The verdict on hops, and what it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HopsVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub why: String,
}

impl Summary {
    /// Sums entries up.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let entries: Vec<&Entry> = entries.into_iter().collect();
        let both = |entry: &&'a Entry| Some((entry.against.as_ref()?, &entry.engine));
        let all: Vec<(&Arm, &Arm)> = entries.iter().filter_map(both).collect();
        let is_paired = !entries.is_empty() && all.len() == entries.len();
        let answered = entries.iter().filter(|entry| !entry.is_refused());
        let pairs: Vec<(&Arm, &Arm)> = answered.filter_map(both).collect();
        Self {
            lookups: entries.len() as u64,
            refused: entries.iter().filter(|entry| entry.is_refused()).count() as u64,
            judged: entries.iter().filter(|entry| !entry.required.is_empty()).count() as u64,
            required: entries.iter().map(|entry| entry.required.len() as u64).sum(),
            left_out: entries.iter().map(|entry| entry.left_out.len() as u64).sum(),
            absent: entries.iter().map(|entry| entry.absent.len() as u64).sum(),
            engine: ArmSummary::of(entries.iter().map(|entry| &entry.engine)),
            against: is_paired.then(|| ArmSummary::of(all.iter().map(|(before, _)| *before))),
            change: is_paired.then(|| Tests::of(&pairs)),
            hops: hops(entries.iter().map(|entry| &entry.engine), is_paired.then_some(&pairs)),
        }
    }

    /// The sums of each category; those without one are under the empty name.
    pub fn by_category(entries: &[Entry]) -> BTreeMap<String, Self> {
        let mut of: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
        for entry in entries {
            of.entry(entry.category.clone().unwrap_or_default()).or_default().push(entry);
        }
        of.into_iter().map(|(name, entries)| (name, Self::of(entries))).collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives it so")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Entry {
    /// Whether there was no answer, but a refusal.
    pub fn is_refused(&self) -> bool {
        self.status != "ok"
    }
}

impl ArmSummary {
    fn of<'a>(arms: impl Iterator<Item = &'a Arm>) -> Self {
        let mut out = Self::default();
        for arm in arms {
            out.figures += arm.figures;
            out.hop_fired += u64::from(arm.figures.hops > 0);
            out.by_hop += arm.passages.iter().filter(|covered| covered.by_hop).count() as u64;
            out.sufficient += u64::from(
                !arm.passages.is_empty() && arm.passages.iter().all(|covered| covered.contained),
            );
            if let Some(turns) = &arm.turns {
                out.estimated += 1;
                out.turns = out.turns.saturating_add(turns.turns);
                out.turn_tokens = out.turn_tokens.saturating_add(turns.tokens);
            }
        }
        out
    }
}

impl Tests {
    /// The tests of pairs, before and after.
    pub fn of(pairs: &[(&Arm, &Arm)]) -> Self {
        let change = |of: fn(&Arm) -> u64| -> Vec<i64> {
            pairs.iter().map(|(before, after)| signed(of(after)) - signed(of(before))).collect()
        };
        // Lookups without a required passage cannot change in coverage: they would
        // only swell the number of those that stay the same.
        let covered = |of: fn(&Arm) -> u64| -> Vec<i64> {
            let judged = pairs.iter().filter(|(_, after)| !after.passages.is_empty());
            judged.map(|(before, after)| signed(of(after)) - signed(of(before))).collect()
        };
        let estimated: Vec<i64> = pairs
            .iter()
            .filter_map(|(before, after)| {
                let (before, after) = (before.turns.as_ref()?, after.turns.as_ref()?);
                Some(signed(after.tokens) - signed(before.tokens))
            })
            .collect();
        Self {
            tokens: interval(&change(|arm| arm.figures.tokens)),
            contained: sign_test(&covered(|arm| arm.figures.contained)),
            citable: sign_test(&covered(|arm| arm.figures.citable)),
            turn_tokens: interval(&estimated),
        }
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The verdict on hops of an engine, against another one over the same lookups.
/// Never a pass where no hop fired. Where none did under the engine, but some did under
/// the other one, it is that one's hops that are judged.
pub fn hops<'a>(
    engine: impl Iterator<Item = &'a Arm>,
    pairs: Option<&Vec<(&Arm, &Arm)>>,
) -> HopsVerdict {
    let fired = engine.filter(|arm| arm.figures.hops > 0).count();
    let inconclusive = |why: String| HopsVerdict { verdict: Verdict::Inconclusive, why };
    let turned: Option<Vec<(&Arm, &Arm)>> =
        pairs.map(|pairs| pairs.iter().map(|(before, after)| (*after, *before)).collect());
    let pairs = match &turned {
        Some(turned) if fired == 0 && turned.iter().any(|(_, arm)| arm.figures.hops > 0) => {
            Some(turned)
        }
        _ if fired == 0 => return inconclusive("no hop fired".into()),
        _ => pairs,
    };
    let Some(pairs) = pairs else {
        return inconclusive("one engine alone; hold it against another".into());
    };
    let judged: Vec<_> = pairs
        .iter()
        .filter(|(_, after)| after.figures.hops > 0 && !after.passages.is_empty())
        .collect();
    if judged.is_empty() {
        return inconclusive("no lookup in which a hop fired requires a passage".into());
    }
    let sum = |of: fn(&(&Arm, &Arm)) -> u64| judged.iter().map(|pair| of(pair)).sum::<u64>();
    let before = sum(|(before, _)| before.figures.contained);
    let after = sum(|(_, after)| after.figures.contained);
    let by_hop = sum(|(_, after)| after.passages.iter().filter(|c| c.by_hop).count() as u64);
    let of = format!("of {} in which a hop fired", counted(judged.len(), "lookup"));
    let came = counted(by_hop, "required passage");
    if after < before {
        let contained = counted(after, "passage");
        let why = format!("{contained} {of} contained, {before} without");
        HopsVerdict { verdict: Verdict::Fail, why }
    } else if by_hop == 0 {
        inconclusive(format!("no required passage {of} came along a relation"))
    } else {
        let why = format!("{came} {of} came along a relation; {after} contained, {before} without");
        HopsVerdict { verdict: Verdict::Pass, why }
    }
}
