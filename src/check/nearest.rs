//! What somebody may have meant.

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

/// The path that is most like one that does not exist: one in another folder with
/// the same name, else one that is spelt nearly so.
pub(super) fn nearest_path<'a>(wanted: &str, documents: &'a [Arc<Document>]) -> Option<&'a str> {
    let paths = documents.iter().map(|document| document.path());
    let name = |path: &'a str| path.rsplit('/').next().unwrap_or(path);
    let wanted_name = wanted.rsplit('/').next().unwrap_or(wanted);
    let same_name = paths.clone().find(|path| !wanted_name.is_empty() && name(path) == wanted_name);
    same_name
        .or_else(|| paths.clone().find(|path| path.eq_ignore_ascii_case(wanted)))
        .or_else(|| nearest(wanted, paths.clone()))
        .or_else(|| {
            let stem = wanted_name.strip_suffix(".md").unwrap_or(wanted_name);
            let mut paths = paths;
            paths.find(|path| stem.len() >= 4 && name(path).starts_with(stem))
        })
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
            assert_eq!(nearest_path(wanted, &documents), want, "{wanted}");
        }
    }
}
