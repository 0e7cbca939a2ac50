//! A folder as it stood in a git revision, read with the `git` command into memory:
//! nothing is checked out.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use jiff::Timestamp;

use super::file::{self, Parsed};
use super::folder;
use super::problem::Problem;
use super::{MAX_DOCUMENT, WorldError};
use crate::document::Document;

/// What a revision holds.
pub(super) struct Contents {
    pub(super) parsed: Vec<Parsed>,
    /// How many files of any name were looked at.
    pub(super) looked_at: usize,
    pub(super) kept: Kept,
}

/// What is kept of the files of a revision, which stand in no folder.
#[derive(Debug)]
pub(super) struct Kept {
    /// What a message calls the folder.
    root: PathBuf,
    /// What stands before the body of each document, where anything does.
    heads: BTreeMap<String, String>,
    /// The files that something is wrong with, as a message calls them.
    faulty: BTreeMap<PathBuf, Vec<u8>>,
}

impl Kept {
    /// The file of a document, as a message calls it, and its text.
    pub(super) fn text(&self, document: &Document) -> (PathBuf, String) {
        let path = document.path();
        let head = self.heads.get(path).map(String::as_str).unwrap_or_default();
        (self.root.join(path.trim_start_matches('/')), format!("{head}{}", document.body()))
    }

    /// The bytes of a file that something is wrong with.
    pub(super) fn faulty(&self, file: &Path) -> Option<&[u8]> {
        self.faulty.get(file).map(Vec::as_slice)
    }
}

/// The text of a file of a folder in a revision; `None` where there is none.
pub(super) fn text(folder: &Path, revision: &str, name: &str) -> Option<String> {
    let asked = Asked { folder, revision };
    let object = format!("{}:./{name}", asked.commit().ok()?);
    String::from_utf8(asked.output(&["cat-file", "blob", &object]).ok()?).ok()
}

/// A file of the tree that is a document by its name.
struct Entry {
    object: String,
    path: String,
    shown: PathBuf,
}

/// The documents of a folder in a revision, by the rules of a folder, but for links,
/// which are not followed. Each was last changed when the revision was made.
///
/// # Errors
/// There is no `git`, the folder is in no repository, or the revision is unknown.
pub(super) fn read(folder: &Path, revision: &str) -> Result<Contents, WorldError> {
    let asked = Asked { folder, revision };
    let commit = asked.commit()?;
    let made = made(&asked.output(&["cat-file", "commit", &commit])?);
    let tree = asked.output(&["ls-tree", "-r", "-z", "--long", &commit])?;
    let mut parsed = Vec::new();
    let (entries, looked_at) = asked.entries(&tree, &mut parsed);
    let root = asked.root();
    let mut kept = Kept { root, heads: BTreeMap::new(), faulty: BTreeMap::new() };
    for (entry, bytes) in asked.blobs(entries)? {
        let mut file = file::parse(entry.path.clone(), &entry.shown, bytes.clone());
        let body = file.document.as_ref().map_or(0, |document| document.body().len());
        let head = String::from_utf8_lossy(&bytes[..bytes.len() - body]);
        if file.document.is_some() && !head.is_empty() {
            kept.heads.insert(entry.path, head.into_owned());
        }
        if !file.problems.is_empty() {
            kept.faulty.insert(entry.shown, bytes);
        }
        file.document = file.document.map(|document| document.with_modified(made));
        parsed.push(file);
    }
    Ok(Contents { parsed, looked_at, kept })
}

/// When a commit was made: `committer NAME <ADDRESS> SECONDS ZONE` in its head.
fn made(commit: &[u8]) -> Option<Timestamp> {
    let text = String::from_utf8_lossy(commit);
    let head = text.lines().take_while(|line| !line.is_empty());
    let committer = head.filter_map(|line| line.strip_prefix("committer ")).next()?;
    let seconds = committer.rsplit(' ').nth(1)?;
    Timestamp::from_second(seconds.parse().ok()?).ok()
}

struct Asked<'a> {
    folder: &'a Path,
    revision: &'a str,
}

