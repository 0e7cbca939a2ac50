//! The files that the measuring commands read.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::output::Error;
use crate::text::visible_line;
use crate::tune::{RecordedLookup, read_lookups};

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
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    let bytes = bytes.map_err(|error| Error::Usage(format!("{shown} cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::Usage(format!("{shown}:{line}: this is no text in UTF-8: save the file as UTF-8"))
    })
}

/// The recorded lookups of a file.
pub(super) fn lookups(file: &Path) -> Result<Vec<RecordedLookup>, Error> {
    read_lookups(&text(file)?, &name(file)).map_err(|error| Error::Usage(error.to_string()))
}
