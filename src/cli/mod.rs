//! The commands, over the same results that the explorer shows.
//!
//! - `args`: the command line
//! - `output`: results to stdout, all else to stderr, and how a command ends
//! - `open`: the world a command names
//! - `config`: the user's settings and where they are; `looks`, `ground`: themes
//!   and colours
//! - `lookup`, `outline`, `relations`, `check`, `serve`, `explore`: one command each
//! - `sweep`, `replay`, `compare`: measuring over recorded lookups; `lookups_file`
//!   reads them, `progress` tells how far a long run is, `report_file` keeps what it
//!   has done
//! - `diff`: what differs for readers between two worlds
//! - `plain`: all of it as sentences
//! - `config`, `doctor`, `pages`: about the program itself
//! - `view`: a recorded result in the explorer; `import`: lookups that others
//!   recorded
//! - `text_file`: small files, which must be files indeed; `result_file`: files that
//!   are written, never over what is read
//! - `worlds`: the world or worlds to ask, on this machine or on servers
//! - `network`: servers, as the command line has them
//! - `json`: the documented object of `lookup --format json`

mod args;
mod check;
mod compare;
mod config;
mod diff;
mod doctor;
mod explore;
mod ground;
mod import;
mod json;
mod looks;
mod lookup;
mod lookups_file;
mod network;
mod open;
mod outline;
mod output;
mod pages;
mod plain;
mod progress;
mod relations;
mod replay;
mod report_file;
mod result_file;
mod serve;
mod sweep;
mod text_file;
mod view;
mod worlds;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::Styles;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};

use crate::log::{self, Since};
use args::{Cli, Command};
use config::Config;
use output::{End, fail};

/// Runs the command line of this process to its end.
pub fn main() -> ExitCode {
    let args: Vec<OsString> = env::args_os().collect();
    let mut home = Home::of(&args);
    let cli = match parse(&args, &mut home) {
        Ok(cli) => cli,
        Err(faults) => return output::usage(&faults.0, faults.1.as_ref()),
    };
    if let Some(path) = &cli.log
        && let Err(error) = log::start(path)
    {
        let path = path.display();
        return fail(&output::Error::Usage(format!("--log: {path} cannot be written: {error}")));
    }
    let since = Since::now();
    let ended = match cli.command {
        Some(Command::Lookup(args)) => home.settings().and_then(|_| lookup::run(&args)),
        Some(Command::Config(args)) => config::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args, &home),
        Some(Command::Completions(args)) => pages::completions(&args),
        Some(Command::Man(args)) => pages::man(&args),
        Some(Command::Outline(args)) => outline::run(&args),
        Some(Command::Relations(args)) => relations::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Sweep(args)) => home.settings().and_then(|_| sweep::run(&args)),
        Some(Command::Replay(args)) => home.settings().and_then(|_| replay::run(&args)),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Diff(args)) => home.settings().and_then(|_| diff::run(&args)),
        Some(Command::Preview(args)) => home.settings().and_then(|_| diff::preview(*args)),
        Some(Command::Import(args)) => import::run(&args),
        Some(Command::View(args)) => view::run(&args, &home),
        Some(Command::Serve(args)) => serve::run(&args),
        None => explore::run(&cli.explore, &home),
    };
    match ended {
        Ok(end) => {
            log::note(format_args!("ends with {} after {since}", end.code()));
            end.into()
        }
        Err(error) => {
            log::note(format_args!("ends after {since}: {error}"));
            fail(&error)
        }
    }
}

/// The command line, with the user's settings for defaults. Where those cannot be
/// used, the commands that they are for say so, and no others.
///
/// # Errors
/// What clap has to say, in its colours and without.
fn parse(args: &[OsString], home: &mut Home) -> Result<Cli, Box<Faults>> {
    let error = match matched(args.to_vec(), home, Styles::styled()) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    Err(Box::new((error, matched(args.to_vec(), home, Styles::plain()).err())))
}

type Faults = (clap::Error, Option<clap::Error>);

fn matched(args: Vec<OsString>, home: &mut Home, styles: Styles) -> Result<Cli, clap::Error> {
    let command = match &home.config {
        Ok(config) => config::with_defaults(Cli::command(), config),
        Err(_) => Cli::command(),
    };
    let command = command.styles(styles);
    let args = args::command_first(args, &command);
    let matches = command.try_get_matches_from(args)?;
    let source = theme_source(&matches);
    home.theme_from = theme_from(source, home.config.as_ref().ok());
    home.is_theme_asked = source.is_some_and(|source| source != ValueSource::DefaultValue);
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))
}

/// What the theme is from; the user's settings are a default.
fn theme_source(matches: &ArgMatches) -> Option<ValueSource> {
    let named = matches.subcommand().map_or(matches, |(_, matches)| matches);
    match named.try_contains_id("theme") {
        Ok(true) => named.value_source("theme"),
        _ => None,
    }
}

/// Where the theme was named: on the command line, in the environment or in the
/// user's settings.
fn theme_from(source: Option<ValueSource>, config: Option<&Config>) -> String {
    match source {
        Some(ValueSource::EnvVariable) => Some("MARKSCOPE_THEME".to_owned()),
        Some(ValueSource::DefaultValue) => config.and_then(|config| config.place("theme")),
        _ => None,
    }
    .unwrap_or_else(|| "--theme".into())
}

/// The user's own files.
struct Home {
    /// Where they are, unless they are to be left alone.
    folder: Option<PathBuf>,
    /// The settings, or what is wrong with their file.
    config: Result<Config, String>,
    /// Where the theme was named, for what is wrong with it.
    theme_from: String,
    /// Whether it was named on the command line or in the environment.
    is_theme_asked: bool,
}

impl Home {
    fn of(args: &[OsString]) -> Self {
        let folder = if config::is_off(args) { None } else { config::folder() };
        let config = config::read(folder.as_deref());
        Self { config, folder, theme_from: "--theme".into(), is_theme_asked: false }
    }

    /// The settings, for a command that they are for.
    fn settings(&self) -> Result<&Config, output::Error> {
        self.config.as_ref().map_err(|fault| output::Error::Usage(fault.clone()))
    }
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        Self::from(end.code())
    }
}
