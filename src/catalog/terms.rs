//! The words of a query, and the tokens that a text is indexed under.

use crate::text::{is_word, lower};

/// The longest token, in bytes. Longer ones are hashes and encoded data.
const MAX_BYTES: usize = 32;

/// The terms of a body lookup: the query's fields, trimmed of what is no word
/// character and lowercased; a field over 32 bytes gives its runs of word
/// characters instead. Two code points at least, each once, in order.
pub fn query_terms(query: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut push = |term: &str| {
        if has_two(term) && !terms.iter().any(|known| known == term) {
            terms.push(term.to_owned());
        }
    };
    let mut folded = String::new();
    for field in query.split_whitespace() {
        folded.clear();
        folded.extend(trim_to_word(field).chars().map(lower));
        if folded.len() > MAX_BYTES {
            for run in runs(&folded).filter(|run| run.len() <= MAX_BYTES) {
                push(run);
            }
        } else {
            push(&folded);
        }
    }
    terms
}

/// Calls `emit` with every token of a text: each field whole, and, where it holds
/// a character that belongs to no word, each run of word characters too.
/// `folded` is a buffer to reuse.
pub(super) fn tokens(text: &str, folded: &mut String, mut emit: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        let (mut only_words, mut ascii) = (true, true);
        while let Some(byte) = bytes.get(at) {
            match CLASS[usize::from(*byte)] {
                Class::Word => at += 1,
                Class::Space => break,
                Class::Other => {
                    only_words = false;
                    at += 1;
                }
                Class::NotAscii => match text[at..].chars().next() {
                    Some(c) if !c.is_whitespace() => {
                        ascii = false;
                        at += c.len_utf8();
                    }
                    _ => break,
                },
            }
        }
        let field = &text[begin..at];
        // Past the white space that ended the field.
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        if field.is_empty() {
            continue;
        }
        let field = if only_words && ascii { field } else { trim_to_word(field) };
        folded.clear();
        if ascii {
            folded.push_str(field);
            folded.make_ascii_lowercase();
        } else {
            folded.extend(field.chars().map(lower));
        }
        if folded.len() <= MAX_BYTES && has_two(folded) {
            emit(folded);
        }
        if !(only_words && ascii) && folded.chars().any(|c| !is_word(c)) {
            for run in runs(folded).filter(|run| run.len() <= MAX_BYTES && has_two(run)) {
                emit(run);
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Class {
    Word,
    Space,
    Other,
    NotAscii,
}

/// What a byte is at first sight, so that plain words cost one look a byte.
static CLASS: [Class; 256] = {
    let mut class = [Class::NotAscii; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => Class::Word,
            b' ' | 0x09..=0x0d => Class::Space,
            _ => Class::Other,
        };
        byte += 1;
    }
    class
};

fn trim_to_word(field: &str) -> &str {
    field.trim_matches(|c: char| !is_word(c))
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|run| !run.is_empty())
}

fn has_two(text: &str) -> bool {
    // Two bytes of ASCII are two code points; one code point is at most four bytes.
    text.len() > 4 || text.chars().nth(1).is_some()
}
