//! The world that a command names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::State;
use super::output::{End, Error, tell};
use crate::document::Document;
use crate::lookup::Store;
use crate::mark::Address;
use crate::text::visible_line;
use crate::world::{ARCHIVED, Source, World, verify_chains};

/// The word that names the example world inside the program.
pub(super) const BUNDLED: &str = "bundled";

/// The most problems told one by one.
const TOLD: usize = 20;

/// A world, indexed, with what was wrong with its files, a sentence each.
pub(super) struct Opened {
    pub(super) store: Store,
    pub(super) problems: Vec<String>,
    pub(super) left_out: usize,
    /// Where histories are broken, a sentence each; only if that was asked for.
    pub(super) breaks: Vec<String>,
    pub(super) world: World,
}

/// Opens a world by name and indexes it.
pub(super) fn open(name: &str, state: State) -> Result<Opened, Error> {
    open_with(name, state, &[])
}

/// The same with the documents of an earlier reading in place of equal ones.
pub(super) fn open_with(
    name: &str,
    state: State,
    before: &[Arc<Document>],
) -> Result<Opened, Error> {
    let mut world = open_world(name, state)?;
    world.reuse(before);
    let breaks = match world.source() {
        Some(source) if state.chain => breaks(source)?,
        _ => Vec::new(),
    };
    Ok(Opened::of(world, breaks))
}

/// Opens a world by name: a folder, a store or an archive, `bundled`, or a git
/// revision of a folder.
pub(super) fn open_world(name: &str, state: State) -> Result<World, Error> {
    if Address::is_meant(name) {
        return Err(Error::Usage(format!(
            "{} is on a server; this needs a whole world on this machine",
            visible_line(name)
        )));
    }
    if let Some((folder, revision)) = revision_of(name) {
        return open_revision(folder, revision, state);
    }
    // A folder of that name wins over the word.
    let path = PathBuf::from(name);
    let source =
        if name == BUNDLED && !path.exists() { Source::Bundled } else { Source::Path(path) };
    let opened = match state.as_of {
        Some(time) => World::open_as_of(&source, time),
        None => World::open(&source),
    };
    opened.map_err(|error| Error::World(error.to_string()))
}

/// The folder and the revision of a name `FOLDER@REVISION`. A file or folder of the
/// whole name wins, and of several `@` the first with a folder before it; then the first
/// with one before it that only the revision has.
pub(super) fn revision_of(name: &str) -> Option<(&Path, &str)> {
    if Path::new(name).exists() {
        return None;
    }
    let split = |(at, _)| (Path::new(&name[..at]), &name[at + 1..]);
    let splits = || name.match_indices('@').map(split).filter(|(_, name)| !name.is_empty());
    let is_gone = |(folder, revision): &(&Path, &str)| {
        !folder.as_os_str().is_empty()
            && !folder.exists()
            && World::is_in_revision(folder, revision)
    };
    splits().find(|(folder, _)| folder.is_dir()).or_else(|| splits().find(is_gone))
}

fn open_revision(folder: &Path, revision: &str, state: State) -> Result<World, Error> {
    if state.as_of.is_some() || state.chain {
        return Err(Error::Usage(
            "a state of a store and --chain need a store; a git revision is a state already".into(),
        ));
    }
    World::open_revision(folder, revision).map_err(|error| Error::World(error.to_string()))
}

fn breaks(source: &Source) -> Result<Vec<String>, Error> {
    let Source::Path(path) = source else {
        return Err(Error::Usage("the example world keeps no history to verify".into()));
    };
    let reports = verify_chains(path).map_err(|error| Error::World(error.to_string()))?;
    Ok(reports.into_iter().filter_map(|report| Some(report.broken?.message)).collect())
}

/// Opens a world for a command, and tells on stderr what is wrong with its files.
pub(super) fn open_and_tell(name: &str, state: State) -> Result<Opened, Error> {
    let opened = open(name, state)?;
    tell_problems(name, &opened.breaks, &opened.problems, opened.left_out);
    Ok(opened)
}

/// Tells on stderr what is wrong with a world's files.
pub(super) fn tell_problems(name: &str, breaks: &[String], problems: &[String], left_out: usize) {
    for broken in breaks {
        tell(&format!("markscope: broken history: {broken}"));
    }
    for problem in problems.iter().take(TOLD) {
        tell(&format!("markscope: {problem}"));
    }
    if problems.len() > TOLD {
        tell(&format!("markscope: and {} more", problems.len() - TOLD));
    }
    if left_out > 0 {
        let left_out = documents(left_out);
        tell(&format!("markscope: {} opened, {left_out} left out", visible_line(name)));
    }
}

pub(super) fn documents(count: usize) -> String {
    format!("{count} document{}", if count == 1 { "" } else { "s" })
}

impl Opened {
    fn of(world: World, breaks: Vec<String>) -> Self {
        let documents = world.documents().iter().cloned();
        Self {
            breaks,
            problems: world.problems().iter().map(ToString::to_string).collect(),
            left_out: world.left_out(),
            store: Store::new(world.name(), documents, world.errors().clone()),
            world,
        }
    }

    /// How a command ends that came to this end: a broken history is told by the code.
    pub(super) fn end(&self, end: End) -> End {
        if end == End::Fine && !self.breaks.is_empty() { End::NoMatch } else { end }
    }

    /// The document or the version of one at a path, which may lack its first
    /// slash; else an error that names the nearest path.
    pub(super) fn document(&self, path: &str) -> Result<Arc<Document>, Error> {
        let catalog = self.store.catalog();
        let rooted = format!("/{path}");
        if let Some(found) = catalog.document(path).or_else(|| catalog.document(&rooted)) {
            return Ok(Arc::clone(found));
        }
        let rooted = if path.starts_with('/') { path } else { rooted.as_str() };
        match self.world.fetch(rooted) {
            Ok(found) => return Ok(found),
            Err(error) if error == ARCHIVED => {
                return Err(Error::NoMatch(format!(
                    "{path} is archived; the versions that are kept can be read as {path}/vN"
                )));
            }
            Err(_) => {}
        }
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
        let wanted = name(path);
        let near = catalog.documents().iter().map(|document| document.path()).find(|known| {
            !wanted.is_empty() && name(known).contains(wanted.trim_end_matches(".md"))
        });
        let hint = match near {
            Some(near) => format!("; there is {near}"),
            None => String::new(),
        };
        Err(Error::NoMatch(format!("no document {path} in this world{hint}")))
    }
}
