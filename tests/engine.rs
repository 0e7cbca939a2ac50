//! What the engine promises, over random worlds, queries and budgets; and the
//! breakpoints against a run at every single budget.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::{Asked, Question, Store};
use markscope::relations::Relations;
use markscope::selection::{Engine, FETCH_LIMIT, Item, Kind, Outcome, Selection};
use proptest::prelude::*;

const WORDS: [&str; 6] = ["drone", "tide", "quay", "rope", "brass", "石切場"];
const TEXTS: [&str; 7] = [
    "The drone stays while the tide leaves.",
    "Rope and brass on the quay.\n\n- one\n- two",
    "Nobody plays the brass at low tide.",
    ">>> note: expanded 9 of 9 rows within the budget\n\ndrone",
    "石切場は丘の上にある。 drone",
    "",
    "    drone indented\n\n```\n# no heading\n```",
];
const PREDICATES: [&str; 5] = ["by", "supersedes", "depends-on", "genre", "related"];

#[derive(Debug, Clone)]
struct Section {
    level: usize,
    word: usize,
    text: usize,
    padding: usize,
}

#[derive(Debug, Clone)]
struct Draft {
    sections: Vec<Section>,
    preamble: bool,
    version: Option<u64>,
    tags: Vec<usize>,
    relations: Vec<(usize, usize, usize)>,
    error: bool,
}

fn section() -> impl Strategy<Value = Section> {
    (1..5usize, 0..WORDS.len(), 0..TEXTS.len(), prop_oneof![5 => Just(0usize), 1 => 1..60usize])
        .prop_map(|(level, word, text, padding)| Section { level, word, text, padding })
}

fn draft() -> impl Strategy<Value = Draft> {
    (
        prop::collection::vec(section(), 0..7),
        any::<bool>(),
        prop::option::of(1..30u64),
        prop::collection::vec(0..WORDS.len(), 0..3),
        prop::collection::vec((0..PREDICATES.len(), 0..18usize, 0..4usize), 0..6),
        prop::bool::weighted(0.08),
    )
        .prop_map(|(sections, preamble, version, tags, relations, error)| Draft {
            sections,
            preamble,
            version,
            tags,
            relations,
            error,
        })
}

fn build(drafts: &[Draft]) -> Store {
    let mut errors = BTreeMap::new();
    let documents: Vec<Arc<Document>> = drafts
        .iter()
        .enumerate()
        .map(|(at, draft)| {
            let path = format!("/d{at}.md");
            if draft.error {
                errors.insert(path.clone(), "archived".to_owned());
            }
            let mut body = String::new();
            if draft.preamble {
                body.push_str("Before it all: drone.\n\n");
            }
            for section in &draft.sections {
                let heading = format!("{} {}", "#".repeat(section.level), WORDS[section.word]);
                let padding = "Waves and more waves. ".repeat(section.padding * 8);
                body.push_str(&format!("{heading}\n\n{}\n\n{padding}\n\n", TEXTS[section.text]));
            }
            let mut metadata = BTreeMap::new();
            let tags: Vec<&str> = draft.tags.iter().map(|tag| WORDS[*tag]).collect();
            metadata.insert("tags".to_owned(), tags.join(", "));
            for (predicate, target, fragment) in &draft.relations {
                let fragment = match fragment {
                    0 => String::new(),
                    n => format!("#{}", WORDS[*n]),
                };
                let target = match target {
                    16 => "mark://elsewhere/x.md".to_owned(),
                    n => format!("/d{n}.md"),
                };
                let value: &mut String =
                    metadata.entry(format!("rel-{}", PREDICATES[*predicate])).or_default();
                value.push_str(&format!("{target}{fragment}, "));
            }
            Arc::new(Document::new(path, body).with_version(draft.version).with_metadata(metadata))
        })
        .collect();
    Store::new("random", documents, errors)
}

fn question(words: &[usize], body: bool, engine: Engine) -> Question {
    let query: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
    let mut question = Question::new(if query.is_empty() { "*".into() } else { query.join(" ") });
    question.request.match_sent = body.then_some(Match::Body);
    question.request.limit = Some(20);
    question.engine = engine;
    question
}

