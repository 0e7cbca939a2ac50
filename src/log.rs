//! A log for whoever asks for one: what was done, what came of it, and how long it
//! took. Never a token, never what a document contains.
//!
//! Until [`start`] is called nothing is written and hardly anything is done.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use jiff::Timestamp;

use crate::text::visible_line;

static LOG: OnceLock<Mutex<File>> = OnceLock::new();

/// Starts to write to a file, behind what is in it.
///
/// # Errors
/// The file cannot be written.
pub fn start(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    // A second start changes nothing.
    let _ = LOG.set(Mutex::new(file));
    note(format_args!("markscope {} starts", env!("CARGO_PKG_VERSION")));
    Ok(())
}

/// Whether anything is written.
#[inline]
pub fn is_on() -> bool {
    LOG.get().is_some()
}

/// Writes one line with the time, if anything is written. Where the disk is full
/// there is nobody to tell.
pub fn note(words: fmt::Arguments<'_>) {
    if let Some(log) = LOG.get() {
        let line = format!("{} {}\n", Timestamp::now(), visible_line(&words.to_string()));
        let mut file = log.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(line.as_bytes());
    }
}

/// A time that runs, shown in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Since(Instant);

impl Since {
    /// Runs from now.
    pub fn now() -> Self {
        Self(Instant::now())
    }
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ms", self.0.elapsed().as_secs_f64() * 1000.0)
    }
}
