//! Characters that terminals do not agree on: joined emoji, flags, skin tones.
//! Some draw every part of them, over the cells behind.

use ratatui::buffer::{Buffer, CellDiffOption};
use unicode_properties::UnicodeEmoji as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Marks the cells that such a character may be drawn over, so that they are
/// written again with every frame.
pub fn settle(buf: &mut Buffer) {
    let columns = usize::from(buf.area.width).max(1);
    for at in 0..buf.content.len() {
        let symbol = buf.content[at].symbol();
        if symbol.is_ascii() {
            continue;
        }
        let width = symbol.width();
        let over = in_parts(symbol).saturating_sub(width);
        let end = at - at % columns + columns;
        for cell in buf.content.iter_mut().take(end).skip(at + width).take(over) {
            cell.set_diff_option(CellDiffOption::AlwaysUpdate);
        }
    }
}

/// The cells of a character whose parts are drawn one by one; 0 for a single part.
fn in_parts(symbol: &str) -> usize {
    if symbol.chars().nth(1).is_none() {
        return 0;
    }
    let part = |c: char| {
        let indicator = matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
        let emoji = !c.is_ascii() && c.is_emoji_char();
        if indicator || emoji { 2 } else { c.width().unwrap_or(0) }
    };
    symbol.chars().map(part).sum()
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn cells_behind_a_joined_emoji_are_written_again() {
        for (text, marked) in [
            ("👩\u{200d}👩\u{200d}👧abcdefg", 2..6),
            ("🇩🇪abc", 2..4),
            ("👍🏽abc", 2..4),
            ("日本e\u{301}abc", 0..0),
            ("👍abc", 0..0),
        ] {
            let mut buf = Buffer::empty(Rect::new(3, 1, 12, 2));
            buf.set_string(3, 2, text, Style::new());
            settle(&mut buf);
            for column in 0..12 {
                let always = buf[(3 + column, 2)].diff_option == CellDiffOption::AlwaysUpdate;
                assert_eq!(always, marked.contains(&column), "{text}, column {column}");
                assert_eq!(buf[(3 + column, 1)].diff_option, CellDiffOption::None);
            }
        }
    }

    #[test]
    fn the_end_of_a_row_is_the_end() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 3, 2));
        buf.set_string(1, 0, "🇩🇪", Style::new());
        settle(&mut buf);
        assert!(buf.content.iter().all(|cell| cell.diff_option == CellDiffOption::None));
    }
}
