//! What stands before the parser and after it: lines that must be shown as
//! written, and characters that must not reach a terminal.
//!
//! A line that begins with ` >>>` is a line of the document that looked like the
//! frame of a block and was indented for it. It is no quotation. So that no
//! markdown is found in it, wherever it stands, its punctuation goes through the
//! parser as Unicode's noncharacters, of which there happen to be as many as
//! there is punctuation in ASCII.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar as _;

use crate::text::stand_in_at;

/// Stands for the space before a line that must be shown as written.
pub(super) const LITERAL: char = '\u{10fffe}';
const PUNCTUATION: &[u8; 32] = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
const FIRST: u32 = 0xfdd0;

/// The text for the parser.
pub(super) fn prepare(markdown: &str) -> Cow<'_, str> {
    let odd = |c: char| matches!(c, '\r' | '\0' | LITERAL | '\u{fdd0}'..='\u{fdef}');
    if !markdown.contains(odd) && !markdown.starts_with(" >>>") && !markdown.contains("\n >>>") {
        return Cow::Borrowed(markdown);
    }
    let mut out = String::with_capacity(markdown.len() + markdown.len() / 8);
    for line in markdown.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        let literal = line.starts_with(" >>>");
        let rest = if literal {
            out.push(LITERAL);
            &line[1..]
        } else {
            line
        };
        for c in rest.chars() {
            match c {
                // The parser would end a line at a lone return, a document does not.
                '\r' => out.push('\u{240d}'),
                '\0' => out.push('\u{2400}'),
                c if odd(c) => out.push_str(&format!("\u{27e6}U+{:04X}\u{27e7}", c as u32)),
                c if literal => out.push(hidden(c)),
                c => out.push(c),
            }
        }
        out.push_str(end);
    }
    Cow::Owned(out)
}

fn hidden(c: char) -> char {
    let index = PUNCTUATION.iter().position(|mark| char::from(*mark) == c);
    index.and_then(|index| char::from_u32(FIRST + index as u32)).unwrap_or(c)
}

fn shown(c: char) -> Option<char> {
    let index = (c as u32).checked_sub(FIRST)?;
    PUNCTUATION.get(index as usize).map(|mark| char::from(*mark))
}

/// Appends a text from the parser as it may be shown: controls and marks of
/// direction by stand-ins, tabs as spaces to the next multiple of four columns,
/// and lines that must be shown as written as lines of their own. Line feeds
/// stay. `column` is where the text begins and, after it, where it ends.
pub(super) fn push_clean(out: &mut String, text: &str, column: &mut usize) {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        out.push_str(text);
        *column += text.len();
        return;
    }
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().copied().enumerate() {
        match c {
            '\n' => {
                out.push('\n');
                *column = 0;
            }
            '\t' => {
                let width = 4 - *column % 4;
                out.extend(std::iter::repeat_n(' ', width));
                *column += width;
            }
            LITERAL => {
                out.push_str(if *column == 0 { " " } else { "\n " });
                *column = 1;
            }
            ' '..='~' => {
                out.push(c);
                *column += 1;
            }
            c => {
                if let Some(c) = shown(c) {
                    out.push(c);
                    *column += 1;
                } else if let Some(mark) = stand_in_at(&chars, at) {
                    *column += mark.chars().count();
                    out.push_str(&mark);
                } else {
                    *column += c.width().unwrap_or(0);
                    out.push(c);
                }
            }
        }
    }
}

/// A short text cleaned for one line.
pub(super) fn clean_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_clean(&mut out, text, &mut 0);
    if out.contains('\n') { out.replace('\n', "\u{240a}") } else { out }
}
