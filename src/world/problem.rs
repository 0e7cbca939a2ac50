//! What is wrong with one file or one record of a world, said so that it can be
//! mended.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::text::visible_line;

/// How many characters of somebody's text a message repeats.
const EXCERPT: usize = 72;

/// A document, or a part of one, that a world does not hold as it was written.
///
/// Its [`Display`](fmt::Display) form is one line, `FILE:LINE: message; help`,
/// that is safe to print: nothing in it can drive a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, or the archive that holds the record, as the person who opened
    /// the world would name it. May hold any character, and bytes that are no
    /// UTF-8.
    pub file: PathBuf,
    /// The line in that file, counted from 1, where one line is to blame.
    pub line: Option<usize>,
    /// The column in that line, in characters counted from 1, where it is known.
    pub column: Option<usize>,
    /// The metadata key it is about, as written.
    pub key: Option<String>,
    /// What is wrong, without a full stop. Safe to print.
    pub message: String,
    /// The way out, without a full stop. Safe to print.
    pub help: String,
    /// Whether a document is missing from the world because of it. A folder that
    /// could not be entered counts as one.
    pub left_out: bool,
}

impl Problem {
    /// A problem that costs no document, on no line in particular.
    pub(super) fn new(file: &Path, message: impl AsRef<str>, help: impl AsRef<str>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            column: None,
            key: None,
            message: visible_line(message.as_ref()),
            help: visible_line(help.as_ref()),
            left_out: false,
        }
    }

    /// The same problem on a line, counted from 1.
    pub(super) fn on_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    /// The same problem at a column, counted from 1.
    pub(super) fn at_column(mut self, column: usize) -> Self {
        self.column = Some(column);
        self
    }

    /// The same problem about a metadata key.
    pub(super) fn about(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// The same problem, which costs the document.
    pub(super) fn leaves_out(mut self) -> Self {
        self.left_out = true;
        self
    }

    /// The same problem, which costs the document, as the error of a reader.
    pub(super) fn refusal(self) -> Box<Self> {
        Box::new(self.leaves_out())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)?;
        if self.left_out {
            f.write_str(" (left out)")?;
        }
        write!(f, "; {}", self.help)
    }
}

/// A file name that can be printed: U+FFFD for what is no UTF-8, and every
/// control and direction character made visible.
pub(super) fn shown(path: &Path) -> String {
    visible_line(&path.to_string_lossy())
}

/// The beginning of a text, as much of it as fits into a message.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_as_one_harmless_line() {
        let problem = Problem::new(Path::new("a\n\u{1b}]0;x\u{7}.md"), "m\u{202e}\n", "h\u{1b}[2J")
            .on_line(3)
            .at_column(9)
            .about("k");
        assert_eq!(problem.to_string(), "a␊␛]0;x␇.md:3: m⟦U+202E⟧␊; h␛[2J");
        let problem = Problem::new(Path::new("a.md"), "m", "h").leaves_out();
        assert_eq!(problem.to_string(), "a.md: m (left out); h");
    }

    #[test]
    fn an_excerpt_ends_between_characters() {
        assert_eq!(excerpt("石"), "石");
        assert_eq!(excerpt(&"石".repeat(72)), "石".repeat(72));
        assert_eq!(excerpt(&"石".repeat(73)), format!("{}…", "石".repeat(72)));
    }
}
