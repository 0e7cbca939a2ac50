//! The explorer over servers and over several worlds: what is on the screen while
//! documents come, and what becomes of a question that has no answer.

mod support;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::{Asked, Fetched, Part, PartAnswer, Question, Store, merge};
use markscope::selection::{Outcome as Fate, Selection};
use markscope::serve::Access;
use markscope::tui::message::{Effect, Message};
use markscope::tui::model::Model;
use markscope::tui::picture::Format;
use markscope::tui::update::update;
use markscope::tui::{Opened, Options, frame, print};
use markscope::world::{Many, Progress, Reader, RemoteWorld};
use tokio::runtime::Runtime;

#[path = "support/servers.rs"]
#[allow(dead_code)]
mod servers;

use servers::{Served, golden_store, insecure};

fn question(query: &str) -> Question {
    let mut question = Question::new(query);
    question.request.match_sent = Some(Match::Body);
    question
}

fn here(query: &str, budget: u64) -> Selection {
    let store = golden_store("music");
    store.ask(&question(query)).select(&store, budget)
}

/// An explorer of a server whose effects wait until the test performs them.
struct Live {
    runtime: Runtime,
    served: Option<Served>,
    model: Model,
    waiting: Vec<Effect>,
}

impl Live {
    fn new(query: &str, budget: u64) -> Self {
        let served = Served::new(golden_store("music"), Access::default());
        let runtime = Runtime::new().expect("a runtime");
        let world = runtime.block_on(RemoteWorld::open(&served.location, &insecure()));
        let mut options = Options::new(&served.location);
        options.query = Some(query.into());
        options.budget = budget;
        options.question = question("");
        options.warning = Some("INSECURE");
        let model = Model::new(options, (100, 30));
        let mut live = Self { runtime, served: Some(served), model, waiting: Vec::new() };
        let mut opened = Opened::new(Reader::Remote(Arc::new(world.expect("a connection"))));
        opened.warning = Some("INSECURE");
        live.send(Message::Opened(Box::new(Ok(opened))));
        // The port is another each time.
        live.model.label = "mark://music.example".into();
        live
    }

    fn send(&mut self, message: Message) {
        self.waiting.extend(update(&mut self.model, message));
    }

    fn press(&mut self, key: KeyCode) {
        self.send(Message::Key(KeyEvent::new(key, KeyModifiers::NONE)));
    }

    /// What comes of all effects that wait.
    fn messages(&mut self) -> Vec<Message> {
        let mut messages = Vec::new();
        for effect in std::mem::take(&mut self.waiting) {
            self.runtime.block_on(effect.run(|message| messages.push(message)));
        }
        messages
    }

    fn settle(&mut self) {
        while !self.waiting.is_empty() {
            for message in self.messages() {
                self.send(message);
            }
        }
    }

    fn text(&self) -> String {
        self.model.outcome.as_ref().expect("a result").selection.text()
    }
}

#[test]
fn rows_come_before_blocks_and_blocks_one_by_one() {
    let whole = here("drone", 1500);
    let mut live = Live::new("drone", 1500);
    assert!(live.model.is_busy() && live.model.outcome.is_none());
    assert!(frame(&live.model).contains("asking …"));
    assert!(frame(&live.model).contains(" INSECURE "));
    let answer = live.messages();
    for message in answer {
        live.send(message);
    }
    live.send(Message::Tick);
    insta::assert_snapshot!("waiting-100x30", frame(&live.model));
    assert!(live.model.is_busy());
    let outcome = live.model.outcome.as_ref().expect("the table");
    assert_eq!(outcome.rows().len(), whole.rows.len());
    assert!(outcome.selection.rows.iter().all(|row| row.outcome == Fate::Waiting));
    assert!(outcome.omissions.is_empty(), "what is awaited is not left out");
    // Whatever order they come in: what stands is a beginning of the whole.
    let mut lengths = Vec::new();
    let mut coming = live.messages();
    assert!(coming.len() > 2);
    while let Some(message) = coming.pop() {
        live.send(message);
        let so_far = live.text();
        assert!(whole.text().starts_with(&so_far));
        lengths.push(so_far.len());
    }
    assert!(lengths.is_sorted());
    live.settle();
    assert!(!live.model.is_busy());
    assert_eq!(live.text(), whole.text());
}

