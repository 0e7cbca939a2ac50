//! The files that the measuring commands read.

use std::path::Path;

use super::output::Error;
use super::text_file;
use crate::text::visible_line;
use crate::tune::{RecordedLookup, read_lookups};

/// More than a machine wants to hold at once; in bytes.
const MOST: u64 = 1 << 28;

/// The text of a file that the command line names.
pub(super) fn text(file: &Path) -> Result<String, Error> {
    let shown = visible_line(&file.display().to_string());
    text_file::read_or_pipe(file, MOST)
        .map_err(|error| Error::Usage(format!("{shown} cannot be read: {error}")))
}

/// The recorded lookups of a file.
pub(super) fn lookups(file: &Path) -> Result<Vec<RecordedLookup>, Error> {
    read_lookups(&text(file)?, &file.display().to_string())
        .map_err(|error| Error::Usage(error.to_string()))
}
