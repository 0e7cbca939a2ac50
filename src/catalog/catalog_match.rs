//! The catalog match: documents whose tags and titles a query's words name.

use std::cmp::Ordering;

use super::Hit;
use super::index::{Entry, Index};
use crate::text::lowercase;

/// All matching documents, best first. `*` alone matches every document.
pub(super) fn hits(index: &Index, query: &str, within: &Option<Vec<bool>>) -> Vec<Hit> {
    let words = words(query);
    let all = words == ["*"];
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

/// Whether a query finds both documents, and one above the other.
pub(super) fn is_above(index: &Index, query: &str, one: usize, other: usize) -> bool {
    let words = words(query);
    let hit = |document: usize| {
        let score = score(&index.entries[document], &words);
        Hit { document, section: None, score: score as f64 }
    };
    let (one, other) = (hit(one), hit(other));
    one.score > 0.0 && other.score > 0.0 && order(index, &one, &other).is_lt()
}

/// How many documents a query has above one that it finds.
pub(super) fn place(index: &Index, query: &str, document: usize) -> Option<usize> {
    let words = words(query);
    let hit = |document: usize| {
        let score = score(&index.entries[document], &words);
        Hit { document, section: None, score: score as f64 }
    };
    let own = hit(document);
    let above = |other: usize| {
        let other = hit(other);
        other.score > 0.0 && order(index, &other, &own).is_lt()
    };
    (own.score > 0.0).then(|| (0..index.entries.len()).filter(|other| above(*other)).count())
}

/// The different words of a query.
fn words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in query.split_whitespace().map(lowercase) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// How many of the words a document's tags or title name.
fn score(entry: &Entry, words: &[String]) -> usize {
    let named = |word: &&String| entry.tags.contains(word) || entry.title.contains(*word);
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