#[test]
fn a_budget_moved_while_documents_come_is_the_one_that_counts() {
    let mut live = Live::new("drone", 300);
    for message in live.messages() {
        live.send(message);
    }
    live.press(KeyCode::Char('}'));
    live.press(KeyCode::Char('}'));
    live.settle();
    assert_eq!(live.text(), here("drone", 1300).text());
    let Some(Reader::Remote(world)) = &live.model.reader else { panic!("a server") };
    let fetched = &live.model.outcome.as_ref().expect("a result").selection.fetched;
    // One LOOKUP, and no document twice.
    assert!(world.requests() <= 1 + 10, "{} for {}", world.requests(), fetched.len());
}

#[test]
fn esc_waits_no_longer_and_what_came_stays() {
    let mut live = Live::new("drone", 1500);
    for message in live.messages() {
        live.send(message);
    }
    let mut coming = live.messages();
    coming.reverse();
    live.send(coming.pop().expect("a document"));
    let before = live.text();
    live.press(KeyCode::Esc);
    assert!(matches!(live.waiting[..], [Effect::Cancel]));
    assert!(!live.model.is_busy());
    for message in coming {
        live.send(message);
    }
    assert_eq!(live.text(), before, "what comes all the same is not taken");
    assert!(frame(&live.model).contains("cancelled; R asks again"));
    live.press(KeyCode::Char('R'));
    live.settle();
    assert_eq!(live.text(), here("drone", 1500).text());
}

#[test]
fn a_question_cancelled_before_its_answer_can_be_asked_again() {
    let mut live = Live::new("drone", 1500);
    live.press(KeyCode::Esc);
    let text = frame(&live.model);
    assert!(text.contains("Cancelled before there was an answer."), "{text}");
    live.waiting.clear();
    live.press(KeyCode::Char('R'));
    live.settle();
    assert_eq!(live.text(), here("drone", 1500).text());
}

#[test]
fn a_server_that_is_gone_is_told_with_the_way_out() {
    let mut live = Live::new("drone", 1500);
    let address = live.served.as_ref().expect("a server").server.address().expect("an address");
    live.served = None;
    live.settle();
    let text = frame(&live.model);
    assert!(text.contains("There is no answer.") && text.contains("R asks again"), "{text}");
    assert!(text.contains(" INSECURE "), "{text}");
    let identity = markscope::serve::Identity::self_signed().expect("a certificate");
    live.served = Some(Served::with(golden_store("music"), Access::default(), identity, address));
    live.press(KeyCode::Char('R'));
    live.settle();
    assert_eq!(live.text(), here("drone", 1500).text());
}

/// The server goes when the table is there: the table stays, and says of each row
/// that there was no answer.
#[test]
fn documents_that_do_not_come_are_told_of() {
    let mut live = Live::new("drone", 1500);
    for message in live.messages() {
        live.send(message);
    }
    live.served = None;
    live.settle();
    assert!(!live.model.is_busy());
    let outcome = live.model.outcome.as_ref().expect("the table");
    assert!(!outcome.asked.failures().is_empty());
    assert!(outcome.selection.rows.iter().all(|row| row.outcome == Fate::Failed));
    let text = frame(&live.model);
    assert!(text.contains("not all documents came: R asks again"), "{text}");
    live.press(KeyCode::Char('!'));
    let text = frame(&live.model);
    assert!(text.contains("the server") || text.contains("no answer from"), "{text}");
}

fn crawled(store: Store, most: usize) -> (Store, Vec<String>, Vec<Progress>) {
    let served = Served::new(store, Access::default());
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let world = RemoteWorld::open(&served.location, &insecure()).await.expect("a connection");
        let mut progress = Vec::new();
        let crawled = world.crawl(most, |far| progress.push(far)).await.expect("a crawl");
        world.close().await;
        let store = Store::new("crawled", crawled.documents, Default::default());
        (store, crawled.problems, progress)
    })
}

