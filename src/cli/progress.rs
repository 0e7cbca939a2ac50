//! How far a long run is: one line on stderr that moves, where somebody looks; and
//! whether somebody wants it to end.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::output::End;

/// The line is written no more often than this.
const PAUSE: Duration = Duration::from_millis(100);

/// The line, shared by all threads of a run.
pub(super) struct Progress {
    is_shown: bool,
    /// Done by an earlier run; the estimate does not go by these.
    before: usize,
    total: usize,
    done: AtomicUsize,
    begun: Instant,
    told: Mutex<Option<Instant>>,
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        Self::resumed(0, total)
    }

    /// Of a run that goes on where another one ended, which did `before` of `total`.
    pub(super) fn resumed(before: usize, total: usize) -> Self {
        Self {
            is_shown: io::stderr().is_terminal(),
            before,
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
        let line = line(self.before, done, self.total, self.begun.elapsed());
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

/// The line, where `done` more than those `before` took so long.
fn line(before: usize, done: usize, total: usize, elapsed: Duration) -> String {
    let all = before + done;
    let left = elapsed.as_secs_f64() / done.max(1) as f64 * total.saturating_sub(all) as f64;
    format!("{all} of {total} lookups, about {} left; Ctrl-C ends", time(left))
}

/// Seconds, rounded up, as people say them: no finer than an estimate is good for.
fn time(seconds: f64) -> String {
    // The largest number where it is larger.
    let seconds = seconds.ceil() as u64;
    match (seconds / 3600, seconds % 3600 / 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// Whether a long run is asked to end: by Ctrl-C, by SIGTERM, as whoever supervises
/// it sends, or by SIGHUP, as a terminal that closes. The second one ends the program
/// at once. Where no handler can be set, the first one does. What whoever started the
/// program had ignored, as `nohup` does, stays ignored.
pub(super) struct Stop {
    is_asked: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Listens from here on.
    pub(super) fn listen() -> Self {
        let stop = Self { is_asked: Arc::default(), signal: Arc::default() };
        let ignored = ignored(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|it| !ignored.contains(it)) {
            // The order matters: the shutdown is armed by the flag of the signal
            // before, and whoever sees the flag finds the signal's number.
            let _ = flag::register_conditional_shutdown(
                signal,
                End::Signal(signal).code().into(),
                Arc::clone(&stop.is_asked),
            )
            .and_then(|_| {
                flag::register_usize(
                    signal,
                    Arc::clone(&stop.signal),
                    signal.unsigned_abs() as usize,
                )
            })
            .and_then(|_| flag::register(signal, Arc::clone(&stop.is_asked)));
        }
        stop
    }

    pub(super) fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::SeqCst)
    }

    fn signal(&self) -> i32 {
        match i32::try_from(self.signal.load(Ordering::SeqCst)) {
            Ok(signal @ (SIGTERM | SIGHUP)) => signal,
            _ => SIGINT,
        }
    }

    /// What ended the run, in words.
    pub(super) fn name(&self) -> &'static str {
        match self.signal() {
            SIGTERM => "SIGTERM",
            SIGHUP => "SIGHUP",
            _ => "Ctrl-C",
        }
    }

    /// How a command ends that was ended so.
    pub(super) fn end(&self) -> End {
        End::Signal(self.signal())
    }
}

/// The signals that a process ignores, out of what Linux tells about it (proc(5)); other
/// systems tell nothing.
fn ignored(status: &str) -> Vec<i32> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| mask & (1 << (signal - 1)) != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_read_from_the_mask() {
        assert_eq!(ignored("Name:\tx\nSigIgn:\t0000000000001001\n"), [1, 13]);
        assert_eq!(ignored("SigIgn:\t8000000000000000"), [64]);
        assert!(ignored("SigIgn:\tnone").is_empty() && ignored("").is_empty());
    }

    #[test]
    fn the_estimate_goes_by_what_this_run_did() {
        for (before, done, total, seconds, want) in [
            (0, 20, 100, 5, "20 of 100 lookups, about 20 s left; Ctrl-C ends"),
            (40, 10, 100, 5, "50 of 100 lookups, about 25 s left; Ctrl-C ends"),
            (0, 3, 10, 1, "3 of 10 lookups, about 3 s left; Ctrl-C ends"),
            (0, 1, 251, 1, "1 of 251 lookups, about 4 min 10 s left; Ctrl-C ends"),
            (0, 1, 61, 60, "1 of 61 lookups, about 1 h 0 min left; Ctrl-C ends"),
            (0, 1, 3, 4000, "1 of 3 lookups, about 2 h 13 min left; Ctrl-C ends"),
            (3, 1, 4, 9, "4 of 4 lookups, about 0 s left; Ctrl-C ends"),
        ] {
            assert_eq!(line(before, done, total, Duration::from_secs(seconds)), want);
        }
    }
}
