//! The words of a query, and the tokens that a text is indexed under.

use std::hash::{Hash, Hasher};

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

/// A term of the index, kept in place: indexing looks a term up for every word of
/// a world, and one behind a pointer would cost another miss of the cache each
/// time. Shorter ones are filled up with zeros: a term ends in a word character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Term([u8; MAX_BYTES]);

impl Term {
    /// A text as a term; `None` for one that is too long to be indexed.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; MAX_BYTES];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self(bytes))
    }
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (words, _) = self.0.as_chunks();
        for word in words {
            match u64::from_le_bytes(*word) {
                0 => break,
                word => state.write_u64(word),
            }
        }
    }
}

/// Calls `emit` with every token of a text: each field whole, and, where it holds
/// a character that belongs to no word, each run of word characters too.
/// `folded` is a buffer to reuse.
pub(super) fn tokens(text: &str, folded: &mut String, mut emit: impl FnMut(Term)) {
    let bytes = text.as_bytes();
    let skip = |mut at: usize, class: Class| {
        while bytes.get(at).is_some_and(|byte| CLASS[usize::from(*byte)] == class) {
            at += 1;
        }
        at
    };
    let mut at = 0;
    loop {
        at = skip(at, Class::Space);
        if at >= bytes.len() {
            return;
        }
        // Most fields are one word of ASCII, perhaps between punctuation.
        let word = skip(at, Class::Other);
        let word_end = skip(word, Class::Word);
        let end = skip(word_end, Class::Other);
        if bytes.get(end).is_none_or(|byte| CLASS[usize::from(*byte)] == Class::Space) {
            if (2..=MAX_BYTES).contains(&(word_end - word)) {
                let mut term = [0; MAX_BYTES];
                for (to, from) in term.iter_mut().zip(&bytes[word..word_end]) {
                    *to = from.to_ascii_lowercase();
                }
                emit(Term(term));
            }
            at = end;
            continue;
        }
        let rest = &text[at..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        field_tokens(&rest[..end], folded, &mut emit);
        at += end;
        // White space beyond ASCII, which the classes of bytes do not tell.
        at += text[at..].chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8);
    }
}

/// The tokens of a field that is more than one word of ASCII.
fn field_tokens(field: &str, folded: &mut String, emit: &mut impl FnMut(Term)) {
    folded.clear();
    folded.extend(trim_to_word(field).chars().map(lower));
    let mut emit = |token: &str| {
        if has_two(token)
            && let Some(term) = Term::new(token)
        {
            emit(term);
        }
    };
    emit(folded);
    if folded.chars().any(|c| !is_word(c)) {
        runs(folded).for_each(emit);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Other,
    NotAscii,
}

/// What a byte is at first sight.
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
