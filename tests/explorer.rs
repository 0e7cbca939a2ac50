//! What the explorer does with keys and with the mouse, beyond what a screen shows.

mod support;

#[path = "support/explorer.rs"]
mod explorer;

use std::collections::BTreeMap;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use explorer::{Explorer, asked};
use markscope::check::{Settings, Severity};
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::selection::{Kind, read_back};
use markscope::tui::editor::{At, Edit};
use markscope::tui::keymap::Keymap;
use markscope::tui::layout::Pane;
use markscope::tui::message::{Effect, Message};
use markscope::tui::model::{Model, Popup};
use markscope::tui::page::Part;
use markscope::tui::theme::Theme;
use markscope::tui::update::update;
use markscope::tui::{Desk, Finding, Opened, Options, frame, view};
use markscope::tune::read_lookups;
use markscope::world::{Reader, Recorded};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

fn drone() -> Explorer {
    Explorer::new("music", asked("music", "drone", 800), (120, 40))
}

/// The place of a text on the screen.
fn place(explorer: &Explorer, text: &str) -> (u16, u16) {
    let frame = frame(&explorer.model);
    let (row, line) = frame
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(text))
        .unwrap_or_else(|| panic!("{text} is on the screen:\n{frame}"));
    let before = &line[..line.find(text).unwrap_or(0)];
    let column = unicode_width::UnicodeWidthStr::width(before);
    (u16::try_from(column).expect("a column"), u16::try_from(row).expect("a row"))
}

fn mouse(explorer: &mut Explorer, kind: MouseEventKind, (column, row): (u16, u16)) {
    let (width, height) = explorer.model.size;
    let area = Rect::new(0, 0, width, height);
    let hits = view::draw(&explorer.model, area, &mut Buffer::empty(area)).hits;
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    explorer.send(Message::Mouse(event, Box::new(hits)));
}

fn press(explorer: &mut Explorer, text: &str) {
    let place = place(explorer, text);
    mouse(explorer, MouseEventKind::Down(MouseButton::Left), place);
}

fn copied(explorer: &Explorer) -> (&str, &str) {
    match explorer.outside.last() {
        Some(Effect::Copy { what, text }) => (what, text),
        _ => panic!("nothing was copied"),
    }
}

#[test]
fn a_press_selects_a_row_and_a_second_one_goes_to_its_evidence() {
    let mut explorer = drone();
    press(&mut explorer, "/genres/harbour-drone.md");
    assert_eq!((explorer.model.focus, explorer.model.chosen.row), (Pane::Table, 1));
    press(&mut explorer, "/genres/harbour-drone.md");
    assert_eq!(explorer.model.focus, Pane::Evidence);
    assert!(explorer.line(6).contains("/genres/harbour-drone.md/v4"), "{}", explorer.line(6));
}

#[test]
fn a_press_on_a_title_goes_to_that_pane() {
    let mut explorer = drone();
    for (title, pane) in [
        ("4 omis", Pane::Omissions),
        ("3 stubs", Pane::Stubs),
        ("1 evidence", Pane::Evidence),
        ("2 rel", Pane::Relations),
        ("5 outl", Pane::Outline),
        ("6 find", Pane::Findings),
    ] {
        press(&mut explorer, title);
        assert_eq!(explorer.model.focus, pane, "{title}");
    }
}

#[test]
fn the_wheel_scrolls_what_is_under_it_and_leaves_the_keys() {
    let mut explorer = drone();
    let top = explorer.model.page_top;
    mouse(&mut explorer, MouseEventKind::ScrollDown, (100, 20));
    assert_eq!(explorer.model.page_top, top + 3);
    mouse(&mut explorer, MouseEventKind::ScrollDown, (10, 30));
    assert_eq!(explorer.model.chosen.target, 1);
    assert_eq!(explorer.model.focus, Pane::Table);
}

#[test]
fn the_bar_is_dragged_to_a_budget_and_beyond_its_end_to_breakpoints() {
    let mut explorer = Explorer::new("music", asked("music", "drone", 1200), (120, 40));
    let (left, row) = (1, 2);
    mouse(&mut explorer, MouseEventKind::Down(MouseButton::Left), (left + 58, row));
    let half = explorer.model.budget;
    assert!((560..=660).contains(&half), "{half}");
    mouse(&mut explorer, MouseEventKind::Drag(MouseButton::Left), (left, row));
    assert!(explorer.model.budget < 10, "{}", explorer.model.budget);
    mouse(&mut explorer, MouseEventKind::Drag(MouseButton::Left), (left + 58, row + 9));
    assert_eq!(explorer.model.budget, half, "the bar stands still while it is dragged");
    mouse(&mut explorer, MouseEventKind::Drag(MouseButton::Left), (119, row));
    let up = explorer.model.budget;
    assert!(up > half);
    let selection = &explorer.model.outcome.as_ref().expect("a result").selection;
    assert!(selection.down.as_ref().is_some_and(|down| down.tokens + 1 == up));
    mouse(&mut explorer, MouseEventKind::Up(MouseButton::Left), (119, row));
    mouse(&mut explorer, MouseEventKind::Drag(MouseButton::Left), (left, row));
    assert_eq!(explorer.model.budget, up, "it is let go");
}

#[test]
fn a_press_picks_from_a_list() {
    let mut explorer = drone().keys("pchoir");
    press(&mut explorer, "/bands/quarry-choir.md");
    assert!(explorer.model.picker.is_none());
    assert_eq!(explorer.model.popup, Some(Popup::Document));
    assert_eq!(explorer.model.visits[0].location, "/bands/quarry-choir.md");
}

#[test]
fn the_curve_goes_again_to_the_top() {
    let mut explorer = drone().keys("1");
    explorer.key(KeyCode::End);
    assert!(explorer.model.page_top > 0);
    let explorer = explorer.keys("g");
    assert_eq!(explorer.model.popup, Some(Popup::Curve));
    let explorer = explorer.keys("g");
    assert_eq!((explorer.model.popup, explorer.model.page_top), (None, 0));
}

#[test]
fn on_the_curve_the_budget_goes_from_breakpoint_to_breakpoint() {
    let explorer = drone().keys("g");
    let walked = |explorer: &Explorer| {
        let outcome = explorer.model.outcome.as_ref().expect("a result");
        let walked = outcome.walked.as_ref().expect("known with a world in memory");
        (walked.at(explorer.model.budget), walked.steps.len())
    };
    let (at, all) = walked(&explorer);
    assert!(at > 3 && at + 3 < all, "{at} of {all}");
    let explorer = explorer.keys("]]");
    assert_eq!(walked(&explorer).0, at + 2);
    let explorer = explorer.keys("[[[");
    assert_eq!(walked(&explorer).0, at - 1);
}

