//! A folder as it stood in a git revision, read with the `git` command into memory:
//! nothing is checked out.

mod line_ends;
mod tree;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::thread;

use jiff::Timestamp;

use line_ends::{LineEnds, Settings, is_same_but_for_returns};
use tree::Tree;

use super::WorldError;
use super::file::{self, Parsed};
use crate::document::Document;

/// What tells git of another repository than that of the folder: a hook, or a shell that
/// somebody set up, has such. Where objects that are not yet taken are kept is told by
/// `GIT_QUARANTINE_PATH`, and then stays.
const FOREIGN: [&str; 6] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE"];

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
    let asked = Asked::new(folder, revision);
    let object = format!("{}:./{}{name}", asked.commit().ok()?, asked.below);
    String::from_utf8(asked.output(&["cat-file", "blob", &object]).ok()?).ok()
}

/// The documents of a folder in a revision, by the rules of a folder. The folder need not
/// be in the work tree any more. Line ends are those of a work tree. Each document was last
/// changed when the revision was made.
///
/// # Errors
/// There is no `git`, the folder is in no repository, or the revision is unknown.
pub(super) fn read(folder: &Path, revision: &str) -> Result<Contents, WorldError> {
    let asked = Asked::new(folder, revision);
    let commit = asked.commit()?;
    let made = made(&asked.output(&["cat-file", "commit", &commit])?);
    let top = asked.top(&commit);
    let listed = asked.output(&["ls-tree", "-r", "-z", "--long", "--full-tree", &top]);
    let listed = listed.map_err(|_| asked.error("the folder is not in that revision".into()))?;
    let (mut tree, links) = Tree::read(&listed);
    let objects: Vec<String> = links.iter().map(|(_, object)| object.clone()).collect();
    for ((path, _), target) in links.into_iter().zip(asked.blobs(&objects)?) {
        tree.link(path, String::from_utf8_lossy(&target).into_owned());
    }
    let mut parsed = Vec::new();
    let entries = tree.documents(&asked.root(), &mut parsed);
    let objects: Vec<String> = entries.iter().map(|entry| entry.object.clone()).collect();
    let blobs = asked.blobs(&objects)?;
    let line_ends = asked.line_ends(entries.iter().map(|entry| entry.real.as_str()));
    let mut kept = Kept { root: asked.root(), heads: BTreeMap::new(), faulty: BTreeMap::new() };
    for (entry, bytes) in entries.into_iter().zip(blobs) {
        let (ends, may_differ) =
            line_ends.get(&entry.real).copied().unwrap_or((LineEnds::Kept, false));
        let own = match may_differ {
            true => file_of_work_tree(&folder.join(&entry.real), &bytes),
            false => None,
        };
        let bytes = own.unwrap_or_else(|| ends.given(bytes));
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
    Ok(Contents { parsed, looked_at: tree.len(), kept })
}

/// The file of the work tree, where git takes it for what was committed though it has other
/// line ends than git would have written.
fn file_of_work_tree(path: &Path, committed: &[u8]) -> Option<Vec<u8>> {
    let metadata = fs::symlink_metadata(path).ok()?;
    let most = u64::try_from(committed.len()).ok()?.saturating_mul(2);
    if !metadata.is_file() || metadata.len() > most {
        return None;
    }
    fs::read(path).ok().filter(|file| is_same_but_for_returns(file, committed))
}

/// Whether a folder, which need not be in the work tree, is in a revision.
pub(super) fn has(folder: &Path, revision: &str) -> bool {
    let asked = Asked::new(folder, revision);
    let top = asked.commit().map(|commit| asked.top(&commit));
    top.and_then(|top| asked.output(&["cat-file", "tree", &top])).is_ok()
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
    /// The folder, or where it is gone, the nearest around it that is there.
    place: &'a Path,
    /// What is left of the folder's path from there, with a `/` at its end.
    below: String,
}

impl<'a> Asked<'a> {
    fn new(folder: &'a Path, revision: &'a str) -> Self {
        let around = folder.ancestors().find(|around| around.is_dir());
        let place = around.filter(|place| !place.as_os_str().is_empty());
        let below = folder.strip_prefix(place.unwrap_or(Path::new(""))).unwrap_or(Path::new(""));
        let below = below.iter().map(|part| format!("{}/", part.to_string_lossy())).collect();
        Self { folder, revision, place: place.unwrap_or(Path::new(".")), below }
    }

    /// The tree of the folder in a commit.
    fn top(&self, commit: &str) -> String {
        format!("{commit}:./{}", self.below.trim_end_matches('/'))
    }

    fn git(&self) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.place).stdin(Stdio::null()).stderr(Stdio::piped());
        // What it says is read, not shown, and it asks nobody anything.
        command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
        for name in FOREIGN {
            command.env_remove(name);
        }
        if std::env::var_os("GIT_QUARANTINE_PATH").is_none() {
            command.env_remove("GIT_OBJECT_DIRECTORY");
        }
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

    /// The bytes of each object, out of one run of git.
    fn blobs(&self, objects: &[String]) -> Result<Vec<Vec<u8>>, WorldError> {
        let wanted: String = objects.iter().map(|object| format!("{object}\n")).collect();
        self.told(&["cat-file", "--batch"], wanted, |mut output| {
            objects.iter().map(|_| blob(&mut output)).collect()
        })
    }

    /// The line ends that a work tree gives to files of the folder; none where git does
    /// not tell.
    fn line_ends<'b>(
        &self,
        files: impl Iterator<Item = &'b str>,
    ) -> HashMap<String, (LineEnds, bool)> {
        let settings =
            self.output(&["config", "--null", "--get-regexp", r"^core\.(autocrlf|eol)$"]);
        // Where nothing is set, git calls that a failure.
        let settings = Settings::read(&settings.unwrap_or_default());
        let wanted: String = files.map(|file| format!("{}{file}\0", self.below)).collect();
        let args = ["check-attr", "--stdin", "-z", "text", "eol"];
        let printed = self.told(&args, wanted, |mut output| {
            let mut all = Vec::new();
            output.read_to_end(&mut all).map(|_| all)
        });
        let all = settings.all(&printed.unwrap_or_default()).into_iter();
        let own = |path: String| path.strip_prefix(&self.below).map(str::to_owned);
        all.filter_map(|(path, ends)| Some((own(path)?, ends))).collect()
    }

    /// Writes to a git command and reads what it prints.
    fn told<T>(
        &self,
        args: &[&str],
        input: String,
        read: impl FnOnce(BufReader<ChildStdout>) -> io::Result<T>,
    ) -> Result<T, WorldError> {
        let mut command = self.git();
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| self.failed(&error))?;
        let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.error("the `git` command cannot be spoken to".into()));
        };
        // Both ends at once: git stops reading while nobody reads it.
        let read = thread::scope(|scope| {
            scope.spawn(move || to.write_all(input.as_bytes()));
            read(BufReader::new(from))
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
