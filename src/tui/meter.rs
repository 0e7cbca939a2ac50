//! The budget meter: what each kind of item cost, what is left, and the next
//! budgets at which anything changes. All numbers come from one selection.

mod next;

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use next::breakpoints;

use super::model::Model;
use super::page::{Part, whole_tokens};
use super::paint;
use super::theme::{Role, Theme};
use super::width::{cut, grouped, width};
use crate::selection::{Kind, ReadBack, Selection, TOKEN};

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

/// The parts of the bar, in order: name, glyph, role.
const PARTS: [(&str, &str, Role); 6] = [
    ("envelope", "▚", Role::Envelope),
    ("table", "▓", Role::Table),
    ("blocks", "█", Role::Block),
    ("relations", "▒", Role::RelationLine),
    ("stubs", "░", Role::Stub),
    ("notes", "╱", Role::Note),
];

/// The part of the bar that an item's cost stands in, by its place.
fn part(kind: Kind) -> usize {
    match kind {
        Kind::Envelope | Kind::Gap => 0,
        Kind::Table => 1,
        Kind::Block => 2,
        Kind::RelationLine => 3,
        Kind::Stub | Kind::Covered => 4,
        Kind::Note => 5,
    }
}

/// The glyph and the role that stand for a kind of item.
pub fn sign(kind: Kind) -> (&'static str, Role) {
    let (_, glyph, role) = PARTS[part(kind)];
    (glyph, role)
}

/// What fills the place of the bar that is marked.
pub const MARKED: &str = "■";

/// The glyphs of the bar with what they stand for, in order.
pub fn glyphs() -> impl Iterator<Item = (&'static str, &'static str, Role)> {
    PARTS.into_iter().map(|(name, glyph, role)| (glyph, name, role))
}

/// The place of a glyph in the bar.
pub fn order(glyph: &str) -> usize {
    PARTS.iter().position(|(_, other, _)| *other == glyph).unwrap_or(PARTS.len())
}

/// The shares of a result, in the order of the bar.
pub fn shares(selection: &Selection) -> Vec<Share> {
    let (mut bytes, mut tokens) = ([0; PARTS.len()], [0; PARTS.len()]);
    for (item, more) in selection.items.iter().zip(selection.item_tokens()) {
        bytes[part(item.kind)] += item.charged;
        tokens[part(item.kind)] += more as u64;
    }
    let shares = PARTS.into_iter().zip(bytes.into_iter().zip(tokens));
    let shares = shares.map(|((name, glyph, role), (bytes, tokens))| Share {
        name,
        glyph,
        role,
        bytes,
        tokens,
    });
    shares.collect()
}

/// What stands between spent and budget, in tokens: with the whole tokens spent
/// it always adds up to the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Free(u64),
    Overdrawn(u64),
}

impl Rest {
    fn of(selection: &Selection, spent: usize) -> Self {
        let spent = whole_tokens(spent);
        if selection.remaining < 0 {
            Self::Overdrawn(spent.saturating_sub(selection.budget))
        } else {
            Self::Free(selection.budget.saturating_sub(spent))
        }
    }
}

/// The slices of the bar, in bytes from its left, of the items that light up.
fn lit(model: &Model, selection: &Selection) -> Vec<Range<u64>> {
    let mut at = [0; PARTS.len()];
    let mut sum = 0;
    for (start, share) in at.iter_mut().zip(shares(selection)) {
        *start = sum;
        sum += share.bytes as u64;
    }
    let mut lit = Vec::new();
    for (index, item) in selection.items.iter().enumerate() {
        let start = &mut at[part(item.kind)];
        let end = *start + item.charged as u64;
        if item.charged > 0 && model.is_marked(Part::Item(index)) {
            lit.push(*start..end);
        }
        *start = end;
    }
    lit
}

