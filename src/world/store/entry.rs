//! One document of a store: its pointer, its versions, its archived state.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;

use super::chain::{ChainBreak, ChainReport, Link, newest_break};
use super::disk::{self, Got};
use super::version_file::{self, MAX_FILE};
use super::walk::VERSIONS;
use crate::document::Document;
use crate::world::folder;
use crate::world::problem::Problem;
use crate::world::versions::{KeptVersion, Versions, etag};

/// How often something is read that a server may be about to change.
const ATTEMPTS: u32 = 7;

/// How long one reading of a store may wait in all, in milliseconds: many damaged
/// documents are no reason to wait for each.
const PATIENCE: u64 = 250;

/// What is left to wait of one reading of a store.
pub(super) struct Patience(AtomicU64);

impl Patience {
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(PATIENCE))
    }

    fn wait(&self, milliseconds: u64) {
        let spend = |left: u64| left.checked_sub(milliseconds);
        if self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_ok() {
            thread::sleep(Duration::from_millis(milliseconds));
        }
    }
}

/// The file that holds the archived state, beside the versions.
const ARCHIVE_STATE: &str = "archive-state";

/// Where a document of a store is.
pub(super) struct Entry {
    /// The folder of its pointer, without any link in it.
    pub(super) dir: PathBuf,
    /// What a message calls that folder.
    pub(super) shown: PathBuf,
    /// The document's path in the world.
    pub(super) path: String,
    /// The last segment of the path.
    pub(super) name: String,
    /// Whether there are versions outside the folder of the history, as older
    /// servers kept them.
    pub(super) flat: bool,
}

/// What an entry is to a reader.
pub(super) enum Outcome {
    /// A document.
    Live(Document, Vec<Problem>),
    /// A document that is archived.
    Archived(Vec<Problem>),
    /// Nothing, or nothing yet.
    Absent,
    /// A document that cannot be read.
    Broken(Problem),
}

/// Why something could not be read.
pub(super) struct Fault {
    problem: Box<Problem>,
    /// Whether it may be readable in a moment.
    again: bool,
}

impl From<Box<Problem>> for Fault {
    fn from(problem: Box<Problem>) -> Self {
        Self { problem, again: true }
    }
}

impl Fault {
    fn again(problem: Problem) -> Self {
        Self { problem: Box::new(problem), again: true }
    }

    fn lasting(problem: Problem) -> Self {
        Self { problem: Box::new(problem), again: false }
    }
}

/// One version that was read.
struct Version {
    bytes: Vec<u8>,
    modified: Option<Timestamp>,
    file: PathBuf,
}

/// The number of a version by the name of its file. None begins with a zero.
pub(super) fn version_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('v')?;
    let canonical = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|number| canonical && *number > 0)
}

/// The version that the pointer of a document of that name leads to: the link is
/// `versions/NAME/vN`, or `versions/NAME.vN` of older servers, and nothing else.
pub(super) fn pointed(name: &str, target: &Path) -> Option<u64> {
    let rest = target.to_str()?.strip_prefix(VERSIONS)?.strip_prefix('/')?.strip_prefix(name)?;
    version_number(rest.strip_prefix(['/', '.'])?)
}

/// The document and the version of a file `NAME.vN` as older servers kept it.
pub(super) fn flat_version(file: &str) -> Option<(&str, u64)> {
    let (name, version) = file.rsplit_once('.')?;
    Some((name, version_number(version)?)).filter(|(name, _)| !name.is_empty())
}

impl Entry {
    /// Reads the document: its current version, or the one that was it at a time.
    pub(super) fn read(&self, as_of: Option<Timestamp>, patience: &Patience) -> Outcome {
        let last = repeatedly(patience, |is_last| self.attempt(as_of, is_last));
        last.unwrap_or_else(|fault| Outcome::Broken(fault.problem.leaves_out()))
    }

    /// One version of the document, if it is not one of the future.
    pub(super) fn version(
        &self,
        number: u64,
        as_of: Option<Timestamp>,
    ) -> Result<Option<Document>, Fault> {
        repeatedly(&Patience::new(), |_| {
            let Some(current) = self.current()? else { return Ok(None) };
            if number > current {
                return Ok(None);
            }
            let Some(version) = self.load(number)? else { return Ok(None) };
            if as_of.is_some_and(|time| version.modified.is_none_or(|modified| modified > time)) {
                return Ok(None);
            }
            let Version { bytes, modified, file } = version;
            let read = version_file::read(&self.path, number, &bytes, modified, &file)?;
            Ok(Some(read.document))
        })
    }

