//! A folder watched for changes.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::folder::{is_document, is_hidden};

/// How long nothing may happen before a change is told: an editor writes, renames
/// and touches within a few milliseconds.
const QUIET: Duration = Duration::from_millis(40);
/// The longest that a change is kept back where it goes on and on.
const LONGEST: Duration = Duration::from_millis(400);
/// How often a folder is looked through that cannot be watched.
const POLL: Duration = Duration::from_secs(1);
/// A world's own settings, whose change matters to what is found in it.
const SETTINGS: &str = ".markscope.toml";

/// A folder being watched, until this is dropped.
pub struct Watch {
    _watcher: Option<Arc<Mutex<RecommendedWatcher>>>,
    /// Ends the looking through, where the folder cannot be watched.
    _end: std::sync::mpsc::Sender<()>,
}

/// The state of a folder as it was seen: names, times and sizes of its documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen(u64);

impl Seen {
    /// Looks a folder through.
    pub fn of(folder: &Path) -> Self {
        Self(print_of(&resolved(folder)))
    }
}

fn resolved(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

impl Watch {
    /// Watches a folder: `changed` is called, away from the caller's thread, after
    /// documents below it were written, made, moved or removed; at once if they were
    /// since the folder was `seen`.
    ///
    /// Where the system cannot watch the folder, it is looked through once a second.
    pub fn start(folder: &Path, seen: Option<Seen>, changed: impl Fn() + Send + 'static) -> Self {
        let root = resolved(folder);
        let given = folder.to_owned();
        let (end, ended) = channel();
        let (told, hears) = channel();
        let known = Arc::new(Mutex::new(places_of(&given, &root)));
        let places = Arc::clone(&known);
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            let Ok(places) = places.lock() else { return };
            let is_place = |path: &PathBuf| places.iter().any(|place| place == path);
            let heard = match event.paths.iter().any(is_place) {
                true if !matches!(event.kind, EventKind::Access(_)) => Some(Heard::Folder),
                true => None,
                false => matters(&event, &places).then_some(Heard::Document),
            };
            if let Some(heard) = heard {
                // Nobody hears it where the watch has just ended.
                let _ = told.send(heard);
            }
        });
        let watcher = watcher.and_then(|mut watcher| {
            watcher.watch(&root, RecursiveMode::Recursive)?;
            // A folder that is replaced is another one, of which its own says nothing.
            for around in around(&given, &root) {
                let _ = watcher.watch(&around, RecursiveMode::NonRecursive);
            }
            Ok(Arc::new(Mutex::new(watcher)))
        });
        match watcher {
            Ok(watcher) => {
                let again = Arc::downgrade(&watcher);
                thread::spawn(move || {
                    if seen.is_some_and(|seen| seen.0 != print_of(&root)) {
                        changed();
                    }
                    let mut root = root;
                    tell(&hears, &changed, || {
                        follow(&again, &given, &mut root);
                        if let Ok(mut known) = known.lock() {
                            *known = places_of(&given, &root);
                        }
                    });
                });
                Self { _watcher: Some(watcher), _end: end }
            }
            Err(_) => {
                thread::spawn(move || look(&root, seen, &ended, &changed));
                Self { _watcher: None, _end: end }
            }
        }
    }
}

/// Whether an event is about a document, a folder, or the world's settings.
fn matters(event: &Event, roots: &[PathBuf]) -> bool {
    if !matches!(event.kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)) {
        return false;
    }
    let moved_away = matches!(event.kind, EventKind::Modify(ModifyKind::Name(RenameMode::From)));
    event.paths.iter().any(|path| {
        let below = roots.iter().find_map(|root| path.strip_prefix(root).ok());
        // Beside the folder, not in it.
        let Some(below) = below else { return false };
        let hidden = below.parent().is_some_and(|folder| folder.iter().any(is_hidden));
        let Some(name) = path.file_name().filter(|_| !hidden) else { return false };
        // What has no ending may be a folder that was moved here or away.
        let is_folder =
            !is_hidden(name) && (path.extension().is_none() || moved_away || path.is_dir());
        is_document(name) || name == SETTINGS || is_folder
    })
}

/// What was heard of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    /// Something below the folder.
    Document,
    /// The folder itself, or a link that leads to it.
    Folder,
}