#[test]
fn an_omission_says_when_it_enters_and_that_is_so() {
    let explorer = drone().keys("4w");
    let text = frame(&explorer.model);
    let entering = text.split("enters at ").nth(1).expect("it enters");
    let number: String = entering.chars().take_while(|c| c.is_ascii_digit() || *c == ',').collect();
    let tokens: u64 = number.replace(',', "").parse().expect("a number of tokens");
    let location = {
        let outcome = explorer.model.outcome.as_ref().expect("a result");
        outcome.omissions[0].location.clone()
    };
    let has = |budget: u64| {
        let explorer = Explorer::new("music", asked("music", "drone", budget), (120, 40));
        let outcome = explorer.model.outcome.as_ref().expect("a result");
        let mut items = outcome.selection.items.iter();
        items.any(|item| item.location.as_deref() == Some(location.as_str()))
    };
    assert!(has(tokens) && !has(tokens - 1), "{location} at {tokens}");
}

#[test]
fn rows_are_narrowed_and_the_keys_go_among_those_shown() {
    let explorer = drone().keys("falbums\n");
    assert_eq!(explorer.model.rows_shown(), [2, 5, 6]);
    assert_eq!(explorer.model.chosen.row, 2);
    let explorer = explorer.keys("↓↓↓");
    assert_eq!(explorer.model.chosen.row, 6);
    let explorer = explorer.keys("f fit ");
    assert_eq!(explorer.model.rows_shown(), [2, 5, 6], "words are added");
    let explorer = explorer.keys("\u{1b}");
    assert_eq!(explorer.model.rows_shown().len(), 10);
}

#[test]
fn words_are_found_on_the_page_and_the_next_ones() {
    let explorer = drone().keys("1fLICENCE\n");
    let lines = explorer.model.find.lines().to_vec();
    assert!(!lines.is_empty());
    let at = explorer.model.find.line().expect("found");
    let explorer = explorer.keys("n");
    let next = explorer.model.find.line().expect("found");
    assert!(lines.len() == 1 || next != at);
    let explorer = explorer.keys("N");
    assert_eq!(explorer.model.find.line(), Some(at));
    let top = explorer.model.page_top;
    assert!((top..top + explorer.model.page_rows()).contains(&at));
    assert!(explorer.keys("\u{1b}").model.find.words.is_empty());
}

/// What is drawn reversed or underlined, that is: marked as found.
fn marked(explorer: &Explorer) -> Vec<String> {
    let (width, height) = explorer.model.size;
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    view::draw(&explorer.model, area, &mut buf);
    let mut out = Vec::new();
    for y in 1..height - 1 {
        let mut word = String::new();
        for x in 0..width {
            let cell = &buf[(x, y)];
            if cell.modifier.contains(Modifier::UNDERLINED)
                || cell.modifier.contains(Modifier::REVERSED)
            {
                word.push_str(cell.symbol());
            } else if !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
        }
    }
    out
}

#[test]
fn words_are_found_in_a_document_opened_whole_and_in_the_readers_text() {
    for (open, find) in [("o", "f"), ("o", "/"), ("r", "f"), ("r", "/")] {
        let mut explorer = drone().keys(open).keys(find).keys("Harbour");
        let foot = explorer.line(39);
        assert!(foot.starts_with(" find ▏Harbour ▕  1 of "), "{open} {find}: {foot}");
        let of: usize = foot
            .split(" of ")
            .nth(1)
            .and_then(|it| it.split(' ').next()?.parse().ok())
            .expect(open);
        assert!(of > 1, "{open} {find}: {foot}");
        for at in 1..=of {
            if at > 1 {
                explorer = explorer.keys("n");
            } else {
                explorer = explorer.keys("\n");
            }
            let foot = explorer.line(39);
            assert!(foot.starts_with(&format!(" “Harbour”: {at} of {of}")), "{open}: {foot}");
            let marked = marked(&explorer);
            assert!(marked.iter().any(|it| it.eq_ignore_ascii_case("harbour")), "{marked:?}");
        }
        explorer = explorer.keys("n");
        assert!(explorer.line(39).contains(": 1 of "), "round: {}", explorer.line(39));
        explorer = explorer.keys("N");
        assert!(explorer.line(39).contains(&format!(": {of} of ")), "{}", explorer.line(39));
        // One step back ends the search, the next one leaves.
        explorer = explorer.keys("\u{1b}");
        assert!(explorer.model.popup.is_some());
        assert!(explorer.keys("\u{1b}").model.popup.is_none());
    }
    let explorer = drone().keys("r/no such words\n");
    assert!(explorer.line(39).starts_with(" “no such words”: not found"), "{}", explorer.line(39));
}

#[test]
fn what_cannot_be_opened_or_compared_is_said_in_place() {
    for (key, words) in [
        ("c", "there is nothing to compare with: open its world to ask more"),
        ("o", "no document can be opened here: only what the result prints of it is known"),
    ] {
        let explorer = recorded(None, (120, 40)).keys(key);
        assert_eq!(explorer.line(39).trim(), words);
        assert!(explorer.model.picker.is_none() && explorer.model.popup.is_none());
    }
}

#[test]
fn an_empty_pane_does_not_take_the_row_from_the_outline() {
    let outline = |keys: &str| {
        let explorer = Explorer::new("music", asked("music", "journal", 800), (120, 40)).keys(keys);
        explorer.model.outlined.as_ref().map(|(path, _)| path.clone())
    };
    let empty = Explorer::new("music", asked("music", "journal", 800), (120, 40));
    assert!(empty.model.outcome.as_ref().expect("a result").selection.targets.is_empty());
    assert!(outline("5").is_some());
    assert_eq!(outline("25"), outline("5"));
    assert_eq!(outline("↓25"), outline("↓5"));
}

#[test]
fn scope_filter_and_limit_are_asked_with() {
    let explorer = drone().keys("S⌫/albums\n");
    assert_eq!(explorer.model.question.request.scope, "/albums");
    let rows =
        |explorer: &Explorer| explorer.model.outcome.as_ref().expect("a result").rows().len();
    assert_eq!(rows(&explorer), 5);
    let explorer = explorer.keys("L2\n");
    assert_eq!(rows(&explorer), 2);
    let explorer = explorer.keys("L0\n");
    assert!(explorer.model.typing.as_ref().expect("still typed").error.is_some());
    let explorer = explorer.keys("\u{1b}Fnonsense\n");
    assert!(explorer.model.typing.as_ref().expect("still typed").error.is_some());
    assert_eq!(explorer.model.question.request.filter, "");
}