/// A crawl brings what a server lists and gives; what it does not give is named.
#[test]
fn a_crawled_world_answers_as_the_world_does() {
    let (crawled, problems, progress) = crawled(golden_store("music"), 5000);
    let left_out = "/bands/velvet-gantry.md is left out: not-permitted";
    assert_eq!(problems, [left_out]);
    assert_eq!(progress.first(), Some(&Progress { listed: 1, read: 0 }));
    assert_eq!(progress.last(), Some(&Progress { listed: 42, read: 42 }));
    let world = support::world("music");
    let given = world
        .documents
        .iter()
        .filter(|document| crawled.catalog().document(document.path()).is_some());
    let given: Vec<_> = given.cloned().collect();
    assert_eq!((given.len(), world.documents.len()), (41, 43), "one is archived");
    let local = Store::new("music", given, Default::default());
    for (query, budget) in [("drone", 1500), ("doom", 700), ("*", 3000)] {
        let text = |store: &Store| store.ask(&question(query)).select(store, budget).text();
        assert_eq!(text(&crawled), text(&local), "{query}");
    }
}

#[test]
fn a_crawl_stops_at_its_bound_and_says_so() {
    let (crawled, problems, _) = crawled(golden_store("music"), 7);
    assert_eq!(crawled.catalog().documents().len(), 7);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("has more documents than 7"), "{}", problems[0]);
}

/// Two worlds on servers and one here, under one budget: the same whether a world
/// is asked here or there.
#[test]
fn several_worlds_answer_as_one() {
    let runtime = Runtime::new().expect("a runtime");
    let served = Served::new(golden_store("music"), Access::default());
    let local = Reader::Store(Arc::new(golden_store("music")));
    let other = || Reader::Store(Arc::new(golden_store("hostile")));
    let select = |many: Many| {
        runtime.block_on(async {
            let reader = Reader::Many(Arc::new(many));
            let mut asked: Asked = reader.ask(&question("drone"), 1500).await.expect("an answer");
            let selection = reader.select_all(&mut asked, 1500).await;
            reader.close().await;
            (selection.text(), asked.remarks().to_vec())
        })
    };
    let remote = runtime.block_on(RemoteWorld::open(&served.location, &insecure()));
    let remote = Reader::Remote(Arc::new(remote.expect("a connection")));
    let name = remote.name();
    let (here, _) =
        select(Many::new([("music".to_owned(), Ok(local)), ("h".to_owned(), Ok(other()))]));
    let (there, _) = select(Many::new([(name.clone(), Ok(remote)), ("h".to_owned(), Ok(other()))]));
    assert!(here.contains("mark://music/") && here.contains("status: ok\nworlds: 2\n"), "{here}");
    assert!(here.contains("### mark://music/") || here.contains("mark://music/genres"), "{here}");
    // The names have different lengths, so only the tables can be compared.
    let rows = |text: &str, name: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.starts_with("| mark:"));
        rows.map(|line| line.replace(name, "mark://music")).collect()
    };
    assert_eq!(rows(&here, "mark://music"), rows(&there, &name));
    let (partial, remarks) = select(Many::new([
        ("music".to_owned(), Ok(Reader::Store(Arc::new(golden_store("music"))))),
        ("Gone World".to_owned(), Err("there is nothing".to_owned())),
    ]));
    assert!(
        partial.starts_with("status: partial\nworlds: 2\nsucceeded: 1\nfailed: 1\n"),
        "{partial}"
    );
    assert!(partial.contains("| gone-world | there is nothing |"), "{partial}");
    assert_eq!(remarks, [""; 0], "it was told when it was opened");
}

