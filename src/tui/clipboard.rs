//! Copying: through the terminal (OSC 52), which also works from afar, and through
//! whatever program this machine has for it.

use std::env;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

/// Terminals take no more than about this in one sequence, in bytes of the text.
const MOST_BY_TERMINAL: usize = 74_000;

/// Hands the text to the terminal. To be called where nothing else is being drawn.
///
/// # Errors
/// The terminal cannot be written to.
pub fn by_terminal(text: &str) -> io::Result<bool> {
    if text.len() > MOST_BY_TERMINAL {
        return Ok(false);
    }
    execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))?;
    Ok(true)
}

/// The programs of this machine, the fittest first. From afar they would fill the
/// wrong clipboard.
fn programs() -> Vec<&'static [&'static str]> {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut programs: Vec<&[&str]> = Vec::new();
    if is_set("TMUX") {
        programs.push(&["tmux", "load-buffer", "-w", "-"]);
    }
    if is_set("SSH_CONNECTION") {
        return programs;
    }
    if is_set("WAYLAND_DISPLAY") {
        programs.push(&["wl-copy"]);
    }
    if is_set("DISPLAY") {
        programs.push(&["xclip", "-selection", "clipboard"]);
        programs.push(&["xsel", "--clipboard", "--input"]);
    }
    if cfg!(target_os = "macos") {
        programs.push(&["pbcopy"]);
    }
    if is_set("WSL_DISTRO_NAME") {
        programs.push(&["clip.exe"]);
    }
    programs
}

/// Hands the text to a program; gives its name, or none where there is no such.
/// It waits for the program, so not for the loop.
pub fn by_program(text: &str) -> Option<&'static str> {
    programs().into_iter().find_map(|words| run(words, text))
}

fn run(words: &'static [&'static str], text: &str) -> Option<&'static str> {
    let (name, arguments) = words.split_first()?;
    let mut child = Command::new(name)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let written = stdin.write_all(text.as_bytes());
    drop(stdin);
    let ended = child.wait().ok()?;
    (written.is_ok() && ended.success()).then_some(*name)
}