#[test]
fn a_document_is_opened_followed_and_left_again() {
    let explorer = drone().keys("o");
    assert_eq!(explorer.model.visits[0].location, "/bands/pale-ferry.md");
    // Into the list, to the first relation, and on.
    let mut explorer = explorer.keys("\t");
    let relation = |explorer: &Explorer| {
        let lead = explorer.model.visits.last().and_then(|visit| visit.lead().cloned());
        format!("{lead:?}").contains("Relation")
    };
    while !relation(&explorer) {
        explorer = explorer.keys("↓");
    }
    let explorer = explorer.keys("\n");
    let locations: Vec<&str> =
        explorer.model.visits.iter().map(|visit| visit.location.as_str()).collect();
    assert_eq!(locations, ["/bands/pale-ferry.md", "/bands/the-lampwrights.md"]);
    let explorer = explorer.keys("\u{1b}");
    assert_eq!(explorer.model.visits.len(), 1);
    let explorer = explorer.keys("\u{1b}");
    assert_eq!(explorer.model.popup, None);
}

#[test]
fn a_target_in_another_world_is_not_followed() {
    let mut explorer = drone().keys("2");
    while explorer.model.subject().expect("a target").0
        != "mark://other.example/bands/grey-launch.md"
    {
        explorer = explorer.keys("↓");
    }
    let explorer = explorer.keys("o");
    assert!(explorer.model.visits.is_empty());
    let notice = explorer.model.notice.expect("it says so");
    assert!(notice.contains("another world"), "{notice}");
}

#[test]
fn past_lookups_are_asked_again_at_their_budget() {
    let explorer = drone().keys("]/");
    let budget = explorer.model.budget;
    let mut explorer = explorer.keys("\u{1b}/");
    for _ in 0..5 {
        explorer.key(KeyCode::Backspace);
    }
    let explorer = explorer.keys("organ\n→→");
    let queries = |explorer: &Explorer| {
        let past = explorer.model.history.iter();
        past.map(|past| (past.question.request.query.clone(), past.budget)).collect::<Vec<_>>()
    };
    let now = explorer.model.budget;
    assert_eq!(queries(&explorer), [("drone".into(), budget), ("organ".into(), now)]);
    let explorer = explorer.keys("Hdrone\n");
    assert_eq!(explorer.model.question.request.query, "drone");
    assert_eq!(explorer.model.budget, budget);
}

#[test]
fn what_is_compared_is_taken_in_place() {
    let explorer = drone().keys("cengine\n");
    assert_eq!(explorer.model.popup, Some(Popup::Compare));
    let other = explorer.model.compare.as_ref().and_then(|it| it.other()).expect("there");
    assert_eq!(other.question.engine.name(), "rows");
    let explorer = explorer.keys("\n");
    assert_eq!(explorer.model.question.engine.name(), "rows");
    assert_eq!(explorer.model.popup, None);
}

#[test]
fn a_kept_result_stays_to_compare_with() {
    let explorer = drone().keys("C→→ckept\n");
    let compare = explorer.model.compare.as_ref().expect("two results");
    assert_eq!(compare.other().expect("there").budget, 800);
    assert_eq!(explorer.model.budget, 900);
}

#[test]
fn texts_citations_and_the_command_line_are_copied() {
    let explorer = drone().keys("ycit\n");
    assert_eq!(copied(&explorer), ("the citation", "/bands/pale-ferry.md/v9#pale-ferry"));
    let explorer = explorer.keys("yreader\n");
    let outcome = explorer.model.outcome.as_ref().expect("a result");
    assert_eq!(copied(&explorer), ("the reader's text", outcome.selection.text().as_str()));
    let mut options = asked("music", "pump organ", 800);
    options.places = vec!["./my world".into(), "--also".into(), "bundled".into()];
    let explorer = Explorer::new("music", options, (120, 40)).keys("ycommand\n");
    let command =
        "markscope lookup './my world' 'pump organ' --also bundled --budget 800 --match body";
    assert_eq!(copied(&explorer), ("the command line", command));
}

#[test]
fn a_citation_of_a_section_is_copied_from_a_document() {
    let explorer = drone().keys("o\t↓ycit\n");
    let (_, text) = copied(&explorer);
    assert_eq!(text, "/bands/pale-ferry.md/v9#members");
}

#[test]
fn what_is_written_is_the_reader_s_text_or_the_screen() {
    let explorer = drone().keys("sreader\n");
    let typed = explorer.model.typing.as_ref().expect("a name").input.value().to_owned();
    assert_eq!(typed, "drone-800.md");
    let mut explorer = explorer.keys("\n");
    let Some(Effect::Save { name, text }) = explorer.outside.pop() else { panic!("a file") };
    let outcome = explorer.model.outcome.as_ref().expect("a result");
    assert_eq!((name.as_str(), &text), ("drone-800.md", &outcome.selection.text()));
    let told = Err("drone-800.md is there already: give another name".to_owned());
    explorer.send(Message::Saved(told));
    assert!(explorer.model.typing.is_some(), "the name can be mended");
    explorer.send(Message::Saved(Ok("written".into())));
    assert_eq!(explorer.model.notice.as_deref(), Some("written"));
    assert!(explorer.model.typing.is_none());
    let mut explorer = explorer.keys("ssvg\n\n");
    let Some(Effect::Save { name, text }) = explorer.outside.pop() else { panic!("a file") };
    assert_eq!(name, "drone-800.svg");
    assert!(text.starts_with("<svg") && text.contains("pale-ferry"));
}

#[test]
fn a_command_is_found_by_its_words() {
    let explorer = drone().keys(":exact text\n");
    assert_eq!(explorer.model.popup, Some(Popup::Reader));
}

#[test]
fn the_outline_is_of_what_was_selected_before() {
    let explorer = drone().keys("2↓5");
    let (path, _) = explorer.model.outlined.as_ref().expect("a document");
    assert_eq!(path, "/genres/harbour-drone.md");
    let explorer = explorer.keys("↓\n");
    assert_eq!(explorer.model.visits[0].location, "/genres/harbour-drone.md");
}

/// A world of two documents of which one names a target that is not there.
fn stones(text: &str) -> Store {
    let metadata = BTreeMap::from([("rel-related".to_owned(), "/gone.md".to_owned())]);
    let documents = [
        Arc::new(Document::new("/a.md", format!("# Stone\n\n{text}\n")).with_metadata(metadata)),
        Arc::new(Document::new("/b.md", "# Another stone\n\nIt lies there.\n")),
    ];
    Store::new("stones", documents, BTreeMap::new())
}

