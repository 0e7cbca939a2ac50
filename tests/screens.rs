//! Whole screens over the golden worlds, and what the explorer does with keys.

mod support;

#[path = "support/explorer.rs"]
mod explorer;

use std::collections::BTreeMap;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use explorer::{Explorer, SIZES, asked, store};
use futures_util::FutureExt as _;
use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::selection::Engine;
use markscope::tui::layout::Pane;
use markscope::tui::message::{Effect, Message};
use markscope::tui::model::{Model, Popup};
use markscope::tui::page::Part;
use markscope::tui::picture::Format;
use markscope::tui::theme::{Depth, Theme};
use markscope::tui::update::update;
use markscope::tui::{Opened, Options, frame, print, view};
use markscope::world::Reader;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

fn drone() -> Explorer {
    Explorer::new("music", asked("music", "drone", 800), (120, 40))
}

/// Every line of a frame is as wide as the screen or shorter, and every border
/// closes where it began.
fn assert_whole(text: &str, size: (u16, u16)) {
    assert_eq!(text.lines().count(), usize::from(size.1));
    for line in text.lines() {
        let width: usize = unicode_segmentation::UnicodeSegmentation::graphemes(line, true)
            .map(unicode_width::UnicodeWidthStr::width)
            .sum();
        assert!(width <= usize::from(size.0), "{width} cells: {line}");
    }
}

#[test]
fn screens() {
    for (name, world, options, keys) in explorer::states() {
        for size in SIZES {
            let explorer = Explorer::new(world, options.clone(), size).keys(keys);
            let text = frame(&explorer.model);
            assert_whole(&text, size);
            insta::assert_snapshot!(format!("{name}-{}x{}", size.0, size.1), text);
        }
    }
}

#[test]
fn hostile_text_breaks_no_border() {
    for (name, query) in
        [("wide", "cjk"), ("emoji", "emoji"), ("odd", "odd"), ("control", "control")]
    {
        let explorer = Explorer::new("hostile", asked("hostile", query, 3000), (120, 40));
        let text = frame(&explorer.model);
        assert_whole(&text, (120, 40));
        for line in text.lines().skip(5).take(34) {
            assert!(line.ends_with(['│', '┃', '┓', '┛', '┐', '┘']), "{name}: {line}");
        }
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        insta::assert_snapshot!(format!("hostile-{name}-120x40"), text);
    }
}

#[test]
fn print_is_the_same_view() {
    let options = asked("music", "drone", 800);
    let explorer = Explorer::new("music", options.clone(), (120, 40));
    let opened = Opened::new(Reader::Store(Arc::new(store("music"))));
    let printed = print(opened, options, (120, 40), Format::Text)
        .now_or_never()
        .expect("nothing to wait for");
    assert_eq!((printed.picture, printed.troubles), (frame(&explorer.model), Vec::new()));
}

#[test]
fn the_selected_row_is_reversed_and_marked() {
    let explorer = drone().keys("↓↓");
    let area = Rect::new(0, 0, 120, 40);
    let mut buf = Buffer::empty(area);
    view::draw(&explorer.model, area, &mut buf);
    let marked: Vec<u16> = (5..20).filter(|y| buf[(1, *y)].symbol() == "▸").collect();
    assert_eq!(marked, [9]);
    for y in 7..17 {
        let reversed = buf[(20, y)].modifier.contains(Modifier::REVERSED);
        assert_eq!(reversed, y == 9, "row {y}");
    }
}

#[test]
fn arrows_move_the_budget_and_brackets_go_to_breakpoints() {
    assert_eq!(drone().keys("→").model.budget, 850);
    assert_eq!(drone().keys("←←").model.budget, 700);
    assert_eq!(drone().keys("}").model.budget, 1300);
    assert_eq!(drone().keys("{{").model.budget, 0);
    let explorer = drone();
    let selection = &explorer.model.outcome.as_ref().expect("a result").selection;
    let (up, down) = (selection.up.clone(), selection.down.clone());
    let up = up.expect("a breakpoint above").tokens;
    let down = down.expect("a breakpoint below").tokens;
    assert_eq!(drone().keys("]").model.budget, up);
    assert_eq!(drone().keys("[").model.budget, down);
    let top = drone().keys("b⌫⌫⌫1000000\n→");
    assert_eq!(top.model.budget, 1_000_000);
    assert_eq!(top.keys("]").line(39), " nothing changes above this budget");
}

