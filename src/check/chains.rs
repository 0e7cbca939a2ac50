//! Chains of documents that supersede each other.

use std::collections::{HashMap, HashSet};

use super::{Findings, Place, World};
use crate::document::Document;
use crate::relations::PREFIX;
use crate::text::lowercase;

const SUPERSEDES: &str = "supersedes";
const SUPERSEDED_BY: &str = "superseded-by";
/// Shared words of fewer characters say less of a subject.
const TELLING: usize = 4;
/// Shared words of fewer characters say nothing of it, and some others neither.
const SHORT: usize = 3;
const EMPTY: [&str; 3] = ["the", "and", "for"];
/// Rows looked at to compare two documents.
const ROWS: usize = 1000;

/// Which documents supersede which, however that is declared.
pub(super) struct Chains {
    /// From a document to those that it supersedes.
    older: HashMap<String, Vec<String>>,
    /// Documents on a circle.
    circles: HashSet<String>,
    /// Documents that another one supersedes.
    superseded: HashSet<String>,
}

impl Chains {
    pub(super) fn of(world: &World<'_>) -> Self {
        let mut older: HashMap<String, Vec<String>> = HashMap::new();
        for path in world.documents().iter().map(|document| document.path()) {
            let declared = world.declared(path).map(|declared| declared.refs.as_slice());
            for relation in declared.unwrap_or_default() {
                let target = &relation.target;
                let (new, old) = match relation.predicate.as_str() {
                    SUPERSEDES => (path, target.as_str()),
                    SUPERSEDED_BY => (target.as_str(), path),
                    _ => continue,
                };
                older.entry(new.to_owned()).or_default().push(old.to_owned());
            }
        }
        let superseded = older.values().flatten().cloned().collect();
        let mut chains = Self { older, circles: HashSet::new(), superseded };
        let starts: Vec<String> = chains.endless().into_iter().map(str::to_owned).collect();
        chains.circles =
            starts.into_iter().filter(|start| chains.below(start).contains(start)).collect();
        chains
    }

    /// The documents that are on a circle or lead to one: what is left where those that
    /// supersede nothing, or nothing that is left, are taken away. Mostly none.
    fn endless(&self) -> Vec<&str> {
        let mut newer: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut left: HashMap<&str, usize> = HashMap::new();
        for (path, olds) in &self.older {
            *left.entry(path).or_default() += olds.len();
            for old in olds {
                left.entry(old).or_default();
                newer.entry(old).or_default().push(path);
            }
        }
        let ends = left.iter().filter(|(_, count)| **count == 0).map(|(path, _)| *path);
        let mut ends: Vec<&str> = ends.collect();
        while let Some(end) = ends.pop() {
            for path in newer.get(end).into_iter().flatten() {
                if let Some(count) = left.get_mut(path) {
                    *count -= 1;
                    if *count == 0 {
                        ends.push(path);
                    }
                }
            }
        }
        left.into_iter().filter(|(_, count)| *count > 0).map(|(path, _)| path).collect()
    }

    /// Whether a relation is one of those that lead two documents round in a circle.
    pub(super) fn are_on_circle(&self, one: &str, other: &str, predicate: &str) -> bool {
        [SUPERSEDES, SUPERSEDED_BY].contains(&predicate)
            && self.circles.contains(one)
            && self.circles.contains(other)
    }

    /// Everything that a document supersedes, over any number of steps.
    fn below(&self, path: &str) -> HashSet<String> {
        let mut below = HashSet::new();
        let mut next: Vec<&String> = self.older.get(path).into_iter().flatten().collect();
        while let Some(path) = next.pop() {
            if below.insert(path.clone()) {
                next.extend(self.older.get(path).into_iter().flatten());
            }
        }
        below
    }
}

