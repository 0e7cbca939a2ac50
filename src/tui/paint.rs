//! Strokes that all panes share: borders, titles, lists, bars.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget as _};

use super::layout::{Pane, Slot};
use super::model::Model;
use super::theme::{Role, Theme};
use super::width::{cut, width, wrap};

/// A line at a row of an area, cut at its right edge.
pub fn line(buf: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    if row < area.height {
        buf.set_line(area.x, area.y + row, line, area.width);
    }
}

/// A line across the whole width: words at the left, words at the right.
pub fn bar(area: Rect, buf: &mut Buffer, left: &str, right: &str, style: Style) {
    let area = Rect { height: 1.min(area.height), ..area };
    buf.set_style(area, style);
    let room = usize::from(area.width);
    line(buf, area, 0, &Line::styled(cut(left, room), style));
    let at = room.saturating_sub(width(right));
    if at > width(left) + 1 {
        let at = u16::try_from(at).unwrap_or(area.width);
        let rest = Rect { x: area.x + at, width: area.width - at, ..area };
        line(buf, rest, 0, &Line::styled(right.to_owned(), style));
    }
}

/// The border of a slot with its title, or with the titles of its tabs; thick
/// where the pane has the keys. Titles are long where all of them have room.
pub fn pane(model: &Model, slot: &Slot, buf: &mut Buffer) -> Rect {
    let theme = model.theme();
    let mut spans = vec![Span::raw(" ")];
    let Titles { titles, between } = titles(model, slot);
    for (at, (tab, title)) in titles.into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::styled(between, theme.style(Role::Border)));
        }
        let role = if tab == slot.pane { Role::Title } else { Role::Dim };
        spans.push(Span::styled(title, theme.style(role)));
    }
    spans.push(Span::raw(" "));
    bordered(theme, slot.area, Line::from(spans), model.focus == slot.pane, buf);
    slot.inner()
}

/// How much a title tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Length {
    /// The key and the beginning of the name.
    Least,
    /// The key and the name.
    Short,
    /// How many entries there are as well.
    Counted,
    /// All there is to tell.
    Long,
}

/// The titles on the border of a slot.
struct Titles {
    titles: Vec<(Pane, String)>,
    between: &'static str,
}

fn titles(model: &Model, slot: &Slot) -> Titles {
    let only = [slot.pane];
    let tabs = if slot.tabs.is_empty() { &only[..] } else { slot.tabs };
    let one = |pane: Pane, length: Length| {
        let length = if pane == slot.pane { length.max(Length::Counted) } else { length };
        let title = super::view::tab_title(model, pane, length);
        match pane == slot.pane && tabs.len() > 1 {
            true => (pane, format!("[{title}]")),
            false => (pane, title),
        }
    };
    let all = |length| tabs.iter().map(|tab| one(*tab, length)).collect::<Vec<_>>();
    let room = usize::from(slot.area.width);
    let used = |titles: &[(Pane, String)]| {
        titles.iter().map(|(_, title)| width(title) + 3).sum::<usize>() + 1
    };
    let lengths = [Length::Long, Length::Counted, Length::Short, Length::Least];
    let fitting = lengths.into_iter().map(all).find(|titles| used(titles) <= room);
    let titles = fitting.unwrap_or_else(|| all(Length::Least));
    let between = if used(&titles) <= room { " │ " } else { "│" };
    Titles { titles, between }
}

/// The pane whose title stands at a column of a slot's upper border.
pub fn tab_at(model: &Model, slot: &Slot, column: u16) -> Option<Pane> {
    let Titles { titles, between } = titles(model, slot);
    let mut from = usize::from(slot.area.x) + 2;
    for (pane, title) in titles {
        let to = from + width(&title);
        if (from..to).contains(&usize::from(column)) {
            return Some(pane);
        }
        from = to + width(between);
    }
    None
}