    /// All versions that are kept, oldest first, but for those of the future; none
    /// where there is no document.
    pub(super) fn history(&self, as_of: Option<Timestamp>) -> Result<Option<Versions>, Fault> {
        repeatedly(&Patience::new(), |_| {
            let Some(current) = self.current()? else { return Ok(None) };
            let mut kept = Vec::new();
            for number in self.numbers(current)? {
                let version = self.load(number)?.ok_or_else(|| self.missing(number))?;
                kept.push((number, version));
            }
            let links: Vec<Link<'_>> = kept
                .iter()
                .map(|(number, version)| Link {
                    number: *number,
                    bytes: &version.bytes,
                    file: version.file.clone(),
                })
                .collect();
            let is_valid = newest_break(&links).is_none();
            let mut versions = Vec::new();
            for (number, Version { bytes, modified, file }) in &kept {
                if as_of.is_some_and(|time| modified.is_none_or(|modified| modified > time)) {
                    continue;
                }
                let read = version_file::read(&self.path, *number, bytes, *modified, file)?;
                versions.push(KeptVersion::new(*number, read.document, bytes));
            }
            Ok(Some(Versions { versions, is_valid }))
        })
    }

    /// Holds the whole history against what it records of itself.
    pub(super) fn verify(&self, patience: &Patience) -> ChainReport {
        repeatedly(patience, |is_last| self.verify_once(is_last)).unwrap_or_else(|fault| {
            let problem = fault.problem;
            let broken = ChainBreak::new(problem.file.clone(), None, &problem.message);
            ChainReport { path: self.path.clone(), versions: Vec::new(), broken: Some(broken) }
        })
    }

    fn attempt(&self, as_of: Option<Timestamp>, is_last: bool) -> Result<Outcome, Fault> {
        let Some(current) = self.current()? else { return Ok(Outcome::Absent) };
        let number = match as_of {
            None => current,
            Some(time) => match self.newest(current, time)? {
                Some(number) => number,
                None => return Ok(Outcome::Absent),
            },
        };
        let version = self.load(number)?.ok_or_else(|| self.missing(number))?;
        let Version { bytes, modified, file } = version;
        let state = self.archive_state(as_of)?;
        if state == Some(true) {
            return Ok(Outcome::Archived(Vec::new()));
        }
        let read = version_file::read(&self.path, number, &bytes, modified, &file)?;
        if read.doubtful && !is_last {
            return Err(self.missing(number));
        }
        Ok(if state.unwrap_or(read.archived) {
            Outcome::Archived(read.problems)
        } else {
            Outcome::Live(read.document, read.problems)
        })
    }

