//! The top line: the program, the world, the query and what goes with it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::keymap::Action;
use super::model::Model;
use super::paint;
use super::theme::Role;
use super::typing::{Field, Typing, around};
use super::width::{cut, cut_left, shorten, width};
use crate::catalog::DEFAULT_LIMIT;
use crate::selection::Engine;
use crate::text::visible_line;
use crate::world::Reader;

const LEAST: usize = 16;

/// Draws the line; gives the place of the cursor while the query is being typed.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let theme = model.theme();
    let name = cut(&visible_line(&model.label), 24);
    let mut spans = vec![
        Span::styled(" markscope", theme.style(Role::Title)),
        Span::styled(format!("  {name}"), theme.style(Role::Text)),
    ];
    let warning = model.warning.map(|words| format!(" {words} ")).unwrap_or_default();
    if !warning.is_empty() {
        spans.push(Span::raw(" "));
        spans.push(Span::styled(warning.clone(), theme.style(Role::Overdrawn)));
    }
    let name = format!("{name}{}{warning}", if warning.is_empty() { "" } else { " " });
    let notice = notice(model);
    let used = width(" markscope  ") + width(&name) + width("   query ▏▕  ");
    let room = usize::from(area.width).saturating_sub(used + width(&notice) + 1);
    let mut query = visible_line(&model.question.request.query);
    if query.is_empty() && matches!(model.reader, Some(Reader::Recorded(_))) {
        query = "(unknown)".into();
    }
    let typed = matches!(model.typing, Some(Typing { field: Field::Query, .. }));
    let least = if typed { LEAST.max(width(&query) + 1).min(room / 2) } else { LEAST };
    let facts = facts(model, room.saturating_sub(least));
    let field = room.saturating_sub(width(&facts));
    let mut cursor = None;
    if model.has_query || typed {
        spans.push(Span::styled("   query ", theme.style(Role::Dim)));
        spans.push(Span::styled("▏", theme.style(Role::BorderFocused)));
        let at = width(" markscope  ") + width(&name) + width("   query ▏");
        if let Some(Typing { field: Field::Query, input, whole, .. }) = &model.typing {
            let (shown, before) = window(input, field);
            let left = " ".repeat(field.saturating_sub(width(&shown)));
            let style = if *whole { theme.selected() } else { theme.style(Role::Text) };
            let x = area.x.saturating_add(u16::try_from(at + before).unwrap_or(u16::MAX));
            cursor = Some(Position::new(x, area.y));
            spans.push(Span::styled(shown, style));
            spans.push(Span::raw(left));
        } else {
            spans.push(Span::styled(cut(&query, field), theme.style(Role::Title)));
        }
        spans.push(Span::styled("▕", theme.style(Role::BorderFocused)));
        spans.push(Span::styled(format!("  {facts}"), theme.style(Role::Dim)));
    }
    paint::line(buf, area, 0, &Line::from(spans));
    if !notice.is_empty() {
        let used = u16::try_from(width(&notice)).unwrap_or(0).min(area.width);
        let right = Rect { x: area.right() - used, width: used, ..area };
        paint::line(buf, right, 0, &Line::styled(notice, theme.style(Role::Error)));
    }
    cursor
}

/// The part of a typed text that fits in `room` cells with the cursor in it, and
/// the cells before the cursor.
pub fn window(input: &tui_input::Input, room: usize) -> (String, usize) {
    let (before, after) = around(input);
    let (before, after) = (visible_line(before), visible_line(after));
    let most = room.saturating_sub(1);
    let shown = cut_left(&before, most);
    let at = width(&shown);
    (cut(&format!("{shown}{after}"), room), at)
}

/// What goes with the query, the most telling first, as much as there is room for.
fn facts(model: &Model, room: usize) -> String {
    let question = &model.question;
    let request = &question.request;
    if matches!(model.reader, Some(Reader::Recorded(_))) {
        return cut("a recorded result", room);
    }
    let matched = match request.match_sent {
        Some(matched) => format!("match {matched}"),
        None => "match catalog (default)".into(),
    };
    let scope = if request.scope.is_empty() { "/" } else { &request.scope };
    let engine = format!("engine {}", question.engine.name());
    let mut facts = vec![matched];
    if question.engine != Engine::default() {
        facts.push(engine.clone());
    }
    if !request.filter.is_empty() {
        facts.push(format!("filter {}", cut(&visible_line(&request.filter), 30)));
    }
    facts.push(format!("scope {}", shorten(&visible_line(scope), 24)));
    facts.push(format!("limit {}", request.limit.unwrap_or(DEFAULT_LIMIT)));
    if !facts.contains(&engine) {
        facts.push(engine);
    }
    if question.verbose {
        facts.push("all tags".into());
    }
    let mut out = String::new();
    for fact in facts {
        let joint = if out.is_empty() { "" } else { " · " };
        if width(&out) + width(joint) + width(&fact) <= room {
            out.push_str(joint);
            out.push_str(&fact);
        }
    }
    out
}

fn notice(model: &Model) -> String {
    let notice = model.problems.notice(model.remarks().count());
    if notice.is_empty() {
        return notice;
    }
    format!(" {notice}: {} ", model.keymap.first(Action::Problems))
}
