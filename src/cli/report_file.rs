//! Reports of long runs as files: read to go on from, and written in whole or not
//! at all.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::lookups_file;
use super::output::{Error, tell};
use super::progress::{Progress, Stop};
use super::result_file;
pub(super) use super::result_file::shown;
use crate::text::visible_line;
use crate::tune::{Hashes, json_fault};

/// So long a run goes on before what is done is written again.
const KEEP: Duration = Duration::from_secs(5);

/// So many lookups are done between two looks at the clock.
const PART: usize = 32;

/// Reads a report; `kind` is the command that makes such, `format` how to ask one
/// for its format, and `wanted` the one that this program reads.
pub(super) fn read<T: DeserializeOwned>(
    file: &Path,
    kind: &str,
    format: fn(&T) -> &str,
    wanted: &str,
) -> Result<T, Error> {
    let shown = shown(file);
    let text = lookups_file::text(file)?;
    let mut json = serde_json::Deserializer::from_str(&text);
    let report: T = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let why = visible_line(&json_fault::words(error.inner()));
        let line = error.inner().line();
        let key = match error.path().to_string() {
            path if path == "." || error.inner().is_eof() => String::new(),
            path => format!("{}: ", visible_line(&path)),
        };
        Error::Usage(format!("{shown}:{line} is no report of a {kind}: {key}{why}"))
    })?;
    json.end().map_err(|error| {
        Error::Usage(format!("{shown}:{}: {}", error.line(), json_fault::words(&error)))
    })?;
    let has = format(&report);
    if has != wanted {
        return Err(Error::Usage(format!(
            "{shown} has the format {}; this program reads {wanted}",
            visible_line(has)
        )));
    }
    Ok(report)
}

/// Writes a report in whole or not at all.
pub(super) fn write(report: &impl Serialize, file: &Path) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(report).map_err(io::Error::from)? + "\n";
    result_file::write(file, &text).map_err(|error| {
        Error::Output(io::Error::new(error.kind(), format!("{}: {error}", shown(file))))
    })
}

/// A report can be resumed where all that it depends on is the same: its hashes, and
/// ahead of them what people understand, each with its key and its values now and
/// before.
pub(super) fn check_resumed(
    file: &Path,
    (now, before): (&Hashes, &Hashes),
    known: &[(&str, &str, &str)],
) -> Result<(), Error> {
    let hashes = [
        ("hashes.world", now.world.as_str(), before.world.as_str()),
        ("hashes.lookups", &now.lookups, &before.lookups),
        ("hashes.engine", &now.engine, &before.engine),
        ("hashes.options", &now.options, &before.options),
    ];
    match known.iter().chain(&hashes).find(|(_, now, before)| now != before) {
        None => Ok(()),
        Some((key, now, before)) => Err(Error::Usage(format!(
            "{} cannot be resumed: {key} is {} there and {} now",
            shown(file),
            visible_line(before),
            visible_line(now)
        ))),
    }
}

/// The places, counted from 0, of the lookups that are not done; those that are done
/// are counted from 1.
pub(super) fn left(lookups: usize, done: impl Iterator<Item = usize>) -> Vec<usize> {
    let done: HashSet<usize> = done.collect();
    (0..lookups).filter(|at| !done.contains(&(at + 1))).collect()
}

/// Does what is left, on all cores, until somebody wants it to end. What is done is
/// kept every few seconds, so that a run which is killed loses no more than these.
pub(super) fn work<T: Send>(
    left: &[usize],
    stop: &Stop,
    progress: &Progress,
    one: impl Fn(usize) -> Option<T> + Sync,
    keep: impl FnMut(&[T]) -> Result<(), Error>,
) -> Result<Vec<T>, Error> {
    work_every(KEEP, left, stop, (progress, one), keep)
}

fn work_every<T: Send>(
    pause: Duration,
    left: &[usize],
    stop: &Stop,
    (progress, one): (&Progress, impl Fn(usize) -> Option<T> + Sync),
    mut keep: impl FnMut(&[T]) -> Result<(), Error>,
) -> Result<Vec<T>, Error> {
    let mut done = Vec::new();
    let mut kept = Instant::now();
    for part in left.chunks(PART) {
        let fresh: Vec<T> = part
            .par_iter()
            .filter_map(|at| {
                if stop.is_asked() {
                    return None;
                }
                let fresh = one(*at);
                progress.step();
                fresh
            })
            .collect();
        done.extend(fresh);
        if kept.elapsed() >= pause {
            keep(&done)?;
            kept = Instant::now();
        }
    }
    Ok(done)
}

/// Tells that a run was ended before its end, by whom, and how to go on.
pub(super) fn tell_ended(done: usize, lookups: usize, out: Option<&PathBuf>, stop: &Stop) {
    let by = stop.name();
    tell(&match out {
        Some(file) => format!(
            "markscope: ended by {by} after {done} of {lookups} lookups; --resume {} goes on",
            shown(file)
        ),
        None => format!(
            "markscope: ended by {by} after {done} of {lookups} lookups; with --out FILE it could \
             be resumed"
        ),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_kept_on_the_way() {
        let left: Vec<usize> = (0..PART * 2 + 1).collect();
        let (stop, progress) = (Stop::listen(), Progress::new(left.len()));
        let mut kept = Vec::new();
        let keep = |done: &[usize]| {
            kept.push(done.to_vec());
            Ok(())
        };
        let done = work_every(Duration::ZERO, &left, &stop, (&progress, Some), keep);
        assert_eq!(done.expect("it is kept"), left);
        assert_eq!(kept, [&left[..PART], &left[..PART * 2], &left]);
        let full = |_: &[usize]| Err(Error::Usage("full".into()));
        let done = work_every(Duration::ZERO, &left, &stop, (&progress, Some), full);
        assert!(matches!(done, Err(Error::Usage(why)) if why == "full"));
    }
}
