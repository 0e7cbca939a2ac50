//! The screens without a result: opening, failed, and the start.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::keymap::Action;
use super::model::{Model, World};
use super::paint;
use super::theme::Role;
use super::width::{grouped, width};
use crate::lookup::Store;
use crate::text::{lowercase, visible_line};

const SUGGESTED: usize = 6;

/// Draws what stands in place of the panes.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    match &model.world {
        World::Opening => {
            let words = format!("opening {} …", visible_line(&model.label));
            paint::message(buf, area, &words, theme.style(Role::Dim));
        }
        World::Failed(why) => {
            let why: Vec<String> = why.lines().map(visible_line).collect();
            let words = format!(
                "The world cannot be opened.\n\n{}\n\n{} quits",
                why.join("\n"),
                model.keymap.first(Action::Quit)
            );
            paint::message(buf, area, &words, theme.style(Role::Error));
        }
        World::Open if model.has_query => {
            paint::message(buf, area, "asking …", theme.style(Role::Dim));
        }
        World::Open => start(model, area, buf),
    }
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
    let documents = model.start.documents;
    let mut lines = vec![
        Line::styled("markscope", theme.style(Role::Title)),
        Line::default(),
        text("What a reader gets from one budgeted lookup, and why.".into()),
        Line::default(),
        text(format!(
            "{} · {} {} · budget {} tokens",
            visible_line(&model.label),
            grouped(documents),
            if documents == 1 { "document" } else { "documents" },
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
    documents: usize,
    /// The tags that most documents carry.
    tags: Vec<String>,
}

impl Start {
    /// Looks through a world once.
    pub fn of(store: &Store) -> Self {
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
        Self { documents: documents.len(), tags: tags.collect() }
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
