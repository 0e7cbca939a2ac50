//! The terminal taken and given back: raw mode, alternate screen, bracketed paste.

use std::fmt;
use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{Command, execute, queue};

static TAKEN: AtomicBool = AtomicBool::new(false);
static MOUSE: AtomicBool = AtomicBool::new(true);
static HOOK: Once = Once::new();

/// Holds the terminal; gives it back when dropped.
pub struct Guard(());

impl Guard {
    /// Takes the terminal. Whatever was taken is given back where this fails, and
    /// before the words of a panic.
    ///
    /// # Errors
    /// The terminal refuses.
    pub fn take(mouse: bool) -> io::Result<Self> {
        MOUSE.store(mouse, Ordering::SeqCst);
        HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                before(panic);
            }));
        });
        let guard = Self(());
        resume()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Takes the terminal again after [`restore`].
pub fn resume() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    // Whoever had the terminal meanwhile may have left raw mode without a word.
    let _ = disable_raw_mode();
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
    if MOUSE.load(Ordering::SeqCst) { execute!(io::stdout(), ListenToMouse) } else { Ok(()) }
}

/// Listens to the mouse, or leaves it to the terminal.
///
/// # Errors
/// The terminal cannot be written to.
pub fn listen_to_mouse(on: bool) -> io::Result<()> {
    MOUSE.store(on, Ordering::SeqCst);
    if on { execute!(io::stdout(), ListenToMouse) } else { execute!(io::stdout(), LeaveMouse) }
}

/// Buttons, wheel and dragging, with places beyond column 223; not every move.
struct ListenToMouse;

impl Command for ListenToMouse {
    fn write_ansi(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("\x1b[?1000h\x1b[?1002h\x1b[?1006h")
    }
}

/// The reverse.
struct LeaveMouse;

impl Command for LeaveMouse {
    fn write_ansi(&self, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("\x1b[?1006l\x1b[?1002l\x1b[?1000l")
    }
}

/// Gives the terminal back, in the reverse order. A second call does nothing. It
/// has no one to tell of an error.
pub fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout();
        let _ = leave(&mut out);
        let _ = disable_raw_mode();
    }
}

fn leave(out: &mut impl Write) -> io::Result<()> {
    queue!(
        out,
        EndSynchronizedUpdate,
        LeaveMouse,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    )?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_taken_is_given_back_in_reverse() {
        let mut out = Vec::new();
        leave(&mut out).expect("a vector takes everything");
        let text = String::from_utf8(out).expect("escape sequences are text");
        assert_eq!(
            text,
            "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2004l\x1b[?1049l\x1b[?25h"
        );
    }
}
