//! The bytes of one version: a block of plain lines, then the body.
//!
//! The block is no YAML. A line is cut at its first `: `, and all behind it is the
//! value, whatever it looks like.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use crate::document::Document;
use crate::mark::wire::SERVER_KEYS;
use crate::world::problem::Problem;

/// The largest body a server takes, in bytes.
const MAX_BODY: usize = 1_048_576;
/// The largest block, with its fences, in bytes.
const MAX_BLOCK: usize = 2_048;
/// The largest version file, in bytes.
pub(in crate::world) const MAX_FILE: usize = MAX_BODY + MAX_BLOCK;
/// The most publisher keys, and the most bytes of them with their values.
const MAX_KEYS: usize = 50;
const MAX_METADATA: usize = 1_024;

/// The publisher's keys that stand in the block as they are; every other one is
/// behind `meta.`.
const BARE: [&str; 6] = ["type", "title", "description", "resource", "tags", "timestamp"];

/// The keys of the store itself.
const RESERVED: [&str; 3] = ["version", "archived", "previous-hash"];

/// What a server is asked. A reader sees no publisher's key of such a name, nor one
/// of those that a server says itself.
const ASKED: [&str; 4] = ["auth", "expected-version", "if-none-match", "if-modified-since"];

/// Whether a reader never sees a publisher's key of this name.
fn is_never_served(key: &str) -> bool {
    SERVER_KEYS.contains(&key) || ASKED.contains(&key)
}

/// A version file, cut in two.
pub(in crate::world) struct VersionFile<'a> {
    /// The lines between the fences; `None` where the file does not begin with a
    /// block that ends, and all of it is body.
    block: Option<&'a [u8]>,
    body: &'a [u8],
}

impl<'a> VersionFile<'a> {
    pub(in crate::world) fn split(bytes: &'a [u8]) -> Self {
        let whole = Self { block: None, body: bytes };
        let Some(rest) = bytes.strip_prefix(b"---\n") else { return whole };
        match memchr::memmem::find(rest, b"\n---\n") {
            Some(end) => Self { block: Some(&rest[..end]), body: &rest[end + 5..] },
            None => whole,
        }
    }

    fn lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.block.into_iter().flat_map(|block| block.split(|byte| *byte == b'\n'))
    }

    /// The keys and values of the block, in their order. A line without `: ` is none.
    fn pairs(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.lines().filter_map(|line| {
            let cut = memchr::memmem::find(line, b": ")?;
            let value = &line[cut + 2..];
            Some((&line[..cut], value.strip_suffix(b"\r").unwrap_or(value)))
        })
    }

    /// What the block says of the archived state, wherever it says so.
    pub(in crate::world) fn archived(&self) -> bool {
        self.pairs()
            .filter(|(key, _)| *key == b"archived")
            .last()
            .is_some_and(|(_, v)| v == b"true")
    }

    /// The version number in the block.
    fn number(&self) -> Option<u64> {
        let (_, value) = self.pairs().find(|(key, _)| *key == b"version")?;
        std::str::from_utf8(value).ok()?.parse().ok()
    }

    /// The publisher's metadata as a reader is served it.
    fn metadata(&self) -> BTreeMap<String, String> {
        let mut metadata = BTreeMap::new();
        for (key, value) in self.pairs() {
            let (Ok(key), Ok(value)) = (std::str::from_utf8(key), std::str::from_utf8(value))
            else {
                continue;
            };
            let (logical, value) = match key.strip_prefix("meta.") {
                Some(logical) => (logical, value.to_owned()),
                None if key == "tags" => (key, joined_tags(value)),
                None if BARE.contains(&key) => (key, value.to_owned()),
                None => continue,
            };
            if is_key(logical) && !is_never_served(logical) && !value.contains('\r') {
                metadata.insert(logical.to_owned(), value);
            }
        }
        metadata
    }
}

/// The tags of a list or of a text with commas, joined as they are served.
fn joined_tags(value: &str) -> String {
    let value = value.trim();
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value);
    inner.split(',').map(str::trim).filter(|tag| !tag.is_empty()).collect::<Vec<_>>().join(",")
}

