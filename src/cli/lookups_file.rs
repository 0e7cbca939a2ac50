//! The files that the measuring commands read.

use std::fs;
use std::path::Path;

use super::output::Error;
use crate::text::visible_line;
use crate::tune::{RecordedLookup, read_lookups};

/// The text of a file that the command line names.
pub(super) fn text(file: &Path) -> Result<String, Error> {
    let shown = visible_line(&file.display().to_string());
    fs::read_to_string(file)
        .map_err(|error| Error::Usage(format!("{shown} cannot be read: {error}")))
}

/// The recorded lookups of a file.
pub(super) fn lookups(file: &Path) -> Result<Vec<RecordedLookup>, Error> {
    read_lookups(&text(file)?, &file.display().to_string())
        .map_err(|error| Error::Usage(error.to_string()))
}
