//! The object of `lookup --format json`. Its fields are described in the README;
//! `schema` counts up when one of them changes its meaning or goes.

use serde::Serialize;

use crate::catalog::Match;
use crate::lookup::Question;
use crate::relations::Rejected;
use crate::selection::{
    Answered, Breakpoint, Engine, Item, Omission, ReadBack, RowReport, Selection, TOKEN, TableRow,
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
    query: Option<&'a str>,
    scope: Option<&'a str>,
    filter: Option<&'a str>,
    #[serde(rename = "match")]
    match_sent: Option<Match>,
    limit: Option<usize>,
    budget: Option<u64>,
    engine: Option<Engine>,
    verbose: Option<bool>,
}

#[derive(Serialize)]
struct Result<'a> {
    status: &'a str,
    text: String,
    bytes: usize,
    budget: Option<u64>,
    spent: usize,
    used: Option<usize>,
    remaining: Option<i64>,
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
    let request = &question.request;
    Object {
        schema: SCHEMA,
        world,
        request: Request {
            query: Some(&request.query),
            scope: Some(&request.scope),
            filter: Some(&request.filter),
            match_sent: request.match_sent,
            limit: request.limit,
            budget: Some(selection.budget),
            engine: Some(question.engine),
            verbose: Some(question.verbose),
        },
        result: Result {
            status: answered.status(),
            text: selection.text(),
            bytes: selection.bytes(),
            budget: Some(selection.budget * TOKEN as u64),
            spent: selection.spent,
            used: Some(selection.items.iter().map(|item| item.charged).sum()),
            remaining: Some(selection.remaining),
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

impl<'a> Object<'a> {
    /// The same of a recorded result: null is what its text does not say.
    pub(super) fn recorded(mut self, query: Option<&'a str>, back: &'a ReadBack) -> Self {
        self.request.query = query;
        self.request.scope = back.scope.as_deref();
        self.request.filter = None;
        self.request.budget = back.budget;
        self.request.verbose = None;
        self.request.engine = back.engine;
        // The engines differ in what they count against the budget.
        self.result.used = self.result.used.filter(|_| back.engine.is_some());
        if back.budget.is_none() {
            self.result.budget = None;
            self.result.remaining = None;
        }
        self
    }
}
