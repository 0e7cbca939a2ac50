//! The object of `lookup --format json`. Its fields are described in the README;
//! `schema` counts up when one of them changes its meaning or goes.

use serde::Serialize;

use crate::lookup::Question;
use crate::relations::Rejected;
use crate::selection::{
    Answered, Breakpoint, Engine, Item, Omission, RowReport, Selection, TOKEN, TableRow,
    TargetReport,
};

const SCHEMA: u32 = 1;

#[derive(Serialize)]
pub(super) struct Object<'a> {
    schema: u32,
    world: World<'a>,
    request: Request<'a>,
    result: Result<'a>,
    rows: Vec<Row<'a>>,
    items: Vec<ItemObject<'a>>,
    strongest: Option<&'a str>,
    relations: &'a [TargetReport],
    rejected: &'a [Rejected],
    omissions: Vec<Omission>,
    breakpoints: Breakpoints<'a>,
}

/// The world that was asked. A server does not tell how many documents it has.
#[derive(Serialize)]
pub(super) struct World<'a> {
    pub(super) name: &'a str,
    pub(super) documents: Option<usize>,
    pub(super) left_out: usize,
}

#[derive(Serialize)]
struct Request<'a> {
    #[serde(flatten)]
    request: &'a crate::catalog::Request,
    budget: u64,
    engine: Engine,
    verbose: bool,
}

#[derive(Serialize)]
struct Result<'a> {
    status: &'a str,
    text: String,
    bytes: usize,
    budget: u64,
    spent: usize,
    used: usize,
    remaining: i64,
    expanded: usize,
    related: usize,
    fetched: &'a [String],
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    row: &'a TableRow,
    #[serde(flatten)]
    report: &'a RowReport,
}

#[derive(Serialize)]
struct ItemObject<'a> {
    #[serde(flatten)]
    item: &'a Item,
    bytes: usize,
    tokens: usize,
}

#[derive(Serialize)]
struct Breakpoints<'a> {
    up: Option<&'a Breakpoint>,
    down: Option<&'a Breakpoint>,
}

pub(super) fn object<'a>(
    world: World<'a>,
    question: &'a Question,
    answered: &'a Answered,
    selection: &'a Selection,
) -> Object<'a> {
    Object {
        schema: SCHEMA,
        world,
        request: Request {
            request: &question.request,
            budget: selection.budget,
            engine: question.engine,
            verbose: question.verbose,
        },
        result: Result {
            status: answered.status(),
            text: selection.text(),
            bytes: selection.bytes(),
            budget: selection.budget * TOKEN as u64,
            spent: selection.spent,
            used: selection.items.iter().map(|item| item.charged).sum(),
            remaining: selection.remaining,
            expanded: selection.expanded,
            related: selection.related,
            fetched: &selection.fetched,
        },
        rows: answered
            .rows()
            .iter()
            .zip(&selection.rows)
            .map(|(row, report)| Row { row, report })
            .collect(),
        items: selection
            .items
            .iter()
            .map(|item| ItemObject { item, bytes: item.bytes(), tokens: item.tokens() })
            .collect(),
        strongest: selection.strongest.as_deref(),
        relations: &selection.targets,
        rejected: &selection.rejected,
        omissions: selection.omissions(),
        breakpoints: Breakpoints { up: selection.up.as_ref(), down: selection.down.as_ref() },
    }
}