#[test]
fn a_budget_is_typed_and_a_bad_one_is_told() {
    assert_eq!(drone().keys("b⌫⌫⌫1234\n").model.budget, 1234);
    let bad = drone().keys("b⌫⌫⌫x\n");
    assert_eq!(bad.model.budget, 800);
    assert!(bad.line(39).contains("0 to 1,000,000 tokens"), "{}", bad.line(39));
    assert_eq!(bad.keys("\u{1b}q").model.budget, 800);
    let narrow = Explorer::new("music", asked("music", "drone", 800), (60, 16)).keys("b9999999\n");
    assert!(narrow.line(15).contains("0 to 1,000,000 tokens"), "{}", narrow.line(15));
}

#[test]
fn a_digit_replaces_the_budget_and_letters_are_refused() {
    assert_eq!(drone().keys("b12\n").model.budget, 12);
    assert_eq!(drone().keys("b-x1,2\n").model.budget, 12);
    assert_eq!(drone().keys("b→5\n").model.budget, 8005);
    assert_eq!(drone().keys("b\n").model.budget, 800);
    let mut explorer = drone().keys("b");
    explorer.send(Message::Paste("-3".into()));
    assert_eq!(explorer.keys("\n").model.budget, 800);
}

#[test]
fn an_empty_query_line_asks_nothing() {
    let explorer = Explorer::new("music", Options::new("music"), (80, 24)).keys("/ \n");
    assert!(!explorer.model.has_query && explorer.model.typing.is_none());
    let explorer = drone().keys("/⌫⌫⌫⌫⌫\n");
    assert_eq!(explorer.model.question.request.query, "drone");
}

#[test]
fn suggested_queries_are_words() {
    let documents = ["c", "石", "go"].map(|tag| {
        let metadata = BTreeMap::from([("tags".to_owned(), tag.to_owned())]);
        Arc::new(Document::new(format!("/{tag}.md"), "# A\n").with_metadata(metadata))
    });
    let store = Store::new("tags", documents, BTreeMap::new());
    let text = frame(&Explorer::over(store, Options::new("tags"), (80, 24)).model);
    assert!(text.lines().any(|line| line.trim() == "go"), "{text}");
}

#[test]
fn what_is_declared_in_vain_stands_behind_the_targets() {
    let metadata = BTreeMap::from([
        ("rel-by".to_owned(), "/b.md#nowhere, /c.md /d.md, /b.md#two".to_owned()),
        ("rel-of".to_owned(), "/a.md".to_owned()),
    ]);
    let documents = [
        Arc::new(Document::new("/a.md", "# Stone\n\nstone stone\n").with_metadata(metadata)),
        Arc::new(Document::new("/b.md", "# B\n\nstone\n\n## Two\n")),
    ];
    let store = Store::new("stones", documents, BTreeMap::new());
    let explorer = Explorer::over(store, asked("stones", "stone", 2000), (120, 40)).keys("2");
    let text = frame(&explorer.model);
    assert!(text.contains("[2 relations (2)]"), "no room for more: {text}");
    let explorer = explorer.keys("z");
    assert!(frame(&explorer.model).contains(" 2 relations (2, 2 rejected) "));
    let explorer = explorer.keys("z");
    assert!(
        text.contains("in the table, but has no section") && text.contains("┃  #nowhere"),
        "{text}"
    );
    let explorer = explorer.keys("↓");
    assert!(!frame(&explorer.model).contains("but has no section"));
    let explorer = explorer.keys("↓");
    let text = frame(&explorer.model);
    assert!(text.contains("▸ ├─by──╳ ! rejected  /c.md /d.md"), "{text}");
    assert!(text.contains("whitespace in reference: a comma may be missing"), "{text}");
    let text = frame(&explorer.keys("↓w").model);
    assert!(text.contains("rel-of of /a.md") && text.contains("! rejected · self reference"));
}

