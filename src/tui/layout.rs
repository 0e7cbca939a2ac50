//! Where everything stands.
//!
//! ```text
//!  80 columns                 110 columns                180 columns
//! ┌────────────────────┐     ┌────────────────────┐     ┌──────────────────────────┐
//! │ name, query        │     │ name, query        │     │ name, query              │
//! │ meter              │     │ meter              │     │ meter                    │
//! ├────────────────────┤     ├─────────┬──────────┤     ├────────┬─────────┬───────┤
//! │ table              │     │ table   │ evidence │     │ table  │ evidence│outline│
//! ├────────────────────┤     │         │          │     ├────────┤         │or     │
//! │ evidence, or       │     ├─────────┤          │     │ rel.   │         │stubs …│
//! │ relations, stubs,  │     │ rel. or │          │     ├────────┤         ├───────┤
//! │ omissions (tabs)   │     │ stubs … │          │     │ why    │         │ omis. │
//! ├────────────────────┤     ├─────────┴──────────┤     ├────────┴─────────┴───────┤
//! │ keys               │     │ keys               │     │ keys                     │
//! └────────────────────┘     └────────────────────┘     └──────────────────────────┘
//! ```
//!
//! A zoomed pane takes all between meter and keys. On a screen below 80x24 the pane
//! with the keys stands alone, under a meter of one line.

use ratatui::layout::{Constraint, Layout as Split, Rect};

/// The smallest screen that anything is drawn on.
pub const SMALLEST: (u16, u16) = (60, 16);
/// The smallest screen with more than one pane.
const ROOMY: (u16, u16) = (80, 24);
const TWO_COLUMNS: u16 = 110;
const THREE_COLUMNS: u16 = 180;

/// A pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The ranked rows.
    Table,
    /// The reader's page.
    Evidence,
    /// The relations of the strongest match.
    Relations,
    /// Stubs and covered pieces.
    Stubs,
    /// What the reader did not get.
    Omissions,
    /// The sections of the selected document.
    Outline,
    /// What an author should know.
    Findings,
}

impl Pane {
    /// All panes, in the order of the Tab key.
    pub const ALL: [Self; 7] = [
        Self::Table,
        Self::Evidence,
        Self::Relations,
        Self::Stubs,
        Self::Omissions,
        Self::Outline,
        Self::Findings,
    ];

    /// The name in a few letters.
    pub fn short(self) -> &'static str {
        match self {
            Self::Evidence => "evid.",
            Self::Relations => "rel.",
            Self::Omissions => "omis.",
            Self::Outline => "outl.",
            Self::Findings => "find.",
            Self::Table | Self::Stubs => self.name(),
        }
    }

    /// The name in a title.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Evidence => "evidence",
            Self::Relations => "relations",
            Self::Stubs => "stubs",
            Self::Omissions => "omissions",
            Self::Outline => "outline",
            Self::Findings => "findings",
        }
    }
}

/// A place for one pane, or for one of several behind tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The pane that is shown.
    pub pane: Pane,
    /// Where.
    pub area: Rect,
    /// The panes that can be shown here; fewer than two where it is one only.
    pub tabs: &'static [Pane],
}

impl Slot {
    fn one(pane: Pane, area: Rect) -> Self {
        Self { pane, area, tabs: &[] }
    }

    /// The area within the border.
    pub fn inner(&self) -> Rect {
        self.area.inner(ratatui::layout::Margin::new(1, 1))
    }
}

/// The whole screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Name and query.
    pub top: Rect,
    /// The meter.
    pub meter: Rect,
    /// Between meter and keys.
    pub body: Rect,
    /// The panes that are shown.
    pub slots: Vec<Slot>,
    /// The words for the selected row, where there is room for them.
    pub why: Option<Rect>,
    /// Hints.
    pub footer: Rect,
    /// Whether there is room for one pane only.
    pub alone: bool,
}

/// What the layout depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// Whether the focused pane is zoomed.
    pub zoom: bool,
    /// The pane that has the keys.
    pub focus: Pane,
    /// The pane last shown besides the table.
    pub main: Pane,
    /// The pane last shown besides table and evidence.
    pub side: Pane,
    /// The table's rows.
    pub rows: usize,
    /// How much wider the left column is than at first, in percent of the screen;
    /// where there is one column, by how much higher the table, in rows.
    pub wider: i16,
}

/// The most that the left column can become wider or narrower.
pub const WIDEST: i16 = 24;

const SIDES: &[Pane] =
    &[Pane::Relations, Pane::Stubs, Pane::Omissions, Pane::Outline, Pane::Findings];
