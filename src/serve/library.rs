//! What is served: a world, and the versions of its documents as far as it knows
//! them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use super::hash;
use crate::document::Document;
use crate::lookup::Store;
use crate::mark::wire::write_block;
use crate::world::World;

/// One version of a document.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its number, from 1.
    pub number: u64,
    /// The document as it was.
    pub document: Arc<Document>,
    /// The etag that the store it comes from would give, where that is known.
    pub etag: Option<String>,
}

/// The versions of a document, oldest first.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The versions kept; they need not begin at 1.
    pub versions: Vec<Version>,
    /// Whether the versions were found to be unaltered, where that was looked at.
    pub chain_valid: Option<bool>,
}

/// Where older versions come from.
pub trait Histories: Send + Sync {
    /// The versions of the document at a path, live or archived; `None` where none
    /// are kept.
    fn history(&self, path: &str) -> Option<History>;

    /// The etag of one version, without reading the others.
    fn etag(&self, path: &str, number: u64) -> Option<String>;
}

impl Histories for World {
    fn history(&self, path: &str) -> Option<History> {
        let kept = Self::history(self, path)?;
        let versions = kept.versions.into_iter().map(|kept| Version {
            number: kept.number,
            document: kept.document,
            etag: Some(kept.etag),
        });
        Some(History { versions: versions.collect(), chain_valid: Some(kept.is_valid) })
    }

    fn etag(&self, path: &str, number: u64) -> Option<String> {
        Self::etag(self, path, number)
    }
}

/// A world to be served.
pub struct Library {
    pub(super) store: Store,
    source: Option<Box<dyn Histories>>,
    histories: BTreeMap<String, History>,
    by_hash: OnceLock<HashMap<String, String>>,
}

impl Library {
    /// A world of which only current versions are known.
    pub fn new(store: Store) -> Self {
        Self { store, source: None, histories: BTreeMap::new(), by_hash: OnceLock::new() }
    }

    /// The same world with the versions of one path. The last is the current one,
    /// and if the path is an archived document's, the one before it was archived.
    #[must_use]
    pub fn with_history(mut self, path: impl Into<String>, history: History) -> Self {
        self.histories.insert(path.into(), history);
        self
    }

    /// The same world with a source that is asked for versions when they are needed.
    #[must_use]
    pub fn with_histories(mut self, source: impl Histories + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// The versions known of a path, oldest first; of a document without version
    /// numbers, none.
    pub(super) fn history(&self, path: &str) -> Option<History> {
        if let Some(history) = self.histories.get(path) {
            return Some(history.clone());
        }
        if let Some(history) = self.source.as_ref().and_then(|source| source.history(path)) {
            return Some(history);
        }
        let document = self.store.catalog().document(path)?;
        let current = document.version().map(|number| Version {
            number,
            document: Arc::clone(document),
            etag: None,
        });
        Some(History { versions: current.into_iter().collect(), chain_valid: None })
    }

    /// The document at a path as it is read now, with its etag; or the error text.
    pub(super) fn current(&self, path: &str) -> Result<(Arc<Document>, String), String> {
        let document = self.store.fetch(path)?;
        let known = document.version().and_then(|number| self.known_etag(path, number));
        let etag = known.unwrap_or_else(|| etag_of(&document));
        Ok((document, etag))
    }

    fn known_etag(&self, path: &str, number: u64) -> Option<String> {
        if let Some(history) = self.histories.get(path) {
            let version = history.versions.iter().find(|version| version.number == number);
            return version.and_then(|version| version.etag.clone());
        }
        self.source.as_ref().and_then(|source| source.etag(path, number))
    }

    /// Whether there is a directory, be it one of archived documents only.
    pub(super) fn is_directory(&self, path: &str) -> bool {
        let below = format!("{}/", path.trim_end_matches('/'));
        self.store.catalog().is_directory(path)
            || self.past().any(|known| known.starts_with(&below))
    }

    /// Paths that were documents at some time.
    fn past(&self) -> impl Iterator<Item = &str> {
        let errors = self.store.errors().keys().filter(|path| !self.histories.contains_key(*path));
        self.histories.keys().chain(errors).map(String::as_str)
    }

    /// Every path that is or was a document's, and whether it is archived.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&str, bool)> {
        let documents = self.store.catalog().documents().iter().map(|document| document.path());
        let others = self.past().filter(|path| self.store.catalog().document(path).is_none());
        documents.chain(others).map(|path| {
            (path, self.store.fetch(path).err().is_some_and(|error| error == "archived"))
        })
    }

    /// The smallest path of a document that can be read and has this body.
    pub(super) fn path_of_hash(&self, hex: &str) -> Option<&str> {
        let by_hash = self.by_hash.get_or_init(|| {
            let mut by_hash = HashMap::new();
            for document in self.store.catalog().documents() {
                if self.store.fetch(document.path()).is_ok() {
                    let hash = hash(document.body().as_bytes());
                    by_hash.entry(hash).or_insert_with(|| document.path().to_owned());
                }
            }
            by_hash
        });
        by_hash.get(hex).map(String::as_str)
    }
}

/// The etag of a document that has no stored file: it changes with everything a
/// response says.
pub(super) fn etag_of(document: &Document) -> String {
    let version = document.version().map(|version| version.to_string()).unwrap_or_default();
    let metadata = document.metadata().iter().map(|(key, value)| (key.as_str(), value.as_str()));
    hash(format!("{version}\n{}---\n{}", write_block(metadata), document.body()).as_bytes())
}
