//! Text with the escape sequences of a terminal's colours and strokes, and no
//! others: it may be shown with `cat`.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr as _;

use super::cells::harmless;

pub(super) fn write(buf: &Buffer) -> String {
    let area = buf.area;
    let mut out = String::new();
    for y in area.top()..area.bottom() {
        // A row without a ground needs no spaces at its end.
        let plain = |x: &u16| {
            let cell = &buf[(*x, y)];
            cell.symbol() == " " && parameters(cell).is_empty()
        };
        let end = (area.left()..area.right()).rev().find(|x| !plain(x)).map_or(0, |x| x + 1);
        let mut before = String::new();
        let mut x = area.left();
        while x < end {
            let cell = &buf[(x, y)];
            let now = parameters(cell);
            if now != before {
                let _ = write!(out, "\x1b[0{now}m");
                before = now;
            }
            out.extend(cell.symbol().chars().map(harmless));
            x += u16::try_from(cell.symbol().width()).unwrap_or(1).max(1);
        }
        if !before.is_empty() {
            out.push_str("\x1b[0m");
        }
        out.push('\n');
    }
    out
}

/// What follows the reset that every change begins with.
fn parameters(cell: &Cell) -> String {
    let mut out = String::new();
    for (modifier, number) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ] {
        if cell.modifier.contains(modifier) {
            let _ = write!(out, ";{number}");
        }
    }
    color(cell.fg, 30, &mut out);
    color(cell.bg, 40, &mut out);
    out
}

fn color(color: Color, first: u8, out: &mut String) {
    let (bright, place) = match color {
        Color::Reset => return,
        Color::Rgb(r, g, b) => {
            let _ = write!(out, ";{};2;{r};{g};{b}", first + 8);
            return;
        }
        Color::Indexed(index) => {
            let _ = write!(out, ";{};5;{index}", first + 8);
            return;
        }
        Color::Black => (0, 0),
        Color::Red => (0, 1),
        Color::Green => (0, 2),
        Color::Yellow => (0, 3),
        Color::Blue => (0, 4),
        Color::Magenta => (0, 5),
        Color::Cyan => (0, 6),
        Color::Gray => (0, 7),
        Color::DarkGray => (60, 0),
        Color::LightRed => (60, 1),
        Color::LightGreen => (60, 2),
        Color::LightYellow => (60, 3),
        Color::LightBlue => (60, 4),
        Color::LightMagenta => (60, 5),
        Color::LightCyan => (60, 6),
        Color::White => (60, 7),
    };
    let _ = write!(out, ";{}", first + bright + place);
}