/// The author's side of it, as a folder that is not there.
fn opened(text: &str) -> Opened {
    let store = Arc::new(stones(text));
    let checked = Arc::clone(&store);
    let check = move || {
        let found = markscope::check::check(&checked, &Settings::default());
        let finding = |it: markscope::check::Finding| Finding {
            code: it.rule.code,
            severity: it.severity,
            file: format!("/stones{}", it.path).into(),
            path: Some(it.path),
            place: it.place,
            line: 2,
            message: it.message,
            help: it.help,
        };
        found.into_iter().filter(|it| it.severity == Severity::Error).map(finding).collect()
    };
    let desk = Desk { folder: Some("/stones".into()), check: Arc::new(check) };
    Opened { desk: Some(desk), ..Opened::new(Reader::Store(store)) }
}

fn desk(size: (u16, u16)) -> Explorer {
    let mut options = asked("stones", "stone", 800);
    options.question.request.match_sent = None;
    let mut explorer = Explorer { model: Model::new(options, size), left: false, outside: vec![] };
    explorer.send(Message::Opened(Box::new(Ok(opened("It is grey.")))));
    explorer
}

#[test]
fn findings_have_a_place_and_are_edited_there() {
    let explorer = desk((120, 40)).keys("6");
    let text = frame(&explorer.model);
    assert!(text.contains("✗ error   R001  /a.md:2  there is no d"), "{text}");
    let mut explorer = explorer.keys("e");
    let Some(Effect::Edit(edit)) = explorer.outside.pop() else { panic!("an edit") };
    assert_eq!(edit, Edit { file: "/stones/a.md".into(), at: At::Line(2) });
    let explorer = explorer.keys("\n");
    assert_eq!(explorer.model.popup, Some(Popup::Document));
    assert!(frame(&explorer.model).contains("▌rel-related: /gone.md"));
    let text = frame(&explorer.keys("\u{1b}w").model);
    assert!(text.contains("error R001: there is no document /gone.md"), "{text}");
}

#[test]
fn a_world_that_changed_takes_the_place_of_the_one_before_and_nothing_moves() {
    let mut explorer = desk((120, 40)).keys("↓");
    let chosen = explorer.model.chosen.row;
    assert_eq!(chosen, 1);
    explorer.send(Message::Reloaded(Box::new(Ok(opened("It is red.")))));
    assert_eq!(explorer.model.notice.as_deref(), Some("changed: /a.md"));
    assert_eq!(explorer.model.chosen.row, chosen);
    let text = frame(&explorer.model);
    assert!(text.contains("It is red.") && text.contains("≠ /a.md"), "{text}");
    // What it was before is still there to compare with.
    let explorer = explorer.keys("cbefore\n");
    let before = explorer.model.compare.as_ref().and_then(|it| it.other()).expect("there");
    assert!(before.selection.text().contains("It is grey."));
    let head = explorer.line(6);
    assert!(head.contains(" now · ") && head.contains(" before the last change · "), "{head}");
    // The words that differ can be seen, on both sides.
    let text = frame(&explorer.model);
    assert!(text.contains("- It is red.") && text.contains("+ It is grey."), "{text}");
    let mut explorer = explorer.keys("\u{1b}");
    explorer.send(Message::Reloaded(Box::new(Err("gone".into()))));
    assert!(frame(&explorer.model).contains("It is red."), "what was read stays");
    assert_eq!(explorer.model.notice.as_deref(), Some("not read again: gone"));
}

#[test]
fn what_changed_since_the_world_was_opened_stays_marked_and_can_be_compared_with() {
    let mut explorer = desk((120, 40));
    explorer.send(Message::Reloaded(Box::new(Ok(opened("It is red.")))));
    assert!(!frame(&explorer.keys("c").model).contains("the world as it was opened"));
    let mut explorer = desk((120, 40));
    for body in ["It is red.", "It is blue."] {
        explorer.send(Message::Reloaded(Box::new(Ok(opened(body)))));
    }
    let side = |keys: &str| {
        let mut explorer = desk((120, 40));
        for body in ["It is red.", "It is blue."] {
            explorer.send(Message::Reloaded(Box::new(Ok(opened(body)))));
        }
        let explorer = explorer.keys(keys);
        let other = explorer.model.compare.as_ref().and_then(|it| it.other()).expect("there");
        (other.place.clone(), other.selection.text())
    };
    let (place, text) = side("cas it was opened\n");
    assert!(place == "as it was opened" && text.contains("It is grey."), "{place}: {text}");
    let (place, text) = side("cthe world before\n");
    assert!(place == "before the last change" && text.contains("It is red."), "{place}: {text}");
    // A change that leaves others as they were keeps their mark, and says so.
    explorer.send(Message::Reloaded(Box::new(Ok(opened("It is grey.")))));
    let notice = explorer.model.notice.clone();
    let all = "changed: /a.md; all is again as it was when this was opened";
    assert_eq!(notice.as_deref(), Some(all));
    assert!(!frame(&explorer.model).contains("≠ /a.md"));
    explorer.send(Message::Reloaded(Box::new(Ok(opened("It is red.")))));
    explorer.send(Message::Reloaded(Box::new(Ok(opened("It is red.")))));
    assert!(frame(&explorer.model).contains("≠ /a.md"), "still changed since it was opened");
}

/// Of two readings that run at once the one that began first could end last.
#[test]
fn a_world_that_goes_on_changing_is_read_by_one_reader_at_a_time() {
    let mut explorer = desk((120, 40));
    let reads = |effects: Vec<Effect>| {
        effects.iter().filter(|effect| matches!(effect, Effect::Reload)).count()
    };
    let mut told = |message: Message| reads(update(&mut explorer.model, message));
    assert_eq!(told(Message::Changed), 1);
    assert_eq!(told(Message::Changed), 0, "one is under way");
    assert_eq!(told(Message::Changed), 0);
    let read = |text: &str| Message::Reloaded(Box::new(Ok(opened(text))));
    assert_eq!(told(read("half written")), 1, "what came meanwhile is read once more");
    assert_eq!(told(read("whole")), 0);
    assert_eq!(told(Message::Changed), 1);
    assert_eq!(told(Message::Reloaded(Box::new(Err("gone".into())))), 0);
    assert_eq!(told(Message::Changed), 1, "a failure ends the reading too");
}

#[test]
fn a_lookup_is_recorded_when_somebody_asks_and_not_when_a_file_is_saved() {
    let mut explorer = desk((120, 40));
    let mut recorded = |message: Message| {
        let mut waiting = vec![message];
        let mut budgets = Vec::new();
        while let Some(message) = waiting.pop() {
            for effect in update(&mut explorer.model, message) {
                match effect {
                    Effect::Record { budget, .. } => budgets.push(budget),
                    effect => waiting.extend(effect.perform()),
                }
            }
        }
        budgets
    };
    let key = |code| Message::Key(KeyEvent::new(code, KeyModifiers::NONE));
    assert_eq!(recorded(Message::Reloaded(Box::new(Ok(opened("It is red."))))), [0; 0]);
    assert_eq!(recorded(key(KeyCode::Char('R'))), [800]);
}

