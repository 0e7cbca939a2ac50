//! The next budgets at which anything changes, in words.

use ratatui::text::{Line, Span};

use crate::selection::{Breakpoint, Change, Selection};
use crate::text::visible_line;
use crate::tui::theme::{Role, Theme};
use crate::tui::width::{cut, grouped, shorten, width};

/// Both breakpoints in one line, as much of their locations as there is room for.
pub(super) fn breakpoints(selection: &Selection, room: usize, theme: &Theme) -> Line<'static> {
    if selection.awaits.is_some() {
        let words = "▼ ▲ the breakpoints are known when all documents have come";
        return Line::styled(cut(words, room), theme.style(Role::Dim));
    }
    let gap = "   ";
    let room = room.saturating_sub(gap.len());
    let side = |compact| {
        [
            Side::new("▼", selection.down.as_ref(), false, compact),
            Side::new("▲", selection.up.as_ref(), true, compact),
        ]
    };
    // Shorter words where the others would leave no room for the locations.
    let mut sides = side(false);
    let tight = |[down, up]: &[Side; 2]| {
        let wanted = (down.location() + up.location()).min(2 * TELLING);
        down.words() + up.words() + wanted > room
    };
    if tight(&sides) {
        sides = side(true);
    }
    let [down, up] = sides;
    let left = room.saturating_sub(down.words() + up.words());
    let for_down = match (down.location(), up.location()) {
        (down, _) if down <= left / 2 => down,
        (_, up) if up <= left / 2 => left - up,
        _ => left / 2,
    };
    let down = cut(&down.shortened(for_down), room);
    let up = cut(&up.shortened(left - for_down), room.saturating_sub(width(&down)));
    let mut spans = Vec::new();
    for (at, words) in [down, up].into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::raw(gap));
        }
        let mut chars = words.chars();
        let glyph = chars.next().map(String::from).unwrap_or_default();
        spans.push(Span::styled(glyph, theme.style(Role::Key)));
        spans.push(Span::styled(chars.as_str().to_owned(), theme.style(Role::Dim)));
    }
    Line::from(spans)
}

/// Cells of a location's end that tell it from others.
const TELLING: usize = 20;

/// One breakpoint in words, with the place of its location.
struct Side {
    whole: String,
    location: Option<String>,
}

impl Side {
    fn new(glyph: &str, breakpoint: Option<&Breakpoint>, gained: bool, compact: bool) -> Self {
        let Some(Breakpoint { tokens, change }) = breakpoint else {
            let where_to = if gained { "above" } else { "below" };
            return Self { whole: format!("{glyph} nothing changes {where_to}"), location: None };
        };
        let words = match (compact, gained) {
            (true, _) => short(change, gained),
            (false, true) => change.gained(),
            (false, false) => change.lost(),
        };
        Self {
            whole: format!("{glyph} at {}: {}", grouped(*tokens), visible_line(&words)),
            location: location(change).map(visible_line),
        }
    }

    fn location(&self) -> usize {
        self.location.as_deref().map_or(0, width)
    }

    /// Cells of all but the location.
    fn words(&self) -> usize {
        width(&self.whole).saturating_sub(self.location())
    }

    fn shortened(&self, room: usize) -> String {
        match &self.location {
            Some(location) => self.whole.replacen(location, &shorten(location, room), 1),
            None => self.whole.clone(),
        }
    }
}

/// A change in the fewest words.
fn short(change: &Change, gained: bool) -> String {
    let not = if gained { "" } else { "not " };
    let more = if gained { "" } else { " no more" };
    match change {
        Change::Budget if gained => "a note that the table is over it".into(),
        Change::Budget => change.lost(),
        Change::Expansion if gained => "room for evidence".into(),
        Change::Expansion => "no room for evidence".into(),
        Change::Row(location) => format!("row {location} {not}reached"),
        Change::Target(location) => format!("target {location} {not}reached"),
        Change::Block(location) => format!("{location} fits{more}"),
        Change::RelationLine(path) => format!("relations of {path} fit{more}"),
    }
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