/// Draws the meter in three or four rows, or in one.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let Some(outcome) = &model.outcome else { return };
    let area = area.inner(ratatui::layout::Margin::new(1, 0));
    let theme = model.theme();
    let selection = &outcome.selection;
    let shares = shares(selection);
    let lit = lit(model, selection);
    if area.height == 1 {
        let told = outcome.asked.told();
        let line = in_one(selection, &shares, &lit, area.width, theme, told);
        return paint::line(buf, area, 0, &line);
    }
    let told = outcome.asked.told();
    let mut numbers = numbers(selection, &shares, theme, true, told);
    if let (Some(count), Some(tokenizer)) = (model.true_tokens, &model.tokenizer) {
        let words = format!(" · {} by {}", grouped(count), tokenizer.name);
        numbers.push_span(Span::styled(words, theme.style(Role::Text)));
    }
    let legend = legend(selection, &shares, usize::from(area.width), theme);
    paint::line(buf, area, 0, &numbers);
    paint::line(
        buf,
        area,
        1,
        &bar(selection, &shares, &lit, model.dragged, usize::from(area.width), theme),
    );
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
    let line = match told {
        Some(_) => {
            let words = "▼ ▲ a text does not tell of other budgets";
            Line::styled(cut(words, usize::from(area.width)), theme.style(Role::Dim))
        }
        None => breakpoints(selection, usize::from(area.width), theme),
    };
    paint::line(buf, area, last, &line);
}

/// The numbers that matter most, and a bar in what they leave.
fn in_one(
    selection: &Selection,
    shares: &[Share],
    lit: &[Range<u64>],
    room: u16,
    theme: &Theme,
    told: Option<&ReadBack>,
) -> Line<'static> {
    let mut line = numbers(selection, shares, theme, false, told);
    let left = usize::from(room).saturating_sub(width(&line.to_string()) + 2);
    if left >= 8 {
        line.push_span(Span::raw("  "));
        line.spans.extend(bar(selection, shares, lit, None, left, theme).spans);
    }
    line
}

fn numbers(
    selection: &Selection,
    shares: &[Share],
    theme: &Theme,
    with_bytes: bool,
    told: Option<&ReadBack>,
) -> Line<'static> {
    let bytes: usize = shares.iter().map(|share| share.bytes).sum();
    let dim = theme.style(Role::Dim);
    if told.is_some_and(|told| told.budget.is_none()) {
        let words = format!("{} tokens", grouped(whole_tokens(bytes)));
        let exact = format!(" · {} bytes · the budget is not in the text", grouped(bytes));
        return Line::from(vec![
            Span::styled(words, theme.style(Role::Title)),
            Span::styled(exact, dim),
        ]);
    }
    if selection.budget == 0 {
        let words = format!("no budget: the table alone, {} tokens", grouped(whole_tokens(bytes)));
        return Line::styled(words, theme.style(Role::Title));
    }
    let budget_bytes = selection.budget.saturating_mul(TOKEN as u64);
    let exact = format!(" · {} of {} bytes · ", grouped(bytes), grouped(budget_bytes));
    let end = match Rest::of(selection, bytes) {
        Rest::Free(tokens) => Span::styled(format!("{} left", grouped(tokens)), dim),
        Rest::Overdrawn(0) => Span::styled(
            format!("overdrawn by {} bytes", selection.remaining.unsigned_abs()),
            theme.style(Role::Overdrawn),
        ),
        Rest::Overdrawn(tokens) => Span::styled(
            format!("overdrawn by {} tokens", grouped(tokens)),
            theme.style(Role::Overdrawn),
        ),
    };
    Line::from(vec![
        Span::styled(
            format!("{} of {} tokens", grouped(whole_tokens(bytes)), grouped(selection.budget)),
            theme.style(Role::Title),
        ),
        Span::styled(if with_bytes { exact } else { " · ".into() }, dim),
        end,
    ])
}

/// The legend, as loose as the room allows. What is left is told beside the
/// numbers as well, so that it goes first; an overdraft stays, in shorter words.
fn legend(selection: &Selection, shares: &[Share], room: usize, theme: &Theme) -> Line<'static> {
    let mut parts: Vec<(&str, Role, &str, String)> = shares
        .iter()
        .filter(|share| share.bytes > 0)
        .map(|share| (share.glyph, share.role, share.name, grouped(share.tokens)))
        .collect();
    let mut kept = parts.len();
    let bytes = shares.iter().map(|share| share.bytes).sum();
    match Rest::of(selection, bytes) {
        _ if selection.budget == 0 => {}
        Rest::Free(0) | Rest::Overdrawn(0) => {}
        Rest::Free(tokens) => parts.push(("·", Role::Free, "free", grouped(tokens))),
        Rest::Overdrawn(tokens) => {
            parts.push(("╳", Role::Overdrawn, "overdrawn", grouped(tokens)));
            kept += 1;
        }
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
    parts.truncate(kept);
    for (gap, space) in [("  ", " "), (" ", "")] {
        let line = compose(&parts, gap, space);
        if fits(&line) {
            return line;
        }
    }
    for part in &mut parts {
        part.2 = match part.2 {
            "envelope" => "env.",
            "relations" => "rel.",
            "overdrawn" => "over",
            name => name,
        };
    }
    let mut line = compose(&parts, " ", "");
    while !fits(&line) && parts.len() > 1 {
        parts.remove(0);
        line = compose(&parts, " ", "");
    }
    line
}

