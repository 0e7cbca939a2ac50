//! How long one frame of the explorer takes, with a long table and large blocks:
//! 200x60 cells, 1,000 rows, ten blocks of 8 KiB.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use divan::Bencher;
use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::tui::message::Message;
use markscope::tui::model::Model;
use markscope::tui::{Options, update::update, view};
use markscope::world::Reader;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

fn main() {
    divan::main();
}

/// A world in which `everything` finds 1,000 documents just below the size at
/// which only sections are printed.
fn store() -> Store {
    let mut seeded = support::Seeded::new(7);
    let documents = (0..1_000).map(|at| {
        let mut body = format!("# Document {at}\n\n");
        while body.len() < 8_100 {
            let word = support::term(seeded.below(2_000));
            body.push_str(&word);
            body.push_str(if seeded.below(12) == 0 { ".\n\n" } else { " " });
        }
        body.truncate(8_150);
        let metadata = BTreeMap::from([
            ("tags".to_owned(), "everything".to_owned()),
            ("rel-depends-on".to_owned(), format!("/d/{}.md", (at + 1) % 1_000)),
        ]);
        Arc::new(Document::new(format!("/d/{at}.md"), body).with_metadata(metadata))
    });
    Store::new("bench", documents, BTreeMap::new())
}

const SIZE: (u16, u16) = (200, 60);

fn send(model: &mut Model, message: Message) {
    for effect in update(model, message) {
        for answer in effect.perform() {
            send(model, answer);
        }
    }
}

fn press(model: &mut Model, key: KeyCode) {
    send(model, Message::Key(KeyEvent::new(key, KeyModifiers::NONE)));
}

fn explorer() -> Model {
    let mut options = Options::new("bench");
    options.query = Some("everything".into());
    options.question.request.match_sent = Some(Match::Body);
    options.question.request.limit = Some(1_000);
    options.budget = 60_000;
    let mut model = Model::new(options, SIZE);
    let opened = markscope::tui::Opened::new(Reader::Store(Arc::new(store())));
    send(&mut model, Message::Opened(Box::new(Ok(opened))));
    model
}

fn draw(model: &Model) -> Buffer {
    let area = Rect::new(0, 0, SIZE.0, SIZE.1);
    let mut buffer = Buffer::empty(area);
    view::draw(model, area, &mut buffer);
    buffer
}

/// The frame alone.
#[divan::bench]
fn frame(bencher: Bencher<'_, '_>) {
    let model = explorer();
    bencher.bench_local(|| draw(&model));
}

/// From a key that moves to the next row to the drawn frame.
#[divan::bench]
fn row_key_to_frame(bencher: Bencher<'_, '_>) {
    let mut model = explorer();
    bencher.bench_local(|| {
        press(&mut model, KeyCode::Down);
        draw(&model)
    });
}

/// From a key that moves the budget to the drawn frame.
#[divan::bench]
fn budget_key_to_frame(bencher: Bencher<'_, '_>) {
    let mut model = explorer();
    let mut up = false;
    bencher.bench_local(|| {
        up = !up;
        press(&mut model, if up { KeyCode::Right } else { KeyCode::Left });
        draw(&model)
    });
}
