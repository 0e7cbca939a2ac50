//! Documents from the root folder of a demarkus store, read while a server may be
//! writing to it. Nothing is ever created, locked or changed.
//!
//! # What is a store
//!
//! A folder is a store if somewhere in it, and in no folder named `versions`, is a
//! *pointer*: a symbolic link `NAME` that reads `versions/NAME/vN` (or, of servers
//! before the summer of 2026, `versions/NAME.vN`) and whose history is there. Any
//! other folder is a plain one. In a store only pointers are documents; files
//! without a history are said, not shown. Names that begin with a dot are as good
//! as others, as they are for a lookup of the server itself.
//!
//! # While a server writes
//!
//! The current version is the one that the pointer names; what is above it is still
//! being written. What vanishes, changes while it is read, or does not look whole
//! is read again from the pointer on, a few times, before it is a problem. A walk
//! is no snapshot: two documents may come from different moments.
//!
//! - `walk`: where the documents are
//! - `entry`: one document
//! - `disk`: files read as they are
//! - `version_file`: the bytes of one version
//! - `chain`: whether the versions are what was published

mod chain;
mod disk;
mod entry;
pub(super) mod version_file;
mod walk;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rayon::prelude::*;

pub use chain::{ChainBreak, ChainReport};
pub(super) use chain::{Link, hexadecimal, newest_break};

use self::entry::{Entry, Outcome, Patience};
use self::walk::{VERSIONS, Walk};
use super::problem::Problem;
use super::versions::Versions;
use super::{ARCHIVED, NOT_FOUND, UNREADABLE, WorldError};
use crate::document::Document;

/// A store, remembered for its older versions.
#[derive(Debug)]
pub(super) struct Root {
    /// The root without any link in its path.
    real: PathBuf,
    /// The root as given.
    shown: PathBuf,
    /// The time at which the store is looked at, if that is not now.
    as_of: Option<Timestamp>,
}

/// What a store holds for a reader.
pub(super) struct Contents {
    pub(super) root: Root,
    pub(super) documents: Vec<Document>,
    pub(super) errors: BTreeMap<String, String>,
    pub(super) problems: Vec<Problem>,
    /// How many pointers were looked at.
    pub(super) looked_at: usize,
}

/// Reads a folder if it is a store; as it stood at a time, if one is given.
///
/// # Errors
///
/// The folder itself cannot be read.
pub(super) fn read(
    folder: &Path,
    as_of: Option<Timestamp>,
) -> Result<Option<Contents>, WorldError> {
    let Some((real, walk)) = walk_store(folder)? else { return Ok(None) };
    let Walk { entries, mut problems, lost, strays } = walk;
    problems.extend(lost);
    let looked_at = entries.len();
    let patience = Patience::new();
    let outcomes: Vec<(String, Outcome)> = entries
        .into_par_iter()
        .map(|entry| (entry.path.clone(), entry.read(as_of, &patience)))
        .collect();
    let mut documents = Vec::new();
    let mut errors = BTreeMap::new();
    for (path, outcome) in outcomes {
        match outcome {
            Outcome::Live(document, found) => {
                documents.push(document);
                problems.extend(found);
            }
            Outcome::Archived(found) => {
                errors.insert(path, ARCHIVED.to_owned());
                problems.extend(found);
            }
            Outcome::Absent => {}
            Outcome::Broken(problem) => problems.push(problem),
        }
    }
    problems.extend(strays.map(|(first, count)| {
        let others = match count {
            1 => "is no document of the store".to_owned(),
            _ => format!("and {} more are no documents of the store", count - 1),
        };
        Problem::new(
            &first,
            format!("the file has no history, so it {others}"),
            "publish it, or open the folder it is in by itself",
        )
    }));
    problems.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let root = Root { real, shown: folder.to_owned(), as_of };
    Ok(Some(Contents { root, documents, errors, problems, looked_at }))
}

