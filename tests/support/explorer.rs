//! An explorer without a terminal, for tests.
#![allow(dead_code)]

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use markscope::catalog::Match;
use markscope::lookup::Store;
use markscope::tui::message::{Effect, Message};
use markscope::tui::model::Model;
use markscope::tui::update::update;
use markscope::tui::{Opened, Options, frame};
use markscope::world::Reader;

use crate::support;

pub fn store(name: &str) -> Store {
    let world = support::world(name);
    Store::new(name, world.documents, world.errors)
}

pub fn asked(world: &str, query: &str, budget: u64) -> Options {
    let mut options = Options::new(world);
    options.query = Some(query.into());
    options.budget = budget;
    options.question.request.match_sent = Some(Match::Body);
    options
}

/// The sizes of terminals at which screens are looked at.
pub const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// Every kind of screen: its name, the world, how the explorer starts, and the keys
/// that lead there.
pub fn states() -> Vec<(&'static str, &'static str, Options, &'static str)> {
    vec![
        ("start", "music", Options::new("music"), ""),
        ("drone", "music", asked("music", "drone", 800), ""),
        ("omissions", "music", asked("music", "drone", 800), "4↓↓"),
        ("help", "music", asked("music", "drone", 800), "?"),
        ("why", "music", asked("music", "drone", 800), "↓↓w"),
        ("reader", "music", asked("music", "drone", 800), "r"),
        ("typing", "music", asked("music", "drone", 800), "/→ metal"),
        ("relations", "music", asked("music", "drone", 1500), "2↓"),
        ("overdrawn", "music", asked("music", "drone", 290), ""),
        ("refusal", "music", asked("music", "", 800), ""),
        ("nothing", "music", asked("music", "zebra", 800), ""),
        ("curve", "music", asked("music", "drone", 800), "g"),
        ("document", "music", asked("music", "drone", 800), "↓↓o\t↓↓"),
        ("compare", "music", asked("music", "drone", 800), "cengine\n"),
        ("commands", "music", asked("music", "drone", 800), ":pane"),
        ("documents", "music", asked("music", "drone", 800), "pchoir"),
        ("outline", "music", asked("music", "drone", 800), "↓↓5↓"),
        ("narrowed", "music", asked("music", "drone", 800), "fquarry\n"),
        ("found", "music", asked("music", "drone", 800), "1fdrone\n"),
    ]
}

/// An explorer without a terminal: effects are done at once.
pub struct Explorer {
    pub model: Model,
    /// Whether it was left.
    pub left: bool,
    /// Effects that are for the outside, as they came.
    pub outside: Vec<Effect>,
}

impl Explorer {
    pub fn new(world: &str, options: Options, size: (u16, u16)) -> Self {
        Self::over(store(world), options, size)
    }

    pub fn over(store: Store, options: Options, size: (u16, u16)) -> Self {
        let mut explorer =
            Self { model: Model::new(options, size), left: false, outside: Vec::new() };
        let opened = Opened::new(Reader::Store(Arc::new(store)));
        explorer.send(Message::Opened(Box::new(Ok(opened))));
        explorer
    }

    pub fn send(&mut self, message: Message) {
        for effect in update(&mut self.model, message) {
            self.left |= matches!(effect, Effect::Quit);
            if matches!(
                effect,
                Effect::Copy { .. } | Effect::Save { .. } | Effect::Mouse(_) | Effect::Edit(_)
            ) {
                self.outside.push(effect);
                continue;
            }
            for answer in effect.perform() {
                self.send(answer);
            }
        }
    }

    pub fn key(&mut self, code: KeyCode) {
        self.send(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    pub fn keys(mut self, keys: &str) -> Self {
        for c in keys.chars() {
            self.key(match c {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '\u{1b}' => KeyCode::Esc,
                '←' => KeyCode::Left,
                '→' => KeyCode::Right,
                '↑' => KeyCode::Up,
                '↓' => KeyCode::Down,
                '⌫' => KeyCode::Backspace,
                c => KeyCode::Char(c),
            });
        }
        self
    }

    pub fn line(&self, at: usize) -> String {
        frame(&self.model).lines().nth(at).unwrap_or_default().to_owned()
    }
}
