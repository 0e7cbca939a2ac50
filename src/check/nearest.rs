//! What somebody may have meant.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use strsim::damerau_levenshtein;

use crate::document::Document;

/// The candidate that is most like a word, if one is like it at all: at most a third
/// of the characters differ. Of equals the first.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    let most = (length / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other = candidate.chars().count();
        if length.abs_diff(other) > most || candidate == wanted {
            continue;
        }
        let distance = damerau_levenshtein(wanted, candidate);
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Up to so many paths each is looked at; of more only those that share most with
/// what is wanted.
const LOOKED_AT: usize = 500;
/// How many those are.
const ALIKE: usize = 32;
/// The longest list of paths with the same three bytes that tells anything.
const COMMON: usize = 2_000;

/// The paths of a world, to find one that somebody may have meant.
pub(super) struct Paths<'a> {
    all: Vec<&'a str>,
    /// The first path for each name.
    names: BTreeMap<&'a str, &'a str>,
    /// The first path for each spelling in small letters.
    lower: HashMap<String, &'a str>,
    /// The paths with the same three bytes in a row, by their place.
    alike: HashMap<[u8; 3], Vec<usize>>,
}

impl<'a> Paths<'a> {
    pub(super) fn of(documents: &'a [Arc<Document>]) -> Self {
        let all: Vec<&str> = documents.iter().map(|document| document.path()).collect();
        let mut paths =
            Self { names: BTreeMap::new(), lower: HashMap::new(), alike: HashMap::new(), all };
        let is_large = paths.all.len() > LOOKED_AT;
        for (at, path) in paths.all.iter().copied().enumerate() {
            paths.names.entry(name(path)).or_insert(path);
            paths.lower.entry(path.to_ascii_lowercase()).or_insert(path);
            if is_large {
                for gram in grams(path) {
                    let list = paths.alike.entry(gram).or_default();
                    if list.last() != Some(&at) {
                        list.push(at);
                    }
                }
            }
        }
        paths
    }

    /// The path that is most like one that does not exist: one in another folder with
    /// the same name, else one that is spelt nearly so, else one whose name begins so.
    pub(super) fn nearest(&self, wanted: &str) -> Option<&'a str> {
        let wanted_name = name(wanted);
        if !wanted_name.is_empty()
            && let Some(path) = self.names.get(wanted_name)
        {
            return Some(path);
        }
        if let Some(path) = self.lower.get(&wanted.to_ascii_lowercase()) {
            return Some(path);
        }
        if let Some(path) = nearest(wanted, self.candidates(wanted)) {
            return Some(path);
        }
        let stem = wanted_name.strip_suffix(".md").unwrap_or(wanted_name);
        let (name, path) = self.names.range(stem..).next().filter(|_| stem.len() >= 4)?;
        name.starts_with(stem).then_some(path)
    }

    /// The paths that can be near, in their order.
    fn candidates(&self, wanted: &str) -> Vec<&'a str> {
        if self.all.len() <= LOOKED_AT {
            return self.all.clone();
        }
        let mut shared: HashMap<usize, usize> = HashMap::new();
        let lists = grams(wanted).filter_map(|gram| self.alike.get(&gram));
        for list in lists.filter(|list| list.len() <= COMMON) {
            for at in list {
                *shared.entry(*at).or_default() += 1;
            }
        }
        let mut ranked: Vec<(usize, usize)> =
            shared.into_iter().map(|(at, count)| (usize::MAX - count, at)).collect();
        ranked.sort_unstable();
        ranked.truncate(ALIKE);
        let mut places: Vec<usize> = ranked.into_iter().map(|(_, at)| at).collect();
        places.sort_unstable();
        places.into_iter().map(|at| self.all[at]).collect()
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn grams(text: &str) -> impl Iterator<Item = [u8; 3]> + '_ {
    text.as_bytes().windows(3).map(|window| [window[0], window[1], window[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_may_differ() {
        let words = ["supersedes", "superseded-by", "depends-on", "by"];
        for (wanted, want) in [
            ("superceeds", Some("supersedes")),
            ("superseeded-by", Some("superseded-by")),
            ("dependson", Some("depends-on")),
            ("bt", Some("by")),
            ("label", None),
            ("x", None),
            ("supersedes", None),
        ] {
            assert_eq!(nearest(wanted, words), want, "{wanted}");
        }
    }

    #[test]
    fn paths_are_near_by_name_then_by_spelling() {
        let paths = ["/adr/0001-queue.md", "/adr/0002-storage.md", "/notes/0003-clock.md"];
        let documents = paths.map(|path| Arc::new(Document::new(path, "")));
        for (wanted, want) in [
            ("/adr/0003-clock.md", Some("/notes/0003-clock.md")),
            ("/ADR/0001-Queue.md", Some("/adr/0001-queue.md")),
            ("/adr/0001-quue.md", Some("/adr/0001-queue.md")),
            ("/adr/0002.md", Some("/adr/0002-storage.md")),
            ("/elsewhere.md", None),
        ] {
            assert_eq!(Paths::of(&documents).nearest(wanted), want, "{wanted}");
        }
    }

    #[test]
    fn of_many_paths_the_near_one_is_found_too() {
        let document =
            |at: usize| Arc::new(Document::new(format!("/adr/{at:04}-{}.md", words(at)), ""));
        let documents: Vec<_> = (0..2_000).map(document).collect();
        let paths = Paths::of(&documents);
        for at in (0..2_000).step_by(97) {
            let right = documents[at].path();
            let wrong = right.replacen('-', "_", 1);
            let folder = right.replace("/adr/", "/notes/");
            assert_eq!(paths.nearest(&wrong), Some(right));
            assert_eq!(paths.nearest(&folder), Some(right));
            assert_eq!(paths.nearest(&right.to_uppercase()), Some(right));
        }
        assert_eq!(paths.nearest("/zzz/qqq.md"), None);
    }

    fn words(at: usize) -> String {
        let word = |of: usize| ["gauge", "tide", "queue", "clock", "storm", "parquet"][of % 6];
        format!("{}-{}-{}", word(at), word(at / 6), word(at / 36))
    }
}