    /// The version that the pointer leads to; `None` where there is no pointer.
    fn current(&self) -> Result<Option<u64>, Fault> {
        let pointer = self.dir.join(&self.name);
        let shown = self.shown.join(&self.name);
        match fs::read_link(&pointer) {
            Ok(target) => pointed(&self.name, &target).map(Some).ok_or_else(|| {
                let message = "the link does not point to a version of the document";
                Fault::again(Problem::new(&shown, message, "publish the document anew"))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Fault::lasting(folder::unreadable(&shown, "link", &error))),
        }
    }

    /// The etag of a version, where it is there.
    pub(super) fn etag(&self, number: u64) -> Option<String> {
        let version = repeatedly(&Patience::new(), |_| self.load(number)).ok()??;
        Some(etag(&version.bytes))
    }

    /// The file of a version, wherever it is kept.
    pub(super) fn file(&self, number: u64) -> Option<PathBuf> {
        let places = self.places(number).into_iter();
        let mut there = places.filter(|place| self.dir.join(place).is_file());
        there.next().map(|place| self.shown.join(place))
    }

    /// Reads a version, wherever it is kept; `None` where it is not kept.
    fn load(&self, number: u64) -> Result<Option<Version>, Fault> {
        for place in self.places(number) {
            let file = self.shown.join(&place);
            let problem = |message| Problem::new(&file, message, "publish the document anew");
            match disk::read(&self.dir.join(&place), MAX_FILE) {
                Ok(Got::Whole(bytes, modified)) => {
                    return Ok(Some(Version { bytes, modified, file }));
                }
                Ok(Got::TooLarge) => {
                    return Err(Fault::lasting(version_file::too_large(&file)));
                }
                Ok(Got::NotAFile) => {
                    return Err(Fault::lasting(problem("this is no file, so it is no version")));
                }
                Ok(Got::Changed) => {
                    return Err(Fault::again(problem("the version changes while it is read")));
                }
                Err(error) if is_absence(&error) => {}
                Err(error) => {
                    return Err(Fault::lasting(folder::unreadable(&file, "version", &error)));
                }
            }
        }
        Ok(None)
    }

    /// The two places of a version, below the folder of the pointer.
    fn places(&self, number: u64) -> [PathBuf; 2] {
        let versions = Path::new(VERSIONS);
        [
            versions.join(&self.name).join(format!("v{number}")),
            versions.join(format!("{}.v{number}", self.name)),
        ]
    }

    /// The numbers of all versions that are kept and not in flight, oldest first.
    fn numbers(&self, current: u64) -> Result<Vec<u64>, Fault> {
        let history = Path::new(VERSIONS).join(&self.name);
        let mut numbers = self.listed(&history, version_number)?;
        if self.flat {
            numbers.extend(self.listed(Path::new(VERSIONS), |file| {
                flat_version(file).filter(|(name, _)| *name == self.name).map(|(_, number)| number)
            })?);
        }
        numbers.retain(|number| *number <= current);
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    fn listed(
        &self,
        place: &Path,
        number: impl Fn(&str) -> Option<u64>,
    ) -> Result<Vec<u64>, Fault> {
        match folder::names(&self.dir.join(place)) {
            Ok(names) => Ok(names.iter().filter_map(|(name, _)| number(name.to_str()?)).collect()),
            Err(error) if is_absence(&error) => Ok(Vec::new()),
            Err(error) => {
                let shown = self.shown.join(place);
                Err(Fault::lasting(folder::unreadable(&shown, "folder", &error)))
            }
        }
    }

    /// The newest version that is not later than a time.
    fn newest(&self, current: u64, time: Timestamp) -> Result<Option<u64>, Fault> {
        let is_there = |number: &u64| {
            self.places(*number)
                .iter()
                .find_map(|place| fs::symlink_metadata(self.dir.join(place)).ok())
                .and_then(|metadata| folder::modified(&metadata))
                .is_some_and(|modified| modified <= time)
        };
        Ok(self.numbers(current)?.into_iter().rev().find(is_there))
    }

    /// What the file of the archived state says; `None` where there is none, or
    /// none yet at a time.
    fn archive_state(&self, as_of: Option<Timestamp>) -> Result<Option<bool>, Fault> {
        let place = Path::new(VERSIONS).join(&self.name).join(ARCHIVE_STATE);
        let file = self.shown.join(&place);
        let (bytes, modified) = match disk::read(&self.dir.join(&place), 16) {
            Ok(Got::Whole(bytes, modified)) => (bytes, modified),
            Ok(_) => (Vec::new(), None),
            Err(error) if is_absence(&error) => return Ok(None),
            Err(error) => {
                return Err(Fault::lasting(folder::unreadable(&file, "file", &error)));
            }
        };
        let is_later = as_of.zip(modified).is_some_and(|(time, modified)| modified > time);
        match bytes.as_slice() {
            b"true\n" | b"false\n" if is_later => Ok(None),
            b"true\n" => Ok(Some(true)),
            b"false\n" => Ok(Some(false)),
            _ => {
                let message = "the archived state is neither `true` nor `false`";
                let help = "archive or unarchive the document anew";
                Err(Fault::again(Problem::new(&file, message, help)))
            }
        }
    }

    fn verify_once(&self, is_last: bool) -> Result<ChainReport, Fault> {
        let mut report =
            ChainReport { path: self.path.clone(), versions: Vec::new(), broken: None };
        let Some(current) = self.current()? else { return Ok(report) };
        let numbers = self.numbers(current)?;
        if numbers.last() != Some(&current) {
            return Err(self.missing(current));
        }
        let mut versions = Vec::with_capacity(numbers.len());
        for number in &numbers {
            versions.push(self.load(*number)?.ok_or_else(|| self.missing(*number))?);
        }
        self.archive_state(None)?;
        let links: Vec<Link<'_>> = numbers
            .iter()
            .zip(&versions)
            .map(|(number, version)| Link {
                number: *number,
                bytes: &version.bytes,
                file: version.file.clone(),
            })
            .collect();
        report.broken = newest_break(&links);
        if report.broken.is_some() && !is_last {
            return Err(self.missing(current));
        }
        report.versions = numbers;
        Ok(report)
    }

    fn missing(&self, number: u64) -> Fault {
        let shown = self.shown.join(&self.name);
        let message = format!("version {number}, which the link points to, is not there");
        let help = "restore it from a copy of the store, or publish the document anew";
        Fault::again(Problem::new(&shown, message, help))
    }
}

/// Does something until it is done, a few times, and waits in between: a server may
/// be in the middle of a change. The last attempt is told that it is the last.
fn repeatedly<T>(
    patience: &Patience,
    mut attempt: impl FnMut(bool) -> Result<T, Fault>,
) -> Result<T, Fault> {
    for times in 1..ATTEMPTS {
        match attempt(false) {
            Err(fault) if fault.again => patience.wait(1 << (times - 1)),
            ended => return ended,
        }
    }
    attempt(true)
}

/// Whether there is nothing, rather than something that cannot be read.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_leads_to_a_version_of_its_own_name() {
        for (target, want) in [
            ("versions/a.md/v2", Some(2)),
            ("versions/a.md.v12", Some(12)),
            ("versions/b.md/v2", None),
            ("versions/a.md/v0", None),
            ("versions/a.md/v02", None),
            ("versions/a.md/v", None),
            ("versions/a.md/v2/", None),
            ("versions/a.md/v2 ", None),
            ("versions/a.md/v+2", None),
            ("versions/a.md/v99999999999999999999", None),
            ("versions/a.md", None),
            ("./versions/a.md/v2", None),
            ("versions/../versions/a.md/v2", None),
            ("/versions/a.md/v2", None),
            ("../versions/a.md/v2", None),
            ("", None),
        ] {
            assert_eq!(pointed("a.md", Path::new(target)), want, "{target}");
        }
    }
}