/// One world of several that is gone takes nothing from the others.
#[test]
fn one_world_of_several_that_goes_leaves_the_others() {
    let runtime = Runtime::new().expect("a runtime");
    let keeps = Served::new(golden_store("music"), Access::default());
    let goes = Served::new(golden_store("decisions"), Access::default());
    let open = |served: &Served| {
        let world = runtime.block_on(RemoteWorld::open(&served.location, &insecure()));
        Reader::Remote(Arc::new(world.expect("a connection")))
    };
    let (kept, gone) = (open(&keeps), open(&goes));
    let (kept_name, gone_name) = (kept.name(), gone.name());
    let many =
        Reader::Many(Arc::new(Many::new([(kept.name(), Ok(kept)), (gone.name(), Ok(gone))])));
    let mut question = Question::new("*");
    question.request.limit = Some(6);
    let mut asked = runtime.block_on(many.ask(&question, 1500)).expect("an answer");
    drop(goes);
    let selection = runtime.block_on(many.select_all(&mut asked, 20_000));
    for row in &selection.rows {
        let want = if row.location.starts_with(&gone_name) { Fate::Failed } else { Fate::Printed };
        assert_eq!(row.outcome, want, "{}: {}", row.location, row.reason);
        assert!(row.location.starts_with(&gone_name) || row.location.starts_with(&kept_name));
    }
    let gone = selection.rows.iter().filter(|row| row.outcome == Fate::Failed).count();
    assert!(gone > 0 && gone < selection.rows.len());
    assert_eq!(asked.failures().len(), gone);
    runtime.block_on(many.close());
}

/// What leads into another world is not even asked for, be that world at hand.
#[test]
fn relations_into_another_world_are_not_fetched() {
    let answer = |rows: &str| {
        let head = "| Path | Importance | Title | Tags |\n|---|---|---|---|\n";
        Ok(PartAnswer { matches: None, match_echo: None, body: format!("{head}{rows}") })
    };
    let parts = [
        Part { world: "a".into(), answer: answer("| /one.md | 0.90 | One | |\n") },
        Part { world: "b".into(), answer: answer("| /two.md | 0.50 | Two | |\n") },
    ];
    let question = Question::new("some");
    let answered = merge(&question, &parts).expect("both answer");
    let mut asked = Asked::new(answered, &question, None);
    let waiting = asked.try_select(5000).expect_err("two documents");
    assert_eq!(waiting.wanted, ["mark://a/one.md", "mark://b/two.md"]);
    let one = Document::new("mark://a/one.md", "# One\n\nText.\n").with_metadata(
        [("rel-by".to_owned(), "/near.md, mark://b/far.md, /next.md".to_owned())].into(),
    );
    asked.give("mark://a/one.md".into(), Fetched::Document(Arc::new(one)));
    let two = Document::new("mark://b/two.md", "# Two\n\nOther.\n");
    asked.give("mark://b/two.md".into(), Fetched::Document(Arc::new(two)));
    let waiting = asked.try_select(5000).expect_err("two targets");
    assert_eq!(waiting.wanted, ["mark://a/near.md", "mark://a/next.md"]);
}

/// A frame that is printed tells in words, too, that there is no answer.
#[test]
fn a_printed_frame_without_an_answer_says_so() {
    let served = Served::new(golden_store("music"), Access::default());
    let runtime = Runtime::new().expect("a runtime");
    let world = runtime.block_on(RemoteWorld::open(&served.location, &insecure()));
    let opened = Opened::new(Reader::Remote(Arc::new(world.expect("a connection"))));
    drop(served);
    let mut options = Options::new("music");
    options.query = Some("drone".into());
    let printed = runtime.block_on(print(opened, options, (80, 24), Format::Text));
    assert!(printed.picture.contains("There is no answer."), "{}", printed.picture);
    assert_eq!(printed.troubles.len(), 1);
    assert!(printed.troubles[0].contains("no answer from"), "{}", printed.troubles[0]);
}

/// What no world would accept is refused as one world refuses it.
#[test]
fn a_bad_question_is_refused_once() {
    let world = || Ok(Reader::Store(Arc::new(golden_store("music"))));
    let many = Many::new([("a".to_owned(), world()), ("b".to_owned(), world())]);
    let runtime = Runtime::new().expect("a runtime");
    for (query, limit, filter) in [("x", None, ""), ("drone", Some(0), ""), ("drone", None, "tag")]
    {
        let mut question = Question::new(query);
        question.request.limit = limit;
        question.request.filter = filter.into();
        let asked = runtime.block_on(many.ask(&question)).expect("a refusal");
        let store = golden_store("music");
        let one = store.ask(&question);
        assert_eq!(asked.status(), "bad-request");
        assert_eq!(asked.refusal(), one.refusal());
        assert_eq!(asked.session().answered(), one.session().answered());
    }
}