/// Where the folder stands: as it is named, and as it is behind links.
fn places_of(given: &Path, root: &Path) -> Vec<PathBuf> {
    let named = std::path::absolute(given).unwrap_or_else(|_| given.to_owned());
    vec![root.to_owned(), named]
}

/// The folders around the places of a folder.
fn around(given: &Path, root: &Path) -> Vec<PathBuf> {
    let mut around: Vec<PathBuf> = places_of(given, root)
        .iter()
        .filter_map(|place| Some(place.parent()?.to_owned()))
        .collect();
    around.dedup();
    around
}

/// Watches what is at the folder's place by now.
fn follow(watcher: &Weak<Mutex<RecommendedWatcher>>, given: &Path, root: &mut PathBuf) {
    let Some(watcher) = watcher.upgrade() else { return };
    let Ok(mut watcher) = watcher.lock() else { return };
    // It may be gone, and its watch with it.
    let _ = watcher.unwatch(root);
    *root = resolved(given);
    let _ = watcher.watch(root, RecursiveMode::Recursive);
    for around in around(given, root) {
        let _ = watcher.watch(&around, RecursiveMode::NonRecursive);
    }
}

/// Tells of changes once they have come to rest.
fn tell(hears: &Receiver<Heard>, changed: &impl Fn(), mut follow: impl FnMut()) {
    while let Ok(mut heard) = hears.recv() {
        let since = Instant::now();
        loop {
            match hears.recv_timeout(QUIET) {
                Ok(more) if since.elapsed() < LONGEST => {
                    if more == Heard::Folder {
                        heard = more;
                    }
                }
                Ok(more) => {
                    if more == Heard::Folder {
                        heard = more;
                    }
                    break;
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        // Before it is told, or what is written meanwhile would be missed.
        if heard == Heard::Folder {
            follow();
        }
        changed();
    }
}

/// Looks a folder through again and again.
fn look(root: &Path, seen: Option<Seen>, ended: &Receiver<()>, changed: &impl Fn()) {
    let mut before = seen.map_or_else(|| print_of(root), |seen| seen.0);
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(POLL) {
        let now = print_of(root);
        if now != before {
            before = now;
            changed();
        }
    }
}

/// A number that changes with the names, times and sizes of the documents.
fn print_of(root: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut pending = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        let mut entries: Vec<PathBuf> = fs::read_dir(&folder)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        entries.sort();
        for path in entries {
            let Some(name) = path.file_name() else { continue };
            // Links are not followed: a circle of them would have no end.
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            if meta.is_dir() && !is_hidden(name) {
                pending.push(path);
            } else if is_document(name) || name == SETTINGS {
                path.hash(&mut hasher);
                meta.len().hash(&mut hasher);
                meta.modified().ok().hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn watched() -> (tempfile::TempDir, Watch, Receiver<()>) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("a")).expect("a folder");
        fs::write(folder.path().join("a/x.md"), "# X\n").expect("a file");
        let (told, hears) = channel();
        let watch = Watch::start(folder.path(), None, move || {
            let _ = told.send(());
        });
        (folder, watch, hears)
    }

    #[test]
    fn every_way_of_saving_is_noticed() {
        let (folder, _watch, hears) = watched();
        let at = |name: &str| folder.path().join(name);
        let noticed = |what: &str| {
            hears.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{what}"));
            while hears.recv_timeout(QUIET * 4).is_ok() {}
        };
        fs::write(at("a/x.md"), "# Y\n").expect("a file");
        noticed("written in place");
        fs::write(at("a/.x.md.new"), "# Z\n").expect("a file");
        fs::rename(at("a/.x.md.new"), at("a/x.md")).expect("a move");
        noticed("moved over it");
        fs::create_dir(at("b")).expect("a folder");
        fs::write(at("b/new.md"), "# N\n").expect("a file");
        noticed("made in a new folder");
        fs::remove_file(at("a/x.md")).expect("a removal");
        noticed("removed");
        fs::write(at(SETTINGS), "budget = 900\n").expect("a file");
        noticed("settings");
    }

    /// A folder that is made anew, another one in its place, and a link that leads
    /// elsewhere are followed on, and so is a folder within that has a dot in its name.
    #[cfg(unix)]
    #[test]
    fn what_stands_at_the_place_by_now_is_followed() {
        let around = tempfile::tempdir().expect("a folder");
        let at = |name: &str| around.path().join(name);
        let write = |name: &str, text: &str| {
            fs::create_dir_all(at(name).parent().expect("a folder")).expect("a folder");
            fs::write(at(name), text).expect("a file");
        };
        for folder in ["world", "one", "other", "aside"] {
            write(&format!("{folder}/x.md"), "# X\n");
        }
        std::os::unix::fs::symlink(at("one"), at("link")).expect("a link");
        let follow = |name: &str| {
            let (told, hears) = channel();
            let watch = Watch::start(&at(name), None, move || {
                let _ = told.send(());
            });
            (watch, hears)
        };
        let noticed = |hears: &Receiver<()>, what: &str| {
            hears.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{what}"));
            while hears.recv_timeout(QUIET * 4).is_ok() {}
        };
        let (_world, hears) = follow("world");
        fs::remove_dir_all(at("world")).expect("a removal");
        noticed(&hears, "removed");
        write("world/x.md", "# Y\n");
        noticed(&hears, "made anew");
        write("world/x.md", "# Z\n");
        noticed(&hears, "saved in the new one");
        fs::rename(at("world"), at("gone")).expect("a move");
        fs::rename(at("aside"), at("world")).expect("a move");
        noticed(&hears, "another in its place");
        write("world/x.md", "# Z\n");
        noticed(&hears, "saved in the other");
        write("v1.2/new.md", "# N\n");
        fs::rename(at("v1.2"), at("world/v1.2")).expect("a move");
        noticed(&hears, "a folder moved in");
        fs::rename(at("world/v1.2"), at("v1.2")).expect("a move");
        noticed(&hears, "a folder moved away");
        let (_link, hears) = follow("link");
        std::os::unix::fs::symlink(at("other"), at("link.new")).expect("a link");
        fs::rename(at("link.new"), at("link")).expect("a move");
        noticed(&hears, "a link led elsewhere");
        write("other/x.md", "# Z\n");
        noticed(&hears, "saved where it leads");
    }

    #[test]
    fn what_editors_leave_lying_about_is_none() {
        let (folder, _watch, hears) = watched();
        for name in ["a/.x.md.swp", "a/x.md~", "notes.txt", ".git/HEAD.md"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "x").expect("a file");
        }
        assert!(hears.recv_timeout(QUIET * 10).is_err());
    }

    /// Whichever way a folder is followed, what happens between looking at it and
    /// following it is not lost, and nothing is told where nothing happened.
    #[test]
    fn a_change_before_the_watch_is_noticed_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.md");
        fs::write(&file, "# X\n").expect("a file");
        let follow = |seen: Seen| {
            let (told, hears) = channel();
            let again = told.clone();
            let watch = Watch::start(folder.path(), Some(seen), move || {
                let _ = told.send("watched");
            });
            let (end, ended) = channel();
            let root = folder.path().to_owned();
            thread::spawn(move || {
                look(&root, Some(seen), &ended, &|| {
                    let _ = again.send("looked at");
                });
            });
            (watch, end, hears)
        };
        let (_watch, _end, hears) = follow(Seen::of(folder.path()));
        assert!(hears.recv_timeout(POLL + QUIET * 10).is_err());
        let seen = Seen::of(folder.path());
        fs::write(&file, "# Longer\n").expect("a file");
        let (_watch, _end, hears) = follow(seen);
        let mut ways: Vec<&str> =
            (0..2).map(|_| hears.recv_timeout(PATIENCE).expect("a change")).collect();
        ways.sort_unstable();
        assert_eq!(ways, ["looked at", "watched"]);
    }

    #[test]
    fn a_print_changes_with_each_document_and_with_nothing_else() {
        let (folder, _watch, _hears) = watched();
        let before = print_of(folder.path());
        fs::write(folder.path().join("a/notes.txt"), "x").expect("a file");
        assert_eq!(print_of(folder.path()), before);
        fs::write(folder.path().join("a/x.md"), "# XX\n").expect("a file");
        assert_ne!(print_of(folder.path()), before);
    }
}
