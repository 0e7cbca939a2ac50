//! The measures over recorded lookups, against the reader's text read by other
//! means than the program's own.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::{Question, Store};
use markscope::selection::{Change, Engine, Kind};
use markscope::tune::{
    CostModel, Covered, Entry, Figures, Options, Passages, Policy, PolicySpec, RecordedLookup,
    Replay, Report, RequiredPassage, Step, Sweep, Verdict, curve, knee, read_lookups, svg,
    sweep_one,
};
use markscope::world::{Source, World};
use proptest::prelude::*;

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
                    && (passage.quote.is_none() || beginnings(&words(&block.text), &quote) == 1))
        };
        figures.citable += u64::from(blocks.iter().filter(holds).any(|block| cites(&block)));
    }
    figures
}

/// At how many places of a text a quote begins; two may share words.
fn beginnings(text: &str, quote: &str) -> usize {
    text.char_indices().filter(|(at, _)| text[*at..].starts_with(quote)).count()
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

/// A document of a small world: path, importance, relations, body.
fn document(path: &str, importance: &str, rel: &str, body: &str) -> Arc<Document> {
    let mut metadata = BTreeMap::from([("importance".to_owned(), importance.to_owned())]);
    if !rel.is_empty() {
        metadata.insert("rel-by".into(), rel.into());
    }
    Arc::new(Document::new(path, body).with_metadata(metadata))
}

fn store(documents: impl IntoIterator<Item = Arc<Document>>) -> Store {
    Store::new("small", documents, BTreeMap::new())
}

fn body_lookup(query: &str) -> RecordedLookup {
    RecordedLookup { match_sent: Some(Match::Body), ..RecordedLookup::new(query) }
}

fn steps(store: &Store, lookup: &RecordedLookup, engine: Engine, to: u64) -> (u64, Vec<Step>) {
    let mut asked = lookup.ask(store, engine, false);
    let spent = asked.session().answered().spent() as u64;
    let mut fetch = |location: &str| store.fetch(location);
    (spent, curve(asked.session_mut(), &mut fetch, 0, to).expect("a source that always answers"))
}

/// The bytes of a block.
fn block(location: &str, text: &str) -> u64 {
    format!(">>> {location}\n\n{text}\n\n").len() as u64
}

#[test]
fn the_steps_of_a_row_its_relation_line_and_its_hop() {
    let (first, second) = ("# A\n\nPlum and pear.\n", "# B\n\nNothing of the kind, at length.\n");
    let store =
        store([document("/a.md", "0.9", "/b.md", first), document("/b.md", "0.5", "", second)]);
    let (spent, steps) = steps(&store, &body_lookup("plum"), Engine::Selection, 2000);
    let a = block("/a.md#a", first.trim());
    let line = ">>> related: rel-by /b.md\n\n".len() as u64;
    let b = block("/b.md#b", second.trim());
    let entry = |kind, location: &str| Entry { kind, location: location.into() };
    let got: Vec<_> = steps
        .iter()
        .map(|step| {
            assert_eq!(step.leaving, [], "{step:?}");
            let change = step.change.clone();
            (step.tokens, change, step.entering.clone(), step.expanded, step.related)
        })
        .collect();
    let target = || "/b.md".to_owned();
    let want = vec![
        (0, None, vec![], 0, 0),
        (1, Some(Change::Budget), vec![], 0, 0),
        (10, None, vec![], 0, 0),
        (spent / 4 + 1, Some(Change::Expansion), vec![], 0, 0),
        (
            (spent + a).div_ceil(4),
            Some(Change::Block("/a.md#a".into())),
            vec![entry(Kind::Block, "/a.md#a")],
            1,
            0,
        ),
        (
            (spent + a + line).div_ceil(4),
            Some(Change::RelationLine("/a.md".into())),
            vec![entry(Kind::RelationLine, "/a.md")],
            1,
            0,
        ),
        ((spent + a + line + 1).div_ceil(4), Some(Change::Target(target())), vec![], 1, 0),
        (
            (spent + a + line + b).div_ceil(4),
            Some(Change::Block("/b.md#b".into())),
            vec![entry(Kind::Block, "/b.md#b")],
            1,
            1,
        ),
    ];
    // The target is reached in the same token as the line, if that left a byte.
    let want: Vec<_> = match (spent + a + line) % 4 {
        0 => want,
        _ => want.into_iter().filter(|step| step.1 != Some(Change::Target(target()))).collect(),
    };
    assert_eq!(got, want);
    let closing = ">>> note: expanded 1 of 1 rows and 1 related documents within the budget\n";
    let last = steps.last().expect("steps");
    assert_eq!(last.used as u64, spent + a + line + b + closing.len() as u64);
    assert_eq!(last.bytes, last.used + 1, "the gap is not charged");
}

#[test]
fn a_block_that_fits_at_last_takes_the_room_of_a_later_one() {
    let (large, small) = (format!("# L\n\nPlum. {}\n", "word ".repeat(60)), "# S\n\nPlum.\n");
    let store = store([document("/l.md", "0.9", "", &large), document("/s.md", "0.1", "", small)]);
    let (spent, steps) = steps(&store, &body_lookup("plum"), Engine::Selection, 2000);
    let (l, s) = (block("/l.md#l", large.trim()), block("/s.md#s", small.trim()));
    let moves: Vec<_> = steps
        .iter()
        .filter(|step| !step.entering.is_empty() || !step.leaving.is_empty())
        .map(|step| {
            let places = |entries: &[Entry]| -> Vec<String> {
                entries.iter().map(|entry| entry.location.clone()).collect()
            };
            (step.tokens, places(&step.entering), places(&step.leaving))
        })
        .collect();
    let one = |place: &str| vec![place.to_owned()];
    assert_eq!(
        moves,
        [
            ((spent + s).div_ceil(4), one("/s.md#s"), vec![]),
            ((spent + l).div_ceil(4), one("/l.md#l"), one("/s.md#s")),
            ((spent + l + s).div_ceil(4), one("/s.md#s"), vec![]),
        ]
    );
    // The smallest budget that reaches a passage, and the one from which it stays.
    let mut lookup = body_lookup("plum");
    lookup.required = vec![RequiredPassage {
        path: "/s.md".into(),
        version: None,
        anchor: Some("s".into()),
        quote: Some("Plum.".into()),
    }];
    let swept = sweep_one(&lookup, &store, Engine::Selection, 0, 2000);
    let reached = swept.reached[0];
    assert_eq!(reached.contained, Some((spent + s).div_ceil(4)));
    assert_eq!(reached.contained_stays, Some((spent + l + s).div_ceil(4)));
    assert_eq!(
        (reached.citable, reached.citable_stays),
        (reached.contained, reached.contained_stays)
    );
    assert_eq!(swept.knee, reached.contained);
}

#[test]
fn the_knee_is_farthest_above_the_straight_line() {
    assert_eq!(knee(&[], 10), None);
    assert_eq!(knee(&[(0, 0)], 10), None, "it never rises");
    assert_eq!(knee(&[(0, 3), (5, 1)], 10), None, "it falls");
    // At 2 it is 3/4 high where the line is 2/10 high; at 6, whole at 6/10.
    assert_eq!(knee(&[(0, 0), (2, 3), (6, 4)], 10), Some(2));
    // Equally far: the first of them.
    assert_eq!(knee(&[(0, 0), (2, 2), (6, 4)], 8), Some(2));
    assert_eq!(knee(&[(0, 0), (10, 4)], 10), None, "it is on the line");
}

#[test]
fn passages_are_covered_by_blocks_of_their_own_document_alone() {
    let shared = "# Twin\n\nThe same words in both.\n";
    let body = "# Pear\n\nPlum.\n\n## One\n\nTwo  words,\ntwo words.\n\n## Two\n\nAlone here.\n";
    let store = store([
        document("/pear.md", "0.9", "/far.md", body),
        document("/a.md", "0.8", "", &shared.replace("words", "plum words")),
        document("/b.md", "0.7", "", &shared.replace("words", "plum words")),
        document("/far.md", "0.1", "", "# Far\n\nOver there.\n"),
    ]);
    let passage = |path: &str, anchor: Option<&str>, quote: Option<&str>| RequiredPassage {
        path: path.into(),
        version: None,
        anchor: anchor.map(str::to_owned),
        quote: quote.map(str::to_owned),
    };
    let covered =
        |contained, citable, by_hop, by_stub| Covered { contained, citable, by_hop, by_stub };
    let cases = [
        // The whole document is pinned to its H1; the quote is there once.
        (passage("/pear.md", Some("two"), Some("Alone here.")), covered(true, true, false, false)),
        // White space does not matter; the quote is there once, for its case.
        (passage("/pear.md", Some("one"), Some("two words.")), covered(true, true, false, false)),
        // Twice in the section around it: not to be cited by that.
        (passage("/pear.md", Some("one"), Some("wo words")), covered(true, false, false, false)),
        // No anchor is asked for.
        (passage("/pear.md", None, Some("wo words")), covered(true, true, false, false)),
        (passage("/pear.md", Some("pear"), Some("wo words")), covered(true, true, false, false)),
        // A section, a document, and one that is not there.
        (passage("/pear.md", Some("#Two"), None), covered(true, true, false, false)),
        (passage("/pear.md", None, None), covered(true, true, false, false)),
        (passage("/pear.md", Some("three"), None), covered(false, false, false, false)),
        (passage("/none.md", None, None), covered(false, false, false, false)),
        // Along a relation.
        (passage("/far.md", Some("far"), Some("Over there.")), covered(true, true, true, false)),
        // The words of another document do not count; a stub says where they stand.
        (passage("/b.md", Some("twin"), Some("in both")), covered(false, false, false, true)),
        (passage("/a.md", Some("twin"), Some("in both")), covered(true, true, false, false)),
        (passage("/pear.md", None, Some("in both")), covered(false, false, false, false)),
    ];
    let mut lookup = RecordedLookup::new("*");
    lookup.rows = ["/pear.md", "/a.md", "/b.md"].map(str::to_owned).to_vec();
    lookup.required = cases.iter().map(|(passage, _)| passage.clone()).collect();
    let mut passages = Passages::of(&lookup, &store);
    let mut asked = lookup.ask(&store, Engine::Selection, false);
    let selection = asked.select(&store, 1500);
    for (got, (passage, want)) in passages.covered(&selection).into_iter().zip(&cases) {
        assert_eq!(got, *want, "{passage:?} in {}", selection.text());
    }
    assert_eq!(
        passages.remarks(),
        [
            "/pear.md#three: /pear.md has no such section",
            "/none.md: there is no document /none.md",
            "/pear.md: the quote does not stand there: \"in both\"",
        ]
    );
    // Without a budget nothing is covered, whatever the table shows.
    let nothing = asked.select(&store, 0);
    assert!(passages.covered(&nothing).iter().all(|covered| *covered == Covered::default()));
}

#[test]
fn passages_of_old_versions_are_left_out_and_told() {
    let store = store([Arc::new(Document::new("/a.md", "# A\n\nNew.\n").with_version(Some(4)))]);
    let mut lookup = RecordedLookup::new("*");
    let passage = |version| RequiredPassage {
        path: "/a.md".into(),
        version,
        anchor: Some("a".into()),
        quote: None,
    };
    lookup.required = vec![passage(Some(3)), passage(Some(4)), passage(None)];
    let mut passages = Passages::of(&lookup, &store);
    assert_eq!(passages.left_out(), [passage(Some(3))]);
    assert_eq!(passages.remarks(), ["/a.md/v3#a is left out: the current version of /a.md is 4"]);
    let selection = lookup.ask(&store, Engine::Selection, false).select(&store, 500);
    let covered = Covered { contained: true, citable: true, ..Covered::default() };
    assert_eq!(passages.covered(&selection), [covered, covered]);
}

#[test]
fn the_sum_of_curves_is_that_of_runs() {
    let store = bundled();
    let curves: Vec<_> = lookups()
        .iter()
        .map(|lookup| sweep_one(lookup, &store, Engine::Selection, 200, 1200))
        .collect();
    let sweep = Sweep::of(200, 1200, Engine::Selection, curves);
    for budget in [200, 201, 333, 512, 777, 1000, 1199, 1200] {
        let mut want = Figures::default();
        for lookup in lookups() {
            want += figures_by_text(&store, &lookup, Engine::Selection, budget);
        }
        let at = sweep.all.points.partition_point(|point| point.budget <= budget);
        assert_eq!(sweep.all.points[at - 1].figures, want, "at {budget}");
    }
    let required: u64 = sweep.lookups.iter().map(|curve| curve.required).sum();
    assert_eq!((sweep.all.required, sweep.all.left_out), (required, 1));
    let chart = svg(&sweep, "a < b & \"c\"");
    assert!(chart.starts_with("<svg xmlns=") && chart.ends_with("</svg>\n"), "{chart}");
    assert!(chart.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"), "{chart}");
    assert!(chart.contains("@media(prefers-color-scheme:dark)") && !chart.contains("NaN"));
    assert!(!chart.contains("href") && !chart.contains("@import"), "it needs nothing else");
}

fn replay(store: &Store, lookups: &[RecordedLookup], against: Option<Engine>) -> Report {
    let policy = PolicySpec { name: Policy::BudgetFirst, rules: None, cost: CostModel::default() };
    let options = Options { budget: None, policy: Some(policy) };
    let replay = Replay { store, lookups, engine: Engine::Selection, against, options };
    let entries = (0..lookups.len()).rev().filter_map(|at| replay.entry(at)).collect();
    replay.report(replay.hashes(), entries)
}

#[test]
fn a_replay_has_the_figures_of_both_engines() {
    let store = bundled();
    let lookups = lookups();
    let report = replay(&store, &lookups, Some(Engine::Rows));
    assert!(report.complete);
    let (mut before, mut after) = (Figures::default(), Figures::default());
    let mut survey = Figures::default();
    for (entry, lookup) in report.entries.iter().zip(&lookups) {
        let rows = figures_by_text(&store, lookup, Engine::Rows, lookup.budget());
        let selection = figures_by_text(&store, lookup, Engine::Selection, lookup.budget());
        assert_eq!(entry.against.as_ref().map(|arm| arm.figures), Some(rows), "{}", entry.name);
        assert_eq!(entry.engine.figures, selection, "{}", entry.name);
        before += rows;
        after += selection;
        if lookup.category.as_deref() == Some("survey") {
            survey += selection;
        }
        // A lookup, a fetch of each passage that is not there, an answer.
        let table = lookup.ask(&store, Engine::Selection, false).select(&store, 0).bytes() as u64;
        assert!(table <= selection.bytes, "{}", entry.name);
        let missing = entry.required.len() as u64 - selection.contained;
        let tokens = (missing + 2) * 1590
            + (missing + 1) * selection.tokens
            + missing * (missing + 1) / 2 * 230;
        let turns = entry.engine.turns.map(|turns| (turns.turns, turns.tokens));
        assert_eq!(turns, (!entry.required.is_empty()).then_some((missing + 2, tokens)));
    }
    assert_eq!(report.all.engine.figures, after);
    assert_eq!(report.all.against.as_ref().map(|arm| arm.figures), Some(before));
    assert_eq!(report.categories["survey"].engine.figures, survey);
    let tests = report.all.change.as_ref().expect("two engines");
    let mean = tests.tokens.expect("pairs").mean;
    let change = after.tokens as f64 - before.tokens as f64;
    assert!((mean - change / lookups.len() as f64).abs() < 0.001, "{mean}");
    // What is read back is what was written.
    let text = serde_json::to_string_pretty(&report).expect("JSON");
    assert_eq!(serde_json::from_str::<Report>(&text).expect("a report"), report);
    assert_eq!(replay(&store, &lookups, Some(Engine::Rows)), report);
}

#[test]
fn hops_are_never_passed_where_none_fired() {
    let documents = |rel: &str| {
        [
            document("/a.md", "0.9", rel, "# A\n\nPlum.\n"),
            document("/b.md", "0.5", "", "# B\n\nPear.\n"),
        ]
    };
    let mut lookup = body_lookup("plum");
    let verdict = |rel: &str, lookup: &RecordedLookup, against| {
        let hops = replay(&store(documents(rel)), std::slice::from_ref(lookup), against).all.hops;
        (hops.verdict, hops.why)
    };
    let rows = Some(Engine::Rows);
    let inconclusive = |why: &str| (Verdict::Inconclusive, why.to_owned());
    assert_eq!(verdict("", &lookup, rows), inconclusive("no hop fired"));
    assert_eq!(
        verdict("/b.md", &lookup, rows),
        inconclusive("no lookup in which a hop fired requires a passage")
    );
    let passage = |path: &str| RequiredPassage {
        path: path.into(),
        version: None,
        anchor: None,
        quote: None,
    };
    lookup.required = vec![passage("/a.md")];
    assert_eq!(
        verdict("/b.md", &lookup, rows),
        inconclusive("no required passage of 1 lookup in which a hop fired came along a relation")
    );
    lookup.required.push(passage("/b.md"));
    assert_eq!(
        verdict("/b.md", &lookup, rows),
        (
            Verdict::Pass,
            "1 required passage of 1 lookup in which a hop fired came along a relation; 2 \
             contained, 1 without"
                .to_owned()
        )
    );
    assert_eq!(
        verdict("/b.md", &lookup, None),
        inconclusive("one engine alone; hold it against another")
    );
}

/// Small worlds with all that makes a curve bend: sections, twins, large documents,
/// relations, empty bodies.
fn worlds() -> impl Strategy<Value = Vec<Arc<Document>>> {
    let section = (0..4usize, 1..40usize, any::<bool>());
    let one = (prop::collection::vec(section, 0..4), 0..8usize, 0..10u8, 0..12usize);
    prop::collection::vec(one, 1..7).prop_map(|all| {
        let count = all.len();
        let made = all.into_iter().enumerate().map(|(at, (sections, rel, importance, size))| {
            let mut body = if size == 0 { String::new() } else { format!("# D{}\n", at / 2) };
            for (word, length, is_deep) in &sections {
                let word = ["plum", "pear", "fig", "kiwi"][*word];
                let level = if *is_deep { "###" } else { "##" };
                body.push_str(&format!(
                    "\n{level} {word}\n\n{}\n",
                    format!("{word} ").repeat(*length)
                ));
            }
            if size == 11 {
                body.push_str(&format!("\n## plum {at}\n\n{}\n", "plum pear ".repeat(900)));
            }
            let rel = match rel {
                0..4 => String::new(),
                _ => format!("/d{}.md, /d{}.md#plum, /gone.md", rel % count, (rel + 1) % count),
            };
            document(&format!("/d{at}.md"), &format!("0.{importance}"), &rel, &body)
        });
        made.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_sweep_is_what_a_run_at_every_token_gives(
        documents in worlds(),
        query in prop::sample::select(vec!["plum", "pear fig", "*"]),
        is_body in any::<bool>(),
        from in 0..60u64,
    ) {
        let mut lookup = RecordedLookup::new(query);
        lookup.match_sent = (is_body && query != "*").then_some(Match::Body);
        lookup.required = documents.iter().map(|document| RequiredPassage {
            path: document.path().to_owned(),
            version: None,
            anchor: Some("plum".into()),
            quote: Some("plum plum".into()),
        }).collect();
        let store = store(documents);
        let to = 620;
        for engine in [Engine::Selection, Engine::Rows] {
            let swept = sweep_one(&lookup, &store, engine, from, to);
            prop_assert_eq!(swept.points[0].budget, from);
            for budget in from..=to {
                let at = swept.points.partition_point(|point| point.budget <= budget);
                let got = swept.points[at - 1].figures;
                let want = figures_by_text(&store, &lookup, engine, budget);
                prop_assert_eq!(got, want, "{:?} at {}", engine, budget);
            }
        }
    }
}

/// Many lookups at once over a world whose bodies nobody has looked into yet: each waits
/// for the index, and none for itself.
#[test]
fn lookups_at_once_share_the_index_that_the_first_one_makes() {
    use rayon::prelude::*;
    for _ in 0..20 {
        let document = |at: usize| {
            Arc::new(Document::new(format!("/{at}.md"), format!("# D {at}\n\nstone {at}\n")))
        };
        let store = Store::new("w", (0..200).map(document), BTreeMap::new());
        let mut question = Question::new("stone");
        question.request.match_sent = Some(Match::Body);
        let rows: Vec<usize> = (0..64)
            .into_par_iter()
            .map(|_| store.ask(&question).session().answered().rows().len())
            .collect();
        assert_eq!(rows, [10; 64]);
    }
}
