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
        World::Open(_) if model.has_query => {
            paint::message(buf, area, "asking …", theme.style(Role::Dim));
        }
        World::Open(store) => start(model, store, area, buf),
    }
}

fn start(model: &Model, store: &Store, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let text = |words: String| Line::styled(words, theme.style(Role::Text));
    let key = |action: Action, words: &str| {
        let key = model.keymap.first(action).to_owned();
        Line::from(vec![
            Span::styled(key, theme.style(Role::Key)),
            Span::styled(format!("  {words}"), theme.style(Role::Text)),
        ])
    };
    let documents = store.catalog().documents().len();
    let mut lines = vec![
        Line::styled("markscope", theme.style(Role::Title)),
        Line::default(),
        text("What a reader gets from one budgeted lookup, and why.".into()),
        Line::default(),
        text(format!(
            "{} · {} {} · budget {} tokens",
            visible_line(store.name()),
            grouped(documents),
            if documents == 1 { "document" } else { "documents" },
            grouped(model.budget)
        )),
        Line::default(),
        key(Action::Query, "type a query"),
        key(Action::Help, "all keys    "),
    ];
    let suggested = suggestions(store, usize::from(area.width).saturating_sub(12));
    if !suggested.is_empty() {
        lines.push(Line::default());
        lines.push(Line::styled("Try", theme.style(Role::Dim)));
        lines.push(Line::styled(suggested, theme.style(Role::Link)));
    }
    paint::centred(buf, area, &lines);
}

/// The tags that most documents carry, as queries.
fn suggestions(store: &Store, room: usize) -> String {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for document in store.catalog().documents() {
        for tag in document.tags() {
            *counts.entry(lowercase(tag)).or_default() += 1;
        }
    }
    let mut tags: Vec<(String, usize)> = counts.into_iter().collect();
    tags.sort_by(|(a, many), (b, more)| more.cmp(many).then_with(|| a.cmp(b)));
    let mut out = String::new();
    for (tag, _) in tags.into_iter().take(SUGGESTED) {
        let tag = visible_line(&tag);
        let joint = if out.is_empty() { "" } else { " · " };
        if width(&out) + width(joint) + width(&tag) > room {
            break;
        }
        out.push_str(joint);
        out.push_str(&tag);
    }
    out
}
