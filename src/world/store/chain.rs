//! Whether the versions of a document still are what was published.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::version_file;
use crate::world::problem::shown;

/// What the verification of one document's history found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainReport {
    /// The document's path, also of an archived one.
    pub path: String,
    /// The versions that are kept, oldest first.
    pub versions: Vec<u64>,
    /// The newest break in the history; `None` where all of it holds.
    pub broken: Option<ChainBreak>,
}

impl ChainReport {
    /// Whether the history holds.
    pub fn is_valid(&self) -> bool {
        self.broken.is_none()
    }
}

/// Where a history breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainBreak {
    /// The file to blame: that of a version, of a pointer or of the archived
    /// state; of a corpus the archive itself. May hold any character.
    pub file: PathBuf,
    /// The version to blame, where it is one.
    pub version: Option<u64>,
    /// What is wrong: one sentence without a full stop that names the file, safe
    /// to print.
    pub message: String,
}

impl ChainBreak {
    pub(in crate::world) fn new(file: PathBuf, version: Option<u64>, what: &str) -> Self {
        let of = version.map(|number| format!("version {number} ")).unwrap_or_default();
        let message = format!("{}: {of}{}", shown(&file), crate::text::visible_line(what));
        Self { file, version, message }
    }

    /// The same break of a document in an archive, whose name says too little.
    pub(in crate::world) fn in_archive(self, path: &str) -> Self {
        let file = shown(&self.file);
        let what = self.message.strip_prefix(&file).unwrap_or(&self.message);
        let message = format!("{file}: {}{what}", crate::text::visible_line(path));
        Self { message, ..self }
    }
}

/// One version of a history.
pub(in crate::world) struct Link<'a> {
    pub(in crate::world) number: u64,
    pub(in crate::world) bytes: &'a [u8],
    pub(in crate::world) file: PathBuf,
}

/// The newest break in a history, whose links are given oldest first. From the
/// newest down, each version is vouched for by the one after it, so a mismatch is
/// the fault of the older one. Nothing vouches for the newest, so only its form is
/// looked at; the oldest may record a version that is no longer kept.
pub(in crate::world) fn newest_break(links: &[Link<'_>]) -> Option<ChainBreak> {
    for (index, link) in links.iter().enumerate().rev() {
        let fault = |what: &str| Some(ChainBreak::new(link.file.clone(), Some(link.number), what));
        let recorded = match version_file::inspect(link.bytes, link.number) {
            Ok(recorded) => recorded,
            Err(what) => return fault(&what),
        };
        let Some(before) = index.checked_sub(1).and_then(|index| links.get(index)) else {
            continue;
        };
        if recorded.as_deref() == Some(hash(before.bytes).as_str()) {
            continue;
        }
        if before.number + 1 != link.number {
            return fault(&format!(
                "follows version {}: the one it records is missing",
                before.number
            ));
        }
        let what = format!(
            "is not what version {} records of it: its bytes were changed after it was published",
            link.number
        );
        return Some(ChainBreak::new(before.file.clone(), Some(before.number), &what));
    }
    None
}

/// The SHA-256 of bytes, in lowercase hexadecimal.
pub(in crate::world) fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Bytes in lowercase hexadecimal.
pub(in crate::world) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = std::fmt::Write::write_fmt(&mut text, format_args!("{byte:02x}"));
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(number: u64, before: Option<&str>, body: &str) -> String {
        let previous =
            before.map(|bytes| format!("previous-hash: sha256-{}\n", hash(bytes.as_bytes())));
        format!(
            "---\nversion: {number}\narchived: false\n{}---\n{body}",
            previous.unwrap_or_default()
        )
    }

    fn broken(versions: &[(u64, &str)]) -> Option<(Option<u64>, String)> {
        let links: Vec<Link<'_>> = versions
            .iter()
            .map(|(number, text)| Link {
                number: *number,
                bytes: text.as_bytes(),
                file: PathBuf::from(format!("v{number}")),
            })
            .collect();
        newest_break(&links).map(|broken| (broken.version, broken.message))
    }

    #[test]
    fn the_changed_version_is_the_one_blamed() {
        let one = version(1, None, "a");
        let two = version(2, Some(&one), "b");
        let three = version(3, Some(&two), "c");
        assert_eq!(broken(&[(1, &one), (2, &two), (3, &three)]), None);
        // History may start above the first version.
        assert_eq!(broken(&[(2, &two), (3, &three)]), None);
        assert_eq!(broken(&[(3, &three)]), None);
        let changed = two.replace('b', "B");
        for (versions, blamed) in [
            ([(1, &one), (2, &changed), (3, &three)], 2),
            ([(1, &changed), (2, &two), (3, &three)], 1),
            ([(1, &one), (2, &three), (3, &three)], 2),
        ] {
            let versions = versions.map(|(number, text)| (number, text.as_str()));
            let (version, message) = broken(&versions).expect("a break");
            assert_eq!(version, Some(blamed), "{message}");
            assert!(message.starts_with(&format!("v{blamed}: version {blamed} ")), "{message}");
        }
        let (version, message) = broken(&[(1, &one), (3, &three)]).expect("a break");
        assert_eq!(version, Some(3));
        assert!(message.contains("missing"), "{message}");
    }

    #[test]
    fn hashes_are_those_of_the_world() {
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
