//! A buffer as rows of cells, each with the colours and strokes it is seen in.

use ratatui::buffer::{Buffer, Cell as Drawn};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr as _;

use crate::tui::theme::{Rgb, Theme, rgb_of};

/// How a cell looks, with nothing left to a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) fg: Rgb,
    /// `None` where the ground of the picture shows.
    pub(super) bg: Option<Rgb>,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) underline: bool,
}

/// One character as people see it.
pub(super) struct Cell {
    /// Column.
    pub(super) x: u16,
    /// Columns it takes: 1 or 2.
    pub(super) width: u16,
    pub(super) symbol: String,
    pub(super) look: Look,
}

/// Ground and text of a picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colours {
    pub(super) ground: Rgb,
    pub(super) text: Rgb,
    /// Whether the sixteen colours are the picture's own choice.
    is_chosen: bool,
}

/// Stands for a terminal's own sixteen colours, which nobody knows here, on
/// [`GROUND`]. All of them can be read on it.
const SIXTEEN: [Rgb; 16] = [
    [0x16, 0x18, 0x1e],
    [0xff, 0x7a, 0x85],
    [0x8f, 0xce, 0x7a],
    [0xe6, 0xb4, 0x50],
    [0x82, 0xb1, 0xff],
    [0xc4, 0xa7, 0xf5],
    [0x6f, 0xcf, 0xd8],
    [0xd7, 0xda, 0xe0],
    [0x9a, 0xa1, 0xae],
    [0xff, 0x9a, 0xa2],
    [0xa9, 0xe0, 0x96],
    [0xf2, 0xc9, 0x72],
    [0xa3, 0xc6, 0xff],
    [0xd8, 0xc2, 0xff],
    [0x92, 0xe2, 0xea],
    [0xff, 0xff, 0xff],
];
const GROUND: Rgb = SIXTEEN[0];
const TEXT: Rgb = SIXTEEN[7];

impl Colours {
    pub(super) fn of(theme: &Theme) -> Self {
        let base = theme.base();
        let own = base.bg.and_then(rgb_of);
        let text = base.fg.and_then(rgb_of).unwrap_or(TEXT);
        Self { ground: own.unwrap_or(GROUND), text, is_chosen: own.is_none() }
    }

    fn rgb(&self, color: Color) -> Option<Rgb> {
        match place(color).filter(|_| self.is_chosen) {
            Some(place) => Some(SIXTEEN[place]),
            None => rgb_of(color),
        }
    }

    /// How a drawn cell looks.
    pub(super) fn look(&self, cell: &Drawn) -> Look {
        let has = |modifier| cell.modifier.contains(modifier);
        let mut fg = self.rgb(cell.fg).unwrap_or(self.text);
        let mut bg = self.rgb(cell.bg).filter(|bg| *bg != self.ground);
        if has(Modifier::REVERSED) {
            (fg, bg) = (bg.unwrap_or(self.ground), Some(fg));
        }
        if has(Modifier::DIM) {
            fg = mix(fg, bg.unwrap_or(self.ground), 0.68);
        }
        Look {
            fg,
            bg,
            bold: has(Modifier::BOLD),
            italic: has(Modifier::ITALIC),
            underline: has(Modifier::UNDERLINED),
        }
    }
}

/// The place of one of the sixteen colours.
fn place(color: Color) -> Option<usize> {
    const ORDER: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    ORDER.iter().position(|named| *named == color)
}

/// A part of one colour and the rest of another.
pub(super) fn mix(one: Rgb, other: Rgb, part: f64) -> Rgb {
    let mixed = |index: usize| {
        let value = f64::from(one[index]) * part + f64::from(other[index]) * (1.0 - part);
        // Between two bytes, so it is one.
        value.round() as u8
    };
    [mixed(0), mixed(1), mixed(2)]
}

/// The rows of a buffer. Cells behind a wide character belong to it; characters
/// that no document should hold are replaced.
pub(super) fn rows(buf: &Buffer, colours: Colours) -> Vec<Vec<Cell>> {
    let area = buf.area;
    let row = |y: u16| {
        let mut cells = Vec::new();
        let mut x = area.left();
        while x < area.right() {
            let cell = &buf[(x, y)];
            let symbol: String = cell.symbol().chars().map(harmless).collect();
            let width = u16::try_from(symbol.width()).unwrap_or(1).clamp(1, area.right() - x);
            cells.push(Cell { x: x - area.left(), width, symbol, look: colours.look(cell) });
            x += width;
        }
        cells
    };
    (area.top()..area.bottom()).map(row).collect()
}

/// A character that may stand in a terminal, in XML and in HTML.
pub(super) fn harmless(c: char) -> char {
    let bidi =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if c.is_control() || bidi || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c }
}

/// `#rrggbb`.
pub(super) fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
