//! Required passages of odd kinds: what a result holds of each, and whether a reader
//! can cite it, under both engines. The values were worked out by hand from the texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::selection::Engine;
use markscope::tune::{Covered, Passages, RecordedLookup, RequiredPassage, sweep_one};

/// Passages are told as `PATH[#ANCHOR]` and a quote; an empty one is none.
type Wanted<'a> = (&'a str, &'a str, &'a str);

fn passage(place: &str, quote: &str) -> RequiredPassage {
    let (path, anchor) = match place.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (place, None),
    };
    RequiredPassage {
        path: path.to_owned(),
        version: None,
        anchor,
        quote: Some(quote.to_owned()).filter(|quote| !quote.is_empty()),
    }
}

/// Versions are told, since they are part of a header; zero is none.
fn store(documents: &[(&str, u64, &str)]) -> Store {
    let documents = documents.iter().map(|(path, version, body)| {
        let document = Document::new(*path, *body);
        Arc::new(document.with_version(Some(*version).filter(|version| *version > 0)))
    });
    Store::new("odd", documents, BTreeMap::new())
}

/// What a result holds of passages: `-` nothing, `c` contained, `C` citable, each
/// with `s` where a stub says where it stands, or `h` where it came along a relation.
fn held(store: &Store, rows: &[&str], engine: Engine, budget: u64, wanted: &[Wanted<'_>]) {
    let mut lookup = RecordedLookup::new("plum");
    lookup.match_sent = Some(Match::Body);
    lookup.rows = rows.iter().map(|row| (*row).to_owned()).collect();
    lookup.required = wanted.iter().map(|(place, quote, _)| passage(place, quote)).collect();
    let selection = lookup.ask(store, engine, false).select(store, budget);
    let covered = Passages::of(&lookup, store).covered(&selection);
    let told = |covered: &Covered| {
        let held = match (covered.contained, covered.citable) {
            (false, false) => "-",
            (true, false) => "c",
            (true, true) => "C",
            (false, true) => "citable and not contained",
        };
        let how = [(covered.by_stub, "s"), (covered.by_hop, "h")];
        let how = how.iter().filter(|(is, _)| *is).map(|(_, letter)| *letter);
        format!("{held}{}", how.collect::<String>())
    };
    let told: Vec<_> = wanted
        .iter()
        .zip(&covered)
        .map(|((place, quote, _), covered)| (*place, *quote, told(covered)))
        .collect();
    let want: Vec<_> =
        wanted.iter().map(|(place, quote, want)| (*place, *quote, (*want).to_owned())).collect();
    assert_eq!(told, want, "{}", selection.text());
    // A sweep says at its largest budget what one run says.
    let swept = sweep_one(&lookup, store, engine, budget, budget).points[0].figures;
    let count = |of: fn(&Covered) -> bool| covered.iter().filter(|one| of(one)).count() as u64;
    assert_eq!(
        (swept.contained, swept.citable),
        (count(|one| one.contained), count(|one| one.citable))
    );
}

#[test]
fn a_section_around_must_have_the_quote_once() {
    let store = store(&[(
        "/over.md",
        1,
        "# Over\n\nIntro.\n\n## Part\n\nso and so and so it is\n\n## Rest\n\nsowing and sorting\n",
    )]);
    held(
        &store,
        &["/over.md"],
        Engine::Selection,
        600,
        &[
            // It stands there twice, sharing words.
            ("/over.md#part", "so and so", "c"),
            ("/over.md#over", "so and so", "C"),
            ("/over.md#part", "so and so and so", "C"),
            ("/over.md#part", "so", "c"),
            ("/over.md#rest", "sowing", "C"),
            // It stands in another section of the document.
            ("/over.md#rest", "and so it is", "C"),
            // Headings are text; over the end of a section it is of the one around.
            ("/over.md#over", "it is ## Rest sowing", "C"),
            ("/over.md# OVER ", "Intro.", "C"),
            ("/over.md##part", "and so it", "C"),
            ("/over.md#none", "Intro.", "c"),
            ("/over.md#part", "", "C"),
            ("/over.md", "", "C"),
        ],
    );
    // By its own section, the words that stand there twice can be cited.
    held(
        &store,
        &["/over.md#part"],
        Engine::Rows,
        600,
        &[
            ("/over.md#part", "so and so", "C"),
            ("/over.md#over", "so and so", "c"),
            ("/over.md#over", "", "-"),
            ("/over.md#rest", "sowing", "-"),
            ("/over.md", "so and so", "C"),
        ],
    );
}

#[test]
fn a_preamble_is_contained_and_cannot_be_cited() {
    let store = store(&[
        ("/pre.md", 1, "A preamble that goes\non for two lines.\n\n# Pre\n\nBelow it.\n"),
        ("/none.md", 0, "No heading here.\nSecond\u{a0}line.\n"),
    ]);
    for engine in [Engine::Selection, Engine::Rows] {
        held(
            &store,
            &["/pre.md", "/none.md"],
            engine,
            600,
            &[
                ("/pre.md", "that goes on for two", "c"),
                ("/pre.md", "that  goes\n\ton", "c"),
                ("/pre.md#pre", "Below it.", "c"),
                ("/pre.md#pre", "", "c"),
                ("/none.md", "here. Second line.", "c"),
                ("/none.md", "", "c"),
                // The words stand under another document's header.
                ("/pre.md", "No heading here.", "-"),
                ("/nowhere.md", "No heading here.", "-"),
            ],
        );
    }
}

#[test]
fn the_same_words_are_held_where_they_are_printed() {
    let twin = "# Twin\n\nThe very same.\n\n## Below\n\nShared words.\n";
    let store = store(&[("/one.md", 2, twin), ("/two.md", 7, twin)]);
    let rows = ["/one.md", "/two.md"];
    let wanted = |second| {
        [
            ("/one.md#below", "Shared words.", "C"),
            ("/one.md", "The very same.", "C"),
            ("/two.md#below", "Shared words.", second),
            ("/two.md#twin", "", second),
            ("/two.md", "", second),
            ("/two.md#below", "No such words.", "-"),
        ]
    };
    held(&store, &rows, Engine::Selection, 600, &wanted("-s"));
    // Without stubs both are printed, and without the pin to a title neither is cited.
    let wanted = wanted("c")
        .map(|(place, quote, want)| (place, quote, if want == "C" { "c" } else { want }));
    held(&store, &rows, Engine::Rows, 600, &wanted);
    // Another version of a document is a document of its own.
    let old = store_of_versions();
    let wanted = [("/a.md", "old", "-"), ("/a.md/v3", "old", "C"), ("/a.md#a", "new", "C")];
    held(&old, &["/a.md", "/a.md/v3"], Engine::Selection, 600, &wanted);
}

fn store_of_versions() -> Store {
    store(&[("/a.md", 4, "# A\n\nThe new words.\n"), ("/a.md/v3", 0, "# A\n\nThe old words.\n")])
}

#[test]
fn a_frame_within_a_block_is_text() {
    let store = store(&[
        (
            "/frame.md",
            1,
            "# Frame\n\n>>> /a.md/v4#a\n\n>>> note: no note\n\n## End\n\n>>> related: none\nlast\n",
        ),
        ("/a.md", 4, "# A\n\nThe new words.\n"),
        ("/says.md", 1, "same text as /a.md/v4#a\n"),
    ]);
    held(
        &store,
        &["/frame.md", "/says.md"],
        Engine::Selection,
        600,
        &[
            ("/frame.md#frame", ">>> /a.md/v4#a >>> note: no note", "C"),
            ("/frame.md#end", ">>> related: none last", "C"),
            ("/a.md#a", "note: no note", "-"),
            ("/a.md", "", "-"),
            ("/says.md", "same text as /a.md", "c"),
        ],
    );
}

#[test]
fn of_a_large_document_its_sections_are_held_and_of_an_outline_its_lines() {
    let filler = "Filler without the word.\n".repeat(400);
    let body = format!(
        "Preamble of big.\n\n# Big\n\n## Part\n\nThe plum is here.\n\n### Under\n\nMore.\n\n\
         ## Filler\n\n{filler}"
    );
    let store = store(&[("/big.md", 1, &body)]);
    let wanted = |part, outline| {
        [
            ("/big.md#part", "The plum is here.", part),
            ("/big.md#under", "More.", part),
            ("/big.md#part", "", part),
            ("/big.md#filler", "", "-"),
            ("/big.md#big", "", "-"),
            ("/big.md", "Preamble of big.", outline),
            ("/big.md#filler", "Filler (#filler,", outline),
            ("/big.md", "", if part == "C" { "C" } else { "-" }),
        ]
    };
    for engine in [Engine::Selection, Engine::Rows] {
        held(&store, &["/big.md"], engine, 600, &wanted("C", "-"));
    }
    // Where no section fits, the outline is a block, though none to cite.
    let mut lookup = RecordedLookup::new("nowhere");
    lookup.rows = vec!["/big.md".into()];
    lookup.required = wanted("-", "c").map(|(place, quote, _)| passage(place, quote)).to_vec();
    let selection = lookup.ask(&store, Engine::Selection, false).select(&store, 600);
    let covered = Passages::of(&lookup, &store).covered(&selection);
    let told: Vec<_> = covered.iter().map(|one| (one.contained, one.citable)).collect();
    let want = wanted("-", "c").map(|(_, _, want)| (want == "c", false));
    assert_eq!(told, want, "{}", selection.text());
}

#[test]
fn what_came_along_a_relation_is_told_from_what_a_row_brought() {
    let metadata = [("rel-related".to_owned(), "/hop.md#deep, /pre.md".to_owned())];
    let first =
        Document::new("/first.md", "# First\n\nHere.\n").with_metadata(BTreeMap::from(metadata));
    let hop = "Before.\n\n# Hop\n\nShallow.\n\n## Deep\n\nDeep words.\n\n### Deeper\n\nMore.\n";
    let documents =
        [first, Document::new("/hop.md", hop), Document::new("/pre.md", "Ahead.\n\n# Pre\n")];
    let store = Store::new("odd", documents.map(Arc::new), BTreeMap::new());
    let wanted = [
        ("/first.md#first", "Here.", "C"),
        ("/hop.md#deep", "Deep words.", "Ch"),
        ("/hop.md#deeper", "More.", "Ch"),
        ("/hop.md#deeper", "", "Ch"),
        // Contained, and cited by a section that is not around the one wanted.
        ("/hop.md#hop", "Deep words.", "ch"),
        ("/hop.md#hop", "Shallow.", "-"),
        ("/hop.md", "Before.", "-"),
        ("/pre.md", "Ahead.", "ch"),
        ("/pre.md#pre", "", "ch"),
    ];
    held(&store, &["/first.md"], Engine::Selection, 600, &wanted);
    let alone = wanted.map(|(place, quote, _)| {
        (place, quote, if place.starts_with("/first") { "c" } else { "-" })
    });
    held(&store, &["/first.md"], Engine::Rows, 600, &alone);
}
