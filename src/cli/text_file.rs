//! Small files that the program reads whole. A pipe that nobody writes to would never
//! end, a device may give text for ever, and neither is a file that somebody meant.

use std::fs::{self, File, FileType};
use std::io::{self, Read as _};
use std::path::Path;

/// The text of a file of no more than so many bytes.
///
/// # Errors
/// There is no such file, it is none, it is too large, or it is no text.
pub(super) fn read(path: &Path, most: u64) -> io::Result<String> {
    let meta = fs::metadata(path)?;
    if !meta.is_file() {
        return Err(io::Error::other(format!("it is {}, not a file", kind(meta.file_type()))));
    }
    bounded(path, most)
}

/// The same; a pipe that the shell has opened for this program is fine too, as
/// `<(COMMAND)` and `/dev/stdin` are.
///
/// # Errors
/// As [`read`].
pub(super) fn read_or_pipe(path: &Path, most: u64) -> io::Result<String> {
    let is_opened = path == Path::new("/dev/stdin") || path.parent() == Some(Path::new("/dev/fd"));
    if is_opened { bounded(path, most) } else { read(path, most) }
}

fn bounded(path: &Path, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let words = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::other(words));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not text in UTF-8"))
}

/// What something is that is no file.
fn kind(of: FileType) -> &'static str {
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