#[test]
fn q_closes_what_covers_the_panes_first() {
    for keys in ["?q", "wq", "!q", "rq"] {
        let explorer = drone().keys(keys);
        assert!(explorer.model.popup.is_none() && !explorer.left, "{keys}");
        assert!(explorer.keys("q").left, "{keys}");
    }
    let mut explorer = drone().keys("?");
    assert!(explorer.line(39).contains("Esc q back"), "{}", explorer.line(39));
    explorer.send(Message::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert!(explorer.left);
}

#[test]
fn control_l_draws_everything_anew() {
    let key = Message::Key(KeyEvent::new(KeyCode::Char('l'), KeyModifiers::CONTROL));
    let effects = update(&mut drone().model, key);
    assert!(matches!(effects[..], [Effect::Repaint]));
}

#[test]
fn rows_that_go_on_have_a_sign_in_the_margin() {
    let explorer = Explorer::new("music", asked("music", "drone", 800), (80, 24)).keys("r");
    let text = frame(&explorer.model);
    assert!(text.lines().any(|line| line.starts_with('┆')), "{text}");
    assert!(text.lines().skip(1).all(|line| line.is_empty() || line.starts_with(['┆', ' '])));
}

#[test]
fn stubs_and_omissions_lead_to_their_own_lines() {
    let explorer = drone().keys("3\n");
    let repeat = explorer.model.outcome.as_ref().expect("a result").repeats[0];
    let parts = |explorer: &Explorer| {
        let segments = explorer.model.page.segments.iter().map(|segment| segment.part);
        segments.filter(|part| explorer.model.is_marked(*part)).collect::<Vec<_>>()
    };
    assert_eq!(explorer.model.focus, Pane::Evidence);
    assert_eq!(parts(&explorer), [Part::Item(repeat)]);
    let text = frame(&explorer.keys("w").model);
    assert!(text.contains("covered, "), "{text}");
    for keys in ["4↓↓\n", "4z↓↓\n"] {
        let explorer = drone().keys(keys);
        assert_eq!(parts(&explorer), [Part::Omission(2)]);
        let start = explorer.model.page.start(Part::Omission(2)).expect("it is on the page");
        let top = explorer.model.page_top;
        assert!((top..top + explorer.model.page_rows()).contains(&start), "{keys}");
    }
}

#[test]
fn why_is_about_the_evidence_in_view() {
    let text = frame(&drone().keys("1w").model);
    assert!(text.contains("row 1 of 10"), "{text}");
    let text = frame(&drone().keys("1Gw").model);
    assert!(!text.contains("row 1 of 10"), "{text}");
}

#[test]
fn a_small_screen_shows_the_pane_with_the_keys() {
    for size in [(60, 16), (79, 40), (120, 23)] {
        let explorer = Explorer::new("music", asked("music", "drone", 800), size);
        let text = frame(&explorer.model);
        assert!(text.contains("table · 4 of 10 rows"), "{text}");
        assert!(explorer.line(1).contains("886 of 800 tokens · overdrawn by 86"), "{text}");
        let explorer = explorer.keys("↓\n");
        assert!(explorer.line(3).contains(">>> /genres/harbour-drone.md"), "{}", explorer.line(3));
    }
    let explorer = Explorer::new("music", asked("music", "drone", 800), (59, 16));
    assert!(frame(&explorer.model).contains("markscope needs 60x16; this is 59x16"));
}

#[test]
fn without_colours_no_theme_is_named() {
    let mut options = asked("music", "drone", 800);
    let plain = |theme: Theme| theme.at_depth(Depth::None);
    options.themes = Theme::builtin().into_iter().map(plain).collect();
    let explorer = Explorer::new("music", options, (80, 24)).keys("t");
    assert_eq!(explorer.line(23), " no colours here");
    let mut options = asked("music", "drone", 800);
    options.themes = Theme::builtin();
    let explorer = Explorer::new("music", options, (80, 24)).keys("t");
    assert!(explorer.line(23).starts_with(" theme "));
}

#[test]
fn a_query_is_typed_pasted_and_asked() {
    let mut explorer = Explorer::new("music", Options::new("music"), (120, 40)).keys("/slow q");
    assert!(!explorer.left);
    let pasted = format!("\u{1b}[31mone\r\ntwo\u{202e}{}", "x".repeat(5000));
    explorer.send(Message::Paste(pasted));
    explorer = explorer.keys("\n");
    let query = &explorer.model.question.request.query;
    assert!(query.starts_with("slow q[31mone twoxxx"), "{query}");
    assert_eq!(query.len(), 4000);
    let left = drone().keys("/abc\u{1b}");
    assert_eq!(left.model.question.request.query, "drone");
}

#[test]
fn match_and_engine_go_round() {
    let matched = |explorer: Explorer| explorer.model.question.request.match_sent;
    assert_eq!(matched(drone().keys("m")), Some(Match::Catalog));
    assert_eq!(matched(drone().keys("mm")), None);
    assert_eq!(matched(drone().keys("mmm")), Some(Match::Body));
    let rows = drone().keys("E");
    let outcome = rows.model.outcome.as_ref().expect("a result");
    assert_eq!(outcome.selection.engine, Engine::Rows);
}

#[test]
fn escape_backs_out_one_step() {
    let explorer = drone().keys("4z?");
    assert_eq!(explorer.model.popup, Some(Popup::Help));
    let explorer = explorer.keys("\u{1b}");
    assert!(explorer.model.popup.is_none() && explorer.model.zoom);
    let explorer = explorer.keys("\u{1b}");
    assert!(!explorer.model.zoom && explorer.model.focus == Pane::Omissions);
    assert_eq!(explorer.keys("\u{1b}").model.focus, Pane::Table);
}

#[test]
fn a_zoomed_table_keeps_up_with_the_budget() {
    let explorer = drone().keys("z→→→→→→→→→→↓↓↓↓↓←←←↑↑[[[[[↓]]↑z");
    assert!(!explorer.model.zoom);
    assert_whole(&frame(&explorer.model), (120, 40));
}

#[test]
fn a_relation_to_a_row_marks_the_row_s_evidence() {
    let explorer = drone().keys("2↓");
    let text = frame(&explorer.model);
    assert!(text.contains("▌499 █ >>> /genres/harbour-drone.md"), "{text}");
}

#[test]
fn a_row_leads_to_its_evidence() {
    let explorer = drone().keys("↓\n");
    assert_eq!(explorer.model.focus, Pane::Evidence);
    assert!(explorer.line(6).contains("/genres/harbour-drone.md/v4"), "{}", explorer.line(6));
}

#[test]
fn an_outdated_answer_is_dropped() {
    let mut explorer = Explorer::new("music", Options::new("music"), (80, 24)).keys("/drone");
    let key = |code| Message::Key(KeyEvent::new(code, KeyModifiers::NONE));
    let first = update(&mut explorer.model, key(KeyCode::Enter));
    for code in [KeyCode::Char('/'), KeyCode::End, KeyCode::Char('s')] {
        update(&mut explorer.model, key(code));
    }
    let second = update(&mut explorer.model, key(KeyCode::Enter));
    for effect in second.into_iter().chain(first) {
        for answer in effect.perform() {
            update(&mut explorer.model, answer);
        }
    }
    let outcome = explorer.model.outcome.as_ref().expect("a result");
    assert_eq!(outcome.question.request.query, "drones");
}

#[test]
fn a_world_that_cannot_be_opened_says_why() {
    let mut model = Model::new(Options::new("./nowhere"), (80, 24));
    assert!(frame(&model).contains("opening ./nowhere …"));
    update(&mut model, Message::Opened(Box::new(Err("there is no ./nowhere".into()))));
    let text = frame(&model);
    assert!(text.contains("there is no ./nowhere") && text.contains("q quits"), "{text}");
}

#[test]
fn what_is_wrong_with_the_files_is_told() {
    let mut options = asked("music", "drone", 800);
    let problem = |name: &str| format!("/{name}.md: a problem");
    options.problems.sentences = ["a", "b", "c"].map(problem).into();
    options.problems.left_out = 2;
    let explorer = Explorer::new("music", options.clone(), (120, 40)).keys("!");
    assert!(explorer.line(0).ends_with("2 documents left out: !"), "{}", explorer.line(0));
    let text = frame(&explorer.model);
    assert!(text.contains(" about the world ") && text.contains("! /b.md: a problem"));
    assert!(text.contains("2 documents left out; 1 remark."), "{text}");
    assert!(text.contains("43 documents, 52 relations, 9,566 tokens of text"), "{text}");
    let outcome = explorer.model.outcome.as_ref().expect("a result");
    assert_eq!(outcome.omissions.len(), 10, "they are no omissions");
    options.problems.left_out = 0;
    let explorer = Explorer::new("music", options, (120, 40));
    assert!(explorer.line(0).ends_with("3 remarks on the world: !"), "{}", explorer.line(0));
}

const KEYS: &str = "/bmet?!wrzq12345gGjk[]{}+-cCoyspfnNFSLTHEM<>:\n\t\u{1b}←→↑↓⌫ doom石";

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn no_size_and_no_keys_panic(
        world in prop::sample::select(vec!["music", "hostile"]),
        query in prop::sample::select(vec!["drone", "石", "granite", "zebra", ""]),
        budget in 0u64..3000,
        steps in prop::collection::vec((0u16..=210, 0u16..=62, 0..KEYS.chars().count()), 0..24),
    ) {
        let mut explorer = Explorer::new(world, asked(world, query, budget), (80, 24));
        for (width, height, key) in steps {
            let key: String = KEYS.chars().skip(key).take(1).collect();
            explorer.send(Message::Resize(width, height));
            explorer = explorer.keys(&key);
            assert_whole(&frame(&explorer.model), (width, height));
        }
    }
}

