//! How far a long run is: one line on stderr that moves, where somebody looks; and
//! whether somebody wants it to end.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use signal_hook::consts::SIGINT;

/// The line is written no more often than this.
const PAUSE: Duration = Duration::from_millis(100);

/// The line, shared by all threads of a run.
pub(super) struct Progress {
    is_shown: bool,
    total: usize,
    done: AtomicUsize,
    begun: Instant,
    told: Mutex<Option<Instant>>,
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        Self {
            is_shown: io::stderr().is_terminal(),
            total,
            done: AtomicUsize::new(0),
            begun: Instant::now(),
            told: Mutex::new(None),
        }
    }

    /// One more is done.
    pub(super) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if !self.is_shown {
            return;
        }
        // A thread that finds another one writing has nothing to add.
        let Ok(mut told) = self.told.try_lock() else { return };
        if told.is_some_and(|told| told.elapsed() < PAUSE) {
            return;
        }
        *told = Some(Instant::now());
        let line = line(done, self.total, self.begun.elapsed());
        // Nothing is left to do where even stderr is closed.
        let _ = write!(io::stderr().lock(), "\r\x1b[K{line}");
    }

    /// Takes the line away.
    pub(super) fn end(&self) {
        if self.is_shown {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

fn line(done: usize, total: usize, elapsed: Duration) -> String {
    let left = elapsed.as_secs_f64() / done.max(1) as f64 * total.saturating_sub(done) as f64;
    format!("{done} of {total} lookups, about {:.0} s left; Ctrl-C ends", left.ceil())
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once. Where no
/// handler can be set, the first one does.
pub(super) fn interrupted() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    // The order matters: the shutdown is armed by the flag of the signal before.
    let _ = signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&flag))
        .and_then(|_| signal_hook::flag::register(SIGINT, Arc::clone(&flag)));
    flag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_goes_by_what_is_done() {
        let told = line(20, 100, Duration::from_secs(5));
        assert_eq!(told, "20 of 100 lookups, about 20 s left; Ctrl-C ends");
    }
}
