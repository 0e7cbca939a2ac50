//! `markscope completions` and `markscope man`, both from the one definition of the
//! command line.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::args::Cli;
use super::output::{self, End, Error};

const NAME: &str = "markscope";

pub(super) const COMPLETIONS: &str = "\
Examples:
  markscope completions bash > ~/.local/share/bash-completion/completions/markscope
  markscope completions zsh > ~/.zfunc/_markscope
  markscope completions fish > ~/.config/fish/completions/markscope.fish";

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

#[derive(Debug, Args)]
pub(super) struct Man {
    /// The command to tell of; the program as a whole without it
    command: Option<String>,
    /// Write a page for every command into this folder instead
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    dir: Option<PathBuf>,
}

pub(super) fn completions(args: &Completions) -> Result<End, Error> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut out);
    output::raw(&String::from_utf8_lossy(&out))?;
    Ok(End::Fine)
}

pub(super) fn man(args: &Man) -> Result<End, Error> {
    let mut whole = Cli::command();
    // Parts get their full names by this.
    whole.build();
    if let Some(folder) = &args.dir {
        fs::create_dir_all(folder)?;
        clap_mangen::generate_to(whole, folder)?;
        return Ok(End::Fine);
    }
    let page = match &args.command {
        None => whole,
        Some(name) => {
            let found = whole.get_subcommands().find(|sub| sub.get_name() == name);
            let found = found.ok_or_else(|| {
                Error::Usage(format!("there is no command {name}; `{NAME} --help` lists all"))
            })?;
            // A page is called by the words of its command, joined.
            let full = format!("{NAME}-{name}");
            found.clone().name(full).version(env!("CARGO_PKG_VERSION"))
        }
    };
    let mut out = Vec::new();
    clap_mangen::Man::new(page).render(&mut out)?;
    output::raw(&String::from_utf8_lossy(&out))?;
    Ok(End::Fine)
}