fn is_key(key: &str) -> bool {
    !key.is_empty()
        && key
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// A version as a document, with what is wrong with its file.
pub(in crate::world) struct Read {
    pub(in crate::world) document: Document,
    /// What the block says of the archived state.
    pub(in crate::world) archived: bool,
    pub(in crate::world) problems: Vec<Problem>,
    /// Whether the file may be one that is still being written.
    pub(in crate::world) doubtful: bool,
}

/// Makes a document of a version's bytes. Like a server, it takes what it can: a
/// file without a block is all body.
///
/// # Errors
///
/// Why there is no document: the body is no UTF-8.
pub(in crate::world) fn read(
    path: &str,
    number: u64,
    bytes: &[u8],
    modified: Option<Timestamp>,
    file: &Path,
) -> Result<Read, Box<Problem>> {
    let version = VersionFile::split(bytes);
    let body = std::str::from_utf8(version.body).map_err(|error| {
        let offset = bytes.len() - version.body.len() + error.valid_up_to();
        let line = 1 + memchr::memchr_iter(b'\n', &bytes[..offset]).count();
        let message = format!("the version is not UTF-8 at offset {offset}");
        Problem::new(file, message, "publish a text in its place").on_line(line).refusal()
    })?;
    let mut problems = Vec::new();
    let mut doubtful = false;
    if version.block.is_none() {
        doubtful = true;
        let message = match bytes {
            [] => "the version file is empty",
            _ => "the version file has no block that ends, so all of it is text without metadata",
        };
        problems
            .push(Problem::new(file, message, "restore it from a copy of the store").on_line(1));
    } else if version.number() != Some(number) {
        doubtful = true;
        let message = format!("the version file does not say that it is version {number}");
        problems
            .push(Problem::new(file, message, "restore it from a copy of the store").on_line(2));
    }
    let block = bytes.len() - version.body.len();
    if block > MAX_BLOCK {
        let message =
            format!("the block takes {block} bytes, more than the {MAX_BLOCK} of a server");
        problems.push(Problem::new(file, message, "publish it with less metadata"));
    }
    if body.len() > MAX_BODY {
        let message = format!("the body is larger than the {MAX_BODY} bytes of a server");
        problems.push(Problem::new(file, message, "split it into several documents"));
    }
    let document = Document::new(path, body)
        .with_version(Some(number))
        .with_modified(modified)
        .with_metadata(version.metadata());
    Ok(Read { document, archived: version.archived(), problems, doubtful })
}

/// The problem of a version file over the size limit.
pub(in crate::world) fn too_large(file: &Path) -> Problem {
    let message = format!("the version file is larger than {MAX_FILE} bytes");
    Problem::new(file, message, "split it into several documents")
}

/// Holds a version to everything that a server writes, and gives the hash that it
/// records of the version before it. The forms of older servers are fine: the
/// order of the store's keys, and no `archived`.
///
/// # Errors
///
/// What is wrong, as the end of a sentence about the file.
pub(in crate::world) fn inspect(bytes: &[u8], number: u64) -> Result<Option<String>, String> {
    let version = VersionFile::split(bytes);
    if version.block.is_none() {
        return Err("has no block of metadata that ends".into());
    }
    if bytes.len() - version.body.len() > MAX_BLOCK {
        return Err(format!("has a block of more than {MAX_BLOCK} bytes"));
    }
    if version.body.len() > MAX_BODY {
        return Err(format!("has a body of more than {MAX_BODY} bytes"));
    }
    if std::str::from_utf8(version.body).is_err() {
        return Err("has a body that is not UTF-8".into());
    }
    let mut lines = version.lines().map(std::str::from_utf8).peekable();
    if lines.next() != Some(Ok(&format!("version: {number}"))) {
        return Err(format!("does not begin with `version: {number}`"));
    }
    let mut inspected = Inspected::default();
    for line in lines {
        let line = line.map_err(|_| "has metadata that is not UTF-8".to_owned())?;
        inspected.line(line)?;
    }
    match (&inspected.previous, number) {
        (Some(_), 1) => Err("records a version before the first".into()),
        (None, 2..) => Err("does not record the hash of the version before it".into()),
        _ => Ok(inspected.previous),
    }
}

#[derive(Default)]
struct Inspected<'a> {
    archived: bool,
    previous: Option<String>,
    /// The last of the publisher's keys, without `meta.`.
    key: Option<&'a str>,
    keys: usize,
    bytes: usize,
}

impl<'a> Inspected<'a> {
    fn line(&mut self, line: &'a str) -> Result<(), String> {
        let shown = || crate::world::problem::excerpt(line);
        let (key, value) = line
            .split_once(": ")
            .ok_or_else(|| format!("has a line without `: `: `{}`", shown()))?;
        if value.contains('\r') {
            return Err(format!("has a carriage return in the line of `{key}`"));
        }
        match key {
            // At the end of a block it is the mark of an old server.
            "archived" if !self.archived && matches!(value, "true" | "false") => {
                self.archived = true;
                Ok(())
            }
            "previous-hash" if self.previous.is_none() && self.keys == 0 => {
                let hash = value.strip_prefix("sha256-").filter(|hash| is_hash(hash));
                self.previous = Some(hash.ok_or("records a hash that is none")?.to_owned());
                Ok(())
            }
            _ => self.publisher(key, value),
        }
    }

