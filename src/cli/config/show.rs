//! `markscope config`: a file with every setting as it is built in.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::file::SETTINGS;
use super::place::{FILE, KEYS, THEMES, folder};
use crate::cli::output::{self, End, Error};
use crate::tui::keymap::Keymap;
use crate::tui::theme::Theme;

pub(in crate::cli) const EXAMPLES: &str = "\
Examples:
  markscope config                            every setting, with what it means
  markscope config --path                     where the file is looked for
  markscope config --keys                     every action with its keys
  markscope config --theme dark               a theme to begin your own with
  markscope config --write                    write it there, to change it
  markscope config --keys --write             the same of the keys

A flag wins over the environment, that over the file, and that over what is built
in. The variables are MARKSCOPE_ and the setting: MARKSCOPE_THEME, _BUDGET, _ENGINE,
_MATCH, _LIMIT, _MOUSE, _ASCII and _KEYS. --no-config leaves the files alone.";

#[derive(Debug, Args)]
pub(in crate::cli) struct ConfigArgs {
    /// Print where the file is looked for
    #[arg(long, group = "what")]
    path: bool,
    /// Print the keys that are built in, as a file for the same folder
    #[arg(long, group = "what")]
    keys: bool,
    /// Print a builtin theme, as a file for the folder themes in the same folder
    #[arg(long, group = "what", value_name = "NAME")]
    theme: Option<String>,
    /// Write it to the file that is looked for, which must not be there yet
    #[arg(long, conflicts_with = "path")]
    write: bool,
}

pub(in crate::cli) fn run(args: &ConfigArgs) -> Result<End, Error> {
    let (file, text) = if args.keys {
        (PathBuf::from(KEYS), Keymap::preset().to_owned())
    } else if let Some(name) = &args.theme {
        let theme = Theme::named(name).map_err(|error| Error::Usage(error.to_string()))?;
        let name = theme.name();
        let file = Path::new(THEMES).join(format!("{name}.toml"));
        (file, Theme::source(name).unwrap_or_default().to_owned())
    } else {
        (PathBuf::from(FILE), template())
    };
    if !args.path && !args.write {
        output::result(&text)?;
        return Ok(End::Fine);
    }
    let folder = folder().ok_or_else(|| {
        Error::Usage("there is no home folder, so no file of settings is looked for".into())
    })?;
    let path = folder.join(file);
    if args.write {
        write(&path, &text)?;
    }
    output::result(&format!("{}\n", path.display()))?;
    Ok(End::Fine)
}

/// Writes a file of the user's that is not there yet, and the folder it is in.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    let shown = path.display();
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::Usage(format!(
            "{shown} is there already and stays as it is; `markscope config` without --write \
             prints what is built in"
        )),
        _ => Error::World(format!("{shown} cannot be written: {error}")),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| {
            Error::World(format!("{} cannot be made: {error}", folder.display()))
        })?;
    }
    let mut file = File::create_new(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)
}

/// A file with every setting as it is built in.
fn template() -> String {
    let mut out = String::from(
        "# The settings of markscope, as they are built in. All of them may be left out.\n",
    );
    for setting in &SETTINGS {
        out.push('\n');
        for line in setting.words.lines() {
            out.push_str(&format!("# {line}\n"));
        }
        let sign = if setting.is_example { "# " } else { "" };
        out.push_str(&format!("{sign}{} = {}\n", setting.name, setting.value));
    }
    out
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, FromArgMatches as _};

    use super::super::apply::with_defaults;
    use super::super::file::Config;
    use super::*;
    use crate::cli::args::Cli;
    use crate::tui::keymap::Action;

    /// What the explorer would run with, but for where the settings are from.
    fn explorer(config: &Config) -> String {
        let command = with_defaults(Cli::command(), config);
        let matches = command.try_get_matches_from(["markscope"]).expect("no arguments");
        let cli = Cli::from_arg_matches(&matches).expect("arguments");
        format!("{:?} {}", cli.explore, config.keys())
    }

    #[test]
    fn the_file_says_exactly_what_is_built_in() {
        let built_in = explorer(&Config::default());
        let config = Config::parse(&template(), "config.toml").expect("settings");
        assert_ne!(config, Config::default());
        assert_eq!(explorer(&config), built_in);
    }

    #[test]
    fn the_keys_shown_are_those_built_in() {
        let keymap = Keymap::with_file(Keymap::preset(), "keys.toml").expect("keys");
        for action in Action::ALL {
            assert_eq!(keymap.keys(*action), Keymap::default().keys(*action));
        }
    }

    #[test]
    fn every_line_may_be_taken_in() {
        let whole: String = template()
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ")).unwrap_or(line))
            .map(|line| format!("{line}\n"))
            .collect();
        let config = Config::parse(&whole, "config.toml").expect("settings");
        for setting in &SETTINGS {
            let value = setting.value.trim_matches('"');
            assert_eq!(config.value(setting.name), Some(value), "{}", setting.name);
        }
    }
}
