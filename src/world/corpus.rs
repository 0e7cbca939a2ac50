//! A corpus: a whole store in one archive, `demarkus-corpus-jsonl-gzip-v1`.
//!
//! Each line is an object `{"Path", "Document": {"Versions", "Archived"}}`; a
//! version is `{"Version", "Stored", "Modified"}`, where `Stored` is the version
//! file in base64. A `manifest.json` beside the archive that is about it says its
//! hashes, sizes and counts; what does not agree is a problem, and costs nothing.
//! The manifest is about the archive that it calls its artifact, or about a renamed
//! one if there is no file of that name beside it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::MultiGzDecoder;
use jiff::Timestamp;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::archive::lines::{Line, Lines};
use super::archive::{Kind, Limits, stem};
use super::problem::{Problem, excerpt};
use super::store::{ChainReport, Link, hexadecimal, newest_break, version_file};
use super::versions::{KeptVersion, Versions, etag};
use super::{ARCHIVED, NOT_FOUND, UNREADABLE, WorldError};
use crate::document::Document;

const MANIFEST: &str = "manifest.json";
const FORMAT: &str = "demarkus-corpus-jsonl-gzip-v1";
/// The largest manifest that is read, in bytes.
const MAX_MANIFEST: u64 = 1 << 20;

/// What a corpus holds for a reader.
pub(super) struct Contents {
    pub(super) name: String,
    pub(super) documents: Vec<Document>,
    pub(super) errors: BTreeMap<String, String>,
    pub(super) problems: Vec<Problem>,
    pub(super) histories: Histories,
}

/// All versions of all documents.
#[derive(Debug)]
pub(super) struct Histories {
    kept: BTreeMap<String, History>,
    archive: PathBuf,
    as_of: Option<Timestamp>,
}

#[derive(Debug)]
struct History {
    /// Oldest first.
    versions: Vec<Version>,
    archived: bool,
}

