//! Whether two texts are the same bytes, and where they part.

use crate::text::visible_line;

/// The most characters of a line that a sentence shows.
const SHOWN: usize = 60;

/// Where two texts part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// Bytes that they have in common from the beginning.
    pub byte: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// That line of one; none where it has ended.
    pub one: Option<String>,
    /// That line of the other.
    pub other: Option<String>,
}

/// The first place where two texts differ; none where they are the same bytes.
pub fn parting(one: &str, other: &str) -> Option<Parting> {
    if one == other {
        return None;
    }
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let ahead = &one.as_bytes()[..same];
    let line = 1 + ahead.iter().filter(|byte| **byte == b'\n').count();
    let start = ahead.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    // A line feed is one byte, so what follows it begins a character in both.
    let rest = |text: &str| {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        Some(rest.split('\n').next().unwrap_or_default().to_owned())
    };
    Some(Parting { byte: same, line, one: rest(one), other: rest(other) })
}

impl Parting {
    /// In a sentence: "they part at byte 12, line 3".
    pub fn place(&self) -> String {
        format!("they part at byte {}, line {}", self.byte, self.line)
    }

    /// A line as it can be shown, around the place where the texts part.
    pub fn shown(line: Option<&String>) -> String {
        let Some(line) = line else { return "(it ends before)".into() };
        let line = visible_line(line);
        match line.char_indices().nth(SHOWN) {
            Some((cut, _)) => format!("{}…", &line[..cut]),
            None => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_part_where_the_first_byte_differs() {
        let place = |one: &str, other: &str| {
            parting(one, other).map(|it| (it.byte, it.line, it.one, it.other))
        };
        let line = |text: &str| Some(text.to_owned());
        assert_eq!(place("", ""), None);
        assert_eq!(place("a\nb\n", "a\nb\n"), None);
        assert_eq!(place("a\nbc\n", "a\nbd\n"), Some((3, 2, line("bc"), line("bd"))));
        assert_eq!(place("a\n", "a\nb"), Some((2, 2, None, line("b"))));
        assert_eq!(place("a", ""), Some((0, 1, line("a"), None)));
        // The same first byte of two characters.
        assert_eq!(place("\u{e9}", "\u{e8}"), Some((1, 1, line("\u{e9}"), line("\u{e8}"))));
        assert_eq!(place("a\r\n", "a\n"), Some((1, 1, line("a\r"), line("a"))));
    }
}
