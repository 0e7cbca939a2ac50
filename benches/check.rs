//! How long `check` takes over a world of 14,000 documents in memory.

mod support;

use std::collections::BTreeMap;

use divan::Bencher;
use markscope::check::{Settings, check};
use markscope::lookup::Store;

fn main() {
    divan::main();
}

/// The rules alone: the documents are parsed at the first run.
#[divan::bench(sample_count = 5)]
fn rules(bencher: Bencher<'_, '_>) {
    let store = Store::new("bench", support::documents(14_000, 5), BTreeMap::new());
    bencher.bench(|| check(&store, &Settings::default()));
}

/// Index and rules, from documents that nobody has parsed yet.
#[divan::bench(sample_count = 3)]
fn from_nothing(bencher: Bencher<'_, '_>) {
    let documents = support::documents(14_000, 5);
    bencher.with_inputs(|| support::unparsed(&documents)).bench_values(|documents| {
        let store = Store::new("bench", documents, BTreeMap::new());
        check(&store, &Settings::default())
    });
}
