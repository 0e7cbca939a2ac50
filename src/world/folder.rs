//! Documents from a folder of plain markdown files.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rayon::prelude::*;

use super::file::{self, Parsed};
use super::problem::Problem;
use super::{MAX_DOCUMENT, WorldError};

/// How many links to folders are followed. A few folders that link to each other
/// twice already have more paths than anybody wants to read.
pub(super) const MAX_LINKED_FOLDERS: usize = 1_000;

/// What a walk through a folder brought.
pub(super) struct Contents {
    pub(super) parsed: Vec<Parsed>,
    /// How many files of any name were looked at.
    pub(super) looked_at: usize,
}

/// Whether a name keeps a file or folder out of every world.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether a file of that name is a document.
pub(super) fn is_document(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(b".md") && !is_hidden(name)
}

/// Reads every document below a folder: names are taken in byte order, and what
/// is wrong with a file never keeps another one out.
///
/// # Errors
///
/// The folder itself cannot be read.
pub(super) fn read(folder: &Path) -> Result<Contents, WorldError> {
    let unreadable = |source| WorldError::Unreadable { path: folder.to_owned(), source };
    let root = fs::canonicalize(folder).map_err(unreadable)?;
    fs::read_dir(&root).map_err(unreadable)?;
    let mut walk = Walk {
        root: root.clone(),
        visited: Vec::new(),
        pending: vec![Folder {
            real: root,
            shown: folder.to_owned(),
            path: Some(String::new()),
            parent: None,
        }],
        found: Vec::new(),
        problems: Vec::new(),
        looked_at: 0,
        links: 0,
    };
    while let Some(next) = walk.pending.pop() {
        walk.folder(next);
    }
    let mut parsed: Vec<Parsed> = walk.found.into_par_iter().map(read_file).collect();
    parsed.push(Parsed { document: None, problems: walk.problems });
    Ok(Contents { parsed, looked_at: walk.looked_at })
}

struct Walk {
    /// The folder of the world, without any link in its path.
    root: PathBuf,
    /// Every folder entered, so that the chain of those around one can be walked
    /// without recursion: trees can be deeper than a stack is.
    visited: Vec<Visited>,
    pending: Vec<Folder>,
    found: Vec<Found>,
    problems: Vec<Problem>,
    looked_at: usize,
    links: usize,
}

struct Visited {
    real: PathBuf,
    parent: Option<usize>,
}

/// A folder to be entered.
struct Folder {
    /// Its path without any link.
    real: PathBuf,
    /// What a message calls it.
    shown: PathBuf,
    /// Its path in the world without a `/` at the end; `None` if it is no UTF-8.
    path: Option<String>,
    /// The folder it is in, as an index into the visited ones.
    parent: Option<usize>,
}

/// A document to be read.
struct Found {
    real: PathBuf,
    shown: PathBuf,
    path: String,
}

impl Walk {
    fn folder(&mut self, folder: Folder) {
        if self.surrounds(&folder) {
            self.problems.push(
                Problem::new(
                    &folder.shown,
                    "the link leads back to a folder it is in, without end",
                    "remove the link",
                )
                .leaves_out(),
            );
            return;
        }
        let names = match names(&folder.real) {
            Ok(names) => names,
            Err(error) => {
                self.problems.push(unreadable(&folder.shown, "folder", &error).leaves_out());
                return;
            }
        };
        let index = self.visited.len();
        let mut folders = Vec::new();
        for (name, kind) in names {
            if is_hidden(&name) {
                continue;
            }
            let entry = Folder {
                real: folder.real.join(&name),
                shown: folder.shown.join(&name),
                path: folder.path.as_deref().zip(name.to_str()).map(|(p, n)| format!("{p}/{n}")),
                parent: Some(index),
            };
            let is_document = is_document(&name);
            match kind {
                Ok(kind) if kind.is_symlink() => self.link(entry, is_document, &mut folders),
                Ok(kind) if kind.is_dir() => folders.push(entry),
                Ok(kind) => self.file(entry, is_document, kind.is_file()),
                Err(error) => {
                    let problem = unreadable(&entry.shown, "file", &error);
                    self.problems.push(if is_document { problem.leaves_out() } else { problem });
                }
            }
        }
        self.visited.push(Visited { real: folder.real, parent: folder.parent });
        // The last one is taken first.
        self.pending.extend(folders.into_iter().rev());
    }

