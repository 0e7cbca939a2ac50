//! Settings as defaults of the command line. The environment comes in between:
//! each argument names its own variable.

use clap::Command;

use super::file::{Config, SETTINGS};

/// The arguments by which the commands that settings are for are known: those that
/// look something up, anew or as it is recorded, and those that show the explorer.
const MARKS: [&str; 3] = ["engine", "budget-of-all", "theme"];

/// A command line whose defaults are the user's settings, in every command that
/// they are for.
pub(in crate::cli) fn with_defaults(mut command: Command, config: &Config) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, |sub| with_defaults(sub, config));
    }
    if !MARKS.iter().any(|mark| has(&command, mark)) {
        return command;
    }
    for setting in &SETTINGS {
        if let Some(value) = config.value(setting.name)
            && has(&command, setting.argument)
        {
            let value = value.to_owned();
            command = command.mut_arg(setting.argument, |arg| arg.default_value(value));
        }
    }
    command
}

fn has(command: &Command, argument: &str) -> bool {
    command.get_arguments().any(|known| known.get_id() == argument)
}
