//! Small files that the program reads whole. A pipe that nobody writes to would never
//! end, a device may give text for ever, and neither is a file that somebody meant.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// The text of a file of no more than so many bytes.
///
/// # Errors
/// There is no such file, it is none, it is too large, or it is no text.
pub(super) fn read(path: &Path, most: u64) -> io::Result<String> {
    is_file(path)?;
    let bytes = bounded(File::open(path)?, most)?;
    text(bytes).map_err(|line| io::Error::other(format!("line {line} is not text in UTF-8")))
}

/// The bytes of such a file; a pipe that the shell has opened for this program is fine too, as
/// `<(COMMAND)` and `/dev/stdin` are.
///
/// # Errors
/// As [`read`].
pub(super) fn read_or_pipe(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let is_opened = path == Path::new("/dev/stdin") || path.parent() == Some(Path::new("/dev/fd"));
    if !is_opened {
        is_file(path)?;
    }
    bounded(File::open(path)?, most)
}

/// All bytes of what is read, if they are no more than so many.
///
/// # Errors
/// They are more, or cannot be read.
pub(super) fn bounded(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let words = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::other(words));
    }
    Ok(bytes)
}

/// The text that bytes are.
///
/// # Errors
/// The line, counted from 1, at which they are no UTF-8.
pub(super) fn text(bytes: Vec<u8>) -> Result<String, usize> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        1 + error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count()
    })
}

fn is_file(path: &Path) -> io::Result<()> {
    let meta = fs::metadata(path)?;
    if meta.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("it is {}, not a file", kind(meta.file_type()))))
}

/// What something is that is no file.
pub(super) fn kind(of: FileType) -> &'static str {
    if of.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if of.is_fifo() {
            return "a pipe";
        }
        if of.is_char_device() || of.is_block_device() {
            return "a device";
        }
        if of.is_socket() {
            return "a socket";
        }
    }
    "something else"
}
