//! Why a place is no world at all.

use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use thiserror::Error;

use super::problem::{Problem, shown};
use crate::text::{self, visible_line};

/// What can be opened, for the messages.
const ACCEPTED: &str = "a world is a folder of .md files, a demarkus store, or an archive named .json, .jsonl or \
     .jsonl.gz";

/// Why a world could not be opened. Each is one sentence with the way out, safe
/// to print.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// There is nothing at the path.
    #[error("{} does not exist; {ACCEPTED}", shown(.path))]
    Missing {
        /// The path as given.
        path: PathBuf,
    },
    /// There is something at the path that is neither folder nor archive.
    #[error("{} is neither a folder nor an archive; {ACCEPTED}", shown(.path))]
    NotAWorld {
        /// The path as given.
        path: PathBuf,
    },
    /// Nothing that was looked at is a document.
    #[error(
        "{} holds no document ({}); {}",
        shown(.path),
        counted(*.looked_at, .problems.len()),
        first_help(.problems)
    )]
    Empty {
        /// The path as given.
        path: PathBuf,
        /// How many files, or records of an archive, were looked at.
        looked_at: usize,
        /// Why they are no documents; empty where none of them tried to be one.
        problems: Vec<Problem>,
    },
    /// The world was empty at the time that is asked for.
    #[error("{} held no document at {time}; take a later time", shown(.path))]
    NothingYet {
        /// The path as given, or the name of the example world.
        path: PathBuf,
        /// The time asked for.
        time: Timestamp,
    },
    /// There is a world, or may be one, but without versions to verify.
    #[error(
        "{} keeps no history; only a demarkus store or a corpus of one has hashes to verify",
        shown(.path)
    )]
    NoHistory {
        /// The path as given.
        path: PathBuf,
    },
    /// The folder or archive cannot be read.
    #[error("{} cannot be read: {source}; check its permissions and try again", shown(.path))]
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The archive is damaged, or of another shape.
    #[error(
        "{}{}: {message}; write the archive anew, or remove what stands there",
        shown(.path),
        place(*.line, *.column)
    )]
    Broken {
        /// The path as given.
        path: PathBuf,
        /// The line, counted from 1, where one is known.
        line: Option<usize>,
        /// The column in bytes, counted from 1, where one is known.
        column: Option<usize>,
        /// What is wrong, safe to print.
        message: String,
    },
    /// A git revision of a folder cannot be read.
    #[error("{}@{}: {}", shown(.path), visible_line(.revision), visible_line(.message))]
    Revision {
        /// The folder as given.
        path: PathBuf,
        /// The revision as given.
        revision: String,
        /// Why, with the way out.
        message: String,
    },
    /// The archive holds more than is ever read.
    #[error(
        "{} holds more than {} MiB of text; split it into several worlds",
        shown(.path),
        .limit >> 20
    )]
    TooLarge {
        /// The path as given.
        path: PathBuf,
        /// The largest size, in bytes after decompression.
        limit: u64,
    },
}

fn counted(looked_at: usize, problems: usize) -> String {
    format!("{looked_at} looked at, {}", text::counted(problems, "problem"))
}

fn first_help(problems: &[Problem]) -> String {
    match problems {
        [] => ACCEPTED.to_owned(),
        [first, ..] => format!("first: {first}"),
    }
}

fn place(line: Option<usize>, column: Option<usize>) -> String {
    [line, column].into_iter().flatten().map(|number| format!(":{number}")).collect()
}
