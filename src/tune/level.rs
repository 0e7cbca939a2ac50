//! Two worlds put on one level, so that what differs between their results is owed
//! to what was written and to nothing else.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::wire_form::wire_form;
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
    /// What is there, or may be, and was not read.
    pub unread: Unread,
}

/// The documents of a world that were not read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unread(BTreeSet<String>);

impl Unread {
    /// Those at these paths; a path with a `/` at its end is all below it, whatever
    /// that is.
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        Self(paths.into_iter().collect())
    }

    /// Adds paths of documents that were not read.
    pub fn add(&mut self, paths: impl IntoIterator<Item = String>) {
        self.0.extend(paths);
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a document that was not read may be at a path.
    pub fn has(&self, path: &str) -> bool {
        let around = path.match_indices('/').map(|(at, _)| &path[..=at]);
        self.0.contains(path) || around.into_iter().any(|folder| self.0.contains(folder))
    }

    /// The paths that are known.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str).filter(|path| !path.ends_with('/'))
    }
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
/// - A document that has a version in one of the worlds alone has none in either.
///   A store gives what is published a `type: Document` if it has none; the world
///   without versions is taken as if it had been published.
/// - Metadata is that which a server would send.
/// - What was not read in one of the worlds is left out of the other.
pub fn level(before: Side, after: Side) -> (Store, Store) {
    let held = [&before, &after].map(|side| {
        let documents = side.documents.iter();
        documents.map(|d| (d.path().to_owned(), Arc::clone(d))).collect::<HashMap<_, _>>()
    });
    let of_files = [&before, &after].map(|side| side.has_times_of_files);
    let keeps_versions = [&before, &after].map(Side::keeps_versions);
    let missing = [&before, &after].map(|side| side.unread.clone());
    let takes_times = of_files.contains(&true);
    // What two folders hold was not published in between.
    let is_published = of_files.contains(&false);
    let store = |side: Side, own: usize| {
        let other = 1 - own;
        let keeps = |path: &str| held[other].contains_key(path) || !missing[other].has(path);
        let documents = side.documents.into_iter().filter(|it| keeps(it.path())).map(|document| {
            let path = document.path();
            let beside = held[other].get(path);
            let is_versioned =
                beside.map_or(keeps_versions[other], |beside| beside.version().is_some());
            let version = document.version().filter(|_| is_versioned);
            let time = held[1].get(path).filter(|_| takes_times).map(|second| second.modified());
            let time = time.unwrap_or(document.modified());
            let mut metadata = match beside {
                Some(beside) => wire_form(document.metadata(), beside.metadata(), is_published),
                None => document.metadata().clone(),
            };
            let name = path.rsplit('/').next().unwrap_or_default();
            let is_file = document.version().is_none() || of_files[own] && !of_files[other];
            if is_file && is_versioned && !WITHOUT_TYPE.contains(&name) {
                metadata.entry("type".into()).or_insert_with(|| "Document".into());
            }
            let is_same = (version, time) == (document.version(), document.modified());
            if is_same && metadata == *document.metadata() {
                return document;
            }
            Arc::new(
                Document::new(path, document.body())
                    .with_version(version)
                    .with_modified(time)
                    .with_metadata(metadata),
            )
        });
        Store::new(side.name, documents, side.errors)
    };
    (store(before, 0), store(after, 1))
}
