//! The styles of every screen in a dark, a light and the monochrome theme. Which
//! characters stand where is for `screens`; here each cell is a letter for its style,
//! and a point where it has the theme's own.

mod support;

#[path = "support/explorer.rs"]
mod explorer;

use explorer::{Explorer, SIZES, states};
use markscope::tui::theme::Theme;
use markscope::tui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A style in a few words.
fn words(style: Style) -> String {
    let colour = |colour: Option<ratatui::style::Color>| {
        colour.map_or_else(|| "-".to_owned(), |colour| colour.to_string())
    };
    let mut out = format!("{} on {}", colour(style.fg), colour(style.bg));
    if !style.add_modifier.is_empty() {
        out.push_str(&format!(" {:?}", style.add_modifier));
    }
    out
}

/// A frame as letters. Cells of white space differ by their ground alone.
fn map(buf: &Buffer, base: Style, known: &mut Vec<String>) -> String {
    let base = words(base);
    let mut out = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut line = String::new();
        for x in buf.area.left()..buf.area.right() {
            let cell = &buf[(x, y)];
            let style = words(cell.style());
            let letter = match known.iter().position(|other| *other == style) {
                _ if style == base => '.',
                Some(at) => LETTERS.chars().nth(at).unwrap_or('?'),
                None => {
                    known.push(style);
                    LETTERS.chars().nth(known.len() - 1).unwrap_or('?')
                }
            };
            line.push(letter);
        }
        out.push_str(line.trim_end_matches('.'));
        out.push('\n');
    }
    out
}

fn styles(name: &str) {
    for (state, world, options, keys) in states() {
        let mut text = String::new();
        let mut known = Vec::new();
        for size in SIZES {
            let theme = Theme::named(name).expect("a theme");
            let mut options = options.clone();
            options.themes = vec![theme.clone()];
            let explorer = Explorer::new(world, options, size).keys(keys);
            let area = Rect::new(0, 0, size.0, size.1);
            let mut buf = Buffer::empty(area);
            view::draw(&explorer.model, area, &mut buf);
            let mut base = Buffer::empty(Rect::new(0, 0, 1, 1));
            base.set_style(base.area, theme.base());
            text.push_str(&format!("{}x{}\n", size.0, size.1));
            text.push_str(&map(&buf, base[(0, 0)].style(), &mut known));
        }
        assert!(known.len() <= LETTERS.len(), "{state}: {} styles", known.len());
        for (letter, style) in LETTERS.chars().zip(&known) {
            text.push_str(&format!("{letter} {style}\n"));
        }
        insta::assert_snapshot!(format!("{name}-{state}"), text);
    }
}

#[test]
fn dark() {
    styles("dark");
}

#[test]
fn light() {
    styles("light");
}

#[test]
fn mono() {
    styles("mono");
}