pub(super) fn check(
    world: &World<'_>,
    chains: &Chains,
    document: &Document,
    findings: &mut Findings,
) {
    let path = document.path();
    let key = [SUPERSEDES, SUPERSEDED_BY]
        .map(|predicate| format!("{PREFIX}{predicate}"))
        .into_iter()
        .find(|key| document.metadata().contains_key(key));
    if chains.circles.contains(path)
        && let Some(key) = key
    {
        let mut others: Vec<String> = chains.below(path).into_iter().collect();
        others.retain(|other| other != path && chains.circles.contains(other));
        others.sort();
        findings.add(
            "R012",
            Place::Key(key),
            format!("{path} and {} supersede each other in a circle", others.join(", ")),
            "remove the relation that is wrong",
        );
        return;
    }
    if chains.superseded.contains(path) {
        return;
    }
    let mut old: Vec<String> = chains.below(path).into_iter().collect();
    old.sort();
    for old in old {
        let Some(other) = world.document(&old) else { continue };
        if let Some((query, place)) = ranks_above(world, other, document) {
            let key = match document.metadata().contains_key("importance") {
                true => Place::Key("importance".into()),
                false => Place::Document,
            };
            findings.add(
                "R013",
                key,
                format!("a lookup of `{query}` shows {old}, which this supersedes, {place}"),
                format!(
                    "its importance is {:.2}, the other's {:.2}: raise this one or lower that one",
                    document.importance(),
                    other.importance()
                ),
            );
        }
    }
}

/// What both documents are found by, if a lookup of it has the old one above the new
/// one, and where they stand.
fn ranks_above(world: &World<'_>, old: &Document, new: &Document) -> Option<(String, String)> {
    let asked = |query: String| {
        let catalog = world.store.catalog();
        let (old, new) = catalog.places(&query, old.path(), new.path(), ROWS)?;
        Some((query, format!("at place {}, and this document at {}", old + 1, new + 1)))
    };
    queries(old, new).into_iter().find_map(asked)
}

/// Lookups that two documents answer alike: by the long words that both titles share,
/// by all of them, and by each tag that both have.
fn queries(old: &Document, new: &Document) -> Vec<String> {
    let words = |document: &Document| -> Vec<String> {
        let title = lowercase(document.title());
        let words = title
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
        // In scripts without spaces a short word says much.
        words.filter(|word| word.chars().count() >= SHORT || !word.is_ascii()).collect()
    };
    let others = words(old);
    let shared: Vec<String> = words(new)
        .into_iter()
        .filter(|word| others.contains(word) && !EMPTY.contains(&word.as_str()))
        .collect();
    let joined = |words: &mut dyn Iterator<Item = &String>| {
        words.take(8).cloned().collect::<Vec<String>>().join(" ")
    };
    let long = joined(&mut shared.iter().filter(|word| word.chars().count() >= TELLING));
    let mut queries = vec![long, joined(&mut shared.iter())];
    let others: Vec<String> = old.tags().map(lowercase).collect();
    // A lookup has no way to ask for a tag with a space in it.
    let tags = new.tags().map(lowercase).filter(|tag| !tag.contains(char::is_whitespace));
    queries.extend(tags.filter(|tag| others.contains(tag)));
    queries.retain(|query| !query.is_empty());
    queries.dedup();
    queries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_documents_share_words_and_tags() {
        let document = |title: &str, tags: &str| {
            let metadata = [("title", title), ("tags", tags)];
            let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
            Document::new("/a.md", "").with_metadata(metadata.into())
        };
        for (old, new, want) in [
            (("Tax law 2023", ""), ("Tax law 2025", ""), vec!["tax law"]),
            (("Storage of the law", "x"), ("The law: storage", ""), vec!["storage", "law storage"]),
            (("税法 2023", ""), ("税法 2025", ""), vec!["税法"]),
            (("Abacus", "a b, Zork, q"), ("Frames", "zork, a b"), vec!["zork"]),
            (("The end", ""), ("The start", ""), vec![]),
        ] {
            let queries = queries(&document(old.0, old.1), &document(new.0, new.1));
            assert_eq!(queries, want, "{old:?} {new:?}");
        }
    }
}
