//! The files that the measuring commands read.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::output::Error;
use super::text_file;
use crate::text::visible_line;
use crate::tune::{RecordedLookup, read_lookups};

/// More than a machine wants to hold at once; in bytes.
const MOST: u64 = 1 << 28;

/// Whether stdin has been read already: it can be read once.
static IS_READ: AtomicBool = AtomicBool::new(false);

/// What a message calls a file; `-` is stdin.
pub(super) fn name(file: &Path) -> String {
    if file == Path::new("-") {
        return "stdin".into();
    }
    visible_line(&file.display().to_string())
}

/// The text of a file that the command line names; `-` is stdin.
pub(super) fn text(file: &Path) -> Result<String, Error> {
    let shown = name(file);
    let bytes = if file == Path::new("-") {
        if IS_READ.swap(true, Ordering::Relaxed) {
            let why = "`-` stands for stdin, and it can be read once: name a file for the other";
            return Err(Error::Usage(why.into()));
        }
        text_file::bounded(io::stdin(), MOST)
    } else {
        text_file::read_or_pipe(file, MOST)
    };
    let bytes = bytes.map_err(|error| Error::Usage(format!("{shown} cannot be read: {error}")))?;
    text_file::text(bytes).map_err(|line| {
        Error::Usage(format!("{shown}:{line}: this is no text in UTF-8: save the file as UTF-8"))
    })
}

/// The recorded lookups of a file.
pub(super) fn lookups(file: &Path) -> Result<Vec<RecordedLookup>, Error> {
    read_lookups(&text(file)?, &name(file)).map_err(|error| Error::Usage(error.to_string()))
}
