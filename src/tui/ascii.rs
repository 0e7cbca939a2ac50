//! A frame in ASCII alone: a pass over the finished buffer, one cell for one cell.
//!
//! Lines, bars, arrows and signs become ASCII wherever they stand, in documents
//! too. Letters and other characters of documents stay: they are what the reader
//! gets, and no sign of ours.

use ratatui::buffer::Buffer;

/// Replaces every line, bar, arrow and sign.
pub fn pass(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let mut chars = cell.symbol().chars();
        if let (Some(c), None) = (chars.next(), chars.next())
            && let Some(plain) = plain(c)
        {
            cell.set_char(plain);
        }
    }
}

/// The sign in ASCII for one that is not.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '─' | '━' | '╌' | '┄' | '┈' | '⎯' | '═' => '-',
        '│' | '┃' | '┆' | '┊' | '╎' | '║' | '▏' | '▕' | '▌' | '▐' => '|',
        '╱' => '/',
        '╲' => '\\',
        '╳' | '✗' | '✘' | '×' => 'x',
        '█' | '▪' => '#',
        '■' => '@',
        '▓' => '%',
        '▚' | '▞' => '+',
        '▒' => '=',
        '░' => ':',
        '▀' | '▔' => '"',
        '▄' | '▁' | '▂' | '▃' | '▅' | '▆' | '▇' => '_',
        '\u{2500}'..='\u{257f}' => '+',
        '\u{2580}'..='\u{259f}' => '#',
        '●' | '◆' | '•' | '★' => '*',
        '◐' => 'c',
        '○' | '◇' | '◦' | '☆' => 'o',
        '≡' => '=',
        '▸' | '▶' | '›' | '→' | '⇒' | '↗' => '>',
        '◂' | '◀' | '‹' | '←' | '⇐' => '<',
        '▲' | '▴' | '△' | '↑' => '^',
        '▼' | '▾' | '▽' | '↓' => 'v',
        '…' => '~',
        '·' => '.',
        '–' | '—' | '‑' | '−' => '-',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        '✓' | '✔' => 'v',
        '␛' | '␉' | '␊' | '␍' | '␇' => '?',
        '\u{2400}'..='\u{243f}' => '?',
        '⟦' => '[',
        '⟧' => ']',
        // The turning sign, whichever way it stands.
        '⠋' | '⠸' | '⠦' | '⠛' => '/',
        '⠙' | '⠴' | '⠇' | '⠏' => '\\',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn signs_become_ascii_and_letters_stay() {
        let text = "┏━┓│├┼╱█▓▚■▒░●◐≡○✗·▸→▲▼… blue-öyster 漢 é";
        let mut buf = Buffer::empty(Rect::new(0, 0, 60, 1));
        buf.set_string(0, 0, text, Style::new());
        pass(&mut buf);
        let out = crate::tui::plain(&buf);
        assert_eq!(out, "+-+|++/#%+@=:*c=ox.>>^v~ blue-öyster 漢 é\n");
    }
}