#[test]
fn every_small_size_is_drawn() {
    for keys in ["", "?", "4z", "r", "w", "/x", "b"] {
        let mut explorer = drone().keys(keys);
        for width in (0..=120).step_by(7).chain([59, 60, 61, 79, 80, 81, 109, 110, 111]) {
            for height in (0..=40).step_by(7).chain([15, 16, 17, 23, 24, 25]) {
                explorer.send(Message::Resize(width, height));
                assert_whole(&frame(&explorer.model), (width, height));
            }
        }
    }
}

/// What opens over the panes, at sizes that nobody has: a terminal may pass through
/// them while it is resized.
#[test]
fn what_covers_the_panes_is_scrolled_at_every_tiny_size() {
    let mut options = asked("music", "drone", 800);
    options.problems.sentences = vec!["/a.md: a problem".into(); 9];
    for keys in ["!", "?", "w", "r", "g", "W", "o", "c\n", ":", "p", "H", "y", "s", "/", "b", "rf"]
    {
        let mut explorer = Explorer::new("music", options.clone(), (120, 40)).keys(keys);
        for (width, height) in (1..=12).flat_map(|width| (1..=12).map(move |high| (width, high))) {
            explorer.send(Message::Resize(width, height));
            for code in [KeyCode::PageDown, KeyCode::Down, KeyCode::End, KeyCode::Up, KeyCode::Home]
            {
                explorer.key(code);
            }
            assert_whole(&frame(&explorer.model), (width, height));
        }
    }
}