    /// Whether a folder is one of those it is in: then a link made a loop.
    fn surrounds(&self, folder: &Folder) -> bool {
        let mut around = folder.parent;
        while let Some(visited) = around.and_then(|index| self.visited.get(index)) {
            if visited.real == folder.real {
                return true;
            }
            around = visited.parent;
        }
        false
    }

    fn link(&mut self, mut entry: Folder, is_document: bool, folders: &mut Vec<Folder>) {
        let target = fs::canonicalize(&entry.real)
            .and_then(|target| fs::metadata(&target).map(|metadata| (target, metadata)));
        let (target, metadata) = match target {
            Ok(found) => found,
            Err(error) => {
                // A link that leads nowhere is a document only by its name.
                if is_document {
                    let problem = Problem::new(
                        &entry.shown,
                        format!("the link leads nowhere: {error}"),
                        "mend or remove the link",
                    );
                    self.problems.push(problem.leaves_out());
                }
                return;
            }
        };
        if !target.starts_with(&self.root) {
            if is_document || metadata.is_dir() {
                let problem = Problem::new(
                    &entry.shown,
                    "the link leads out of the world",
                    "copy what it leads to into the folder",
                );
                self.problems.push(problem.leaves_out());
            }
            return;
        }
        entry.real = target;
        if !metadata.is_dir() {
            self.file(entry, is_document, metadata.is_file());
            return;
        }
        self.links += 1;
        if self.links <= MAX_LINKED_FOLDERS {
            folders.push(entry);
        } else if self.links == MAX_LINKED_FOLDERS + 1 {
            let problem = Problem::new(
                &entry.shown,
                format!("no more than {MAX_LINKED_FOLDERS} links to folders are followed"),
                "remove links to folders",
            );
            self.problems.push(problem.leaves_out());
        }
    }

    fn file(&mut self, entry: Folder, is_document: bool, is_regular: bool) {
        self.looked_at += 1;
        if !is_document {
            return;
        }
        let Folder { real, shown, path, .. } = entry;
        let problem = match path {
            // Opening a pipe would wait for somebody to write into it.
            _ if !is_regular => Problem::new(
                &shown,
                "this is a pipe, a socket or a device, not a file",
                "remove it, or give it another name than .md",
            ),
            Some(path) => {
                self.found.push(Found { real, shown, path });
                return;
            }
            None => Problem::new(
                &shown,
                "the name of the file or of a folder around it is not UTF-8",
                "rename it",
            ),
        };
        self.problems.push(problem.leaves_out());
    }
}

pub(super) type Named = (std::ffi::OsString, io::Result<FileType>);

/// The entries of a folder in byte order of their names.
pub(super) fn names(folder: &Path) -> io::Result<Vec<Named>> {
    let mut names = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| (entry.file_name(), entry.file_type())))
        .collect::<io::Result<Vec<_>>>()?;
    names.sort_by(|(a, _), (b, _)| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
    Ok(names)
}

fn read_file(found: Found) -> Parsed {
    let Found { real, shown, path } = found;
    match bytes(&real) {
        Ok(Some((bytes, metadata))) => {
            let mut parsed = file::parse(path, &shown, bytes);
            let modified = modified(&metadata);
            parsed.document = parsed.document.map(|document| document.with_modified(modified));
            parsed
        }
        Ok(None) => Parsed::left_out(file::too_large(&shown)),
        Err(error) => Parsed::left_out(unreadable(&shown, "file", &error)),
    }
}

/// The bytes of a file and what the system knows about it, or `None` if it is
/// too large. Its size is checked before anything is read, and again while
/// reading, for files that grow or that have no size.
fn bytes(real: &Path) -> io::Result<Option<(Vec<u8>, Metadata)>> {
    let file = File::open(real)?;
    let metadata = file.metadata()?;
    let limit = MAX_DOCUMENT as u64;
    if metadata.len() > limit {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= MAX_DOCUMENT).then_some((bytes, metadata)))
}

/// When a file was last changed, in whole seconds.
pub(super) fn modified(metadata: &Metadata) -> Option<Timestamp> {
    let modified = Timestamp::try_from(metadata.modified().ok()?).ok()?;
    Timestamp::from_second(modified.as_second()).ok()
}

pub(super) fn unreadable(shown: &Path, what: &str, error: &io::Error) -> Problem {
    Problem::new(
        shown,
        format!("the {what} cannot be read: {error}"),
        "give yourself the right to read it",
    )
}
