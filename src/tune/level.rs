//! Two worlds put on one level, so that what differs between their results is owed
//! to what was written and to nothing else; and which documents differ.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::diff::Pair;
use crate::document::Document;
use crate::lookup::Store;

/// The names that a store gives no `type` of its own accord.
const WITHOUT_TYPE: [&str; 2] = ["index.md", "log.md"];

/// A world to be held against another one.
pub struct Side {
    /// Its name.
    pub name: String,
    /// Its documents.
    pub documents: Vec<Arc<Document>>,
    /// The errors that some paths answer.
    pub errors: BTreeMap<String, String>,
    /// Whether the times of its documents are no part of what was written: those of
    /// files, or of a commit.
    pub has_times_of_files: bool,
}

impl Side {
    fn keeps_versions(&self) -> bool {
        self.documents.iter().any(|document| document.version().is_some())
    }
}

/// Indexes two worlds for a comparison.
///
/// - Times of files say when a copy was made. Where one of the worlds has such, a
///   document that is in both has the time it has in the second, in both.
/// - Where one of the worlds has versions and the other none, no location has one.
///   A store gives what is published a `type: Document` if it has none; the world
///   without versions is taken as if it had been published.
pub fn level(before: Side, after: Side) -> (Store, Store) {
    let takes_times = before.has_times_of_files || after.has_times_of_files;
    let drops_versions = before.keeps_versions() != after.keeps_versions();
    let types =
        [drops_versions && !before.keeps_versions(), drops_versions && !after.keeps_versions()];
    let times: BTreeMap<String, _> = match takes_times {
        true => after.documents.iter().map(|d| (d.path().to_owned(), d.modified())).collect(),
        false => BTreeMap::new(),
    };
    let store = |side: Side, adds_type: bool| {
        let documents = side.documents.into_iter().map(|document| {
            let time = times.get(document.path()).copied();
            if time.is_none_or(|time| time == document.modified()) && !drops_versions {
                return document;
            }
            let mut metadata = document.metadata().clone();
            let name = document.path().rsplit('/').next().unwrap_or_default();
            if adds_type && !WITHOUT_TYPE.contains(&name) {
                metadata.entry("type".into()).or_insert_with(|| "Document".into());
            }
            let version = if drops_versions { None } else { document.version() };
            Arc::new(
                Document::new(document.path(), document.body())
                    .with_version(version)
                    .with_modified(time.unwrap_or(document.modified()))
                    .with_metadata(metadata),
            )
        });
        Store::new(side.name, documents, side.errors)
    };
    (store(before, types[0]), store(after, types[1]))
}

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
