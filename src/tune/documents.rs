//! Which documents differ between two worlds.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::diff::Pair;
use super::level::Side;
use crate::lookup::Store;

/// How a document differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentChange {
    /// It is in the second world alone.
    New,
    /// Its text differs, and maybe its metadata.
    Changed,
    /// Its metadata alone differs.
    Metadata,
    /// A fetch of it gives another error than before, or one of the two gives none;
    /// text and metadata are the same.
    Access,
    /// It is in the first world alone.
    Gone,
    /// One of the worlds was not read so far, so nobody knows.
    #[serde(rename = "not-read")]
    NotRead,
}

impl DocumentChange {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Metadata => "metadata only",
            Self::Access => "access",
            Self::Gone => "gone",
            Self::NotRead => "not read",
        }
    }
}

/// A document that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentDiff {
    /// Its path.
    pub path: String,
    /// How.
    pub what: DocumentChange,
    /// The metadata keys that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Bytes of its text; none where it is not there.
    pub bytes: Pair<Option<usize>>,
    /// Its version, where the worlds have such.
    pub version: Pair<Option<u64>>,
    /// The error that a fetch gives, where one does and it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Pair<Option<String>>>,
}

/// The documents that differ between two worlds, by path. A version number alone is
/// no difference: it tells of what happened, not of what is there.
pub fn documents(before: &Store, after: &Store) -> Vec<DocumentDiff> {
    let stores = [before, after];
    let paths: BTreeSet<&str> = stores
        .iter()
        .flat_map(|store| store.catalog().documents().iter().map(|document| document.path()))
        .collect();
    paths.into_iter().filter_map(|path| document(path, before, after)).collect()
}

/// The documents that one of the worlds did not bring, so that they cannot be held
/// against the other's, by path. [`level`](super::level()) leaves them out.
pub fn unread(before: &Side, after: &Side) -> Vec<DocumentDiff> {
    let sides = Pair { before, after };
    let held = sides.map(|side| {
        let documents = side.documents.iter();
        documents.map(|it| (it.path(), it)).collect::<BTreeMap<_, _>>()
    });
    let known = [before, after].into_iter().flat_map(|side| side.unread.paths());
    let paths: BTreeSet<&str> =
        known.chain(held.before.keys().copied()).chain(held.after.keys().copied()).collect();
    let is_missing = |path: &str| {
        before.unread.has(path) && !held.before.contains_key(path)
            || after.unread.has(path) && !held.after.contains_key(path)
    };
    let missing = paths.into_iter().filter(|path| is_missing(path));
    missing
        .map(|path| {
            let documents = Pair { before: held.before.get(path), after: held.after.get(path) };
            DocumentDiff {
                path: path.to_owned(),
                what: DocumentChange::NotRead,
                keys: Vec::new(),
                bytes: documents.map(|it| it.map(|document| document.body().len())),
                version: documents.map(|it| it.and_then(|document| document.version())),
                error: None,
            }
        })
        .collect()
}

fn document(path: &str, before: &Store, after: &Store) -> Option<DocumentDiff> {
    let held = Pair { before, after }.map(|store| store.catalog().document(path));
    let error = Pair { before, after }.map(|store| store.errors().get(path).cloned());
    let differs = error.before != error.after;
    let keys = match (held.before, held.after) {
        (Some(before), Some(after)) => keys(before.metadata(), after.metadata()),
        _ => Vec::new(),
    };
    let what = match (held.before, held.after) {
        (None, _) => DocumentChange::New,
        (_, None) => DocumentChange::Gone,
        (Some(before), Some(after)) if before.body() != after.body() => DocumentChange::Changed,
        _ if !keys.is_empty() => DocumentChange::Metadata,
        _ if differs => DocumentChange::Access,
        _ => return None,
    };
    Some(DocumentDiff {
        path: path.to_owned(),
        what,
        keys,
        bytes: held.map(|held| held.map(|document| document.body().len())),
        version: held.map(|held| held.and_then(|document| document.version())),
        error: differs.then_some(error),
    })
}

/// The keys whose values differ, or that one of the two lacks.
fn keys(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    all.into_iter().filter(|key| before.get(*key) != after.get(*key)).cloned().collect()
}