    fn publisher(&mut self, key: &'a str, value: &str) -> Result<(), String> {
        let logical = key.strip_prefix("meta.").or_else(|| BARE.contains(&key).then_some(key));
        let logical = logical
            .filter(|logical| is_key(logical) && !RESERVED.contains(logical))
            .ok_or_else(|| {
                let key = crate::world::problem::excerpt(key);
                format!("has a key that a server does not write there: `{key}`")
            })?;
        if self.key.is_some_and(|before| before >= logical) {
            return Err(format!("has the key `{logical}` out of order"));
        }
        self.key = Some(logical);
        self.keys += 1;
        self.bytes += logical.len() + value.len();
        if self.keys > MAX_KEYS {
            return Err(format!("has more than {MAX_KEYS} keys"));
        }
        if self.bytes > MAX_METADATA {
            return Err(format!("has more than {MAX_METADATA} bytes of metadata"));
        }
        Ok(())
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(block: &str) -> Vec<(String, String)> {
        let bytes = format!("---\nversion: 1\n{block}---\nbody");
        let read = read("/a.md", 1, bytes.as_bytes(), None, Path::new("v1")).expect("a document");
        assert_eq!(read.document.body(), "body");
        read.document.metadata().clone().into_iter().collect()
    }

    fn pairs(want: &[(&str, &str)]) -> Vec<(String, String)> {
        want.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn metadata_is_read_as_it_is_served() {
        for (block, want) in [
            ("title: Rye: the slow way\n", &[("title", "Rye: the slow way")][..]),
            ("meta.l:   two  \nno line\nx:y\n", &[("l", "  two  ")]),
            ("tags: [a, b c,, d]\n", &[("tags", "a,b c,d")]),
            ("tags: a, b\n", &[("tags", "a,b")]),
            ("meta.tags: a, b\n", &[("tags", "a, b")]),
            ("rel-fake: /y.md\nimportance: 0.9\ncolour: red\n", &[]),
            ("meta.version: 2\nmeta.status: x\nmeta.auth: t\nmeta.Up: x\nmeta.: x\n", &[]),
            ("meta.rel-: /x.md\nmeta.a: 1\nmeta.a: 2\r\n", &[("a", "2"), ("rel-", "/x.md")]),
            ("meta.title: old\ntitle: new\n", &[("title", "new")]),
            ("meta.e: \nmeta.f:\nmeta.r: a\rb\n", &[("e", "")]),
        ] {
            assert_eq!(served(block), pairs(want), "{block:?}");
        }
    }

    #[test]
    fn a_file_without_a_block_is_all_body() {
        for text in ["", "x", "---\n", "---\nversion: 1\n---", "---\r\nversion: 1\r\n---\r\n"] {
            let read =
                read("/a.md", 1, text.as_bytes(), None, Path::new("v1")).expect("a document");
            assert_eq!(read.document.body(), text);
            assert!(read.doubtful && read.problems.len() == 1, "{text:?}");
        }
        let fence = "---\nversion: 1\n---\n---\ntitle: T\n---\nx";
        let read = read("/a.md", 1, fence.as_bytes(), None, Path::new("v1")).expect("a document");
        assert_eq!(read.document.body(), "---\ntitle: T\n---\nx");
        assert!(read.document.metadata().is_empty() && !read.doubtful);
    }

    #[test]
    fn the_archived_mark_is_found_anywhere() {
        for (block, want) in [
            ("version: 1", false),
            ("version: 1\narchived: true", true),
            ("version: 1\nmeta.a: b\narchived: true\r", true),
            ("version: 1\narchived: true \n", false),
            ("version: 1\nmeta.archived: true", false),
        ] {
            let text = format!("---\n{block}\n---\n");
            assert_eq!(VersionFile::split(text.as_bytes()).archived(), want, "{block:?}");
        }
    }

    #[test]
    fn inspection_takes_every_form_a_server_wrote_and_no_other() {
        let hash = "0f".repeat(32);
        let check = |number: u64, block: &str| {
            let text = format!("---\n{}\n---\nx", block.replace('H', &format!("sha256-{hash}")));
            inspect(text.as_bytes(), number)
        };
        for (number, block) in [
            (1, "version: 1\narchived: false"),
            (2, "version: 2\narchived: false\nprevious-hash: H\nmeta.a: 1\ntags: [x]\ntype: N"),
            (2, "version: 2\nprevious-hash: H"),
            (2, "version: 2\nprevious-hash: H\narchived: false\nmeta.tags: x, y\nmeta.title: T"),
            (2, "version: 2\nprevious-hash: H\nmeta.a: 1\narchived: true"),
        ] {
            assert!(check(number, block).is_ok(), "{block:?}: {:?}", check(number, block));
        }
        for (number, block) in [
            (1, "version: 2"),
            (1, "version: 01"),
            (1, "archived: false\nversion: 1"),
            (1, "version: 1\nprevious-hash: H"),
            (2, "version: 2\narchived: false"),
            (2, "version: 2\narchived: maybe\nprevious-hash: H"),
            (2, "version: 2\nprevious-hash: sha256-00"),
            (1, "version: 1\nrel-fake: /y.md"),
            (1, "version: 1\nmeta.version: 3"),
            (1, "version: 1\nmeta.b: 1\nmeta.a: 1"),
            (1, "version: 1\nmeta.a: 1\nmeta.a: 1"),
            (1, "version: 1\nmeta.a: 1\r"),
            (1, "version: 1\n meta.a: 1"),
            (1, "version: 1\nnothing"),
            (1, &format!("version: 1\nmeta.a: {}", "x".repeat(1_024))),
            (1, &format!("version: 1\nmeta.a: {}", "x".repeat(2_048))),
        ] {
            assert!(check(number, block).is_err(), "{block:?}");
        }
    }
}
