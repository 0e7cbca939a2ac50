//! The relations of the strongest match, in the order they are followed.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::layout::Slot;
use super::model::{Model, Outcome};
use super::paint::{self, Entry, List};
use super::sign;
use super::theme::Role;
use super::width::{cut, grouped, pad, shorten, width};
use crate::selection::Engine;
use crate::text::visible_line;

/// Draws the pane.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) {
    let area = paint::pane(model, slot, |pane| super::view::tab_title(model, pane), buf);
    let Some(outcome) = &model.outcome else { return };
    let theme = model.theme();
    let selection = &outcome.selection;
    if selection.targets.is_empty() {
        return paint::message(buf, area, &none(outcome), theme.style(Role::Dim));
    }
    let strongest = selection.strongest.as_deref().unwrap_or_default();
    let room = usize::from(area.width).saturating_sub(6);
    let head = Line::from(vec![
        Span::styled("from ", theme.style(Role::Dim)),
        Span::styled(shorten(&visible_line(strongest), room), theme.style(Role::Title)),
    ]);
    let predicates =
        selection.targets.iter().map(|target| width(&visible_line(&target.relation.predicate)));
    let predicates = predicates.max().unwrap_or(0).clamp(4, 16);
    let labels = sign::width(selection.targets.iter().map(|target| target.outcome));
    let (_, of) = model.origin();
    let entry = |index: usize, room: usize| {
        let target = &selection.targets[index];
        let label = pad(&sign::label(target.outcome), labels);
        let left = room.saturating_sub(labels + predicates + 3);
        let predicate =
            pad(&cut(&visible_line(&target.relation.predicate), predicates), predicates);
        let line = Line::from(vec![
            Span::styled(label, theme.style(sign::role(target.outcome))),
            Span::styled(predicate, theme.style(Role::RelationLine)),
            Span::styled(" → ", theme.style(Role::Dim)),
            Span::styled(
                shorten(&visible_line(&target.relation.location()), left),
                theme.style(Role::Text),
            ),
        ]);
        Entry { line, related: of == Some(index) }
    };
    let chosen = model.chosen.target;
    let foot = selection.targets.get(chosen).map(|target| {
        let mut words = visible_line(&target.reason);
        if let Some(short) = target.relation_line.as_ref().and_then(|line| line.short()) {
            words.push_str(&format!("; its relation line is {} tokens short", grouped(short)));
        }
        words
    });
    let list = List {
        head: vec![head],
        count: selection.targets.len(),
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot: foot.unwrap_or_default(),
        entry: &entry,
    };
    paint::list(theme, area, &list, buf);
}

fn none(outcome: &Outcome) -> String {
    let selection = &outcome.selection;
    match &selection.strongest {
        _ if selection.engine == Engine::Rows => "The engine rows follows no relations.".into(),
        Some(strongest) => format!("{} declares no relations.", visible_line(strongest)),
        None => "No block is printed, so that no relation is followed.".into(),
    }
}