/// Verifies every history of a store; `None` if the folder is none.
///
/// # Errors
///
/// The folder itself cannot be read.
pub(super) fn verify(folder: &Path) -> Result<Option<Vec<ChainReport>>, WorldError> {
    let Some((_, walk)) = walk_store(folder)? else { return Ok(None) };
    let patience = Patience::new();
    let mut reports: Vec<ChainReport> =
        walk.entries.par_iter().map(|entry| entry.verify(&patience)).collect();
    reports.extend(walk.lost.into_iter().map(|problem| {
        let below = problem.file.strip_prefix(folder).unwrap_or(&problem.file);
        let broken = ChainBreak::new(problem.file.clone(), None, &problem.message);
        ChainReport {
            path: format!("/{}", below.display()),
            versions: Vec::new(),
            broken: Some(broken),
        }
    }));
    reports.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Some(reports))
}

fn walk_store(folder: &Path) -> Result<Option<(PathBuf, Walk)>, WorldError> {
    let unreadable = |source| WorldError::Unreadable { path: folder.to_owned(), source };
    let real = fs::canonicalize(folder).map_err(unreadable)?;
    let walk = walk::walk(&real, folder).map_err(unreadable)?;
    Ok((!walk.entries.is_empty()).then_some((real, walk)))
}

impl Root {
    /// One version of a document, live or archived.
    ///
    /// # Errors
    ///
    /// What a fetch answers: it is not there, or it cannot be read.
    pub(super) fn version(&self, path: &str, number: u64) -> Result<Document, String> {
        let entry = self.entry(path).ok_or(NOT_FOUND)?;
        match entry.version(number, self.as_of) {
            Ok(document) => document.ok_or_else(|| NOT_FOUND.to_owned()),
            Err(_) => Err(UNREADABLE.to_owned()),
        }
    }

    /// All versions that are kept of a document, live or archived.
    pub(super) fn history(&self, path: &str) -> Option<Versions> {
        self.entry(path)?.history(self.as_of).ok().flatten()
    }

    /// The etag of a version.
    pub(super) fn etag(&self, path: &str, number: u64) -> Option<String> {
        self.entry(path)?.etag(number)
    }

    /// The file of a version, as it is named to people.
    pub(super) fn file(&self, path: &str, number: u64) -> Option<PathBuf> {
        self.entry(path)?.file(number)
    }

    /// Whether a path is a folder of the store.
    pub(super) fn is_directory(&self, path: &str) -> bool {
        self.folder(path).is_some()
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        let (folder, name) = path.rsplit_once('/')?;
        let below = relative(folder)?;
        let dir = self.folder(folder)?;
        let is_name = !matches!(name, "" | "." | ".." | VERSIONS) && !name.contains('\0');
        let history = Path::new(VERSIONS).join(name);
        let is_inside = |place: &Path| disk::is_inside(&self.real, &dir.join(place));
        if !is_name || !is_inside(Path::new(VERSIONS)) || !is_inside(&history) {
            return None;
        }
        let shown = self.shown.join(below);
        Some(Entry { dir, shown, path: path.to_owned(), name: name.to_owned(), flat: true })
    }

    /// The folder at a path, if it is one of the store and no link leads to it.
    fn folder(&self, path: &str) -> Option<PathBuf> {
        let dir = self.real.join(relative(path)?);
        let real = fs::canonicalize(&dir).ok()?;
        (real == dir && real.is_dir()).then_some(dir)
    }
}

/// A path below the root, if each segment of it is a name.
fn relative(path: &str) -> Option<PathBuf> {
    let path = match path {
        "" | "/" => return Some(PathBuf::new()),
        path => path.strip_prefix('/')?,
    };
    let is_name = |segment: &str| {
        !matches!(segment, "" | "." | ".." | VERSIONS)
            && !segment.contains(['\0', std::path::MAIN_SEPARATOR])
    };
    path.split('/').all(is_name).then(|| PathBuf::from(path))
}