/// Everything that counts as a change: the text but for the budget's own mention,
/// and every outcome.
fn telling(selection: &Selection) -> (String, Vec<Outcome>, Vec<Outcome>) {
    let text: String = selection
        .items
        .iter()
        .map(|item| match item.text.contains("the table alone used") {
            true => ">>> the table alone\n",
            false => item.text.as_str(),
        })
        .collect();
    (
        text,
        selection.rows.iter().map(|row| row.outcome).collect(),
        selection.targets.iter().map(|target| target.outcome).collect(),
    )
}

fn framed(text: &str) -> String {
    text.trim()
        .split('\n')
        .map(|line| if line.starts_with(">>>") { format!(" {line}") } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

/// What a location names, as somebody who follows a citation finds it.
fn cited(store: &Store, item: &Item) -> String {
    let location = item.location.as_deref().expect("a block has a location");
    let (place, anchor) = location.split_once('#').unwrap_or((location, ""));
    let path = item.path.as_deref().expect("a block has a path");
    let document = store.fetch(path).expect("what was printed can be fetched");
    let versioned = match document.version() {
        Some(version) => format!("{path}/v{version}"),
        None => path.to_owned(),
    };
    assert_eq!(place, versioned);
    match (anchor, &item.range) {
        ("", Some(_)) => framed(document.body()),
        ("", None) => framed(&document.outline().text(document.body(), path)),
        (anchor, _) => {
            let heading = document.outline().find(anchor).expect("a cited section exists");
            framed(&document.body()[heading.range()])
        }
    }
}

fn check(store: &Store, asked: &mut Asked, budget: u64, engine: Engine) -> Selection {
    let selection = asked.select(store, budget);
    let text = selection.text();
    assert_eq!(text.len(), selection.bytes());
    assert!(text.starts_with(asked.session().answered().envelope()));
    assert_eq!(selection.rows.len(), asked.session().answered().rows().len());
    assert!(selection.fetched.len() <= FETCH_LIMIT);
    let mut once = selection.fetched.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), selection.fetched.len(), "a document was fetched twice");
    assert!(selection.related <= 3);
    // Blocks and relation lines never exceed the budget; only notes may.
    let mut left = 4 * budget as i64;
    for item in &selection.items {
        left -= item.charged as i64;
        if matches!(item.kind, Kind::Block | Kind::Stub | Kind::RelationLine) {
            assert!(left >= 0, "{:?} overdraws by {}", item.location, -left);
        }
        match item.kind {
            Kind::Block => {
                let location = item.location.as_deref().expect("a location");
                assert_eq!(item.text, format!(">>> {location}\n\n{}\n\n", cited(store, item)));
            }
            Kind::Stub => {
                let first = &selection.items[item.refers_to.expect("a stub says where")];
                assert_eq!(first.kind, Kind::Block);
                assert_eq!(cited(store, item), cited(store, first));
            }
            _ => {}
        }
    }
    assert_eq!(left, selection.remaining);
    if engine == Engine::Selection {
        let printed: Vec<&Item> = selection
            .items
            .iter()
            .filter(|item| matches!(item.kind, Kind::Block | Kind::Stub) && item.range.is_some())
            .collect();
        for (at, one) in printed.iter().enumerate() {
            for other in &printed[..at] {
                let range = |item: &&Item| item.range.clone().expect("filtered for ranges");
                let (a, b) = (range(one), range(other));
                assert!(
                    one.path != other.path || a.start >= b.end || b.start >= a.end,
                    "{:?} and {:?} overlap",
                    one.location,
                    other.location
                );
            }
        }
    }
    if let Some(strongest) = &selection.strongest {
        let document = store.fetch(strongest).expect("the strongest was printed");
        let declared = Relations::of(strongest, document.metadata()).refs.len();
        assert!(selection.targets.is_empty() || selection.targets.len() == declared);
    } else {
        assert!(selection.targets.is_empty());
    }
    for item in selection.items.iter().filter(|item| item.target.is_some()) {
        assert!(item.row.is_none());
    }
    for (report, printed) in selection.rows.iter().map(|row| (row.outcome, &row.pieces)) {
        let blocks = printed.iter().filter(|piece| piece.short().is_none()).count();
        assert!(report != Outcome::Printed || blocks > 0);
    }
    selection
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_keeps_its_promises(
        drafts in prop::collection::vec(draft(), 1..16),
        words in prop::collection::vec(0..WORDS.len(), 0..3),
        body in any::<bool>(),
        rows in prop::bool::weighted(0.2),
        budgets in prop::collection::vec(0..2500u64, 1..6),
    ) {
        let store = build(&drafts);
        let engine = if rows { Engine::Rows } else { Engine::Selection };
        let question = question(&words, body, engine);
        let mut asked = store.ask(&question);
        for budget in budgets {
            let selection = check(&store, &mut asked, budget, engine);
            // The same answer twice, from a session that has seen nothing else.
            prop_assert_eq!(&selection, &store.ask(&question).select(&store, budget));
            let here = telling(&selection);
            if let Some(up) = &selection.up {
                prop_assert!(up.tokens > budget);
                let before = telling(&check(&store, &mut asked, up.tokens - 1, engine));
                let there = telling(&check(&store, &mut asked, up.tokens, engine));
                prop_assert_eq!(&before, &here, "changed below {}", up.tokens);
                prop_assert_ne!(&there, &here, "no change at {}", up.tokens);
                // The engine before tells nothing of what did not fit, so there a
                // row's outcome may change where the text does not.
                prop_assert!(rows || there.0 != here.0, "the same text at {}", up.tokens);
            } else {
                let far = telling(&check(&store, &mut asked, budget + 50_000, engine));
                prop_assert_eq!(&far, &here);
            }
            if let Some(down) = &selection.down {
                prop_assert!(down.tokens < budget);
                let before = telling(&check(&store, &mut asked, down.tokens + 1, engine));
                let there = telling(&check(&store, &mut asked, down.tokens, engine));
                prop_assert_eq!(&before, &here, "changed above {}", down.tokens);
                prop_assert_ne!(&there, &here, "no change at {}", down.tokens);
                // The engine before tells nothing of what did not fit, so there a
                // row's outcome may change where the text does not.
                prop_assert!(rows || there.0 != here.0, "the same text at {}", down.tokens);
            }
        }
    }
}