#[derive(Debug)]
struct Version {
    number: u64,
    stored: Vec<u8>,
    modified: Timestamp,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Record {
    path: String,
    document: RecordedDocument,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RecordedDocument {
    versions: Vec<RecordedVersion>,
    #[serde(default)]
    archived: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RecordedVersion {
    version: u64,
    stored: String,
    modified: String,
}

#[derive(Deserialize, Default)]
struct Manifest {
    format: Option<String>,
    id: Option<String>,
    artifact: Option<String>,
    sha256: Option<String>,
    corpus_sha256: Option<String>,
    compressed_bytes: Option<u64>,
    uncompressed_bytes: Option<u64>,
    documents: Option<u64>,
    active_documents: Option<u64>,
    versions: Option<u64>,
}

/// Whether an archive of lines is a corpus: its first line begins with one of the
/// keys of a corpus, which are written with capitals.
///
/// # Errors
///
/// The file cannot be opened. One that cannot be decompressed is no corpus.
pub(super) fn is_corpus(path: &Path, kind: Kind) -> Result<bool, WorldError> {
    let file = open(path)?;
    let mut start = Vec::new();
    let reader: Box<dyn Read> = match kind {
        Kind::Json => return Ok(false),
        Kind::Lines => Box::new(file),
        Kind::CompressedLines => Box::new(MultiGzDecoder::new(BufReader::new(file))),
    };
    let _ = reader.take(4_096).read_to_end(&mut start);
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start).trim_ascii_start();
    Ok(start.strip_prefix(b"{").is_some_and(|rest| {
        let rest = rest.trim_ascii_start();
        rest.starts_with(b"\"Path\"") || rest.starts_with(b"\"Document\"")
    }))
}

/// Reads a corpus; as it stood at a time, if one is given.
///
/// # Errors
///
/// The archive cannot be read or decompressed, or is over the limit. A bad record
/// is a problem instead.
pub(super) fn read(
    path: &Path,
    kind: Kind,
    as_of: Option<Timestamp>,
) -> Result<Contents, WorldError> {
    let mut problems = Vec::new();
    let manifest = manifest(path, &mut problems);
    let mut kept = BTreeMap::new();
    let mut counted =
        Counted { packed: Measured::new(open(path)?, manifest.is_some()), text: None };
    let read = match kind {
        Kind::CompressedLines => {
            let decoder = MultiGzDecoder::new(BufReader::new(&mut counted.packed));
            let mut text = Measured::new(decoder, manifest.is_some());
            let read = lines(path, &mut text, &mut kept, &mut problems);
            counted.text = Some(text.sum());
            read
        }
        Kind::Json | Kind::Lines => lines(path, &mut counted.packed, &mut kept, &mut problems),
    };
    if let Err(error) = read {
        let disagrees = kind == Kind::CompressedLines
            && manifest.as_ref().is_some_and(|manifest| !counted.is_sum_of(manifest));
        return Err(match error {
            WorldError::Broken { path, line, column, message } if disagrees => {
                let message = format!("{message}, and its sha256 is not the one in {MANIFEST}");
                WorldError::Broken { path, line, column, message }
            }
            error => error,
        });
    }
    let name = manifest.as_ref().and_then(|manifest| manifest.id.clone());
    let name = name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| stem(path));
    let histories = Histories { kept, archive: path.to_owned(), as_of };
    if let Some(manifest) = manifest {
        counted.compare(&manifest, &histories, path, kind, &mut problems);
    }
    let mut contents =
        Contents { name, documents: Vec::new(), errors: BTreeMap::new(), problems, histories };
    for (path, history) in &contents.histories.kept {
        let Some(version) = history.at(as_of) else { continue };
        if history.is_archived(as_of) {
            contents.errors.insert(path.clone(), ARCHIVED.to_owned());
            continue;
        }
        match version.read(path, &contents.histories.archive) {
            Ok(read) => {
                contents.documents.push(read.document);
                contents
                    .problems
                    .extend(read.problems.into_iter().map(|problem| in_corpus(problem, path)));
            }
            Err(problem) => contents.problems.push(in_corpus(*problem, path)),
        }
    }
    Ok(contents)
}

fn open(path: &Path) -> Result<File, WorldError> {
    File::open(path).map_err(|source| WorldError::Unreadable { path: path.to_owned(), source })
}

/// A problem of a version, which names no file of its own in an archive.
fn in_corpus(problem: Problem, path: &str) -> Problem {
    let message = format!("{}: {}", excerpt(path), problem.message);
    let problem = Problem { line: None, ..problem };
    Problem { message: crate::text::visible_line(&message), ..problem }
}

fn lines(
    path: &Path,
    reader: &mut impl Read,
    kept: &mut BTreeMap<String, History>,
    problems: &mut Vec<Problem>,
) -> Result<(), WorldError> {
    let limits = Limits::default();
    let mut lines = Lines::new(BufReader::new(reader), limits);
    loop {
        let number = lines.number() + 1;
        let read = match lines.next() {
            Ok(Line::Text(bytes)) => record(bytes),
            Ok(Line::TooLong) => Err(format!("the line is longer than {} bytes", limits.line)),
            Ok(Line::End) => return Ok(()),
            Ok(Line::OverLimit) => {
                return Err(WorldError::TooLarge { path: path.to_owned(), limit: limits.whole });
            }
            Err(error) => {
                let message = format!("the archive cannot be read further: {error}");
                let message = crate::text::visible_line(&message);
                let line = Some(number);
                return Err(WorldError::Broken {
                    path: path.to_owned(),
                    line,
                    column: None,
                    message,
                });
            }
        };
        let read = read.and_then(|found| match found {
            Some((path, _)) if kept.contains_key(&path) => {
                Err(format!("the path `{}` is there already", excerpt(&path)))
            }
            Some((path, history)) => {
                kept.insert(path, history);
                Ok(())
            }
            None => Ok(()),
        });
        if let Err(message) = read {
            let help = "pack the corpus anew";
            problems.push(Problem::new(path, message, help).on_line(number).leaves_out());
        }
    }
}

/// The document on a line, or nothing on an empty one.
fn record(line: &[u8]) -> Result<Option<(String, History)>, String> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let Record { path, document } = serde_json::from_slice(line)
        .map_err(|error| format!("no document could be read: {error}"))?;
    let is_path = path
        .strip_prefix('/')
        .is_some_and(|rest| rest.split('/').all(|segment| !matches!(segment, "" | "." | "..")));
    if !is_path {
        return Err(format!("`{}` is no path of a document", excerpt(&path)));
    }
    let shown = excerpt(&path);
    let mut versions = Vec::with_capacity(document.versions.len());
    let mut before = 0;
    for RecordedVersion { version: number, stored, modified } in document.versions {
        if number <= before {
            return Err(format!("the versions of `{shown}` do not ascend from 1"));
        }
        before = number;
        let stored = STANDARD
            .decode(stored)
            .map_err(|error| format!("version {number} of `{shown}` is not base64: {error}"))?;
        if stored.len() > version_file::MAX_FILE {
            let most = version_file::MAX_FILE;
            return Err(format!("version {number} of `{shown}` is larger than {most} bytes"));
        }
        let modified = modified
            .parse::<Timestamp>()
            .and_then(|time| Timestamp::from_second(time.as_second()))
            .map_err(|error| format!("the time of version {number} of `{shown}`: {error}"))?;
        versions.push(Version { number, stored, modified });
    }
    if versions.is_empty() {
        return Err(format!("`{shown}` has no version"));
    }
    Ok(Some((path, History { versions, archived: document.archived })))
}

