//! The catalog match: documents whose tags and titles a query's words name.

use std::cmp::Ordering;

use super::Hit;
use super::index::Index;
use crate::text::lowercase;

/// All matching documents, best first. `*` alone matches every document.
pub(super) fn hits(index: &Index, query: &str, within: &Option<Vec<bool>>) -> Vec<Hit> {
    let mut words: Vec<String> = Vec::new();
    for word in query.split_whitespace().map(lowercase) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let all = words == ["*"];
    let mut hits: Vec<Hit> = Vec::new();
    for (document, entry) in index.entries.iter().enumerate() {
        if within.as_ref().is_some_and(|within| !within[document]) {
            continue;
        }
        let named = |word: &&String| entry.tags.contains(word) || entry.title.contains(*word);
        let score = if all { 0 } else { words.iter().filter(named).count() };
        if all || score > 0 {
            hits.push(Hit { document, section: None, score: score as f64 });
        }
    }
    hits.sort_by(|a, b| order(index, a, b));
    hits
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
