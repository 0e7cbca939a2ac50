//! The budget meter: what each kind of item cost, what is left, and the next
//! budgets at which anything changes. All numbers come from one selection.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::model::Model;
use super::page::spent_tokens;
use super::paint;
use super::theme::{Role, Theme};
use super::width::{cut, grouped, shorten, width};
use crate::selection::{Breakpoint, Change, Kind, Selection, TOKEN};
use crate::text::visible_line;

/// What one part of the result cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The name in the legend.
    pub name: &'static str,
    /// What fills its part of the bar.
    pub glyph: &'static str,
    /// Its style.
    pub role: Role,
    /// Bytes charged.
    pub bytes: usize,
    /// Tokens, such that all shares add up to what is spent.
    pub tokens: u64,
}

/// The shares of a result, in the order of the bar.
pub fn shares(selection: &Selection) -> Vec<Share> {
    let of = |kind| selection.charged(kind);
    let parts = [
        ("envelope", "▚", Role::Envelope, of(Kind::Envelope) + of(Kind::Gap)),
        ("table", "▓", Role::Table, of(Kind::Table)),
        ("blocks", "█", Role::Block, of(Kind::Block)),
        ("relations", "▒", Role::RelationLine, of(Kind::RelationLine)),
        ("stubs", "░", Role::Stub, of(Kind::Stub) + of(Kind::Covered)),
        ("notes", "╱", Role::Note, of(Kind::Note)),
    ];
    let mut before = 0;
    let shares = parts.into_iter().map(|(name, glyph, role, bytes)| {
        let tokens = spent_tokens(before + bytes) - spent_tokens(before);
        before += bytes;
        Share { name, glyph, role, bytes, tokens }
    });
    shares.collect()
}

/// Draws the meter in three or four rows.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(outcome) = &model.outcome else { return };
    let area = area.inner(ratatui::layout::Margin::new(1, 0));
    let theme = model.theme();
    let selection = &outcome.selection;
    let shares = shares(selection);
    let numbers = numbers(selection, &shares, theme);
    let legend = legend(selection, &shares, usize::from(area.width), theme);
    paint::line(buf, area, 0, &numbers);
    paint::line(buf, area, 1, &bar(selection, &shares, usize::from(area.width), theme));
    let last = if area.height > 3 {
        paint::line(buf, area, 2, &legend);
        3
    } else {
        let used = u16::try_from(width(&legend.to_string())).unwrap_or(area.width);
        let free = u16::try_from(width(&numbers.to_string())).unwrap_or(area.width) + 3;
        let left = area.width.saturating_sub(used).max(free).min(area.width);
        let right = Rect { x: area.x + left, width: area.width - left, ..area };
        paint::line(buf, right, 0, &legend);
        2
    };
    paint::line(buf, area, last, &breakpoints(selection, usize::from(area.width), theme));
}

fn numbers(selection: &Selection, shares: &[Share], theme: &Theme) -> Line<'static> {
    let bytes: usize = shares.iter().map(|share| share.bytes).sum();
    let dim = theme.style(Role::Dim);
    if selection.budget == 0 {
        let words = format!("no budget: the table alone, {} tokens", grouped(spent_tokens(bytes)));
        return Line::styled(words, theme.style(Role::Title));
    }
    let left = selection.remaining.div_euclid(TOKEN as i64);
    let budget_bytes = selection.budget.saturating_mul(TOKEN as u64);
    let end = if left < 0 {
        Span::styled(
            format!("overdrawn by {} tokens", grouped(left.unsigned_abs())),
            theme.style(Role::Overdrawn),
        )
    } else {
        Span::styled(format!("{} left", grouped(left)), theme.style(Role::Free))
    };
    Line::from(vec![
        Span::styled(
            format!("{} of {} tokens", grouped(spent_tokens(bytes)), grouped(selection.budget)),
            theme.style(Role::Title),
        ),
        Span::styled(format!(" · {} of {} bytes · ", grouped(bytes), grouped(budget_bytes)), dim),
        end,
    ])
}