impl Version {
    fn read(&self, path: &str, file: &Path) -> Result<version_file::Read, Box<Problem>> {
        version_file::read(path, self.number, &self.stored, Some(self.modified), file)
    }
}

impl History {
    /// The newest version that is not later than a time.
    fn at(&self, as_of: Option<Timestamp>) -> Option<&Version> {
        self.versions.iter().rev().find(|v| as_of.is_none_or(|time| v.modified <= time))
    }

    /// An archived document takes no version, so before its newest it was live.
    fn is_archived(&self, as_of: Option<Timestamp>) -> bool {
        let newest = self.versions.last();
        self.archived
            && newest.is_some_and(|newest| as_of.is_none_or(|time| newest.modified <= time))
    }
}

impl Histories {
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// One version of a document, live or archived.
    ///
    /// # Errors
    ///
    /// What a fetch answers: it is not there, or it cannot be read.
    pub(super) fn version(&self, path: &str, number: u64) -> Result<Document, String> {
        let history = self.kept.get(path).ok_or(NOT_FOUND)?;
        let found = history.versions.binary_search_by_key(&number, |version| version.number);
        let version = &history.versions[found.map_err(|_| NOT_FOUND)?];
        if self.as_of.is_some_and(|time| version.modified > time) {
            return Err(NOT_FOUND.to_owned());
        }
        let read = version.read(path, &self.archive).map_err(|_| UNREADABLE)?;
        Ok(read.document)
    }

    /// The etag of a version.
    pub(super) fn etag(&self, path: &str, number: u64) -> Option<String> {
        let versions = &self.kept.get(path)?.versions;
        let at = versions.binary_search_by_key(&number, |version| version.number).ok()?;
        Some(etag(&versions[at].stored))
    }

    /// All versions of a document, live or archived, but for those of the future.
    pub(super) fn history(&self, path: &str) -> Option<Versions> {
        let history = self.kept.get(path)?;
        let is_then = |version: &&Version| self.as_of.is_none_or(|time| version.modified <= time);
        let versions: Option<Vec<KeptVersion>> = history
            .versions
            .iter()
            .filter(is_then)
            .map(|version| {
                let read = version.read(path, &self.archive).ok()?;
                Some(KeptVersion::new(version.number, read.document, &version.stored))
            })
            .collect();
        Some(Versions {
            versions: versions?,
            is_valid: newest_break(&self.links(history)).is_none(),
        })
    }

    fn links<'a>(&self, history: &'a History) -> Vec<Link<'a>> {
        let link = |version: &'a Version| Link {
            number: version.number,
            bytes: &version.stored,
            file: self.archive.clone(),
        };
        history.versions.iter().map(link).collect()
    }

    /// Verifies every history.
    pub(super) fn verify(&self) -> Vec<ChainReport> {
        let report = |(path, history): (&String, &History)| {
            let links = self.links(history);
            let broken = newest_break(&links).map(|broken| broken.in_archive(path));
            let versions = links.iter().map(|link| link.number).collect();
            ChainReport { path: path.clone(), versions, broken }
        };
        self.kept.iter().map(report).collect()
    }
}

