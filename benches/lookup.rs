//! How long the index, a lookup, a result and a walk over its breakpoints take,
//! over a generated world of 5,000 documents.

mod support;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use divan::{Bencher, black_box};
use markscope::catalog::{Catalog, Match, Request};
use markscope::document::Document;
use markscope::lookup::{Question, Store};

const DOCUMENTS: usize = 5_000;

static WORLD: LazyLock<Vec<Arc<Document>>> = LazyLock::new(|| support::documents(DOCUMENTS, 1));
static STORE: LazyLock<Store> =
    LazyLock::new(|| Store::new("bench", WORLD.iter().cloned(), BTreeMap::new()));

#[allow(clippy::print_stdout)] // What the timings are of.
fn main() {
    let bytes: usize = WORLD.iter().map(|document| document.body().len()).sum();
    println!("{DOCUMENTS} documents, {:.1} MB", bytes as f64 / 1e6);
    divan::main();
}

fn request(terms: [u64; 2], matched: Match) -> Request {
    let query = terms.map(support::term).join(" ");
    Request { match_sent: Some(matched), ..Request::new(query) }
}

#[divan::bench(sample_count = 5)]
fn index(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(|| support::unparsed(&WORLD)).bench_values(|documents| {
        let catalog = Catalog::new(black_box(documents));
        catalog.warm_up();
        catalog
    });
}

#[divan::bench(args = [[0, 1], [40, 60], [900, 1500]])]
fn body_match(bencher: Bencher<'_, '_>, terms: [u64; 2]) {
    let request = request(terms, Match::Body);
    bencher.bench(|| STORE.catalog().lookup(black_box(&request)));
}

#[divan::bench(args = [[0, 1], [40, 60]])]
fn catalog_match(bencher: Bencher<'_, '_>, terms: [u64; 2]) {
    let request = request(terms, Match::Catalog);
    bencher.bench(|| STORE.catalog().lookup(black_box(&request)));
}

fn question() -> Question {
    let mut question = Question::new("");
    question.request = request([40, 60], Match::Body);
    question
}

/// A result at 1,500 tokens from documents not yet held.
#[divan::bench]
fn expand_first(bencher: Bencher<'_, '_>) {
    bencher
        .with_inputs(|| STORE.ask(&question()))
        .bench_values(|mut asked| asked.select(&STORE, 1500));
}

/// The same again, as after a step of the budget.
#[divan::bench]
fn expand_again(bencher: Bencher<'_, '_>) {
    let mut asked = STORE.ask(&question());
    bencher.bench_local(|| asked.select(&STORE, black_box(1500)));
}

/// The whole budget curve from 0 to 8,000 tokens.
#[divan::bench]
fn walk_breakpoints(bencher: Bencher<'_, '_>) {
    let mut asked = STORE.ask(&question());
    bencher.bench_local(|| {
        let mut budget = 0;
        let mut steps = 0;
        while let Some(up) = asked.select(&STORE, budget).up
            && up.tokens <= 8_000
        {
            budget = up.tokens;
            steps += 1;
        }
        steps
    });
}