/// The legend, as loose as the room allows. What is left is told beside the
/// numbers as well, so that it goes first.
fn legend(selection: &Selection, shares: &[Share], room: usize, theme: &Theme) -> Line<'static> {
    let left = selection.remaining.div_euclid(TOKEN as i64);
    let mut parts: Vec<(&str, Role, &str, String)> = shares
        .iter()
        .filter(|share| share.bytes > 0)
        .map(|share| (share.glyph, share.role, share.name, grouped(share.tokens)))
        .collect();
    let charged = parts.len();
    if left < 0 && selection.budget > 0 {
        parts.push(("╳", Role::Overdrawn, "overdrawn", grouped(left.unsigned_abs())));
    } else if left > 0 {
        parts.push(("·", Role::Free, "free", grouped(left)));
    }
    let compose = |parts: &[(&str, Role, &str, String)], gap: &'static str, space: &str| {
        let mut spans = Vec::new();
        for (at, (glyph, role, name, tokens)) in parts.iter().enumerate() {
            if at > 0 {
                spans.push(Span::raw(gap));
            }
            spans.push(Span::styled(format!("{glyph}{space}"), theme.style(*role)));
            spans.push(Span::styled(format!("{name} "), theme.style(Role::Dim)));
            spans.push(Span::styled(tokens.clone(), theme.style(Role::Text)));
        }
        Line::from(spans)
    };
    let fits = |line: &Line<'_>| width(&line.to_string()) <= room;
    let loose = compose(&parts, "  ", " ");
    if fits(&loose) {
        return loose;
    }
    let fewer = compose(&parts[..charged], "  ", " ");
    if fits(&fewer) { fewer } else { compose(&parts[..charged], " ", "") }
}

/// The bar: cells by share, `╳` beyond the budget, and marks where the budget
/// and the next breakpoints lie.
fn bar(selection: &Selection, shares: &[Share], room: usize, theme: &Theme) -> Line<'static> {
    let token = TOKEN as u64;
    let spent = shares.iter().map(|share| share.bytes as u64).sum::<u64>();
    let budget = selection.budget.saturating_mul(token);
    let up = selection.up.as_ref().map(|up| up.tokens.saturating_mul(token));
    // A breakpoint that is not far above stands on the bar too.
    let near = up.filter(|up| *up <= budget.saturating_add(budget / 3));
    let scale = spent.max(budget).max(near.unwrap_or(0)).max(1);
    let cell = |bytes: u64| {
        let at = u128::from(bytes) * room as u128 / u128::from(scale);
        usize::try_from(at).unwrap_or(room).min(room)
    };
    let mut cells: Vec<(&str, Role)> = Vec::with_capacity(room);
    let mut sum = 0;
    for share in shares.iter().filter(|share| share.bytes > 0) {
        sum += share.bytes as u64;
        // Whatever cost anything has a cell of its own.
        let end = cell(sum).max(cells.len() + 1).min(room);
        cells.resize(end, (share.glyph, share.role));
    }
    let within = cell(budget);
    if selection.budget > 0 && spent > budget {
        let last = cells.len();
        for cell in &mut cells[within.min(last.saturating_sub(1))..] {
            *cell = ("╳", Role::Overdrawn);
        }
    }
    cells.resize(within.max(cells.len()), ("·", Role::Free));
    cells.resize(room, (" ", Role::Text));
    let mut mark = |bytes: u64, glyph: &'static str| {
        let at = cell(bytes).min(room.saturating_sub(1));
        if let Some(cell) = cells.get_mut(at) {
            *cell = (glyph, Role::Key);
        }
    };
    if within < room && selection.budget > 0 {
        mark(budget, "┃");
    }
    if let Some(down) = &selection.down {
        mark(down.tokens.saturating_mul(token), "▼");
    }
    if let Some(up) = near {
        mark(up, "▲");
    }
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut from = 0;
    for at in 1..=cells.len() {
        if at == cells.len() || cells[at] != cells[from] {
            let (glyph, role) = cells[from];
            spans.push(Span::styled(glyph.repeat(at - from), theme.style(role)));
            from = at;
        }
    }
    Line::from(spans)
}