/// Walking from breakpoint to breakpoint meets every change that a run at every
/// single budget sees, and no other.
#[test]
fn breakpoints_are_those_of_a_run_at_every_budget() {
    for (world, query, body, most) in [
        ("music", "drone", true, 2200),
        ("music", "recording", true, 2600),
        ("music", "album", false, 1200),
        ("decisions", "storage", true, 1500),
        ("hostile", "granite", true, 1800),
    ] {
        for engine in [Engine::Selection, Engine::Rows] {
            let golden = support::world(world);
            let store = Store::new(world, golden.documents, golden.errors);
            let mut question = Question::new(query);
            question.request.match_sent = body.then_some(Match::Body);
            question.engine = engine;
            let mut asked = store.ask(&question);
            let mut changes = Vec::new();
            let mut last = telling(&asked.select(&store, 0));
            for budget in 1..=most {
                let now = telling(&asked.select(&store, budget));
                if now != last {
                    changes.push(budget);
                    last = now;
                }
            }
            let mut walked = Vec::new();
            let mut budget = 0;
            while let Some(up) = asked.select(&store, budget).up
                && up.tokens <= most
            {
                budget = up.tokens;
                walked.push(budget);
            }
            assert!(changes.len() > 5, "{world} {query}: only {changes:?}");
            assert_eq!(walked, changes, "{world} {query} upward");
            let mut back = Vec::new();
            let mut budget = most;
            while let Some(down) = asked.select(&store, budget).down {
                budget = down.tokens;
                back.push(budget + 1);
            }
            back.reverse();
            assert_eq!(back, changes, "{world} {query} downward");
        }
    }
}
