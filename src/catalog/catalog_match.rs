//! The catalog match: documents whose tags and titles a query's words name.

use std::cmp::Ordering;

use memchr::memmem::Finder;

use super::Hit;
use super::index::{Entry, Index};
use crate::text::lowercase;

/// All matching documents, best first. `*` alone matches every document.
pub(super) fn hits(index: &Index, query: &str, within: &Option<Vec<bool>>) -> Vec<Hit> {
    let words = words(query);
    let all = matches!(words.as_slice(), [word] if word.text == "*");
    let mut hits: Vec<Hit> = Vec::new();
    for (document, entry) in index.entries.iter().enumerate() {
        if within.as_ref().is_some_and(|within| !within[document]) {
            continue;
        }
        let score = if all { 0 } else { score(entry, &words) };
        if all || score > 0 {
            hits.push(Hit { document, section: None, score: score as f64 });
        }
    }
    hits.sort_by(|a, b| order(index, a, b));
    hits
}

/// How many documents a query has above each of two, where it has one above the other
/// and fewer than `most` above both.
pub(super) fn above(
    index: &Index,
    query: &str,
    one: usize,
    other: usize,
    most: usize,
) -> Option<(usize, usize)> {
    let words = words(query);
    let hit = |document: usize| {
        let score = score(&index.entries[document], &words);
        Hit { document, section: None, score: score as f64 }
    };
    let (one, other) = (hit(one), hit(other));
    let is_above =
        |upper: &Hit, lower: &Hit| upper.score > 0.0 && order(index, upper, lower).is_lt();
    if other.score == 0.0 || !is_above(&one, &other) {
        return None;
    }
    let mut above = (0, 0);
    for hit in (0..index.entries.len()).map(hit).filter(|hit| is_above(hit, &other)) {
        above.0 += usize::from(is_above(&hit, &one));
        above.1 += 1;
        if above.1 == most {
            return None;
        }
    }
    Some(above)
}

/// A word, ready to be looked for in many titles.
struct Word {
    text: String,
    finder: Finder<'static>,
}

/// The different words of a query.
fn words(query: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for text in query.split_whitespace().map(lowercase) {
        if !words.iter().any(|word| word.text == text) {
            words.push(Word { finder: Finder::new(&text).into_owned(), text });
        }
    }
    words
}

/// How many of the words a document's tags or title name.
fn score(entry: &Entry, words: &[Word]) -> usize {
    let named = |word: &&Word| {
        entry.tags.contains(&word.text) || word.finder.find(entry.title.as_bytes()).is_some()
    };
    words.iter().filter(named).count()
}

fn order(index: &Index, a: &Hit, b: &Hit) -> Ordering {
    // Zero equals zero, whatever its sign.
    let importance = |hit: &Hit| index.entries[hit.document].importance + 0.0;
    let modified = |hit: &Hit| index.documents[hit.document].modified();
    b.score
        .total_cmp(&a.score)
        .then_with(|| importance(b).total_cmp(&importance(a)))
        .then_with(|| modified(b).cmp(&modified(a)))
        .then_with(|| a.document.cmp(&b.document))
}