/// A border with a title, thick where it has the keys; gives the area within.
pub fn focusable(theme: &Theme, area: Rect, title: &str, focused: bool, buf: &mut Buffer) -> Rect {
    let role = if focused { Role::Title } else { Role::Dim };
    let title = Line::styled(format!(" {title} "), theme.style(role));
    bordered(theme, area, title, focused, buf);
    area.inner(ratatui::layout::Margin::new(1, 1))
}

fn bordered(theme: &Theme, area: Rect, title: Line<'_>, focused: bool, buf: &mut Buffer) {
    let (kind, role) = match focused {
        true => (BorderType::Thick, Role::BorderFocused),
        false => (BorderType::Plain, Role::Border),
    };
    let block = Block::bordered().border_type(kind).border_style(theme.style(role)).title(title);
    block.render(area, buf);
}

/// A border that never has the keys; gives the area within, with a margin.
pub fn frame(theme: &Theme, area: Rect, title: &str, buf: &mut Buffer) -> Rect {
    let block = Block::bordered()
        .border_style(theme.style(Role::Border))
        .title(Line::styled(format!(" {title} "), theme.style(Role::Title)));
    block.render(area, buf);
    area.inner(ratatui::layout::Margin::new(2, 1))
}

/// Takes away characters of two cells of which an area covers the second.
fn uncover(area: Rect, buf: &mut Buffer) {
    let Some(x) = area.x.checked_sub(1) else { return };
    for y in area.top()..area.bottom() {
        if let Some(cell) = buf.cell_mut((x, y))
            && width(cell.symbol()) > 1
        {
            cell.set_symbol(" ");
        }
    }
}

/// A box over everything else; gives the area within.
pub fn popup(theme: &Theme, area: Rect, title: &str, hint: &str, buf: &mut Buffer) -> Rect {
    uncover(area, buf);
    Clear.render(area, buf);
    let block = Block::bordered()
        .border_type(BorderType::Thick)
        .border_style(theme.style(Role::BorderFocused))
        .title(Line::styled(format!(" {title} "), theme.style(Role::Title)))
        .title_bottom(Line::styled(format!(" {hint} "), theme.style(Role::Dim)).right_aligned());
    block.render(area, buf);
    area.inner(ratatui::layout::Margin::new(1, 1))
}

/// Words on the lower border of the pane around an area, at its right end.
pub fn corner(theme: &Theme, inner: Rect, words: &str, buf: &mut Buffer) {
    let words = format!(" {words} ");
    let used = u16::try_from(width(&words)).unwrap_or(u16::MAX);
    if used < inner.width {
        let area = Rect { x: inner.right() - used, y: inner.bottom(), width: used, height: 1 };
        line(buf, area, 0, &Line::styled(words, theme.style(Role::Dim)));
    }
}

/// An area with nothing on it.
pub fn blank(theme: &Theme, area: Rect, buf: &mut Buffer) {
    for place in area.intersection(buf.area).positions() {
        buf[place].reset();
    }
    buf.set_style(area, theme.base());
}

/// Lines in the middle of an area, each centred.
pub fn centred(buf: &mut Buffer, area: Rect, lines: &[Line<'_>]) {
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let top = area.height.saturating_sub(height) / 2;
    for (at, text) in lines.iter().enumerate() {
        let row = top.saturating_add(u16::try_from(at).unwrap_or(u16::MAX));
        let used = u16::try_from(width(&text.to_string())).unwrap_or(u16::MAX).min(area.width);
        let left = (area.width - used) / 2;
        line(buf, Rect { x: area.x + left, width: area.width - left, ..area }, row, text);
    }
}

/// Words in the middle of an area, wrapped.
pub fn message(buf: &mut Buffer, area: Rect, words: &str, style: Style) {
    let room = usize::from(area.width).saturating_sub(4);
    let lines = words.split('\n').flat_map(|line| wrap(line, room));
    let lines: Vec<_> = lines.map(|line| Line::styled(line, style)).collect();
    centred(buf, area, &lines);
}

/// One line of a list.
pub struct Entry {
    /// What it says.
    pub line: Line<'static>,
    /// Whether it belongs to what is selected elsewhere.
    pub related: bool,
}

/// A list with a selected entry, and the reason for it at the foot.
pub struct List<'a> {
    /// Lines above the entries.
    pub head: Vec<Line<'static>>,
    /// How many entries there are.
    pub count: usize,
    /// The selected one.
    pub selected: usize,
    /// Whether the selected one is reversed; a marker shows it in any case.
    pub reversed: bool,
    /// Why the selected one is as it is.
    pub foot: String,
    /// The most lines of that.
    pub foot_most: usize,
    /// The entry at an index, for a width.
    pub entry: &'a dyn Fn(usize, usize) -> Entry,
}

