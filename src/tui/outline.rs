//! The outline of the selected row's document, or of the selected relation's.

use ratatui::buffer::Buffer;

use super::layout::Slot;
use super::model::Model;
use super::paint::{self, Entry, List, Rows};
use super::sections::{self, Has};
use super::theme::Role;
use super::width::shorten;
use crate::text::visible_line;

/// Draws the pane.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) -> Option<Rows> {
    let area = paint::pane(model, slot, buf);
    let outcome = model.outcome.as_ref()?;
    let theme = model.theme();
    let Some((path, document)) = &model.outlined else {
        let words = "The document that is selected has not been fetched.";
        paint::message(buf, area, words, theme.style(Role::Dim));
        return None;
    };
    let headings = document.outline().headings();
    let room = usize::from(area.width);
    let head = shorten(&visible_line(&sections::citation(document, path, None)), room);
    let entry = |index: usize, room: usize| {
        let heading = &headings[index];
        let has = Has::of(Some(outcome), path, heading);
        Entry { line: sections::line(has, heading, room, theme), related: false }
    };
    let chosen = model.chosen.section.min(headings.len().saturating_sub(1));
    let foot = match headings.get(chosen) {
        Some(heading) => Has::of(Some(outcome), path, heading).words().to_owned(),
        None => "no headings: it cannot be cited by section".to_owned(),
    };
    let list = List {
        head: vec![ratatui::text::Line::styled(head, theme.style(Role::Title))],
        count: headings.len(),
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot,
        foot_most: 2,
        entry: &entry,
    };
    Some(paint::list(theme, area, &list, buf))
}
