//! Whether predicates are spelt as others spell them.

use std::collections::HashMap;
use std::sync::Arc;

use strsim::osa_distance;

use super::nearest::nearest;
use super::{Findings, Place, World};
use crate::document::Document;
use crate::relations::PREFIX;

/// Predicates that tools know.
const WELL_KNOWN: [&str; 9] = [
    "supersedes",
    "superseded-by",
    "depends-on",
    "implements",
    "implemented-by",
    "derived-from",
    "related",
    "member-of",
    "influenced-by",
];

/// A predicate that more documents use is meant as it is.
const RARE: usize = 2;
/// A slip is used so many times less than what was meant.
const FAR: usize = 3;
/// Words of fewer characters are others where one character is.
const SHORT: usize = 4;
/// In words of so many characters two may differ.
const LONG: usize = 8;

/// How often each predicate is used in a world.
pub(super) struct Uses {
    counts: HashMap<String, usize>,
    /// Those that a slip can be of, in byte order.
    often: Vec<String>,
}

impl Uses {
    pub(super) fn of(documents: &[Arc<Document>]) -> Self {
        let mut counts = HashMap::new();
        for key in documents.iter().flat_map(|document| document.metadata().keys()) {
            if let Some(predicate) = key.strip_prefix(PREFIX).filter(|name| !name.is_empty()) {
                *counts.entry(predicate.to_owned()).or_insert(0) += 1;
            }
        }
        let often = counts.iter().filter(|(_, count)| **count >= FAR);
        let mut often: Vec<String> = often.map(|(word, _)| word.clone()).collect();
        often.sort_unstable();
        Self { counts, often }
    }

    fn count(&self, predicate: &str) -> usize {
        self.counts.get(predicate).copied().unwrap_or(0)
    }
}

/// Predicates outside the vocabulary. Without one of its own a world is only asked
/// about a rare predicate that is a slip away from one that is well known or often used.
pub(super) fn check(world: &World<'_>, uses: &Uses, document: &Document, findings: &mut Findings) {
    for key in document.metadata().keys() {
        let Some(predicate) = key.strip_prefix(PREFIX).filter(|name| !name.is_empty()) else {
            continue;
        };
        // A key that no reader takes for a relation is told of as that.
        if !predicate.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')) {
            continue;
        }
        let place = Place::Key(key.clone());
        let known = &world.settings.vocabulary;
        if let Some(known) = known {
            if known.iter().any(|word| word == predicate) {
                continue;
            }
            let help = match nearest(predicate, known.iter().map(String::as_str)) {
                Some(near) => format!("`{PREFIX}{near}` is in the vocabulary"),
                None => "correct it, or add it to `vocabulary` in .markscope.toml".to_owned(),
            };
            let message = format!("`{predicate}` is not in the vocabulary of this world");
            findings.add("R010", place, message, help);
            continue;
        }
        let used = uses.count(predicate);
        if WELL_KNOWN.contains(&predicate) || used > RARE {
            continue;
        }
        let often = uses.often.iter().map(String::as_str);
        let often = often.filter(|word| uses.count(word) >= FAR * used);
        if let Some(near) = meant(predicate, WELL_KNOWN.into_iter().chain(often)) {
            findings.add(
                "R010",
                place,
                format!("`{predicate}` may be a misspelt `{near}`"),
                format!("write `{PREFIX}{near}`, or set `vocabulary` in .markscope.toml"),
            );
        }
    }
}

/// The candidate that a predicate is the smallest slip away from; of equals the first.
fn meant<'a>(predicate: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let slips = candidates.filter_map(|candidate| Some((slips(predicate, candidate)?, candidate)));
    slips.min_by_key(|(slips, _)| *slips).map(|(_, candidate)| candidate)
}

/// How many slips lead from a predicate to another one, if they do: words that are spelt
/// wrong, a hyphen or what follows the last one forgotten. Whole words are never slips.
fn slips(predicate: &str, meant: &str) -> Option<usize> {
    if predicate == meant {
        return None;
    }
    let words = |text: &'_ str| text.split('-').map(str::to_owned).collect::<Vec<String>>();
    let (ours, theirs) = (words(predicate), words(meant));
    if ours.len() == theirs.len() {
        return ours.iter().zip(&theirs).map(|(one, other)| slip(one, other)).sum();
    }
    if let ([.., _], true) = (theirs.as_slice(), ours.len() + 1 == theirs.len()) {
        let all = ours.iter().zip(&theirs).map(|(one, other)| slip(one, other));
        if let Some(slips) = all.sum::<Option<usize>>()
            && predicate.chars().count() > SHORT
        {
            return Some(slips + 1);
        }
    }
    // Of a word that short, another one behind a hyphen is no slip.
    let (ours, theirs) = (ours.concat(), theirs.concat());
    let is_long = theirs.chars().count() >= SHORT;
    is_long.then(|| slip(&ours, &theirs)).flatten().map(|slips| slips + 1)
}

/// The same of one word.
fn slip(word: &str, meant: &str) -> Option<usize> {
    let length = meant.chars().count();
    let distance = osa_distance(word, meant);
    let is_slip = match distance {
        0 => true,
        // `of` and `on` are two words, and `off` and `bye` are slips.
        1 if length < SHORT => word.len() > meant.len() && word.starts_with(meant),
        1 => true,
        2 => length >= LONG,
        _ => false,
    };
    is_slip.then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_words() {
        for (predicate, want) in [
            ("depend-on", Some("depends-on")),
            ("dependson", Some("depends-on")),
            ("depends", Some("depends-on")),
            ("depend", Some("depends-on")),
            ("depends-onn", Some("depends-on")),
            ("supercedes", Some("supersedes")),
            ("superceeds", Some("supersedes")),
            ("superceded-by", Some("superseded-by")),
            ("supersedes-by", Some("superseded-by")),
            ("superseded-bye", Some("superseded-by")),
            ("derives", Some("derived-from")),
            ("derivedfrom", Some("derived-from")),
            ("relatd", Some("related")),
            ("realted", Some("related")),
            ("implement", Some("implements")),
            ("implemented", Some("implemented-by")),
            ("implemented-in", None),
            ("succeeded-by", None),
            ("created", None),
            ("depends-in", None),
            ("derived-by", None),
            ("member", Some("member-of")),
            ("number-of", None),
            ("by", None),
            ("of", None),
        ] {
            assert_eq!(meant(predicate, WELL_KNOWN.into_iter()), want, "{predicate}");
        }
        assert_eq!(meant("recorded-at", ["recorded-by"].into_iter()), None);
        assert_eq!(meant("by-x", ["by"].into_iter()), None);
        assert_eq!(meant("part-off", ["part-of"].into_iter()), Some("part-of"));
    }
}
