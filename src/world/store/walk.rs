//! Where the documents of a store are.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk;
use super::entry::{Entry, flat_version, pointed};
use crate::world::folder;
use crate::world::problem::Problem;

/// The folder of histories that is beside the documents of every folder.
pub(super) const VERSIONS: &str = "versions";

/// What a walk through a folder found.
#[derive(Default)]
pub(super) struct Walk {
    /// The documents, with what is archived. Without any the folder is no store.
    pub(super) entries: Vec<Entry>,
    /// What looks like a document and is none.
    pub(super) problems: Vec<Problem>,
    /// Documents, and folders of them, without a history that could be read.
    pub(super) lost: Vec<Problem>,
    /// The first file that is named like a document and is none, and how many
    /// there are.
    pub(super) strays: Option<(PathBuf, usize)>,
}

/// A folder to be entered.
struct Folder {
    real: PathBuf,
    shown: PathBuf,
    /// Its path in the world without a `/` at the end.
    path: String,
}

/// Goes through a folder. No link is followed, so it ends.
///
/// # Errors
///
/// The folder itself cannot be read.
pub(super) fn walk(root: &Path, shown: &Path) -> io::Result<Walk> {
    fs::read_dir(root)?;
    let mut walk = Walk::default();
    let mut pending =
        vec![Folder { real: root.to_owned(), shown: shown.to_owned(), path: String::new() }];
    while let Some(next) = pending.pop() {
        let found = pending.len();
        if let Err(error) = walk.folder(root, &next, &mut pending) {
            walk.lost.push(folder::unreadable(&next.shown, "folder", &error).leaves_out());
        }
        // The last one is taken first.
        pending[found..].reverse();
    }
    Ok(walk)
}

impl Walk {
    fn folder(
        &mut self,
        root: &Path,
        folder: &Folder,
        pending: &mut Vec<Folder>,
    ) -> io::Result<()> {
        // A name may be missed in a listing while its pointer is being replaced.
        // Its history is there then, so both lists are looked through.
        let mut names: BTreeMap<OsString, bool> = BTreeMap::new();
        for (name, kind) in folder::names(&folder.real)? {
            let Ok(kind) = kind else { continue };
            if name == VERSIONS {
                continue;
            }
            if kind.is_symlink() {
                names.entry(name).or_default();
            } else if kind.is_dir() {
                let (real, shown) = (folder.real.join(&name), folder.shown.join(&name));
                match name.to_str() {
                    Some(name) => {
                        let path = format!("{}/{name}", folder.path);
                        pending.push(Folder { real, shown, path });
                    }
                    None => self.problems.push(not_utf8(&shown)),
                }
            } else if folder::is_document(&name) && !folder.path.contains("/.") {
                let stray = || (folder.shown.join(&name), 0);
                self.strays.get_or_insert_with(stray).1 += 1;
            }
        }
        let versions = folder.real.join(VERSIONS);
        if !disk::is_inside(root, &versions) {
            let problem = Problem::new(
                &folder.shown.join(VERSIONS),
                "the link leads out of the store",
                "put the histories where the documents are",
            );
            self.lost.push(problem.leaves_out());
            return Ok(());
        }
        match folder::names(&versions) {
            Ok(histories) => {
                for (name, kind) in histories {
                    match (kind, name.to_str().and_then(flat_version)) {
                        (Ok(kind), Some((name, _))) if kind.is_file() => {
                            names.insert(name.into(), true);
                        }
                        (Ok(kind), _) if kind.is_dir() => {
                            names.entry(name).or_default();
                        }
                        _ => {}
                    }
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                let shown = folder.shown.join(VERSIONS);
                self.lost.push(folder::unreadable(&shown, "folder", &error).leaves_out());
            }
        }
        for (name, flat) in names {
            self.name(root, folder, &name, flat);
        }
        Ok(())
    }

    /// One name that a link has or a history.
    fn name(&mut self, root: &Path, folder: &Folder, name: &OsString, flat: bool) {
        let pointer = folder.real.join(name);
        let Ok(target) = fs::read_link(&pointer) else { return };
        let shown = folder.shown.join(name);
        let Some(name) = name.to_str() else {
            self.problems.push(not_utf8(&shown));
            return;
        };
        if pointed(name, &target).is_none() {
            // Half of a replacement is no document, nor is a link to a folder.
            if folder::is_document(name.as_ref()) {
                let problem = Problem::new(
                    &shown,
                    "the link does not point to a version in the folder `versions` beside it",
                    "publish the document anew, or remove the link",
                );
                self.problems.push(problem.leaves_out());
            }
            return;
        }
        let history = folder.real.join(VERSIONS).join(name);
        if !disk::is_inside(root, &history) {
            let problem = Problem::new(
                &shown,
                "the history of the document is a link out of the store",
                "put the history where the document is",
            );
            self.lost.push(problem.leaves_out());
            return;
        }
        if !flat && !history.is_dir() {
            let problem = Problem::new(
                &shown,
                "the link points to a history that is not there",
                "restore the history from a copy of the store, or remove the link",
            );
            self.lost.push(problem.leaves_out());
            return;
        }
        self.entries.push(Entry {
            dir: folder.real.clone(),
            shown: folder.shown.clone(),
            path: format!("{}/{name}", folder.path),
            name: name.to_owned(),
            flat,
        });
    }
}

fn not_utf8(shown: &Path) -> Problem {
    Problem::new(shown, "the name is not UTF-8", "rename it").leaves_out()
}
