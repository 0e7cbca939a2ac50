//! What the user has set once and for all, in a folder of the user's own.
//!
//! - `place`: the folder
//! - `file`: what `config.toml` may say, and what is wrong with one
//! - `apply`: the settings as defaults of the command line, so that a flag wins
//!   over the environment, that over the file, and that over what is built in
//! - `panes`: the width of the panes and the theme, which the explorer keeps
//! - `show`: `markscope config`

mod apply;
mod file;
mod panes;
mod place;
mod show;

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::text_file;

pub(super) use apply::with_defaults;
pub(super) use file::Config;
pub(super) use panes::{keep, kept};
pub(super) use place::{FILE, THEMES, folder, panes as panes_file};
pub(super) use show::{ConfigArgs, EXAMPLES, run};

/// No file of the user's is as large by far; in bytes.
const MOST: u64 = 1 << 20;

/// The flag that leaves the user's files alone.
const NO_CONFIG: &str = "--no-config";

/// Whether a command line leaves the user's files alone. It must be known before
/// the command line is read, whose defaults are in those files.
pub(super) fn is_off(args: &[OsString]) -> bool {
    args.iter().skip(1).take_while(|arg| *arg != "--").any(|arg| arg == NO_CONFIG)
}

/// Reads the user's settings. Where there is no file there are none.
///
/// # Errors
/// One sentence about the file that cannot be used.
pub(super) fn read(folder: Option<&Path>) -> Result<Config, String> {
    let Some(folder) = folder else { return Ok(Config::default()) };
    let path = folder.join(FILE);
    match text_of(&path)? {
        Some(text) => Config::parse(&text, &path.display().to_string()),
        None => Ok(Config::default()),
    }
}

/// The text of a file of the user's; none where there is no such file.
///
/// # Errors
/// One sentence: it cannot be read.
pub(super) fn text_of(path: &Path) -> Result<Option<String>, String> {
    match text_file::read(path, MOST) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!(
            "{} cannot be read: {error}; mend it, or go without with {NO_CONFIG}",
            path.display()
        )),
    }
}

/// The text of a file that the command line names for one of the user's.
///
/// # Errors
/// One sentence: it cannot be read.
pub(super) fn text_of_named(path: &Path) -> Result<String, String> {
    text_file::read(path, MOST).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file {}", path.display()),
        _ => format!("{} cannot be read: {error}", path.display()),
    })
}