/// Where the entries of a list are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// The rows of the screen that have an entry each.
    pub area: Rect,
    /// The entry in the first of them.
    pub first: usize,
    /// All entries.
    pub count: usize,
}

impl Rows {
    /// The entry at a place of the screen.
    pub fn at(&self, place: Position) -> Option<usize> {
        let at = self.first + usize::from(place.y.saturating_sub(self.area.y));
        (self.area.contains(place) && at < self.count).then_some(at)
    }
}

/// Draws a list: only the entries in view are made. Gives where they are.
pub fn list(theme: &Theme, area: Rect, list: &List<'_>, buf: &mut Buffer) -> Rows {
    for (row, head) in (0..).zip(&list.head) {
        line(buf, area, row, head);
    }
    let above = u16::try_from(list.head.len()).unwrap_or(u16::MAX).min(area.height);
    let rest = Rect { y: area.y + above, height: area.height - above, ..area };
    let foot = if list.foot.is_empty() || rest.height < 3 {
        Vec::new()
    } else {
        let mut lines = wrap(&list.foot, usize::from(rest.width).saturating_sub(2));
        let most = if rest.height < 7 {
            1
        } else {
            list.foot_most.min(usize::from(rest.height / 3)).max(2)
        };
        // What the entries leave free is the reason's, but for a line between.
        let free = usize::from(rest.height).saturating_sub(list.count + 1);
        let most = most.max(free);
        if lines.len() > most {
            let joined = lines.split_off(most - 1).join(" ");
            lines.push(cut(&joined, usize::from(rest.width).saturating_sub(2)));
        }
        lines
    };
    let below = u16::try_from(foot.len()).unwrap_or(0);
    let rows = rest.height - below;
    let shown = usize::from(rows);
    let first = list.selected.saturating_sub(shown / 2).min(list.count.saturating_sub(shown));
    for (row, index) in (0..rows).zip(first..list.count) {
        let entry = (list.entry)(index, usize::from(rest.width).saturating_sub(3));
        let selected = index == list.selected;
        let marker = match (selected, entry.related) {
            (true, _) => Span::styled("▸ ", theme.style(Role::Title)),
            (false, true) => Span::styled("▌ ", theme.style(Role::Related)),
            (false, false) => Span::raw("  "),
        };
        let mut spans = vec![marker];
        spans.extend(entry.line.spans);
        line(buf, rest, row, &Line::from(spans).style(entry.line.style));
        if selected && list.reversed {
            buf.set_style(Rect { y: rest.y + row, height: 1, ..rest }, theme.selected());
        }
    }
    if list.count > shown {
        corner(theme, area, &format!("{} of {}", list.selected + 1, list.count), buf);
    }
    for (row, words) in (rows..).zip(foot) {
        let words = format!("  {words}");
        line(buf, rest, row, &Line::styled(words, theme.style(Role::Dim)));
    }
    Rows { area: Rect { height: rows, ..rest }, first, count: list.count }
}

/// A sign that turns while something is waited for; none for the first tenth of a
/// second, which nobody sees pass.
pub fn spinner(tenths: u32) -> Option<char> {
    const TURNS: [char; 8] = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇', '⠏', '⠛'];
    (tenths > 0).then(|| TURNS[tenths as usize % TURNS.len()])
}
