//! Files of a store, read as they are while a server may be writing.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use jiff::Timestamp;

use crate::world::folder;

/// What reading one file gave.
pub(super) enum Got {
    /// All of the file, and when it was last changed, in whole seconds.
    Whole(Vec<u8>, Option<Timestamp>),
    /// More bytes than were asked for.
    TooLarge,
    /// A link, a folder, a pipe: nothing a server writes as a file.
    NotAFile,
    /// The file became another one meanwhile.
    Changed,
}

/// Reads a regular file of at most so many bytes. A link at the end of the path is
/// not followed, and a pipe is not opened.
pub(super) fn read(path: &Path, limit: usize) -> io::Result<Got> {
    let named = fs::symlink_metadata(path)?;
    if !named.is_file() {
        return Ok(Got::NotAFile);
    }
    if named.len() > limit as u64 {
        return Ok(Got::TooLarge);
    }
    let mut file = File::open(path)?;
    let before = file.metadata()?;
    if !same_file(&named, &before) {
        return Ok(Got::Changed);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0).min(limit) + 1);
    file.by_ref().take(limit as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        return Ok(Got::TooLarge);
    }
    let after = file.metadata()?;
    let is_whole = after.len() == bytes.len() as u64
        && before.len() == after.len()
        && before.modified().ok() == after.modified().ok();
    Ok(if is_whole { Got::Whole(bytes, folder::modified(&after)) } else { Got::Changed })
}

/// Whether something is inside a folder that has no link in its own path; a link
/// is followed, and is inside if what it leads to is.
pub(super) fn is_inside(root: &Path, path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => {
            fs::canonicalize(path).is_ok_and(|target| target.starts_with(root))
        }
        _ => true,
    }
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    b.is_file() && a.dev() == b.dev() && a.ino() == b.ino()
}

#[cfg(not(unix))]
fn same_file(_: &Metadata, b: &Metadata) -> bool {
    b.is_file()
}
