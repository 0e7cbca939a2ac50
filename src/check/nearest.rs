//! What somebody may have meant.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use strsim::damerau_levenshtein;

use crate::document::Document;

/// The candidate that is most like a word, if one is like it at all: at most a third
/// of the characters differ. Of equals the first.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    let most = (length / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let most = best.map_or(most, |(least, _)| least.saturating_sub(1));
        let other = candidate.chars().count();
        if length.abs_diff(other) > most || candidate == wanted {
            continue;
        }
        if let Some(distance) = within(wanted, candidate, most) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How far two different words are from each other, if that is no more than `most`.
fn within(one: &str, other: &str, most: usize) -> Option<usize> {
    // What both begin and end with costs nothing.
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let start: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let (one, other) = (&one[start..], &other[start..]);
    let same = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b);
    let end: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    // A character that the other has not takes a step at least. Those that share a
    // place in the table only lessen that.
    let mut counts = [0_i16; 128];
    one.chars().for_each(|c| counts[c as usize % 128] += 1);
    other.chars().for_each(|c| counts[c as usize % 128] -= 1);
    let more: i16 = counts.iter().filter(|count| **count > 0).sum();
    let fewer: i16 = counts.iter().filter(|count| **count < 0).sum();
    if usize::from(more.unsigned_abs().max(fewer.unsigned_abs())) > most {
        return None;
    }
    Some(damerau_levenshtein(one, other)).filter(|distance| *distance <= most)
}

/// Up to so many paths each is looked at; of more only those that share most with
/// what is wanted.
const LOOKED_AT: usize = 500;
/// How many those are.
const ALIKE: usize = 8;
/// The longest list of paths with the same three bytes that tells anything.
const COMMON: usize = 2_000;
/// So many entries of such lists, the shortest first, tell enough.
const ENOUGH: usize = 300;

/// The paths of a world, to find one that somebody may have meant.
pub(super) struct Paths<'a> {
    all: Vec<&'a str>,
    /// The first path for each name.
    names: BTreeMap<&'a str, &'a str>,
    /// The first path for each spelling in small letters.
    lower: FxHashMap<String, &'a str>,
    /// The paths with the same three bytes in a row, by their place.
    alike: FxHashMap<[u8; 3], Vec<u32>>,
    /// What was found for those asked for: many documents may lack the same one.
    found: Mutex<FxHashMap<String, Option<&'a str>>>,
}

impl<'a> Paths<'a> {
    pub(super) fn of(documents: &'a [Arc<Document>]) -> Self {
        let mut paths = Self {
            all: documents.iter().map(|document| document.path()).collect(),
            names: BTreeMap::new(),
            lower: FxHashMap::default(),
            alike: FxHashMap::default(),
            found: Mutex::default(),
        };
        let is_large = paths.all.len() > LOOKED_AT;
        for (at, path) in (0..).zip(paths.all.iter().copied()) {
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
        let known = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(wanted) {
            return *found;
        }
        let found = self.find(wanted);
        known().insert(wanted.to_owned(), found);
        found
    }

    fn find(&self, wanted: &str) -> Option<&'a str> {
        let wanted_name = name(wanted);
        if !wanted_name.is_empty()
            && let Some(path) = self.names.get(wanted_name)
        {
            return Some(path);
        }
        if let Some(path) = self.lower.get(&wanted.to_ascii_lowercase()) {
            return Some(path);
        }
        let near = match self.all.len() <= LOOKED_AT {
            true => nearest(wanted, self.all.iter().copied()),
            false => nearest(wanted, self.candidates(wanted)),
        };
        if near.is_some() {
            return near;
        }
        let stem = wanted_name.strip_suffix(".md").unwrap_or(wanted_name);
        let (name, path) = self.names.range(stem..).next().filter(|_| stem.len() >= 4)?;
        name.starts_with(stem).then_some(path)
    }

    /// The paths that can be near, in their order: those with most of what is rare in
    /// the one that is wanted.
    fn candidates(&self, wanted: &str) -> Vec<&'a str> {
        let lists = grams(wanted).filter_map(|gram| self.alike.get(&gram));
        let mut lists: Vec<&Vec<u32>> = lists.filter(|list| list.len() <= COMMON).collect();
        lists.sort_by_key(|list| list.len());
        let mut shared: Vec<u32> = Vec::new();
        for list in lists {
            if shared.len() >= ENOUGH {
                break;
            }
            shared.extend(list);
        }
        shared.sort_unstable();
        let runs = shared.chunk_by(|a, b| a == b);
        let mut ranked: Vec<(Reverse<usize>, u32)> =
            runs.map(|run| (Reverse(run.len()), run[0])).collect();
        ranked.sort_unstable();
        ranked.truncate(ALIKE);
        let mut places: Vec<u32> = ranked.into_iter().map(|(_, at)| at).collect();
        places.sort_unstable();
        places.into_iter().map(|at| self.all[at as usize]).collect()
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

    /// The short way finds what the long one does.
    #[test]
    fn the_distance_is_that_of_the_whole_words() {
        let words =
            ["", "a", "ab", "ba", "abc", "ca", "supersedes", "supercedes", "ährenß", "haren", "aa"];
        for one in words {
            for other in words.into_iter().filter(|other| *other != one) {
                let whole = damerau_levenshtein(one, other);
                for most in 0..8 {
                    let want = Some(whole).filter(|whole| *whole <= most);
                    assert_eq!(within(one, other, most), want, "{one} {other} {most}");
                }
            }
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
