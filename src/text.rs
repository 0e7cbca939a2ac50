//! Character rules that every part shares: case, letters and numbers, and how a
//! text is shown on a terminal without letting it drive the terminal.
//!
//! A store, a client and a reader must agree on these, so they are fixed to one
//! code point at a time: lowercasing maps one code point to one code point, and
//! comparing without case is Unicode's simple case folding.

use std::fmt::Display;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

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
        | '\u{e0000}'..='\u{e001f}' => Some(format!("\u{27e6}U+{:04X}\u{27e7}", c as u32)),
        _ => None,
    }
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
    for c in text.chars() {
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
                if let Some(shown) = stand_in(c) {
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
}