#[test]
fn what_is_looked_at_is_what_is_edited() {
    let edited = |keys: &str| {
        let mut explorer = desk((120, 40)).keys(keys);
        match explorer.outside.pop() {
            Some(Effect::Edit(edit)) => edit,
            _ => panic!("an edit after {keys}"),
        }
    };
    let body = "# Another stone\n\nIt lies there.\n".len();
    let b = Edit { file: "/stones/b.md".into(), at: At::FromEnd(body) };
    assert_eq!(edited("↓e"), b);
    assert_eq!(edited("pb.md\ne").file, b.file);
    let drone = drone().keys("e");
    assert!(
        drone.model.notice.expect("it says why").contains("only the documents of a single folder")
    );
}

/// Over every view: what takes the keys can be seen.
#[test]
fn what_takes_the_keys_is_on_the_screen_over_every_view() {
    for view in ["", "r", "o", "g", "W", "w", "?", "!", "cengine\n", "1", "z"] {
        for key in ["y", "s", "s\n", ":", "p", "/", "b", "f", "H", "c", "S", "m"] {
            let explorer = drone().keys(view);
            let before = frame(&explorer.model);
            let explorer = explorer.keys(key);
            let model = &explorer.model;
            if model.picker.is_some() || model.typing.is_some() || model.notice.is_some() {
                assert_ne!(frame(&explorer.model), before, "{view:?} {key:?}");
            }
        }
    }
}

/// As where a browser asks for an address: what is typed takes the place of what is
/// there, and who goes into it edits it.
#[test]
fn what_was_there_is_replaced_by_what_is_typed() {
    let query = |keys: &str| drone().keys(keys).model.question.request.query;
    assert_eq!(query("/doom\n"), "doom");
    assert_eq!(query("/→ doom\n"), "drone doom");
    assert_eq!(query("/←←x\n"), "droxne");
    assert_eq!(query("/\n"), "drone");
}

/// Whatever brings the keys to the page, and however far it is scrolled: what is marked
/// is what is copied, opened and explained.
#[test]
fn on_the_page_all_keys_are_about_what_is_marked() {
    for begin in ["1", "2↓\n", "2↓↓\n", "3\n", "4\n", "4↓↓\n", "↓↓↓1"] {
        let mut explorer = drone().keys(begin);
        assert_eq!(explorer.model.focus, Pane::Evidence, "{begin}");
        let mut seen = Vec::new();
        for down in 0..60 {
            let model = &explorer.model;
            let part = model.looked_at().expect("a page");
            assert!(model.is_marked(part), "{begin}, {down} down: {part:?}");
            let outcome = model.outcome.as_ref().expect("a result");
            let (location, path) = match part {
                Part::Item(index) => {
                    let item = &outcome.selection.items[index];
                    let is_cited = matches!(item.kind, Kind::Block | Kind::Stub);
                    (item.location.clone().filter(|_| is_cited), item.path.clone())
                }
                Part::Omission(index) => {
                    let omission = &outcome.omissions[index];
                    let row = omission.row.map(|row| outcome.rows()[row].path.clone());
                    let target = |at: usize| outcome.selection.targets[at].relation.target.clone();
                    let path = row.or_else(|| omission.target.map(target));
                    (Some(omission.location.clone()), path)
                }
                Part::Fold => (None, None),
            };
            if !seen.contains(&part) {
                seen.push(part);
                explorer = explorer.keys("y");
                let picker = explorer.model.picker.take().expect("a list");
                let choices = picker.found();
                let mut choices = choices.filter(|choice| {
                    ["the citation", "the location of what is left out"]
                        .contains(&choice.label.as_str())
                });
                let copied = choices.next().map(|choice| choice.detail.clone());
                assert_eq!(copied, location, "{begin}, {down} down");
                explorer = explorer.keys("o");
                let opened = explorer.model.visits.last().map(|visit| visit.location.clone());
                assert_eq!(opened, path, "{begin}, {down} down");
                if opened.is_some() {
                    explorer = explorer.keys("q");
                }
            }
            explorer = explorer.keys("↓");
        }
        assert!(seen.len() > usize::from(begin == "1"), "{begin}: {seen:?}");
    }
}

#[test]
fn the_left_column_changes_its_width_within_bounds() {
    let width = |explorer: &Explorer| {
        let layout = explorer.model.layout.as_ref().expect("a layout");
        layout.slot(Pane::Table).expect("the table").area.width
    };
    let before = width(&drone());
    assert!(width(&drone().keys(">>")) > before);
    assert!(width(&drone().keys("<<")) < before);
    for size in [(80, 24), (120, 40), (200, 60)] {
        for keys in [">".repeat(40), "<".repeat(40)] {
            let explorer = Explorer::new("music", asked("music", "drone", 800), size).keys(&keys);
            let layout = explorer.model.layout.as_ref().expect("a layout");
            for slot in &layout.slots {
                assert!(slot.inner().width >= 8 && slot.inner().height >= 3, "{slot:?}");
            }
        }
    }
}

#[test]
fn the_page_opens_at_its_beginning_where_the_evidence_is_in_sight() {
    let small = Explorer::new("music", asked("music", "drone", 800), (80, 24));
    let first = small.model.page.at(small.model.page_top);
    let part = small.model.page.segments[first.expect("a part")].part;
    let Part::Item(index) = part else { panic!("an item") };
    let outcome = small.model.outcome.as_ref().expect("a result");
    assert_eq!(outcome.selection.items[index].row, Some(0));
    let large = Explorer::new("music", asked("music", "drone", 800), (200, 60));
    assert_eq!(large.model.page_top, 0);
    assert!(frame(&large.model).contains("status: ok"));
}

/// An explorer over a recorded result of the query `drone`.
fn recorded(budget: Option<u64>, size: (u16, u16)) -> Explorer {
    let store = explorer::store("music");
    let options = asked("music", "drone", 800);
    let mut question = options.question;
    question.request.query = "drone".into();
    let text = store.ask(&question).select(&store, 800).text();
    let back = Arc::new(read_back(&text, budget).expect("a result"));
    let recorded = Recorded { name: "drone.txt".into(), query: None, back };
    let options = Options { query: Some(String::new()), ..Options::new("drone.txt") };
    let mut explorer =
        Explorer { model: Model::new(options, size), left: false, outside: Vec::new() };
    let opened = Opened::new(Reader::Recorded(Arc::new(recorded)));
    explorer.send(Message::Opened(Box::new(Ok(opened))));
    explorer
}

