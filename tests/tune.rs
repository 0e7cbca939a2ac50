//! The measures over recorded lookups, against the reader's text read by other
//! means than the program's own.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::selection::{Change, Engine, Kind};
use markscope::tune::{
    Covered, Entry, Figures, Passages, RecordedLookup, RequiredPassage, curve, knee, read_lookups,
    sweep_one, total,
};
use markscope::world::{Source, World};

fn bundled() -> Store {
    let world = World::open(&Source::Bundled).expect("the example world");
    Store::new("music", world.documents().iter().cloned(), BTreeMap::new())
}

fn golden(name: &str) -> Store {
    let world = support::world(name);
    Store::new(name, world.documents, world.errors)
}

fn lookups() -> Vec<RecordedLookup> {
    read_lookups(include_str!("../examples/lookups/music.jsonl"), "music.jsonl").expect("lookups")
}

/// A block of a text: its location and what it says.
struct Block {
    path: String,
    anchor: Option<String>,
    text: String,
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The blocks of a reader's text, taken from the frame alone.
fn blocks(text: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in text.split('\n') {
        if let Some(header) = line.strip_prefix(">>> ") {
            inside = !header.starts_with("note: ") && !header.starts_with("related: ");
            if inside {
                let (place, anchor) = match header.split_once('#') {
                    Some((place, anchor)) => (place, Some(anchor.to_owned())),
                    None => (header, None),
                };
                let path = match place.rsplit_once("/v") {
                    Some((path, digits)) if digits.parse::<u64>().is_ok() => path,
                    _ => place,
                };
                out.push(Block { path: path.to_owned(), anchor, text: String::new() });
            }
        } else if inside && let Some(block) = out.last_mut() {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    out
}

/// The figures of one result out of its text, and out of the world for sections.
fn figures_by_text(store: &Store, lookup: &RecordedLookup, engine: Engine, budget: u64) -> Figures {
    let mut asked = lookup.ask(store, engine, false);
    let selection = asked.select(store, budget);
    let text = selection.text();
    let blocks = blocks(&text);
    let is_stub = |block: &Block| {
        engine == Engine::Selection && words(&block.text).starts_with("same text as /")
    };
    let mut figures = Figures {
        tokens: text.len() as u64 / 4,
        bytes: text.len() as u64,
        rows: asked.session().answered().rows().len() as u64,
        fetches: selection.fetched.len() as u64,
        ..Figures::default()
    };
    if let Some((_, closing)) = text.rsplit_once(">>> note: expanded ") {
        let numbers: Vec<u64> = closing.split(' ').filter_map(|word| word.parse().ok()).collect();
        figures.expanded = numbers[0];
        figures.hops = numbers.get(2).copied().unwrap_or(0);
    }
    for block in &blocks {
        if is_stub(block) {
            figures.stubs += 1;
        } else {
            figures.blocks += 1;
            figures.citable_blocks += u64::from(block.anchor.is_some());
        }
    }
    for passage in &lookup.required {
        let Some(document) = store.catalog().document(&passage.path) else { continue };
        if passage.version.is_some_and(|version| document.version().is_some_and(|v| v != version)) {
            continue;
        }
        let section = passage.anchor.as_deref().and_then(|anchor| document.outline().find(anchor));
        let quote = match (&passage.quote, section) {
            (Some(quote), _) => words(quote),
            (None, Some(section)) => words(&document.body()[section.range()]),
            (None, None) => String::new(),
        };
        let holds = |block: &&Block| {
            block.path == passage.path && !is_stub(block) && words(&block.text).contains(&quote)
        };
        figures.contained += u64::from(blocks.iter().any(|block| holds(&block)));
        let cites = |block: &&Block| {
            let Some(anchor) = &block.anchor else { return false };
            let Some(section) = section else { return true };
            let Some(header) = document.outline().find(anchor) else { return false };
            header.start == section.start
                || (header.start < section.start
                    && section.end <= header.end
                    && (passage.quote.is_none() || words(&block.text).matches(&quote).count() == 1))
        };
        figures.citable += u64::from(blocks.iter().filter(holds).any(|block| cites(&block)));
    }
    figures
}

/// The figures that a sweep gives at every token.
fn at_every_token(points: &[markscope::tune::Point], to: u64) -> Vec<Figures> {
    (0..=to)
        .map(|budget| {
            let at = points.partition_point(|point| point.budget <= budget);
            points[at - 1].figures
        })
        .collect()
}

#[test]
fn a_sweep_is_what_a_run_at_every_token_gives() {
    let store = bundled();
    let all = lookups();
    for (lookup, to) in [(&all[1], 700), (&all[2], 900), (&all[8], 1100)] {
        for engine in [Engine::Selection, Engine::Rows] {
            let swept = sweep_one(lookup, &store, engine, 0, to);
            let swept = at_every_token(&swept.points, to);
            for (budget, got) in swept.into_iter().enumerate() {
                let want = figures_by_text(&store, lookup, engine, budget as u64);
                assert_eq!(got, want, "{} at {budget}, {engine:?}", lookup.name());
            }
        }
    }
}

#[test]
fn a_sweep_over_odd_worlds_is_exact_too() {
    for (world, query) in [("hostile", "drone"), ("decisions", "queue"), ("music", "licence")] {
        let store = golden(world);
        let mut lookup = RecordedLookup::new(query);
        lookup.match_sent = Some(Match::Body);
        lookup.required = store
            .catalog()
            .documents()
            .iter()
            .flat_map(|document| {
                let headings = document.outline().headings();
                headings.iter().filter(|heading| heading.level > 1).take(2).map(|heading| {
                    RequiredPassage {
                        path: document.path().to_owned(),
                        version: None,
                        anchor: Some(heading.anchor.clone()),
                        quote: None,
                    }
                })
            })
            .collect();
        for budget in [0, 90, 99, 100, 101, 150, 400, 999, 1000, 1700] {
            let swept = sweep_one(&lookup, &store, Engine::Selection, 0, 1700);
            let want = figures_by_text(&store, &lookup, Engine::Selection, budget);
            let got = at_every_token(&swept.points, 1700)[usize::try_from(budget).expect("small")];
            assert_eq!(
                Figures { contained: 0, citable: 0, ..got },
                Figures { contained: 0, citable: 0, ..want },
                "{world} at {budget}"
            );
        }
    }
}
