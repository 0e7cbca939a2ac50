//! Options ahead of the command, put behind it.

use std::ffi::{OsStr, OsString};

use clap::{Arg, ArgAction, Command};

/// The words of a command line with the options that stand ahead of a command put
/// behind its name, where each of them is understood or told to be none of its own.
/// Ahead of it the name would be taken for a world's.
pub(in crate::cli) fn command_first(mut words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let is_command = |word: &OsStr| {
        let names = |known: &Command| known.get_name_and_visible_aliases().contains(&text(word));
        word == "help" || command.get_subcommands().any(names)
    };
    let mut at = 1;
    while let Some(taken) = words.get(at).and_then(|word| option(word, command)) {
        at += taken;
    }
    if at > 1 && words.get(at).is_some_and(|word| is_command(word)) {
        words[1..=at].rotate_right(1);
    }
    words
}

fn text(word: &OsStr) -> &str {
    word.to_str().unwrap_or_default()
}

/// How many words an option takes, its own included; none where it is not known.
fn option(word: &OsStr, command: &Command) -> Option<usize> {
    let name = text(word).strip_prefix("--")?;
    let (name, has_value) = match name.split_once('=') {
        Some((name, _)) => (name, true),
        None => (name, false),
    };
    let known = command.get_arguments().find(|known| known.get_long() == Some(name))?;
    Some(if has_value || !takes_word(known) { 1 } else { 2 })
}

/// Whether an option has its value in a word of its own.
fn takes_word(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::Set | ArgAction::Append)
        && !option.is_require_equals_set()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Cli;
    use super::*;

    fn ordered(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let words = command_first(words, &Cli::command());
        words.join(OsStr::new(" ")).into_string().expect("text")
    }

    #[test]
    fn options_ahead_of_a_command_stand_behind_it() {
        for (given, wanted) in [
            ("m --no-config replay W", "m replay --no-config W"),
            ("m --log F check W", "m check --log F W"),
            ("m --log=F --no-config diff A B", "m diff --log=F --no-config A B"),
            ("m --color never check W", "m check --color never W"),
            ("m --print lookup W q", "m lookup --print W q"),
            ("m --no-config help", "m help --no-config"),
            // What is no command stays, and so does what may be one's own words.
            ("m --no-config W check", "m --no-config W check"),
            ("m W check", "m W check"),
            ("m --log check", "m --log check"),
            ("m --log check W", "m --log check W"),
            ("m --no-such check W", "m --no-such check W"),
            ("m -- check W", "m -- check W"),
            ("m check --no-config W", "m check --no-config W"),
            ("m", "m"),
        ] {
            assert_eq!(ordered(given), wanted, "{given}");
        }
    }
}