/// A breakpoint that is not far above stands on the bar too: its bytes.
fn near(selection: &Selection) -> Option<u64> {
    let budget = selection.budget.saturating_mul(TOKEN as u64);
    let up = selection.up.as_ref().map(|up| up.tokens.saturating_mul(TOKEN as u64));
    up.filter(|up| *up <= budget.saturating_add(budget / 3))
}

/// The bytes that the whole bar stands for.
fn scale(selection: &Selection, shares: &[Share]) -> u64 {
    let spent = shares.iter().map(|share| share.bytes as u64).sum::<u64>();
    let budget = selection.budget.saturating_mul(TOKEN as u64);
    spent.max(budget).max(near(selection).unwrap_or(0)).max(1)
}

/// Where the bar is on the screen, if it has a line of its own.
fn bar_area(model: &Model) -> Option<Rect> {
    let meter = model.layout.as_ref()?.meter;
    let area = meter.inner(ratatui::layout::Margin::new(1, 0));
    (meter.height > 1).then_some(Rect { y: area.y + 1, height: 1, ..area })
}

/// The bytes that the whole bar stands for, where a place of the screen is on it.
pub fn scale_at(model: &Model, place: Position) -> Option<u64> {
    let selection = &model.outcome.as_ref()?.selection;
    bar_area(model)?.contains(place).then(|| scale(selection, &shares(selection)))
}

/// The budget that a column of the bar stands for, in tokens; none beyond its end.
pub fn budget_at(model: &Model, column: u16, scale: u64) -> Option<u64> {
    let area = bar_area(model)?;
    let at = u64::from(column.saturating_sub(area.x));
    let room = u64::from(area.width).max(1);
    if at + 1 >= room {
        return None;
    }
    // The middle of the cell.
    Some(scale.saturating_mul(2 * at + 1) / (2 * room) / TOKEN as u64)
}

/// The bar: cells by share, those that light up, `╳` beyond the budget, and marks
/// where the budget and the next breakpoints lie.
fn bar(
    selection: &Selection,
    shares: &[Share],
    lit: &[Range<u64>],
    held: Option<u64>,
    room: usize,
    theme: &Theme,
) -> Line<'static> {
    let token = TOKEN as u64;
    let spent = shares.iter().map(|share| share.bytes as u64).sum::<u64>();
    let budget = selection.budget.saturating_mul(token);
    // While it is dragged the bar stands still.
    let scale = held.unwrap_or_else(|| scale(selection, shares));
    let near = near(selection).filter(|near| *near <= scale);
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
    for slice in lit {
        let from = cell(slice.start).min(cells.len().saturating_sub(1));
        let to = cell(slice.end).max(from + 1).min(cells.len());
        for cell in cells.get_mut(from..to).unwrap_or_default() {
            *cell = (MARKED, Role::Related);
        }
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
            let bytes: usize = shares.iter().map(|share| share.bytes).sum();
            assert_eq!(budget as i64 * TOKEN as i64 - bytes as i64, selection.remaining);
            match Rest::of(&selection, bytes) {
                Rest::Free(left) => assert_eq!(spent + left, budget),
                Rest::Overdrawn(over) => assert_eq!(spent - over, budget),
            }
            for room in [1, 7, 78, 198] {
                let bar = bar(&selection, &shares, &[], None, room, &theme);
                assert_eq!(width(&bar.to_string()), room, "budget {budget}, {room} cells");
                let words = breakpoints(&selection, room, &theme).to_string();
                assert!(width(&words) <= room.max(3), "budget {budget}, {room} cells: {words}");
                let told = room < 78 || !words.contains('…');
                assert!(told, "budget {budget}, {room} cells: {words}");
            }
        }
    }
}
