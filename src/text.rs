//! Character rules that every part shares: case, letters and numbers, and how a
//! text is shown on a terminal without letting it drive the terminal.
//!
//! A store, a client and a reader must agree on these, so they are fixed to one
//! code point at a time: lowercasing maps one code point to one code point, and
//! comparing without case is Unicode's simple case folding.

use std::fmt::Display;

use unicode_properties::{GeneralCategoryGroup, UnicodeEmoji as _, UnicodeGeneralCategory as _};

/// The lowercase of one code point by Unicode's simple mapping: always exactly
/// one code point (`İ` gives `i`, `Σ` gives `σ` also at the end of a word).
#[inline]
pub fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // The full mapping of U+0130 is two code points, of which the first is the
    // simple mapping; every other code point has a mapping of one.
    c.to_lowercase().next().unwrap_or(c)
}

/// A text lowercased code point by code point, see [`lower`].
pub fn lowercase(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().map(lower).collect()
}

/// Whether two texts are equal under Unicode's simple case folding.
pub fn eq_fold(a: &str, b: &str) -> bool {
    let mut left = a.chars();
    let mut right = b.chars();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) if x == y || fold(x) == fold(y) => {}
            _ => return false,
        }
    }
}

fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    unicode_case_mapping::case_folded(c).and_then(|code| char::from_u32(code.get())).unwrap_or(c)
}

/// Whether a code point is a letter or a number: general category L or N. A
/// combining mark is neither, although Rust calls some of them alphabetic.
#[inline]
pub fn is_letter_or_number(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    matches!(
        c.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
    )
}

/// Whether a code point belongs to a word of the index: a letter, a number or `_`.
#[inline]
pub fn is_word(c: char) -> bool {
    c == '_' || is_letter_or_number(c)
}

/// The stand-in for a code point that could move the cursor, change colours or
/// turn the direction of writing, or `None` for a code point that is safe to
/// show. Line feeds and tabs are left to the caller.
pub fn stand_in(c: char) -> Option<String> {
    match c {
        '\n' | '\t' => None,
        '\u{7f}' => Some("\u{2421}".into()),
        c if (c as u32) < 0x20 => char::from_u32(0x2400 + c as u32).map(String::from),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        // These are drawn as nothing, or as a gap: a reader gets them, an author would
        // not see them.
        | '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180e}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e001f}'
        | '\u{e0080}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}' => Some(named(c)),
        _ => None,
    }
}

/// A code point by its number.
fn named(c: char) -> String {
    format!("\u{27e6}U+{:04X}\u{27e7}", c as u32)
}

/// The stand-in for a character that is drawn as nothing and has a meaning only beside
/// others, where it does not stand beside such: a joiner, a variation selector, a tag.
///
/// What [`stand_in`] has a stand-in for has one wherever it stands.
pub fn stand_in_at(text: &[char], at: usize) -> Option<String> {
    let c = text[at];
    if let Some(shown) = stand_in(c) {
        return Some(shown);
    }
    let before = at.checked_sub(1).map(|before| text[before]);
    let after = text.get(at + 1).copied();
    let is_emoji = |c: char| !c.is_ascii() && c.is_emoji_char();
    // Scripts in which letters take other forms beside one another.
    let is_joined = |c: char| {
        c >= '\u{590}'
            && matches!(
                c.general_category_group(),
                GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark
            )
    };
    let is_ideograph = |c: char| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    let belongs = match c {
        '\u{200c}' => before.is_some_and(is_joined) && after.is_some_and(is_joined),
        '\u{200d}' => {
            let emoji = before.is_some_and(|c| is_emoji(c) || c == '\u{fe0f}')
                && after.is_some_and(is_emoji);
            // At the end of a word too, where it shows the form of a letter.
            emoji || before.is_some_and(is_joined)
        }
        '\u{fe0f}' if before.is_some_and(|c| c.is_ascii_digit() || matches!(c, '#' | '*')) => {
            after == Some('\u{20e3}')
        }
        '\u{fe00}'..='\u{fe0f}' => before.is_some_and(|c| {
            is_emoji(c)
                || is_ideograph(c)
                || matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1000}'..='\u{109f}')
        }),
        '\u{180b}'..='\u{180d}' | '\u{180f}' => {
            before.is_some_and(|c| matches!(c, '\u{1800}'..='\u{18af}'))
        }
        '\u{e0100}'..='\u{e01ef}' => before.is_some_and(is_ideograph),
        '\u{e0020}'..='\u{e007f}' => is_flag(text, at),
        _ => true,
    };
    (!belongs).then(|| named(c))
}

