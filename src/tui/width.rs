//! Text measured and cut by display width, never inside a character that a
//! reader sees as one.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

const CUT: &str = "…";

/// The cells that a text takes, measured as the screen's buffer measures it.
pub fn width(text: &str) -> usize {
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// The longest beginning that takes at most `room` cells.
fn head(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme.width();
        if used > room {
            return &text[..at];
        }
    }
    text
}

/// The longest end that takes at most `room` cells.
fn tail(text: &str, room: usize) -> &str {
    let mut used = 0;
    let mut from = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme.width();
        if used > room {
            break;
        }
        from = at;
    }
    &text[from..]
}

/// The text cut at its end to at most `room` cells.
pub fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    if room == 0 {
        return String::new();
    }
    format!("{}{CUT}", head(text, room - 1).trim_end())
}

/// A location cut at its beginning to at most `room` cells: what it ends with
/// tells it apart. Cut between segments where that keeps most of the room in use.
pub fn shorten(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    if room == 0 {
        return String::new();
    }
    let end = tail(text, room - 1);
    let is_version = |segment: &str| {
        segment
            .strip_prefix("/v")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let whole = end.find('/').map(|at| &end[at..]).filter(|whole| !is_version(whole));
    match whole {
        Some(whole) if width(whole) * 5 >= room * 3 => format!("{CUT}{whole}"),
        _ => format!("{CUT}{end}"),
    }
}

/// The text with spaces behind it up to `room` cells.
pub fn pad(text: &str, room: usize) -> String {
    let mut out = text.to_owned();
    out.extend(std::iter::repeat_n(' ', room.saturating_sub(width(text))));
    out
}

/// The text in lines of at most `room` cells, broken at spaces where possible.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(2);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let mut word = word;
        let used = width(&line);
        if used > 0 && used + 1 + width(word) > room {
            lines.push(std::mem::take(&mut line));
        } else if used > 0 {
            line.push(' ');
        }
        while width(&line) + width(word) > room {
            let part = head(word, room);
            let part = if part.is_empty() { word } else { part };
            lines.push(part.to_owned());
            word = &word[part.len()..];
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Pieces of at most `room` cells, wherever they break: every byte stays.
pub fn chop(line: &str, room: usize) -> Vec<&str> {
    let mut rest = line;
    let mut out = Vec::new();
    while width(rest) > room.max(2) {
        let part = head(rest, room.max(2));
        let part = if part.is_empty() { rest } else { part };
        out.push(part);
        rest = &rest[part.len()..];
    }
    if !rest.is_empty() || out.is_empty() {
        out.push(rest);
    }
    out
}

/// A number with a comma between thousands.
pub fn grouped(number: impl TryInto<i128>) -> String {
    let number: i128 = number.try_into().unwrap_or(i128::MAX);
    let digits = number.unsigned_abs().to_string();
    let mut out = String::from(if number < 0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_keep_whole_characters_and_the_telling_end() {
        assert_eq!(cut("花崗岩の記録", 5), "花崗…");
        assert_eq!(cut("plain", 5), "plain");
        assert_eq!(shorten("/genres/doom-metal.md#tempo", 22), "…/doom-metal.md#tempo");
        assert_eq!(shorten("/guides/mixing.md/v6#low-end", 16), "…g.md/v6#low-end");
        assert_eq!(shorten("/genres/doom-metal.md", 8), "…etal.md");
        assert!(width(&shorten("/日本/石/日本/石/日本/石.md", 14)) <= 14);
        assert_eq!(cut("x", 0), "");
    }

    #[test]
    fn wrapping_never_exceeds_the_room() {
        for room in 2..30 {
            for line in wrap("a reader 花崗岩花崗岩花崗岩 gets 👩‍👩‍👧 evidence-that-is-long", room)
            {
                assert!(width(&line) <= room, "{room}: {line:?}");
            }
        }
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(-4_796i64), "-4,796");
    }
}
