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
    for field in text.split_whitespace() {
        let field = trim_to_word(field);
        if field.is_empty() {
            continue;
        }
        folded.clear();
        let mut compound = false;
        if field.is_ascii() {
            for byte in field.bytes() {
                compound |= !(byte.is_ascii_alphanumeric() || byte == b'_');
                folded.push(char::from(byte.to_ascii_lowercase()));
            }
        } else {
            for c in field.chars() {
                compound |= !is_word(c);
                folded.push(lower(c));
            }
        }
        if folded.len() <= MAX_BYTES && has_two(folded) {
            emit(folded);
        }
        if compound {
            for run in runs(folded).filter(|run| run.len() <= MAX_BYTES && has_two(run)) {
                emit(run);
            }
        }
    }
}

fn trim_to_word(field: &str) -> &str {
    field.trim_matches(|c: char| !is_word(c))
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|run| !run.is_empty())
}

fn has_two(text: &str) -> bool {
    text.chars().nth(1).is_some()
}
