//! Results to stdout, all else to stderr, and how a command ends.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use crate::text::visible;

/// How a command ended that did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Done, something was found.
    Fine,
    /// Done, and there was no match.
    NoMatch,
    /// The request was at fault.
    Usage,
    /// A world could not be opened; it has been said.
    World,
    /// Ended by a signal of this number.
    Signal(i32),
}

impl End {
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::NoMatch => 1,
            Self::Usage => 2,
            Self::World => 3,
            // As shells report a signal.
            Self::Signal(signal) => u8::try_from(128 + signal).unwrap_or(128),
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// The command line is at fault.
    #[error("{0}")]
    Usage(String),
    /// The world is at fault, or a document that is not in it.
    #[error("{0}")]
    World(String),
    /// What was asked for is not there.
    #[error("{0}")]
    NoMatch(String),
    /// The result could not be written.
    #[error("could not write the result: {0}")]
    Output(#[from] io::Error),
}

/// Tells an error and ends. A reader that closed the pipe has had enough: that is
/// the end of the work, not a failure.
pub(super) fn fail(error: &Error) -> ExitCode {
    let end = match error {
        Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Error::Usage(_) => End::Usage,
        Error::NoMatch(_) => End::NoMatch,
        Error::World(_) | Error::Output(_) => End::World,
    };
    tell(&format!("markscope: {error}"));
    end.into()
}

/// One line on stderr, harmless to a terminal. Nothing is left to do where even
/// stderr is closed.
pub(super) fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(line));
}

/// What clap has to say: help and version to stdout, faults to stderr.
/// A fault quotes what it is about, which may be anything: `plain` is the same without
/// clap's own colours, so that what could drive a terminal is not clap's.
pub(super) fn usage(error: &clap::Error, plain: Option<&clap::Error>) -> ExitCode {
    if let Some(plain) = plain.filter(|plain| plain.use_stderr()) {
        let words = plain.render().ansi().to_string();
        let harmless = visible(&words);
        if harmless != words {
            let _ = write!(io::stderr().lock(), "{harmless}");
            return End::Usage.into();
        }
    }
    match error.print() {
        // Nothing is left to do where even stderr is closed.
        _ if error.use_stderr() => End::Usage.into(),
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fail(&Error::Output(fault)),
    }
}

/// Writes a result to stdout: bytes as they are to a pipe or a file; to a terminal
/// with everything made visible that could drive it.
pub(super) fn result(text: &str) -> Result<(), Error> {
    let stdout = io::stdout();
    let mut out = stdout.lock();
    if stdout.is_terminal() {
        out.write_all(visible(text).as_bytes())?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

/// Writes a text to stdout in which everything from a document is harmless already.
pub(super) fn raw(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a value to stdout as JSON, which escapes what could drive a terminal but
/// for direction characters.
pub(super) fn json(value: &impl serde::Serialize) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    result(&(text + "\n"))
}
