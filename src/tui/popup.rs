//! What covers the panes: keys, reasons, and what is wrong with the world's files.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::model::{Model, Popup};
use super::theme::Role;
use super::width::{grouped, width, wrap};
use super::{help, paint, why};
use crate::relations::Relations;
use crate::selection::TOKEN;
use crate::text::visible_line;
use crate::world::Reader;

const WIDEST: u16 = 100;

/// Cells for the text of a popup.
fn room(model: &Model) -> usize {
    usize::from(model.size.0.min(WIDEST).saturating_sub(8))
}

fn lines(model: &Model, popup: Popup) -> Vec<Line<'static>> {
    match popup {
        Popup::Help => help::lines(model),
        Popup::Why => why::all(model, room(model)),
        Popup::Problems => problems(model),
        Popup::Reader | Popup::Curve | Popup::Compare | Popup::Document | Popup::Sweep => {
            Vec::new()
        }
    }
}

/// What the world is, and how much there is of it.
fn world(model: &Model) -> Vec<Line<'static>> {
    let theme = model.theme();
    let mut told = vec![Line::styled(visible_line(&model.label), theme.style(Role::Title))];
    let mut line = |words: String| told.push(Line::styled(words, theme.style(Role::Dim)));
    if model.given != model.label && !model.given.is_empty() {
        line(format!("opened as {}", visible_line(&model.given)));
    }
    match model.reader.as_ref().map(|reader| (reader.store(), reader)) {
        Some((Some(store), _)) => {
            let documents = store.catalog().documents();
            let relations = documents
                .iter()
                .map(|it| Relations::of(it.path(), it.metadata()).refs.len())
                .sum::<usize>();
            let count = |count: usize, noun: &str| {
                format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
            };
            let bytes = documents.iter().map(|it| it.body().len()).sum::<usize>();
            line(format!(
                "{}, {}, {} of text",
                count(documents.len(), "document"),
                count(relations, "relation"),
                count(bytes / TOKEN, "token")
            ));
        }
        Some((None, Reader::Recorded(_))) => line("one result, as a text has it".into()),
        Some((None, _)) => line("its documents come one by one, as they are asked for".into()),
        None => {}
    }
    told.push(Line::default());
    told
}

fn problems(model: &Model) -> Vec<Line<'static>> {
    let mut out = world(model);
    out.extend(faults(model));
    out
}

fn faults(model: &Model) -> Vec<Line<'static>> {
    let style = model.theme().style(Role::Text);
    let more = model.remarks().count();
    if model.problems.notice(more).is_empty() {
        return vec![Line::styled(
            "Every document of this world was read, without a remark.",
            style,
        )];
    }
    let summary = format!("{}.", model.problems.summary(more));
    let mut out = vec![Line::styled(summary, model.theme().style(Role::Title)), Line::default()];
    for problem in model.problems.sentences.iter().chain(model.remarks()) {
        for (at, line) in
            wrap(&visible_line(problem), room(model).saturating_sub(2)).into_iter().enumerate()
        {
            let mark = if at == 0 { "! " } else { "  " };
            out.push(Line::styled(format!("{mark}{line}"), style));
        }
    }
    out
}

/// The largest useful first line of a popup.
pub fn last_top(model: &Model, popup: Popup) -> usize {
    // The foot of the screen and the border take three rows.
    let rows = usize::from(model.size.1).saturating_sub(3);
    lines(model, popup).len().saturating_sub(rows)
}

/// Draws a popup in the middle of the screen.
pub fn draw(model: &Model, popup: Popup, area: Rect, buf: &mut Buffer) {
    let lines = lines(model, popup);
    let widest = lines.iter().map(|line| width(&line.to_string())).max().unwrap_or(0);
    let wide = u16::try_from(widest + 4).unwrap_or(u16::MAX).clamp(24, area.width);
    let high = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let place = Rect {
        x: area.x + (area.width - wide) / 2,
        y: area.y + (area.height - high) / 2,
        width: wide,
        height: high,
    };
    let title = match popup {
        Popup::Help => "keys",
        Popup::Why => "why",
        Popup::Problems => "about the world",
        Popup::Reader | Popup::Curve | Popup::Compare | Popup::Document | Popup::Sweep => "",
    };
    // The border takes two rows.
    let shown = usize::from(high).saturating_sub(2);
    let top = model.popup_top.min(lines.len().saturating_sub(shown));
    let title = match lines.len() > shown {
        true => format!("{title} · {}–{} of {}", top + 1, top + shown, lines.len()),
        false => title.to_owned(),
    };
    let inner = paint::popup(model.theme(), place, &title, &help::way_out(model), buf);
    let inner = inner.inner(ratatui::layout::Margin::new(1, 0));
    for (row, line) in (0..inner.height).zip(lines.iter().skip(top)) {
        paint::line(buf, inner, row, line);
    }
}
