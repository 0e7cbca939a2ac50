//! Worlds: documents from a folder, a store, an archive, or the binary itself.
//!
//! - a folder of `.md` files, each with front matter or without
//! - the root folder of a demarkus store, with the history of each document
//! - an archive, one file of JSON documents: `.json`, `.jsonl` or `.jsonl.gz`
//! - a corpus, one archive of a whole store: `.jsonl` or `.jsonl.gz`
//! - the example world inside the binary
//! - a server, asked over the network for one lookup at a time: [`RemoteWorld`]
//! - several of these at once: [`Many`]
//! - in place of a world: a result that was recorded, [`Recorded`], and a tool that
//!   answers lookups for agents, [`Tool`]
//!
//! [`Reader`] is any of them for one who asks.
//!
//! A world opens if it holds at least one document. What could not be read is
//! left out and said, see [`World::problems`]; it never keeps the rest out.
//! Nothing but this module reads documents, and it never writes any.
//!
//! A folder is taken for a store if at least one symbolic link `NAME` below it, in
//! no folder named `versions`, reads `versions/NAME/vN` or `versions/NAME.vN` and
//! its history is there; else it is a folder of `.md` files. In a store a file
//! without a history is no document.

mod archive;
mod bundled;
mod corpus;
mod error;
mod file;
mod folder;
mod front_matter;
mod many;
mod mend;
mod problem;
mod reader;
mod recorded;
mod remote;
mod revision;
mod store;
mod tool;
mod versions;
mod watch;
mod yaml;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use crate::document::Document;

pub use error::WorldError;
pub use many::Many;
pub use problem::Problem;
pub use reader::Reader;
pub use recorded::Recorded;
pub use remote::{
    Crawled, MAX_DOCUMENTS, Progress, Remote, RemoteError, RemoteOptions, RemoteWorld,
};
pub use store::{ChainBreak, ChainReport};
pub use tool::Tool;
pub use versions::{KeptVersion, Versions};
pub use watch::{Seen, Watch};

use file::Parsed;

/// The largest document, in bytes. For a file this includes its front matter.
pub const MAX_DOCUMENT: usize = 10 * 1024 * 1024;

/// What a fetch answers where a world has no document.
pub const NOT_FOUND: &str = "not-found";

/// What a fetch answers where a document is archived. Its versions can be fetched.
pub const ARCHIVED: &str = "archived";

/// What a fetch answers where a version is there but cannot be read.
pub const UNREADABLE: &str = "server-error";

/// The document that stands for its folder.
const INDEX: &str = "index.md";

/// Where a world is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The example world inside the binary.
    Bundled,
    /// A folder, a store, an archive or a corpus.
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
    history: History,
    has_times_of_files: bool,
    /// The files of a git revision.
    revision: Option<revision::Kept>,
}

/// The versions of a world beside the current ones.
#[derive(Debug)]
enum History {
    None,
    /// Read when a version is asked for.
    Store(store::Root),
    Corpus(corpus::Histories),
}

impl World {
    /// Reads a world. Of a path that is a store the current version of each
    /// document is read, of any other folder every file named `.md` below it; a
    /// path that is a file must be an archive by its name.
    ///
    /// # Errors
    ///
    /// There is no world at the path, it cannot be read at all, or it holds no
    /// document. A bad document among good ones is no error but a
    /// [problem](Self::problems).
    pub fn open(source: &Source) -> Result<Self, WorldError> {
        Self::open_at(source, None)
    }

    /// Reads a world as it stood at a time. Of a store or a corpus each document
    /// is there in its newest version that is not later; a document without such a
    /// version is not there. It is archived if it was so by then, as far as that is
    /// known: a store keeps only the last change of the archived state and its
    /// time, a corpus not even the time, so a document is archived there from its
    /// newest version on. Removed versions are not known of.
    ///
    /// A plain folder and a plain archive have no history. All that can be said of
    /// them is which documents have not changed since: those are there, and
    /// every other one, also one without a time, is not.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open); that there was no document yet is one.
    pub fn open_as_of(source: &Source, time: Timestamp) -> Result<Self, WorldError> {
        Self::open_at(source, Some(time))
    }

