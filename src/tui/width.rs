//! Text measured and cut by display width, never inside a character that a
//! reader sees as one.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::text::visible_line;

const CUT: &str = "…";

/// The cells that a text takes, measured as the screen's buffer measures it.
pub fn width(text: &str) -> usize {
    if is_simple(text) {
        return text.len();
    }
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// Whether every byte is a character of one cell. Most text is, and finding the
/// characters of a text takes a hundred times as long.
fn is_simple(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The longest beginning that takes at most `room` cells.
fn head(text: &str, room: usize) -> &str {
    if is_simple(text) {
        return &text[..room.min(text.len())];
    }
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
    if is_simple(text) {
        return &text[text.len().saturating_sub(room)..];
    }
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

/// The text cut at its beginning to at most `room` cells: of a path the telling end stays.
pub fn cut_left(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    if room == 0 {
        return String::new();
    }
    format!("{CUT}{}", tail(text, room - 1))
}

/// Cells of an anchor that stay as long as a folder can go in their place.
const ANCHOR: usize = 10;

/// A location in at most `room` cells. The name of the document stays longest: the
/// version goes first, then the end of the anchor, then folders from the left, then
/// the rest of the anchor.
pub fn shorten(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    if room == 0 {
        return String::new();
    }
    let (path, anchor) = text.split_at(text.find('#').unwrap_or(text.len()));
    let path = unversioned(path);
    let least = width(anchor).min(ANCHOR);
    let name = path.trim_end_matches('/').rfind('/').unwrap_or(0);
    let folders = path[..name].match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
    let short = folders.chain((name > 0).then_some(name)).map(|at| format!("{CUT}{}", &path[at..]));
    let mut whole = vec![path.to_owned()];
    whole.extend(short);
    if let Some(path) = whole.iter().find(|path| width(path) + least <= room) {
        return format!("{path}{}", cut(anchor, room - width(path)));
    }
    let Some(path) = whole.last().filter(|path| width(path) <= room) else {
        return format!("{CUT}{}", tail(path, room - 1));
    };
    // A `#` alone tells nothing of the anchor.
    let left = room - width(path);
    if left < 3 { path.to_owned() } else { format!("{path}{}", cut(anchor, left)) }
}

/// A path without the version at its end.
fn unversioned(path: &str) -> &str {
    match path.rsplit_once("/v") {
        Some((document, version))
            if !document.is_empty()
                && !version.is_empty()
                && version.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            document
        }
        _ => path,
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
        if width(word) > room {
            let mut parts = chop(word, room);
            word = parts.pop().unwrap_or_default();
            lines.extend(parts.into_iter().map(str::to_owned));
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Pieces of at most `room` cells, wherever they break: every byte stays. One walk,
/// however long the line.
pub fn chop(line: &str, room: usize) -> Vec<&str> {
    let room = room.max(2);
    let mut out = Vec::new();
    let (mut from, mut used) = (0, 0);
    for (at, grapheme) in line.grapheme_indices(true) {
        let cells = grapheme.width();
        if used > 0 && used + cells > room {
            out.push(&line[from..at]);
            (from, used) = (at, 0);
        }
        used += cells;
    }
    if from < line.len() || out.is_empty() {
        out.push(&line[from..]);
    }
    out
}

/// A sentence of the engine's as it is shown: with a comma between the thousands of the
/// numbers that stand in it by themselves.
pub fn sentence(text: &str) -> String {
    let text = visible_line(text);
    let words = text.split_inclusive(' ').map(|word| {
        let digits = word.trim_end_matches([' ', ',', ';', '.', ':', ')']);
        let (open, digits) = digits.split_at(usize::from(digits.starts_with('(')));
        match digits.parse::<u64>() {
            Ok(number) if digits.len() > 3 && !digits.starts_with(['0', '+']) => {
                format!("{open}{}{}", grouped(number), &word[open.len() + digits.len()..])
            }
            _ => word.to_owned(),
        }
    });
    words.collect()
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
    fn numbers_in_a_sentence_are_grouped_and_names_are_not() {
        for (text, want) in [
            (
                "did not fit: 2374 needed, 722 left, 1652 tokens",
                "did not fit: 2,374 needed, 722 left, 1,652 tokens",
            ),
            (
                "stands in /a/2024.md#1999 (1234567 bytes)",
                "stands in /a/2024.md#1999 (1,234,567 bytes)",
            ),
            ("1000; 0100 1e3 12345.", "1,000; 0100 1e3 12,345."),
        ] {
            assert_eq!(sentence(text), want);
        }
    }

    #[test]
    fn cuts_keep_whole_characters_and_the_telling_end() {
        assert_eq!(cut("花崗岩の記録", 5), "花崗…");
        assert_eq!(cut("plain", 5), "plain");
        assert_eq!(shorten("/genres/doom-metal.md#tempo", 22), "…/doom-metal.md#tempo");
        assert_eq!(shorten("/guides/mixing.md/v6#low-end", 26), "/guides/mixing.md#low-end");
        assert_eq!(shorten("/guides/mixing.md/v6#low-end", 16), "…/mixing.md#low…");
        let long = "/genres/rock/shoegaze.md#about-these-genre-pages";
        assert_eq!(shorten(long, 40), "/genres/rock/shoegaze.md#about-these-ge…");
        assert_eq!(shorten(long, 30), "…/rock/shoegaze.md#about-thes…");
        assert_eq!(shorten(long, 24), "…/shoegaze.md#about-the…");
        assert_eq!(shorten(long, 13), "…/shoegaze.md");
        assert_eq!(shorten("/genres/doom-metal.md", 8), "…etal.md");
        for room in 0..60 {
            for text in
                [long, "/日本/石/日本/石/日本/石.md#石", "mark://a.b/c/d.md/v3#e", "##", "/a/"]
            {
                assert!(width(&shorten(text, room)) <= room, "{room}: {text}");
            }
        }
        assert_eq!(cut("x", 0), "");
        assert_eq!(cut_left("/home/me/花崗岩.md", 7), "…岩.md");
        assert_eq!(cut_left("plain", 5), "plain");
        assert_eq!(cut_left("x", 0), "");
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