/// Whether a tag is a part of a flag: a black flag, the letters of a region, an end.
fn is_flag(text: &[char], at: usize) -> bool {
    let is_tag = |c: &char| matches!(c, '\u{e0020}'..='\u{e007f}');
    let begin = text[..at].iter().rposition(|c| !is_tag(c)).map_or(0, |before| before + 1);
    let Some(end) = text[begin..].iter().take(8).position(|c| *c == '\u{e007f}') else {
        return false;
    };
    let is_region = |c: &char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    begin > 0
        && text[begin - 1] == '\u{1f3f4}'
        && (3..=6).contains(&end)
        && text[begin..begin + end].iter().all(is_region)
        && at <= begin + end
}

/// A text with every control and direction character made visible. Line feeds
/// stay; tabs become spaces up to the next multiple of four columns.
pub fn visible(text: &str) -> String {
    // Most text is plain, and nothing is to be done about it.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().copied().enumerate() {
        match c {
            '\n' => {
                out.push('\n');
                column = 0;
            }
            '\t' => {
                let width = 4 - column % 4;
                out.extend(std::iter::repeat_n(' ', width));
                column += width;
            }
            c => {
                if let Some(shown) = stand_in_at(&chars, at) {
                    column += shown.chars().count();
                    out.push_str(&shown);
                } else {
                    column += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
                    out.push(c);
                }
            }
        }
    }
    out
}

/// [`visible`] for a text that must stay on one line: line feeds are shown too.
pub fn visible_line(text: &str) -> String {
    let shown = visible(text);
    if shown.contains('\n') { shown.replace('\n', "\u{240a}") } else { shown }
}

/// A count with its noun: `1 lookup`, `2 lookups`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{count} {noun}{}", if count == N::from(1) { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowercasing_is_one_code_point_to_one() {
        assert_eq!(lowercase("ΣΊΣΥΦΟΣ"), "σίσυφοσ");
        assert_eq!(lowercase("İx ẞ Ǆ"), "ix ß ǆ");
    }

    #[test]
    fn folding_is_simple() {
        assert!(eq_fold("\u{212a}elvin", "kelvin"));
        assert!(eq_fold("ſ", "S"));
        assert!(eq_fold("ẞ", "ß"));
        assert!(!eq_fold("ß", "ss"));
        assert!(!eq_fold("a", "ab"));
    }

    #[test]
    fn nothing_that_drives_a_terminal_is_left() {
        for code in (0u32..0xa0).chain(0x200b..0x2070).chain([0x61c, 0xfeff]) {
            let Some(c) = char::from_u32(code) else { continue };
            let shown = visible_line(&format!("a{c}b"));
            assert!(
                !shown.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)),
                "U+{code:04X} came through as {shown:?}"
            );
        }
        assert_eq!(visible("a\tb\n\tc"), "a   b\n    c");
        assert_eq!(visible("\x1b[2J"), "␛[2J");
        assert_eq!(visible("a\u{202e}b"), "a⟦U+202E⟧b");
    }

    #[test]
    fn what_is_drawn_as_nothing_is_shown() {
        let hidden = [0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x180f, 0x3164]
            .into_iter()
            .chain([0x200c, 0x200d, 0xffa0])
            .chain(0xfe00..=0xfe0f)
            .chain(0x1d173..=0x1d17a)
            .chain(0xe0000..=0xe0fff);
        for code in hidden {
            let c = char::from_u32(code).expect("a character");
            assert_eq!(visible(&format!("a{c}b")), format!("a⟦U+{code:04X}⟧b"));
            assert_eq!(visible(&c.to_string()), format!("⟦U+{code:04X}⟧"));
        }
        let told: String =
            "ignore".chars().map(|c| char::from_u32(0xe0000 + c as u32).expect("a tag")).collect();
        let shown = visible(&format!("\u{1f3f4}{told}"));
        assert_eq!(shown.matches("⟦U+E00").count(), 6, "{shown}");
    }

    #[test]
    fn what_belongs_together_stays() {
        for text in [
            "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥 ☀\u{fe0f} 👍🏽 1\u{fe0f}\u{20e3} ⚠\u{fe0f}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "می\u{200c}خواهم क्\u{200d}ष",
            "葛\u{e0100} ᠠ\u{180b}",
            "blue-öyster e\u{301} 漢字 한국어",
        ] {
            assert_eq!(visible(text), text);
        }
    }
}