const MAINS: &[Pane] =
    &[Pane::Evidence, Pane::Relations, Pane::Stubs, Pane::Omissions, Pane::Outline, Pane::Findings];
const LOWS: &[Pane] = &[Pane::Stubs, Pane::Outline, Pane::Findings];

impl Layout {
    /// The layout for a screen, or `None` where it is too small.
    pub fn new(area: Rect, wish: Wish) -> Option<Self> {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            return None;
        }
        let alone = area.width < ROOMY.0 || area.height < ROOMY.1;
        let meter = match area.width {
            _ if alone => 1,
            THREE_COLUMNS.. => 3,
            _ => 4,
        };
        let rows = [
            Constraint::Length(1),
            Constraint::Length(meter),
            Constraint::Fill(1),
            Constraint::Length(1),
        ];
        let [top, meter, body, footer] = Split::vertical(rows).areas(area);
        let (slots, why) = if wish.zoom || alone {
            (vec![Slot::one(wish.focus, body)], None)
        } else if area.width >= THREE_COLUMNS {
            three_columns(body, wish)
        } else if area.width >= TWO_COLUMNS {
            (two_columns(body, wish), None)
        } else {
            (one_column(body, wish), None)
        };
        Some(Self { top, meter, body, slots, why, footer, alone })
    }

    /// All of the screen between the query and the keys.
    pub fn over(&self) -> Rect {
        self.meter.union(self.body)
    }

    /// Where a pane is shown, if it is.
    pub fn slot(&self, pane: Pane) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.pane == pane)
    }

    /// Where a pane is shown, or would be if its tab were chosen.
    pub fn place(&self, pane: Pane) -> Option<&Slot> {
        let tab = || self.slots.iter().find(|slot| self.alone || slot.tabs.contains(&pane));
        self.slot(pane).or_else(tab)
    }
}

/// Rows, border and the line with the reason; no more than `most`.
fn table_height(rows: usize, most: u16) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(5).clamp(8, most.max(8))
}

fn one_column(body: Rect, wish: Wish) -> Vec<Slot> {
    let table = table_height(wish.rows, body.height / 2).saturating_add_signed(wish.wider / 2);
    let table = table.clamp(5, body.height.saturating_sub(5).max(5));
    let [table, main] =
        Split::vertical([Constraint::Length(table), Constraint::Fill(1)]).areas(body);
    vec![Slot::one(Pane::Table, table), Slot { pane: wish.main, area: main, tabs: MAINS }]
}

fn two_columns(body: Rect, wish: Wish) -> Vec<Slot> {
    let columns =
        [Constraint::Percentage(46_u16.saturating_add_signed(wish.wider)), Constraint::Fill(1)];
    let [left, evidence] = Split::horizontal(columns).areas(body);
    let table = table_height(wish.rows, left.height * 55 / 100);
    let [table, side] =
        Split::vertical([Constraint::Length(table), Constraint::Fill(1)]).areas(left);
    vec![
        Slot::one(Pane::Table, table),
        Slot::one(Pane::Evidence, evidence),
        Slot { pane: wish.side, area: side, tabs: SIDES },
    ]
}

fn three_columns(body: Rect, wish: Wish) -> (Vec<Slot>, Option<Rect>) {
    let left = 37_u16.saturating_add_signed(wish.wider);
    // What the left column takes or leaves is shared by the others.
    let middle = 36_u16.saturating_add_signed(-wish.wider / 2);
    let columns =
        [Constraint::Percentage(left), Constraint::Percentage(middle), Constraint::Fill(1)];
    let [left, evidence, right] = Split::horizontal(columns).areas(body);
    // The reason has a place of its own where both it and the relations can be read;
    // elsewhere it takes two rows of the table.
    let most = left.height * 2 / 5;
    let has_why = left.height - most >= 20;
    let table = table_height(wish.rows, most + 2 * u16::from(has_why)) - 2 * u16::from(has_why);
    let [table, below] =
        Split::vertical([Constraint::Length(table), Constraint::Fill(1)]).areas(left);
    let (relations, why) = if has_why {
        let [relations, why] =
            Split::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(below);
        (relations, Some(why))
    } else {
        (below, None)
    };
    let [low, omissions] = Split::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(right);
    let slots = vec![
        Slot::one(Pane::Table, table),
        Slot::one(Pane::Evidence, evidence),
        Slot::one(Pane::Relations, relations),
        Slot {
            pane: if LOWS.contains(&wish.side) { wish.side } else { Pane::Outline },
            area: low,
            tabs: LOWS,
        },
        Slot::one(Pane::Omissions, omissions),
    ];
    (slots, why)
}
