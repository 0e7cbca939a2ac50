//! Worlds: documents from a folder, an archive, or the binary itself.
//!
//! - a folder of `.md` files, each with front matter or without
//! - an archive, one file of JSON documents: `.json`, `.jsonl` or `.jsonl.gz`
//! - the example world inside the binary
//! - a server, asked over the network for one lookup at a time: [`Remote`]
//!
//! A world opens if it holds at least one document. What could not be read is
//! left out and said, see [`World::problems`]; it never keeps the rest out.
//! Nothing but this module reads documents.

mod archive;
mod bundled;
mod error;
mod file;
mod folder;
mod front_matter;
mod mend;
mod problem;
mod remote;
mod yaml;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::Document;

pub use error::WorldError;
pub use problem::Problem;
pub use remote::{Remote, RemoteAsked, RemoteError, RemoteOptions};

use file::Parsed;

/// The largest document, in bytes. For a file this includes its front matter.
pub const MAX_DOCUMENT: usize = 10 * 1024 * 1024;

/// What a fetch answers where a world has no document.
pub const NOT_FOUND: &str = "not-found";

/// Where a world is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The example world inside the binary.
    Bundled,
    /// A folder or an archive.
    Path(PathBuf),
}

/// Everything that one source holds, read once.
#[derive(Debug)]
pub struct World {
    name: String,
    source: Option<Source>,
    documents: Vec<Arc<Document>>,
    errors: BTreeMap<String, String>,
    problems: Vec<Problem>,
}

impl World {
    /// Reads a world. Of a path that is a folder every file named `.md` below it
    /// is read; a path that is a file must be an archive by its name.
    ///
    /// # Errors
    ///
    /// There is no world at the path, it cannot be read at all, or it holds no
    /// document. A bad document among good ones is no error but a
    /// [problem](Self::problems).
    pub fn open(source: &Source) -> Result<Self, WorldError> {
        let mut world = match source {
            Source::Bundled => {
                let parsed = bundled::read();
                let looked_at = parsed.len();
                Self::of_files(
                    bundled::NAME.to_owned(),
                    Path::new(bundled::NAME),
                    parsed,
                    looked_at,
                )?
            }
            Source::Path(path) => Self::open_path(path)?,
        };
        world.source = Some(source.clone());
        Ok(world)
    }

    /// A world in memory: a name, its documents, and for some paths the error that
    /// a fetch answers. Of two documents with one path the first is kept.
    pub fn from_documents(
        name: impl Into<String>,
        documents: impl IntoIterator<Item = Document>,
        errors: BTreeMap<String, String>,
    ) -> Self {
        let mut documents: Vec<_> = documents.into_iter().map(Arc::new).collect();
        documents.sort_by(|a, b| a.path().cmp(b.path()));
        documents.dedup_by(|later, first| later.path() == first.path());
        Self { name: name.into(), source: None, documents, errors, problems: Vec::new() }
    }

    fn open_path(path: &Path) -> Result<Self, WorldError> {
        let metadata = fs::metadata(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => WorldError::Missing { path: path.to_owned() },
            _ => WorldError::Unreadable { path: path.to_owned(), source },
        })?;
        if metadata.is_dir() {
            let contents = folder::read(path)?;
            Self::of_files(folder_name(path), path, contents.parsed, contents.looked_at)
        } else if let Some(kind) = archive::Kind::of(path).filter(|_| metadata.is_file()) {
            let contents = archive::read(path, kind, archive::Limits::default())?;
            let mut world =
                Self::from_documents(contents.name, contents.documents, contents.errors);
            world.problems = contents.problems;
            world.not_empty(path, contents.looked_at)
        } else {
            Err(WorldError::NotAWorld { path: path.to_owned() })
        }
    }

    fn of_files(
        name: String,
        path: &Path,
        parsed: Vec<Parsed>,
        looked_at: usize,
    ) -> Result<Self, WorldError> {
        let mut documents = Vec::new();
        let mut problems = Vec::new();
        for parsed in parsed {
            documents.extend(parsed.document);
            problems.extend(parsed.problems);
        }
        // A stable sort: what is on one line stays in the order it was found.
        problems.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        let mut world = Self::from_documents(name, documents, BTreeMap::new());
        world.problems = problems;
        world.not_empty(path, looked_at)
    }

    fn not_empty(self, path: &Path, looked_at: usize) -> Result<Self, WorldError> {
        if self.documents.is_empty() {
            let problems = self.problems;
            return Err(WorldError::Empty { path: path.to_owned(), looked_at, problems });
        }
        Ok(self)
    }

    /// The name: a folder's own, what an archive says or is called, `music` for
    /// the example world. May hold any character.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the world was read from; `None` for one made in memory.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// All documents in byte order of their paths, each path once.
    pub fn documents(&self) -> &[Arc<Document>] {
        &self.documents
    }

    /// The error texts that a fetch of some paths answers, by path. A document at
    /// such a path is still one of [`documents`](Self::documents), so it can be
    /// found, but not read.
    pub fn errors(&self) -> &BTreeMap<String, String> {
        &self.errors
    }

    /// The document at exactly this path. Nothing is decoded, trimmed or joined.
    ///
    /// # Errors
    ///
    /// The error text that the world declares for the path, else
    /// [`NOT_FOUND`] where it has no document.
    pub fn fetch(&self, path: &str) -> Result<Arc<Document>, String> {
        if let Some(error) = self.errors.get(path) {
            return Err(error.clone());
        }
        self.documents
            .binary_search_by(|document| document.path().cmp(path))
            .map(|index| Arc::clone(&self.documents[index]))
            .map_err(|_| NOT_FOUND.to_owned())
    }

    /// What was left out or could not be used as written: for a folder in order
    /// of files and lines, for an archive in the order of its text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many documents were left out. A folder that could not be entered counts
    /// as one.
    pub fn left_out(&self) -> usize {
        self.problems.iter().filter(|problem| problem.left_out).count()
    }
}

/// A folder's own name, also where it was given as `.` or through a link.
fn folder_name(path: &Path) -> String {
    let full = fs::canonicalize(path);
    let full = full.as_deref().unwrap_or(path);
    full.file_name().unwrap_or(full.as_os_str()).to_string_lossy().into_owned()
}