    /// Reads a folder as it stood in a git revision, with the `git` command. Its name
    /// is the folder's. The folder need not be in the work tree any more.
    ///
    /// # Errors
    ///
    /// There is no such folder, no `git`, no repository, no such revision, or no document.
    pub fn open_revision(folder: &Path, revision: &str) -> Result<Self, WorldError> {
        if folder.exists() && !folder.is_dir() {
            return Err(WorldError::NotAWorld { path: folder.to_owned() });
        }
        let contents = revision::read(folder, revision)?;
        let revision::Contents { parsed, looked_at, kept } = contents;
        let mut world = Self::of_files(folder_name(folder), folder, parsed, looked_at)?;
        world.has_times_of_files = true;
        world.revision = Some(kept);
        Ok(world)
    }

    /// Whether a git revision has a folder, be it in the work tree or not.
    pub fn is_in_revision(folder: &Path, revision: &str) -> bool {
        revision::has(folder, revision)
    }

    /// The text of a file of a folder as it stood in a git revision, whatever it is
    /// called; `None` where it cannot be had.
    pub fn text_in_revision(folder: &Path, revision: &str, name: &str) -> Option<String> {
        revision::text(folder, revision, name)
    }

    /// Whether the times of the documents are those of files on this machine or of
    /// a git revision, which are no part of what was written.
    pub fn has_times_of_files(&self) -> bool {
        self.has_times_of_files
    }

