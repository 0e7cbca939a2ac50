//! What covers the panes: keys, reasons, and what is wrong with the world's files.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::model::{Model, Popup};
use super::theme::Role;
use super::width::{width, wrap};
use super::{help, paint, why};
use crate::text::visible_line;

const WIDEST: u16 = 100;

/// Cells for the text of a popup.
fn room(model: &Model) -> usize {
    usize::from(model.size.0.min(WIDEST).saturating_sub(8))
}

fn lines(model: &Model, popup: Popup) -> Vec<Line<'static>> {
    match popup {
        Popup::Help => help::lines(model),
        Popup::Why => why::lines(model, room(model)),
        Popup::Problems => problems(model),
        Popup::Reader | Popup::Curve | Popup::Compare | Popup::Document | Popup::Sweep => {
            Vec::new()
        }
    }
}

fn problems(model: &Model) -> Vec<Line<'static>> {
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
