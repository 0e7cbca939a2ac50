//! `markscope config`: a file with every setting as it is built in.

use clap::Args;

use super::file::SETTINGS;
use super::place::{FILE, folder};
use crate::cli::output::{self, End, Error};
use crate::tui::keymap::Keymap;
use crate::tui::theme::Theme;

pub(in crate::cli) const EXAMPLES: &str = "\
Examples:
  markscope config                            every setting, with what it means
  markscope config --path                     where the file is looked for
  markscope config --keys                     every action with its keys
  markscope config --theme dark               a theme to begin your own with
  markscope config > \"$(markscope config --path)\"

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
}

pub(in crate::cli) fn run(args: &ConfigArgs) -> Result<End, Error> {
    if args.path {
        let folder = folder().ok_or_else(|| {
            Error::Usage("there is no home folder, so no file of settings is looked for".into())
        })?;
        output::result(&format!("{}\n", folder.join(FILE).display()))?;
    } else if args.keys {
        output::result(Keymap::preset())?;
    } else if let Some(name) = &args.theme {
        let theme = Theme::named(name).map_err(|error| Error::Usage(error.to_string()))?;
        output::result(Theme::source(theme.name()).unwrap_or_default())?;
    } else {
        output::result(&template())?;
    }
    Ok(End::Fine)
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
