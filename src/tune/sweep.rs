//! The budget curves of recorded lookups, one by one and in all.

use std::convert::Infallible;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::coverage::{Figures, Passages};
use super::curve::{knee, walk};
use super::recorded::RecordedLookup;
use crate::lookup::Store;
use crate::selection::Engine;

/// What holds from a budget on, up to the next point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The budget, in tokens.
    pub budget: u64,
    /// What the result costs and holds there.
    #[serde(flatten)]
    pub figures: Figures,
}

/// The smallest budgets for a number of passages. More budget may lose a passage
/// again, so the budget that reaches a number and the one from which it stays
/// are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reached {
    /// How many required passages.
    pub passages: u64,
    /// The smallest budget that contains as many.
    pub contained: Option<u64>,
    /// The smallest budget from which on never fewer are contained.
    pub contained_stays: Option<u64>,
    /// The smallest budget that contains as many under a citable header.
    pub citable: Option<u64>,
    /// The smallest budget from which on never fewer are citable.
    pub citable_stays: Option<u64>,
}

/// The curve of one lookup, or of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookupCurve {
    /// Its place in the report of many, counted from 1; none for the sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookup: Option<usize>,
    /// The lookup's id or query; `all` for the sum.
    pub name: String,
    /// Its query; empty for the sum.
    pub query: String,
    /// Required passages that are measured.
    pub required: u64,
    /// Required passages of versions that are not current.
    pub left_out: u64,
    /// Of those measured, the ones that stand nowhere in the world.
    #[serde(default)]
    pub absent: u64,
    /// The points, by budget: figures differ from each to the next.
    pub points: Vec<Point>,
    /// The smallest budgets for 1, 2, 3 … required passages.
    pub reached: Vec<Reached>,
    /// Where the curve bends: of required passages contained, or, where none is
    /// required, of rows expanded and related documents.
    pub knee: Option<u64>,
    /// What to know about the lookup, a sentence each.
    pub remarks: Vec<String>,
}

/// The curves of all lookups between two budgets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The smallest budget, in tokens.
    pub from: u64,
    /// The largest budget, in tokens.
    pub to: u64,
    /// The rules that select.
    pub engine: Engine,
    /// One for each lookup, in their order.
    pub lookups: Vec<LookupCurve>,
    /// The sum over all lookups.
    pub all: LookupCurve,
}

impl Sweep {
    /// Puts the curves of lookups together.
    pub fn of(from: u64, to: u64, engine: Engine, lookups: Vec<LookupCurve>) -> Self {
        let all = total(&lookups, to);
        Self { from, to, engine, lookups, all }
    }
}

/// The exact curve of one lookup, both budgets included.
pub fn sweep_one(
    lookup: &RecordedLookup,
    store: &Store,
    engine: Engine,
    from: u64,
    to: u64,
) -> LookupCurve {
    let own = lookup.own_world();
    let store = own.as_ref().unwrap_or(store);
    let mut passages = Passages::of(lookup, store);
    let mut asked = lookup.ask(store, engine, false);
    let mut remarks = passages.remarks().to_vec();
    if asked.status() != "ok" {
        let why = asked.refusal().unwrap_or_default();
        remarks.push(format!("refused: {}: {why}", asked.status()));
    }
    let mut points: Vec<Point> = Vec::new();
    let select = |budget| Ok::<_, Infallible>(asked.select(store, budget));
    let walked = walk(from, to, select, |selection, _| {
        let covered = passages.covered(selection);
        let figures = Figures::of(selection, &covered);
        if points.last().is_none_or(|last| last.figures != figures) {
            points.push(Point { budget: selection.budget, figures });
        }
        ControlFlow::Continue(())
    });
    match walked {
        Ok(()) => {}
        Err(never) => match never {},
    }
    LookupCurve {
        name: lookup.name().to_owned(),
        query: lookup.query.clone(),
        required: passages.measured().len() as u64,
        left_out: passages.left_out().len() as u64,
        absent: passages.absent().len() as u64,
        ..finished(points, passages.measured().len() as u64, to, remarks)
    }
}

/// The sum of curves that begin at one budget.
pub fn total(curves: &[LookupCurve], to: u64) -> LookupCurve {
    let required = curves.iter().map(|curve| curve.required).sum();
    let mut changes: Vec<(u64, Option<Figures>, Figures)> = Vec::new();
    for curve in curves {
        let mut before = None;
        for point in &curve.points {
            changes.push((point.budget, before, point.figures));
            before = Some(point.figures);
        }
    }
    changes.sort_by_key(|(budget, ..)| *budget);
    let mut sum = Figures::default();
    let mut points: Vec<Point> = Vec::new();
    for (budget, before, now) in changes {
        sum += now;
        sum -= before.unwrap_or_default();
        match points.last_mut() {
            Some(last) if last.budget == budget => last.figures = sum,
            _ => points.push(Point { budget, figures: sum }),
        }
    }
    points.dedup_by(|later, first| later.figures == first.figures);
    LookupCurve {
        name: "all".into(),
        required,
        left_out: curves.iter().map(|curve| curve.left_out).sum(),
        absent: curves.iter().map(|curve| curve.absent).sum(),
        ..finished(points, required, to, Vec::new())
    }
}

fn finished(points: Vec<Point>, required: u64, to: u64, remarks: Vec<String>) -> LookupCurve {
    let height = |figures: &Figures| match required {
        0 => figures.expanded + figures.hops,
        _ => figures.contained,
    };
    let heights: Vec<(u64, u64)> =
        points.iter().map(|point| (point.budget, height(&point.figures))).collect();
    LookupCurve {
        lookup: None,
        name: String::new(),
        query: String::new(),
        required,
        left_out: 0,
        absent: 0,
        reached: (1..=required).map(|passages| reached(&points, passages)).collect(),
        knee: knee(&heights, to),
        points,
        remarks,
    }
}

fn reached(points: &[Point], passages: u64) -> Reached {
    let first = |of: fn(&Figures) -> u64| {
        points.iter().find(|point| of(&point.figures) >= passages).map(|point| point.budget)
    };
    let stays = |of: fn(&Figures) -> u64| {
        let held = points.iter().rev().take_while(|point| of(&point.figures) >= passages);
        held.last().map(|point| point.budget)
    };
    Reached {
        passages,
        contained: first(|figures| figures.contained),
        contained_stays: stays(|figures| figures.contained),
        citable: first(|figures| figures.citable),
        citable_stays: stays(|figures| figures.citable),
    }
}