/// The manifest that is about an archive.
fn manifest(archive: &Path, problems: &mut Vec<Problem>) -> Option<Manifest> {
    let path = archive.with_file_name(MANIFEST);
    let mut bytes = Vec::new();
    let read = File::open(&path).and_then(|file| file.take(MAX_MANIFEST).read_to_end(&mut bytes));
    let manifest: Manifest = match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            let message = format!("the manifest cannot be read, so nothing is compared: {error}");
            problems.push(Problem::new(&path, message, "give yourself the right to read it"));
            return None;
        }
        Ok(_) => match serde_json::from_slice(&bytes) {
            Ok(manifest) => manifest,
            Err(error) => {
                let message = format!("the manifest is damaged, so nothing is compared: {error}");
                problems.push(Problem::new(&path, message, "fetch it anew"));
                return None;
            }
        },
    };
    let artifact = manifest.artifact.as_deref().and_then(|name| name.rsplit(['/', '\\']).next());
    let is_about = artifact.is_none_or(|name| {
        archive.file_name().is_some_and(|own| own == name)
            || !archive.with_file_name(name).is_file()
    });
    (manifest.format.as_deref() == Some(FORMAT) && is_about).then_some(manifest)
}

/// The size of something that was read, and its hash in the form of a manifest.
type Sum = (u64, String);

/// What was measured of an archive.
struct Counted {
    packed: Measured<File>,
    text: Option<Sum>,
}

impl Counted {
    fn is_sum_of(&mut self, manifest: &Manifest) -> bool {
        let _ = io::copy(&mut self.packed, &mut io::sink());
        manifest.sha256.as_ref().is_none_or(|hash| *hash == self.packed.sum().1)
    }

    fn compare(
        mut self,
        manifest: &Manifest,
        histories: &Histories,
        path: &Path,
        kind: Kind,
        problems: &mut Vec<Problem>,
    ) {
        // What a decompressor does not ask for is part of the file too.
        let _ = io::copy(&mut self.packed, &mut io::sink());
        let packed = self.packed.sum();
        let mut differs = |key: &str, said: Option<String>, found: String| {
            if let Some(said) = said.filter(|said| *said != found) {
                let message = format!("`{key}` is {found}, but {MANIFEST} says {}", excerpt(&said));
                problems.push(Problem::new(path, message, "fetch the corpus anew").about(key));
            }
        };
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        // Decompressed by hand, it is only compared as text.
        if kind == Kind::CompressedLines {
            differs("sha256", manifest.sha256.clone(), packed.1.clone());
            differs("compressed_bytes", number(manifest.compressed_bytes), packed.0.to_string());
        }
        let text = self.text.unwrap_or(packed);
        differs("corpus_sha256", manifest.corpus_sha256.clone(), text.1);
        differs("uncompressed_bytes", number(manifest.uncompressed_bytes), text.0.to_string());
        let kept = histories.kept.values();
        let active = kept.clone().filter(|history| !history.archived).count();
        let versions: usize = kept.map(|history| history.versions.len()).sum();
        differs("documents", number(manifest.documents), histories.len().to_string());
        differs("active_documents", number(manifest.active_documents), active.to_string());
        differs("versions", number(manifest.versions), versions.to_string());
    }
}

/// A reader that counts and hashes what passes.
struct Measured<R> {
    reader: R,
    hash: Option<Sha256>,
    size: u64,
}

impl<R> Measured<R> {
    fn new(reader: R, hashes: bool) -> Self {
        Self { reader, hash: hashes.then(Sha256::new), size: 0 }
    }

    fn sum(&self) -> Sum {
        let hash = self.hash.clone().unwrap_or_default().finalize();
        (self.size, format!("sha256-{}", hexadecimal(&hash)))
    }
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.size += read as u64;
        if let Some(hash) = &mut self.hash {
            hash.update(&buffer[..read]);
        }
        Ok(read)
    }
}
