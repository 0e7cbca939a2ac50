//! The screens without a result: opening, failed, and the start.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::keymap::Action;
use super::model::{Model, World};
use super::paint;
use super::theme::Role;
use super::width::{grouped, shorten, width};
use crate::lookup::Store;
use crate::text::{lowercase, visible_line};
use crate::world::Reader;

const SUGGESTED: usize = 6;

/// Draws what stands in place of the panes.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    match &model.world {
        World::Opening => {
            let mut words = format!("opening {} …", visible_line(&model.label));
            if !model.progress.is_empty() {
                words = format!("{words}\n\n{}", visible_line(&model.progress));
            }
            if let Some(spinner) = paint::spinner(model.waited) {
                words = format!("{words}\n\n{spinner} {}", seconds(model.waited));
            }
            paint::message(buf, area, &words, theme.style(Role::Dim));
        }
        World::Failed(why) => {
            let why: Vec<String> = why.lines().map(visible_line).collect();
            let words = format!(
                "The world cannot be opened.\n\n{}\n\n{} tries again · {} quits",
                why.join("\n"),
                model.keymap.first(Action::Retry),
                model.keymap.first(Action::Quit)
            );
            paint::message(buf, area, &words, theme.style(Role::Error));
        }
        World::Open => match &model.trouble {
            Some(why) => {
                let words = format!(
                    "There is no answer.\n\n{}\n\n{} asks again · {} changes the query",
                    visible_line(why),
                    model.keymap.first(Action::Retry),
                    model.keymap.first(Action::Query)
                );
                paint::message(buf, area, &words, theme.style(Role::Error));
            }
            None if model.has_query => {
                let mut words = "asking …".to_owned();
                if let Some(spinner) = paint::spinner(model.waited) {
                    let key = model.keymap.first(Action::Back);
                    let time = seconds(model.waited);
                    words = format!("{words}\n\n{spinner} {time}\n\n{key} cancels");
                }
                paint::message(buf, area, &words, theme.style(Role::Dim));
            }
            None => start(model, area, buf),
        },
    }
}

/// Time in seconds, from tenths of them.
pub fn seconds(tenths: u32) -> String {
    format!("{}.{} s", tenths / 10, tenths % 10)
}

fn start(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let text = |words: String| Line::styled(words, theme.style(Role::Text));
    let key = |action: Action, words: &str| {
        let key = model.keymap.first(action).to_owned();
        Line::from(vec![
            Span::styled(key, theme.style(Role::Key)),
            Span::styled(format!("  {words}"), theme.style(Role::Text)),
        ])
    };
    let mut lines = vec![
        Line::styled("markscope", theme.style(Role::Title)),
        Line::default(),
        text("What a reader gets from one budgeted lookup, and why.".into()),
        Line::default(),
        text(format!(
            "{} · {} · budget {} tokens",
            visible_line(&model.label),
            model.start.size,
            grouped(model.budget)
        )),
        Line::default(),
        key(Action::Query, "type a query"),
        key(Action::Help, "all keys    "),
    ];
    let suggested = model.start.suggestions(usize::from(area.width).saturating_sub(12));
    if !suggested.is_empty() {
        lines.push(Line::default());
        lines.push(Line::styled("Try", theme.style(Role::Dim)));
        lines.push(Line::styled(suggested, theme.style(Role::Link)));
    }
    paint::centred(buf, area, &lines);
}

/// What the start screen tells of a world.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// How large it is, in words.
    size: String,
    /// The tags that most documents carry.
    tags: Vec<String>,
}

impl Start {
    /// Looks through a world once. A server does not tell what it has.
    pub fn of(reader: &Reader) -> Self {
        match reader {
            Reader::Store(store) => Self::of_store(store),
            Reader::Remote(world) => Self {
                size: format!("a server, scope {}", shorten(&visible_line(world.scope()), 40)),
                tags: Vec::new(),
            },
            Reader::Recorded(_) => Self { size: "a recorded result".into(), tags: Vec::new() },
            Reader::Tool(_) => Self { size: "a tool for agents".into(), tags: Vec::new() },
            Reader::Many(many) => {
                let worlds = many.names().count();
                Self { size: format!("{worlds} worlds"), tags: Vec::new() }
            }
        }
    }

    fn of_store(store: &Store) -> Self {
        let documents = store.catalog().documents();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for tag in documents.iter().flat_map(|document| document.tags()) {
            *counts.entry(lowercase(tag)).or_default() += 1;
        }
        // A query of one character finds nothing that its reader meant.
        let mut tags: Vec<(String, usize)> =
            counts.into_iter().filter(|(tag, _)| tag.chars().nth(1).is_some()).collect();
        tags.sort_by(|(a, many), (b, more)| more.cmp(many).then_with(|| a.cmp(b)));
        let tags = tags.into_iter().take(SUGGESTED).map(|(tag, _)| visible_line(&tag));
        let noun = if documents.len() == 1 { "document" } else { "documents" };
        Self { size: format!("{} {noun}", grouped(documents.len())), tags: tags.collect() }
    }

    /// The tags as queries to try, as many as there is room for.
    fn suggestions(&self, room: usize) -> String {
        let mut out = String::new();
        for tag in &self.tags {
            let joint = if out.is_empty() { "" } else { " · " };
            if width(&out) + width(joint) + width(tag) > room {
                break;
            }
            out.push_str(joint);
            out.push_str(tag);
        }
        out
    }
}