#[test]
fn a_recorded_result_stands_in_the_panes() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let explorer = recorded(None, size);
        let name = format!("recorded-{}x{}", size.0, size.1);
        insta::assert_snapshot!(name, frame(&explorer.model));
    }
    let with_budget = recorded(Some(800), (120, 40));
    assert!(with_budget.line(1).starts_with(" 886 of 800 tokens"), "{}", with_budget.line(1));
    let items = |explorer: &Explorer| -> Vec<String> {
        let outcome = explorer.model.outcome.as_ref().expect("a result");
        outcome.selection.items.iter().map(|item| item.text.clone()).collect()
    };
    assert_eq!(items(&with_budget), items(&drone()));
}

#[test]
fn what_a_text_cannot_tell_is_said_when_it_is_asked_for() {
    let before = frame(&recorded(None, (120, 40)).model);
    let footer = |key: &str| {
        let explorer = recorded(None, (120, 40)).keys(key);
        let after = frame(&explorer.model);
        let (above, below) = after.trim_end().rsplit_once('\n').expect("lines");
        assert!(before.starts_with(above), "{key}: nothing but the last line changes:\n{after}");
        below.trim().to_owned()
    };
    let question = "a recorded result has one question and one budget: open its world to ask more";
    for key in ["/", "b", "←", "→", "m", "S", "F", "L", "T"] {
        assert_eq!(footer(key), question, "{key}");
    }
    let budgets = "a text does not tell of other budgets: open its world to see them";
    for key in ["[", "]", "g"] {
        assert_eq!(footer(key), budgets, "{key}");
    }
    let engine = "a recorded result has the engine that made it: open its world to ask more";
    assert_eq!(footer("E"), engine);
}

#[test]
fn two_worlds_are_compared() {
    let mut explorer = Explorer {
        model: Model::new(asked("music", "drone", 800), (120, 40)),
        left: false,
        outside: Vec::new(),
    };
    let reader = |name: &str| Reader::Store(Arc::new(explorer::store(name)));
    let opened = Opened { beside: Some(reader("decisions")), ..Opened::new(reader("music")) };
    explorer.send(Message::Opened(Box::new(Ok(opened))));
    let explorer = explorer.keys("canother world\n");
    assert_eq!(explorer.model.popup, Some(Popup::Compare));
    let heads: Vec<String> = (6..9).map(|at| explorer.line(at)).collect();
    insta::assert_snapshot!("two-worlds", heads.join("\n"));
}

#[test]
fn two_states_of_one_world_are_named_as_they_were_given() {
    let mut options = asked("music", "drone", 800);
    options.world = ".".into();
    let mut explorer =
        Explorer { model: Model::new(options, (120, 40)), left: false, outside: Vec::new() };
    let reader = || Reader::Store(Arc::new(explorer::store("music")));
    let opened = Opened {
        beside: Some(reader()),
        beside_name: Some(".@HEAD".into()),
        ..Opened::new(reader())
    };
    explorer.send(Message::Opened(Box::new(Ok(opened))));
    let explorer = explorer.keys("c");
    assert!(frame(&explorer.model).contains(".@HEAD"));
    let explorer = explorer.keys("another world\n");
    let head = explorer.line(6);
    assert!(head.contains("┃ . · 800 tokens") && head.contains("  .@HEAD · 800 tokens"), "{head}");
}

#[test]
fn a_world_beside_tells_whether_it_gives_the_same_bytes() {
    let notice = |beside: &str| {
        let mut explorer = Explorer {
            model: Model::new(asked("music", "drone", 800), (120, 40)),
            left: false,
            outside: Vec::new(),
        };
        let reader = |name: &str| Reader::Store(Arc::new(explorer::store(name)));
        let beside = Some(reader(beside));
        let opened = Opened { beside, parity: true, ..Opened::new(reader("music")) };
        explorer.send(Message::Opened(Box::new(Ok(opened))));
        explorer.model.notice.unwrap_or_default()
    };
    assert_eq!(notice("music"), "parity: the same text, 3,545 bytes (c compares)");
    assert_eq!(
        notice("decisions"),
        "parity: other texts: they part at byte 20, line 2 (c compares)"
    );
}

/// An explorer with three recorded lookups over the world of music.
fn with_lookups(size: (u16, u16)) -> Explorer {
    let lookups = concat!(
        "{\"id\":\"half-speed\",\"query\":\"half speed\",\"match\":\"body\",\"required\":[",
        "{\"path\":\"/albums/low-water-mark.md\",\"anchor\":\"pressing-notes\",",
        "\"quote\":\"Cut at half speed\"}]}\n",
        "{\"query\":\"drone\",\"required\":[{\"path\":\"/genres/harbour-drone.md\"},",
        "{\"path\":\"/bands/quarry-choir.md\"}]}\n",
        "{\"query\":\"zebra\"}\n",
    );
    let mut options = asked("music", "drone", 800);
    options.lookups = read_lookups(lookups, "lookups").expect("lookups");
    Explorer::new("music", options, size).keys("W")
}

#[test]
fn a_sweep_over_recorded_lookups_is_drawn_and_one_of_them_asked() {
    for size in [(80, 24), (120, 40), (200, 60)] {
        let explorer = with_lookups(size);
        let name = format!("sweep-{}x{}", size.0, size.1);
        insta::assert_snapshot!(name, frame(&explorer.model));
    }
    // What stands at the budget is what the lookup gives there.
    let explorer = with_lookups((120, 40));
    let swept = explorer.model.swept.as_ref().and_then(|swept| swept.sweep.as_ref());
    let half = swept.expect("a sweep").lookups[0].clone();
    let at = half.points.iter().rev().find(|point| point.budget <= 800).expect("a point");
    let explorer = explorer.keys("\n");
    assert_eq!(explorer.model.popup, None);
    let outcome = explorer.model.outcome.as_ref().expect("a result");
    assert_eq!(outcome.question.request.query, "half speed");
    assert_eq!(outcome.selection.bytes() as u64, at.figures.bytes);
    assert_eq!(outcome.selection.expanded as u64, at.figures.expanded);
}