fn breakpoints(selection: &Selection, room: usize, theme: &Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let gap = "   ";
    let down = |room| side("▼", selection.down.as_ref(), false, room, "nothing changes below");
    let up = |room| side("▲", selection.up.as_ref(), true, room, "nothing changes above");
    let room = room.saturating_sub(gap.len());
    let (wide_down, wide_up) = (width(&down(usize::MAX)), width(&up(usize::MAX)));
    // A location can be shortened, other words cannot: they have their room first.
    let fixed = |breakpoint: &Option<Breakpoint>| {
        breakpoint.as_ref().is_none_or(|breakpoint| location(&breakpoint.change).is_none())
    };
    let down_room = if wide_down + wide_up <= room || wide_down <= room / 2 {
        wide_down
    } else if wide_up <= room / 2 {
        room - wide_up
    } else if fixed(&selection.down) {
        wide_down.min(room * 2 / 3)
    } else if fixed(&selection.up) {
        room - wide_up.min(room * 2 / 3)
    } else {
        room / 2
    };
    let down = down(down_room);
    let up = up(room.saturating_sub(width(&down)));
    let mut spans = Vec::new();
    for (at, words) in [down, up].into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::raw(gap));
        }
        let mut chars = words.chars();
        let glyph = chars.next().map(String::from).unwrap_or_default();
        spans.push(Span::styled(glyph, theme.style(Role::Key)));
        spans.push(Span::styled(chars.as_str().to_owned(), dim));
    }
    Line::from(spans)
}

fn side(
    glyph: &str,
    breakpoint: Option<&Breakpoint>,
    gained: bool,
    room: usize,
    none: &str,
) -> String {
    let Some(breakpoint) = breakpoint else { return cut(&format!("{glyph} {none}"), room) };
    let head = format!("{glyph} at {}: ", grouped(breakpoint.tokens));
    let left = room.saturating_sub(width(&head));
    cut(&format!("{head}{}", words(&breakpoint.change, gained, left)), room)
}

/// What changes, with its location shortened to the room.
fn words(change: &Change, gained: bool, room: usize) -> String {
    let say = |change: &Change| {
        let words = if gained { change.gained() } else { change.lost() };
        visible_line(&words)
    };
    let whole = say(change);
    let over = width(&whole).saturating_sub(room);
    let Some(location) = location(change).filter(|_| over > 0) else { return cut(&whole, room) };
    let location = visible_line(location);
    let shorter = shorten(&location, width(&location).saturating_sub(over));
    cut(&whole.replacen(&location, &shorter, 1), room)
}

/// What a change is about.
fn location(change: &Change) -> Option<&str> {
    match change {
        Change::Budget | Change::Expansion => None,
        Change::Row(location)
        | Change::Target(location)
        | Change::Block(location)
        | Change::RelationLine(location) => Some(location),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::document::Document;
    use crate::lookup::{Question, Store};

    #[test]
    fn shares_and_rest_are_the_budget_and_the_bar_is_full() {
        let document = |path: &str, body: &str| Arc::new(Document::new(path, body));
        let documents = [
            document("/a.md", "# Stone\n\nOne stone.\n"),
            document("/b.md", "# Stone two\n\nMore.\n"),
        ];
        let store = Store::new("stones", documents, BTreeMap::new());
        let mut asked = store.ask(&Question::new("stone"));
        let theme = Theme::terminal();
        for budget in 1..200 {
            let selection = asked.select(&store, budget);
            let shares = shares(&selection);
            let spent: u64 = shares.iter().map(|share| share.tokens).sum();
            let left = selection.remaining.div_euclid(TOKEN as i64);
            assert_eq!(i128::from(spent) + i128::from(left), i128::from(budget));
            for room in [1, 7, 78, 198] {
                let bar = bar(&selection, &shares, room, &theme);
                assert_eq!(width(&bar.to_string()), room, "budget {budget}, {room} cells");
                let words = breakpoints(&selection, room, &theme).to_string();
                assert!(width(&words) <= room.max(3), "budget {budget}, {room} cells: {words}");
            }
        }
    }
}
