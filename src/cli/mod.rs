//! The commands, over the same results that the explorer shows.
//!
//! - `args`: the command line
//! - `output`: results to stdout, all else to stderr, and how a command ends
//! - `open`: the world a command names
//! - `lookup`, `outline`, `relations`, `check`, `serve`, `explore`: one command each
//! - `sweep`, `replay`, `compare`: measuring over recorded lookups; `lookups_file`
//!   reads them, `progress` tells how far a long run is
//! - `diff`: what differs for readers between two worlds
//! - `worlds`: the world or worlds to ask, on this machine or on servers
//! - `network`: servers, as the command line has them
//! - `json`: the documented object of `lookup --format json`

mod args;
mod check;
mod compare;
mod diff;
mod explore;
mod json;
mod lookup;
mod lookups_file;
mod network;
mod open;
mod outline;
mod output;
mod progress;
mod relations;
mod replay;
mod serve;
mod sweep;
mod worlds;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use output::{End, fail};

/// Runs the command line of this process to its end.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return output::usage(&error),
    };
    let ended = match cli.command {
        Some(Command::Lookup(args)) => lookup::run(&args),
        Some(Command::Outline(args)) => outline::run(&args),
        Some(Command::Relations(args)) => relations::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Sweep(args)) => sweep::run(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        None => explore::run(&cli.explore),
    };
    match ended {
        Ok(end) => end.into(),
        Err(error) => fail(&error),
    }
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        Self::from(end.code())
    }
}