#[test]
fn without_recorded_lookups_those_made_so_far_are_swept() {
    let explorer = drone().keys("/→ choir\nW");
    let text = frame(&explorer.model);
    assert!(text.contains("what a budget buys over the lookups made so far"), "{text}");
    let swept = explorer.model.swept.as_ref().and_then(|swept| swept.sweep.as_ref());
    let names: Vec<&str> =
        swept.expect("a sweep").lookups.iter().map(|curve| curve.name.as_str()).collect();
    assert_eq!(names, ["drone", "drone choir"]);
    // Another budget is another place on the same curves.
    let before = explorer.model.swept.as_ref().expect("swept").count();
    let explorer = explorer.keys("→→");
    assert_eq!(explorer.model.swept.as_ref().expect("swept").count(), before);
    assert_eq!(explorer.model.popup, Some(Popup::Sweep));
}

#[test]
fn the_keys_go_from_one_difference_to_the_next() {
    let explorer = drone().keys("c").keys("\n");
    let all: Vec<String> = frame(&explorer.model).lines().map(str::to_owned).collect();
    let differs = |line: &&String| [" ≠ ", " + ", " − "].iter().any(|mark| line.contains(mark));
    let lines: Vec<&String> = all[8..39].iter().filter(differs).collect();
    assert!(lines.len() > 1, "{lines:?}");
    let mut explorer = explorer;
    for (at, line) in lines.iter().enumerate() {
        explorer = explorer.keys("n");
        let words = format!("difference {} of {}", at + 1, lines.len());
        assert_eq!(explorer.line(39).trim(), words);
        let told = marked(&explorer).join("");
        let within = line.trim_matches(['┃', ' ']);
        assert!(told.contains(within), "{told}\n{within}");
    }
    let last = format!("difference {} of {}", lines.len(), lines.len());
    assert!(explorer.keys("n").line(39).contains("difference 1 of "));
    let explorer = drone().keys("c").keys("\n").keys("N");
    assert_eq!(explorer.line(39).trim(), last);
}

#[test]
fn a_key_is_found_by_what_it_does_from_the_help() {
    for (over, find) in [("?", "/"), ("?", "f"), ("o", ":"), ("r", ":"), ("c\n", ":")] {
        let explorer = drone().keys(over).keys(find).keys("scope");
        let screen = frame(&explorer.model);
        assert!(screen.contains("▸ scope: a directory"), "{screen}");
        // What is found is done where it is done: in sight of the panes.
        let explorer = explorer.keys("\n");
        assert!(explorer.line(39).starts_with(" scope "), "{}", explorer.line(39));
    }
}

#[test]
fn a_command_is_found_by_what_other_programs_call_it() {
    for (word, want) in [
        ("clipboard", "copy"),
        ("yank", "copy"),
        ("search", "type a query"),
        ("history", "past lookups"),
        ("exit", "quit, or back from a popup"),
        ("quit", "quit, or back from a popup"),
        ("dark", "theme dark"),
        ("light", "theme light"),
        ("paper", "theme paper"),
        ("theme mono", "theme mono"),
        ("export", "write to a file"),
        ("screenshot", "write to a file"),
        ("save", "write to a file"),
        ("image svg", "write this screen as SVG"),
    ] {
        let options = Options { themes: Theme::builtin(), ..asked("music", "drone", 1500) };
        let explorer = Explorer::new("music", options, (120, 40)).keys(":").keys(word);
        let screen = frame(&explorer.model);
        assert!(screen.contains(&format!("▸ {want} ")), "{word}\n{screen}");
        if let Some(name) = want.strip_prefix("theme ") {
            assert_eq!(explorer.keys("\n").model.theme().name(), name);
        }
    }
}

#[test]
fn keys_taken_unawares_are_told_at_the_start_and_once() {
    let with = |text: &str| {
        let keymap = Keymap::with_file(text, "keys.toml").expect("keys");
        Explorer::new("music", Options { keymap, ..asked("music", "drone", 800) }, (120, 40))
    };
    let explorer = with("[keys]\nwhy = [\"k\"]\n");
    let told = "keys.toml, line 2: k is why now and no longer up, which keeps ↑";
    assert_eq!(explorer.line(39).trim(), told);
    assert!(!explorer.keys("↓").line(39).contains("keys.toml"));
    let explorer = with("[keys]\nwhy = [\"k\", \"o\", \"y\"]\n");
    let told = explorer.line(39);
    assert!(told.trim().ends_with("2 more: `markscope doctor`"), "{told}");
    assert!(with("[keys]\nwhy = [\"i\"]\n").line(39).contains("query"));
}

#[test]
fn a_document_opened_whole_begins_with_what_it_is_and_its_relations_come_last() {
    let screen = frame(&drone().keys("o").model);
    let keys: Vec<&str> = screen
        .lines()
        .skip(2)
        .take_while(|line| !line.contains("──────"))
        .filter_map(|line| line.trim_start_matches('┃').trim_start().split_once(": "))
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys[..2], ["title", "tags"]);
    let first = keys.iter().position(|key| key.starts_with("rel-")).expect("a relation");
    assert!(keys[first..].iter().all(|key| key.starts_with("rel-")), "{keys:?}");
}

#[test]
fn a_world_that_is_gone_is_not_shown_as_if_it_were_there() {
    let gone = "./notes does not exist";
    let mut explorer = drone();
    explorer.send(Message::Changed);
    explorer.send(Message::Reloaded(Box::new(Err(gone.into()))));
    assert_eq!(explorer.line(39).trim(), format!("not read again: {gone}"));
    // It is told on.
    let explorer = explorer.keys("j");
    assert!(explorer.line(0).ends_with("1 remark on the world: !"), "{}", explorer.line(0));
    let screen = frame(&explorer.keys("!").model);
    let told = format!("! It cannot be read any more, and is shown as it was read last: {gone}");
    assert!(screen.contains(&told), "{screen}");
    // To ask again is to read again.
    let mut explorer = drone();
    explorer.send(Message::Changed);
    explorer.send(Message::Reloaded(Box::new(Err(gone.into()))));
    let key = Message::Key(KeyEvent::new(KeyCode::Char('R'), KeyModifiers::NONE));
    let effects = update(&mut explorer.model, key);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Reload)));
    explorer.send(Message::Reloaded(Box::new(Ok(Opened::new(Reader::Store(Arc::new(
        explorer::store("music"),
    )))))));
    assert!(!explorer.line(0).contains("remark"), "{}", explorer.line(0));
}

/// All lines of what covers the panes, however far one has to scroll.
fn all_of_popup(mut explorer: Explorer) -> String {
    let mut all = String::new();
    for _ in 0..1000 {
        let text = frame(&explorer.model);
        let top = explorer.model.popup_top;
        all.push_str(&text);
        explorer = explorer.keys("↓");
        if explorer.model.popup_top == top {
            break;
        }
    }
    all
}