    fn open_at(source: &Source, as_of: Option<Timestamp>) -> Result<Self, WorldError> {
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
            Source::Path(path) => Self::open_path(path, as_of)?,
        };
        world.source = Some(source.clone());
        let Some(time) = as_of else { return Ok(world) };
        if matches!(world.history, History::None) {
            let is_then = |modified: Option<Timestamp>| modified.is_some_and(|at| at <= time);
            world.documents.retain(|document| is_then(document.modified()));
        }
        if world.documents.is_empty() {
            let path = match source {
                Source::Bundled => PathBuf::from(bundled::NAME),
                Source::Path(path) => path.clone(),
            };
            return Err(WorldError::NothingYet { path, time });
        }
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
        Self {
            name: name.into(),
            source: None,
            documents,
            errors,
            problems: Vec::new(),
            history: History::None,
            has_times_of_files: false,
            revision: None,
        }
    }

    fn open_path(path: &Path, as_of: Option<Timestamp>) -> Result<Self, WorldError> {
        let metadata = found(path)?;
        if metadata.is_dir() {
            if let Some(contents) = store::read(path, as_of)? {
                let store::Contents { root, documents, errors, problems, looked_at } = contents;
                let mut world = Self::from_documents(folder_name(path), documents, errors);
                world.problems = problems;
                world.history = History::Store(root);
                return world.not_empty_unless(as_of.is_some(), path, looked_at);
            }
            let folder::Contents { parsed, looked_at } = folder::read(path)?;
            let mut world = Self::of_files(folder_name(path), path, parsed, looked_at)?;
            world.has_times_of_files = true;
            Ok(world)
        } else if let Some(kind) = archive::Kind::of(path).filter(|_| metadata.is_file()) {
            if corpus::is_corpus(path, kind)? {
                let contents = corpus::read(path, kind, as_of)?;
                let corpus::Contents { name, documents, errors, problems, histories } = contents;
                let looked_at = histories.len();
                let mut world = Self::from_documents(name, documents, errors);
                world.problems = problems;
                world.history = History::Corpus(histories);
                return world.not_empty_unless(as_of.is_some(), path, looked_at);
            }
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

    /// What a time leaves empty is told by the time, not by what was looked at.
    fn not_empty_unless(
        self,
        excused: bool,
        path: &Path,
        looked_at: usize,
    ) -> Result<Self, WorldError> {
        if excused { Ok(self) } else { self.not_empty(path, looked_at) }
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

    /// The document at exactly this path, as a server of this world gives it. Nothing
    /// is decoded, trimmed or joined. A path `/doc.md/vN` that is no document itself
    /// gives version N of `/doc.md`: N is at least 1 and may have zeros before it. It
    /// is no version where `/doc.md` is a folder. A folder gives its `index.md`.
    ///
    /// A result asks for less: there, only the path of a current document is one.
    ///
    /// # Errors
    ///
    /// The error text that the world declares for the path, else
    /// [`NOT_FOUND`] where it has no document, [`ARCHIVED`] where it has one no
    /// more.
    pub fn fetch(&self, path: &str) -> Result<Arc<Document>, String> {
        if let Some(error) = self.errors.get(path) {
            return Err(error.clone());
        }
        if let Some(document) = self.current(path) {
            return Ok(Arc::clone(document));
        }
        match version_path(path) {
            Some((base, number)) if !self.is_directory(base) => self.version(base, number),
            _ => self.index(path),
        }
    }

    /// The `index.md` of a folder. A server makes a list where there is none, or an
    /// archived one; that is no document.
    fn index(&self, folder: &str) -> Result<Arc<Document>, String> {
        let path = match folder {
            "/" => format!("/{INDEX}"),
            _ if folder.starts_with('/') && !folder.ends_with('/') => format!("{folder}/{INDEX}"),
            _ => return Err(NOT_FOUND.to_owned()),
        };
        match self.errors.get(&path) {
            Some(error) if error != ARCHIVED => Err(error.clone()),
            Some(_) => Err(NOT_FOUND.to_owned()),
            None => self.current(&path).cloned().ok_or_else(|| NOT_FOUND.to_owned()),
        }
    }

    /// One version of the document at exactly this path, also of an archived one.
    /// Of a store it is read now. A world without history has the version that its
    /// document says it is, if it does. Of a world as it stood at a time, later
    /// versions are not found.
    ///
    /// # Errors
    ///
    /// What a fetch answers: the error text that the world declares for the path,
    /// [`NOT_FOUND`], or [`UNREADABLE`].
    pub fn version(&self, path: &str, number: u64) -> Result<Arc<Document>, String> {
        if let Some(error) = self.errors.get(path).filter(|error| *error != ARCHIVED) {
            return Err(error.clone());
        }
        if let Some(document) = self.current(path).filter(|held| held.version() == Some(number)) {
            return Ok(Arc::clone(document));
        }
        match &self.history {
            History::None => Err(NOT_FOUND.to_owned()),
            History::Store(root) => root.version(path, number).map(Arc::new),
            History::Corpus(histories) => histories.version(path, number).map(Arc::new),
        }
    }

    /// The folder that every document is a file of, where it is a plain folder.
    pub fn folder(&self) -> Option<&Path> {
        match (&self.source, &self.history) {
            (Some(Source::Path(root)), History::None) if root.is_dir() => Some(root),
            _ => None,
        }
    }

    /// Takes the documents of an earlier reading in place of equal ones, so that what
    /// is known of them is not worked out again.
    pub fn reuse(&mut self, before: &[Arc<Document>]) {
        for document in &mut self.documents {
            let at = before.binary_search_by(|other| other.path().cmp(document.path()));
            if let Some(known) = at.ok().and_then(|at| before.get(at))
                && known.is_same(document)
            {
                *document = Arc::clone(known);
            }
        }
    }

    /// The file that holds the document at a path, as it is named to people, with its
    /// text, front matter included, read now. `None` where the document has no file
    /// of its own, or it cannot be read.
    pub fn text_of(&self, path: &str) -> Option<(PathBuf, String)> {
        let document = self.current(path)?;
        if let Some(kept) = &self.revision {
            return Some(kept.text(document));
        }
        let below = path.trim_start_matches('/');
        match (&self.source, &self.history) {
            (Some(Source::Bundled), _) => {
                Some((Path::new(bundled::NAME).join(below), bundled::text(below)?.to_owned()))
            }
            (Some(Source::Path(root)), History::None) if root.is_dir() => {
                let file = root.join(below);
                let text = fs::read_to_string(&file).ok()?;
                Some((file, text))
            }
            (Some(Source::Path(_)), History::Store(root)) => {
                let file = root.file(path, document.version()?)?;
                let text = fs::read_to_string(&file).ok()?;
                Some((file, text))
            }
            _ => None,
        }
    }

    /// The bytes of a file that a [problem](Self::problems) is about, read now where
    /// that is possible.
    pub fn bytes_of(&self, file: &Path) -> Option<Vec<u8>> {
        match &self.revision {
            Some(kept) => kept.faulty(file).map(<[u8]>::to_vec),
            None => fs::read(file).ok(),
        }
    }

    /// All versions that are kept of the document at exactly this path, also of an
    /// archived one, read now. `None` where the world keeps no history of it, or
    /// where it cannot be read.
    pub fn history(&self, path: &str) -> Option<Versions> {
        match &self.history {
            History::None => None,
            History::Store(root) => root.history(path),
            History::Corpus(histories) => histories.history(path),
        }
    }

    /// The etag that a server gives for a version of the document at this path, read
    /// now: the hexadecimal SHA-256 of its stored bytes. `None` where the world keeps
    /// no history of it.
    pub fn etag(&self, path: &str, number: u64) -> Option<String> {
        match &self.history {
            History::None => None,
            History::Store(root) => root.etag(path, number),
            History::Corpus(histories) => histories.etag(path, number),
        }
    }

    fn current(&self, path: &str) -> Option<&Arc<Document>> {
        let found = self.documents.binary_search_by(|document| document.path().cmp(path));
        found.ok().map(|index| &self.documents[index])
    }

    /// Whether documents are below a path, or could be.
    fn is_directory(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let first = self.documents.partition_point(|document| document.path() < below.as_str());
        self.documents.get(first).is_some_and(|document| document.path().starts_with(&below))
            || self.errors.range(below.clone()..).next().is_some_and(|(p, _)| p.starts_with(&below))
            || matches!(&self.history, History::Store(root) if root.is_directory(path))
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

/// Verifies what the documents of a store or a corpus record of their history:
/// each version holds the hash of the one before it. There is a report for every
/// document, archived ones too, in byte order of the paths.
///
/// # Errors
///
/// There is nothing at the path, it cannot be read at all, or it keeps no
/// versions. A broken history is no error.
pub fn verify_chains(path: &Path) -> Result<Vec<ChainReport>, WorldError> {
    let no_history = || WorldError::NoHistory { path: path.to_owned() };
    let metadata = found(path)?;
    if metadata.is_dir() {
        return store::verify(path)?.ok_or_else(no_history);
    }
    match archive::Kind::of(path).filter(|_| metadata.is_file()) {
        Some(kind) if corpus::is_corpus(path, kind)? => {
            Ok(corpus::read(path, kind, None)?.histories.verify())
        }
        _ => Err(no_history()),
    }
}

fn found(path: &Path) -> Result<fs::Metadata, WorldError> {
    fs::metadata(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => WorldError::Missing { path: path.to_owned() },
        _ => WorldError::Unreadable { path: path.to_owned(), source },
    })
}

/// The document and the number of a path `/doc.md/vN`.
fn version_path(path: &str) -> Option<(&str, u64)> {
    let (base, last) = path.rsplit_once('/')?;
    let digits =
        last.strip_prefix('v').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse().ok().filter(|number| *number > 0).map(|number| (base, number))
}

/// A folder's own name, also where it was given as `.` or through a link.
fn folder_name(path: &Path) -> String {
    let full = fs::canonicalize(path);
    let full = full.as_deref().unwrap_or(path);
    full.file_name().unwrap_or(full.as_os_str()).to_string_lossy().into_owned()
}