#[test]
fn at_the_smallest_size_the_way_back_is_told_whole() {
    for (keys, back) in [
        ("g", "Esc q back"),
        ("o", "Esc back"),
        ("c\n", "Esc q back"),
        ("W", "Esc q back"),
        ("r", "Esc q back"),
        ("?", "Esc q back"),
        ("!", "Esc q back"),
    ] {
        let explorer = Explorer::new("music", asked("music", "drone", 800), (60, 16)).keys(keys);
        let foot = explorer.line(15);
        assert!(foot.contains(back), "{keys}: {foot}");
        assert!(!foot.contains("all panes"), "{keys}: {foot}");
    }
    let explorer = Explorer::new("music", asked("music", "drone", 800), (60, 16));
    assert!(explorer.line(15).ends_with(" all panes from 80x24"), "{}", explorer.line(15));
}

#[test]
fn a_refusal_is_told_in_every_layout() {
    for (size, keys) in
        [((60, 16), ""), ((80, 24), "6"), ((120, 40), "6"), ((120, 40), "5w"), ((120, 20), "")]
    {
        let explorer = Explorer::new("music", asked("music", "x", 800), size).keys(keys);
        let screen = frame(&explorer.model);
        assert!(
            screen.contains("query must be at least 2 characters"),
            "{size:?} {keys}\n{screen}"
        );
    }
}

#[test]
fn a_list_and_a_line_can_be_suspended() {
    for keys in ["", ":", "p", "s", "y", "H", "c", "/", "b", "g", "?", "o", "r"] {
        let mut explorer =
            Explorer::new("music", asked("music", "drone", 800), (120, 40)).keys(keys);
        let key = KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL);
        let effects = update(&mut explorer.model, Message::Key(key));
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Suspend)), "{keys}");
    }
}

#[test]
fn with_ascii_every_screen_is_ascii() {
    let long = "A line that is far too long for a pane of the explorer and is wrapped. ".repeat(60);
    let metadata = |tags: &str, related: &str| {
        BTreeMap::from([
            ("tags".to_owned(), tags.to_owned()),
            ("rel-by".to_owned(), related.to_owned()),
        ])
    };
    let documents = [
        Document::new(
            "/a.md",
            format!("# Stone\n\n> stone\n\n- *one*\n- [two](/b.md)\n\n---\n\n```sh\nls # all\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n## Two\n\n{long}"),
        )
        .with_metadata(metadata("stone, rock", "/b.md, /c.md, /nowhere.md, x y")),
        Document::new("/b.md", format!("# Stone\n\n{long}")).with_metadata(metadata("stone", "/a.md")),
        Document::new("/c.md", format!("# Stone\n\n{long}")).with_metadata(metadata("rock", "/a.md")),
    ];
    let documents = documents.map(Arc::new);
    let keys = [
        "", "?", "w", "r", "!", "2", "3", "4", "2w", "4w", "z", "1G", "b", "/", "/zebra\n", "e",
        "mm", "/x\n", "]", "[", "t",
    ];
    for keys in keys {
        for (size, budget) in [((80, 24), 1500), ((120, 40), 600), ((200, 60), 300)] {
            let mut options = asked("stones", "stone", budget);
            options.ascii = true;
            let store = Store::new("stones", documents.clone(), BTreeMap::new());
            let text = frame(&Explorer::over(store, options, size).keys(keys).model);
            assert!(text.is_ascii(), "after {keys:?} at {size:?}:\n{text}");
        }
    }
}