impl Asked<'_> {
    fn git(&self) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.folder).stdin(Stdio::null()).stderr(Stdio::piped());
        // What it says is read, not shown, and it asks nobody anything.
        command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
        command
    }

    /// What a message calls the folder.
    fn root(&self) -> PathBuf {
        PathBuf::from(format!("{}@{}", self.folder.display(), self.revision))
    }

    fn failed(&self, source: &io::Error) -> WorldError {
        let message = match source.kind() {
            io::ErrorKind::NotFound => {
                "there is no `git` command here; install it, or name a folder".to_owned()
            }
            _ => format!("the `git` command does not run: {source}"),
        };
        self.error(message)
    }

    fn error(&self, message: String) -> WorldError {
        WorldError::Revision {
            path: self.folder.to_owned(),
            revision: self.revision.to_owned(),
            message,
        }
    }

    /// What a git command prints.
    fn output(&self, args: &[&str]) -> Result<Vec<u8>, WorldError> {
        let output = self.git().args(args).output().map_err(|error| self.failed(&error))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let told = String::from_utf8_lossy(&output.stderr);
        let told = told.lines().next().unwrap_or("it does not say why");
        Err(self.error(format!("git says: {}", told.trim_start_matches("fatal: "))))
    }

    fn commit(&self) -> Result<String, WorldError> {
        self.output(&["rev-parse", "--git-dir"])?;
        let wanted = format!("{}^{{commit}}", self.revision);
        let args = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let commit = self.output(&args).map_err(|_| {
            self.error("there is no such revision; `git log --oneline` lists them".into())
        })?;
        Ok(String::from_utf8_lossy(&commit).trim().to_owned())
    }

    /// The documents of a tree as `ls-tree -r -z --long` lists it, and how many files
    /// it has. What is left out goes to `parsed`.
    fn entries(&self, tree: &[u8], parsed: &mut Vec<Parsed>) -> (Vec<Entry>, usize) {
        let mut entries = Vec::new();
        let mut looked_at = 0;
        for line in tree.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            looked_at += 1;
            let Some(tab) = memchr::memchr(b'\t', line) else { continue };
            let head = String::from_utf8_lossy(&line[..tab]).into_owned();
            let mut fields = head.split_ascii_whitespace();
            let (Some(mode), Some(kind), Some(object), Some(size)) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let name = String::from_utf8_lossy(&line[tab + 1..]).into_owned();
            let is_hidden = name.split('/').any(|part| part.starts_with('.'));
            let last = name.rsplit('/').next().unwrap_or_default();
            if kind != "blob" || is_hidden || !folder::is_document(last.as_ref()) {
                continue;
            }
            let shown = self.root().join(&name);
            if mode == "120000" {
                let why = "it is a link, and links of a revision are not followed";
                let help = "check the revision out and name the folder";
                parsed.push(Parsed::left_out(Problem::new(&shown, why, help)));
            } else if std::str::from_utf8(&line[tab + 1..]).is_err() {
                let why = "the name of the file or of a folder around it is not UTF-8";
                parsed.push(Parsed::left_out(Problem::new(&shown, why, "rename it")));
            } else if size.parse::<usize>().is_ok_and(|size| size > MAX_DOCUMENT) {
                parsed.push(Parsed::left_out(file::too_large(&shown)));
            } else {
                entries.push(Entry { object: object.to_owned(), path: format!("/{name}"), shown });
            }
        }
        (entries, looked_at)
    }

    /// The bytes of each entry, out of one run of git.
    fn blobs(&self, entries: Vec<Entry>) -> Result<Vec<(Entry, Vec<u8>)>, WorldError> {
        let mut command = self.git();
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| self.failed(&error))?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.error("the `git` command cannot be spoken to".into()));
        };
        let wanted: String = entries.iter().map(|entry| format!("{}\n", entry.object)).collect();
        // Both ends at once: git stops reading while nobody reads it.
        let read = thread::scope(|scope| {
            scope.spawn(move || input.write_all(wanted.as_bytes()));
            let mut output = BufReader::new(output);
            let read: io::Result<Vec<_>> =
                entries.into_iter().map(|entry| Ok((entry, blob(&mut output)?))).collect();
            read
        });
        let ended = child.wait();
        let cut = |error: io::Error| self.error(format!("git's answer was cut off: {error}"));
        let read = read.map_err(cut)?;
        ended.map_err(cut)?;
        Ok(read)
    }
}

/// One object of a batch: a line `OBJECT blob SIZE`, the bytes, a line feed.
fn blob(output: &mut impl io::BufRead) -> io::Result<Vec<u8>> {
    let mut head = String::new();
    output.read_line(&mut head)?;
    let size = head.rsplit(' ').next().and_then(|size| size.trim().parse::<usize>().ok());
    let size = size.ok_or_else(|| io::Error::other(format!("it has no {}", head.trim())))?;
    let mut bytes = vec![0; size];
    output.read_exact(&mut bytes)?;
    output.read_exact(&mut [0])?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_tells_when_it_was_made() {
        let commit = b"tree 1\nauthor A <a@b> 5 +0000\ncommitter C D <c@d> 1767225600 +0200\n\n\
                       committer X <x> 7 +0000\n";
        assert_eq!(made(commit), "2026-01-01T00:00:00Z".parse().ok());
        assert_eq!(made(b"tree 1\n\ncommitter X <x> 7 +0000\n"), None);
    }
}