#[test]
fn why_tells_of_all_the_others_where_a_pane_tells_of_the_selected_one() {
    let large = || Explorer::new("music", asked("music", "drone", 800), (200, 60));
    let rows = large().model.outcome.as_ref().expect("a result").rows().len();
    assert!(rows > 2);
    for keys in ["w", "↓w", "2↓w", "4w", "1w"] {
        let explorer = large().keys(keys);
        let head = frame(&explorer.model);
        let all = all_of_popup(explorer);
        for row in 1..=rows {
            assert!(all.contains(&format!("row {row} of {rows}")), "{keys} {row}: {all}");
        }
        assert!(all.contains(", target 1 of "), "{keys}");
        let first = match keys {
            "w" => "row 1 of ",
            "↓w" => "row 2 of ",
            "2↓w" => ", target 2 of ",
            _ => "",
        };
        let line = head.lines().find(|line| line.contains("┏ why")).expect("a popup");
        let below = head.lines().skip_while(|it| it != &line).nth(1).unwrap_or_default();
        assert!(below.contains(first), "{keys}: {head}");
    }
    // Elsewhere the popup is the only place for it.
    let all = all_of_popup(drone().keys("↓w"));
    assert!(all.contains("row 2 of ") && !all.contains("row 1 of "), "{all}");
    // Of findings it is the same.
    let mut explorer = desk((200, 60));
    let mut findings = explorer.model.findings.clone().expect("looked through");
    let another = Finding { message: "another one".into(), ..findings[0].clone() };
    findings.push(another);
    explorer.send(Message::Found { load: explorer.model.loads, findings });
    let text = frame(&explorer.keys("6w").model);
    assert!(text.contains("error R001: another one"), "{text}");
}

#[test]
fn notes_are_among_the_findings_where_they_are_wanted() {
    let mut explorer = desk((120, 40));
    let mut findings = explorer.model.findings.clone().expect("looked through");
    assert_eq!(findings.len(), 1);
    let note = |message: &str| Finding {
        code: "C001",
        severity: Severity::Note,
        message: message.into(),
        ..findings[0].clone()
    };
    let notes = [note("one to know"), note("another to know")];
    findings.splice(0..0, notes.clone());
    let load = explorer.model.loads;
    explorer.send(Message::Found { load, findings });
    let explorer = explorer.keys("6");
    let text = frame(&explorer.model);
    assert!(text.contains("6 findings (1)") && !text.contains("to know"), "{text}");
    assert!(text.contains("w why  a notes  Tab pane"), "{text}");
    // There is nothing to go to but what is shown.
    assert_eq!(explorer.keys("↓").model.chosen.finding, 0);
    let mut explorer = desk((120, 40));
    let error = explorer.model.findings.clone().expect("looked through");
    explorer.send(Message::Found { load, findings: [error, notes.to_vec()].concat() });
    let explorer = explorer.keys("a");
    assert_eq!(explorer.model.focus, Pane::Findings, "they are shown where they are");
    let text = frame(&explorer.model);
    assert!(text.contains("6 findings (3)") && text.contains("· note    C001  /a.md:2"), "{text}");
    assert!(explorer.line(39).starts_with(" 2 notes are shown"), "{}", explorer.line(39));
    let explorer = explorer.keys("↓w");
    assert!(frame(&explorer.model).contains("note C001: one to know"));
    // Without them, what is selected is the error again.
    let explorer = explorer.keys("\u{1b}a");
    assert_eq!(explorer.model.chosen.finding, 0);
    assert!(explorer.line(39).starts_with(" 2 notes are left out"), "{}", explorer.line(39));
    let mut explorer = explorer;
    explorer.send(Message::Found { load, findings: notes[..1].to_vec() });
    let text = frame(&explorer.model);
    assert!(text.contains("Nothing is wrong; a shows 1 note."), "{text}");
    explorer.send(Message::Found { load, findings: Vec::new() });
    let explorer = explorer.keys("a");
    assert!(explorer.line(39).starts_with(" there are no notes"), "{}", explorer.line(39));
}

#[test]
fn words_are_found_in_two_results_side_by_side() {
    for key in ["/", "f"] {
        let mut explorer = drone().keys("cengine\n").keys(key).keys("QUARRY");
        let foot = explorer.line(39);
        assert!(foot.starts_with(" find ▏QUARRY ▕  1 of "), "{foot}");
        let of: usize = foot
            .split(" of ")
            .nth(1)
            .and_then(|it| it.split(' ').next()?.parse().ok())
            .expect("a number");
        assert!(of > 1, "{foot}");
        explorer = explorer.keys("\n");
        assert!(explorer.line(39).contains(&format!(": 1 of {of} · n N go on · on ")));
        for at in 2..=of {
            explorer = explorer.keys("n");
            let foot = explorer.line(39);
            assert!(foot.starts_with(&format!(" “QUARRY”: {at} of {of} · on ")), "{foot}");
            // The words are marked where they are seen, and else told with what is around.
            let is_seen = marked(&explorer).iter().any(|it| it.eq_ignore_ascii_case("quarry"));
            assert!(
                is_seen
                    || foot
                        .to_lowercase()
                        .rsplit(": ")
                        .next()
                        .is_some_and(|it| it.contains("quarry")),
                "{foot}"
            );
        }
        assert!(explorer.keys("n").line(39).contains(": 1 of "));
    }
    // Both sides have their marks, and the sign between them.
    let explorer = drone().keys("cengine\n/quarry-choir.md\n");
    let all = marked(&explorer);
    assert_eq!(all[..3], ["quarry-choir.md", " ≠ ", "quarry-choir.md"], "{all:?}");
    assert!(explorer.line(39).ends_with(" go on · on both sides"), "{}", explorer.line(39));
    // A text that is not shown is looked through too.
    let explorer = drone().keys("cengine\n/tubas\n");
    let foot = explorer.line(39);
    let want = "1 of 1 · on both sides: …th a drone. The tubas start, the horns join, and";
    assert!(foot.contains(want), "{foot}");
    let explorer = drone().keys("cengine\n/rows expanded\n");
    assert!(explorer.line(39).contains(": not found"), "{}", explorer.line(39));
    // One step back ends the search: the keys go from difference to difference again.
    let explorer = drone().keys("cengine\n/quarry\n\u{1b}n");
    assert!(explorer.line(39).starts_with(" difference 1 of "), "{}", explorer.line(39));
    let explorer = explorer.keys("/quarry\n");
    assert!(explorer.line(39).starts_with(" “quarry”: 1 of "), "{}", explorer.line(39));
    let explorer = explorer.keys("q");
    assert_eq!(explorer.model.popup, Some(Popup::Compare));
    assert_eq!(explorer.keys("q").model.popup, None);
}
