//! The reader's page, with a ruler that counts the tokens spent.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::keymap::Action;
use super::layout::Slot;
use super::meter;
use super::model::Model;
use super::page::{Part, omission_lines};
use super::paint;
use super::theme::Role;
use super::width::{grouped, width};
use crate::catalog::Match;
use crate::text::visible_line;

/// Draws the visible slice of the page.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) {
    let area = paint::pane(model, slot, buf);
    let Some(outcome) = &model.outcome else { return };
    let theme = model.theme();
    if let Some((status, message)) = outcome.refusal() {
        let words = format!(
            "The store refuses: {}\n\n{}\n\n{} changes the query",
            visible_line(status),
            visible_line(message),
            model.keymap.first(Action::Query)
        );
        return paint::message(buf, area, &words, theme.style(Role::Text));
    }
    if outcome.rows().is_empty() {
        return paint::message(buf, area, &nothing(model), theme.style(Role::Text));
    }
    let rows = usize::from(area.height);
    let mut at = model.page.at(model.page_top).unwrap_or(0);
    let mut omitted: Option<(usize, Vec<Line<'static>>)> = None;
    for row in 0..area.height {
        let on_page = model.page_top + usize::from(row);
        while model.page.segments.get(at).is_some_and(|part| on_page >= part.start + part.height())
        {
            at += 1;
        }
        let Some(segment) = model.page.segments.get(at) else { break };
        let within = on_page - segment.start;
        let marked = model.is_marked(segment.part);
        let spent = segment.spent.filter(|_| within == 0);
        gutter(model, segment.part, spent, marked, area, row, buf);
        if let Part::Omission(index) = segment.part
            && omitted.as_ref().is_none_or(|(of, _)| *of != index)
        {
            let lines = outcome
                .omissions
                .get(index)
                .map(|omission| omission_lines(omission, model.page.room, theme));
            omitted = Some((index, lines.unwrap_or_default()));
        }
        let made = match &omitted {
            Some((of, lines)) if segment.part == Part::Omission(*of) => lines.get(within),
            _ => segment.line(within),
        };
        if let Some(line) = made {
            let left = u16::try_from(model.page.gutter + 4).unwrap_or(0).min(area.width);
            let text = Rect { x: area.x + left, width: area.width - left, ..area };
            paint::line(buf, text, row, line);
            if let Some(beside) = segment.beside.as_ref().filter(|_| within == 0) {
                let at = model.page.room.saturating_sub(width(beside));
                let at = u16::try_from(at).unwrap_or(u16::MAX).min(text.width);
                let place = Rect { x: text.x + at, width: text.width - at, ..text };
                paint::line(
                    buf,
                    place,
                    row,
                    &Line::styled(beside.as_str(), theme.style(Role::Dim)),
                );
            }
            model.find.draw(theme, text, row, on_page, buf);
        }
    }
    let height = model.page.height();
    if height > rows {
        let last = (model.page_top + rows).min(height);
        let words = format!("{}–{last} of {height}", model.page_top + 1);
        paint::corner(theme, area, &words, buf);
    }
}

fn gutter(
    model: &Model,
    part: Part,
    spent: Option<u64>,
    marked: bool,
    area: Rect,
    row: u16,
    buf: &mut Buffer,
) {
    let theme = model.theme();
    let room = model.page.gutter;
    let number = spent.map(grouped).unwrap_or_default();
    let pad = room.saturating_sub(width(&number));
    // The ruler is the meter's bar, upright: what an item is there, it is here.
    let items = model.outcome.as_ref().map(|outcome| outcome.selection.items.as_slice());
    let (ruler, of) = match part {
        Part::Omission(_) => ("┊", Role::Dim),
        Part::Fold if spent.is_none() => (" ", Role::Dim),
        Part::Fold => ("┴", Role::Dim),
        Part::Item(index) => items
            .and_then(|items| items.get(index))
            .map_or(("│", Role::Dim), |item| meter::sign(item.kind)),
    };
    let is_changed = match part {
        Part::Item(index) => items
            .and_then(|items| items.get(index)?.path.as_ref())
            .is_some_and(|path| model.changed.contains(path)),
        Part::Fold | Part::Omission(_) => false,
    };
    let (marker, role) = match (marked, is_changed) {
        (true, _) => ("▌", Role::Related),
        (false, true) => ("≠", Role::Dim),
        (false, false) => (" ", Role::Dim),
    };
    let line = Line::from(vec![
        Span::styled(marker, theme.style(Role::Related)),
        Span::styled(format!("{}{number} ", " ".repeat(pad)), theme.style(role)),
        Span::styled(ruler, theme.style(of)),
    ]);
    paint::line(buf, area, row, &line);
}

/// What to try where the store has no row.
fn nothing(model: &Model) -> String {
    let request = &model.question.request;
    let mut words = match request.match_sent {
        Some(Match::Body) => "No section of this world holds these words.".to_owned(),
        _ => "No title or tag of this world holds these words.".to_owned(),
    };
    let mut tries = Vec::new();
    if request.match_sent != Some(Match::Body) {
        tries.push(format!("{} looks into the text as well", model.keymap.first(Action::Match)));
    }
    if !matches!(request.scope.as_str(), "" | "/") {
        tries.push(format!("the scope is {}: a wider one may help", visible_line(&request.scope)));
    }
    if !request.filter.is_empty() {
        tries.push(format!("the filter is {}", visible_line(&request.filter)));
    }
    tries.push(format!(
        "{} changes the query: fewer words find more",
        model.keymap.first(Action::Query)
    ));
    words.push_str("\n\n");
    words.push_str(&tries.join("\n"));
    words
}
