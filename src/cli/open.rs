//! The world that a command names.

use std::path::PathBuf;

use super::output::{Error, tell};
use crate::lookup::Store;
use crate::mark::Address;
use crate::text::visible_line;
use crate::world::{Source, World};

/// The word that names the example world inside the program.
pub(super) const BUNDLED: &str = "bundled";

/// The most problems told one by one.
const TOLD: usize = 20;

/// A world, indexed, with what was wrong with its files, a sentence each.
pub(super) struct Opened {
    pub(super) store: Store,
    pub(super) problems: Vec<String>,
    pub(super) left_out: usize,
}

/// Opens a world by name.
pub(super) fn open(name: &str) -> Result<Opened, Error> {
    if Address::is_meant(name) {
        return Err(Error::Usage(format!(
            "{} is on a server, where `markscope lookup` can ask; this needs a whole world",
            visible_line(name)
        )));
    }
    // A folder of that name wins over the word.
    let path = PathBuf::from(name);
    let source =
        if name == BUNDLED && !path.exists() { Source::Bundled } else { Source::Path(path) };
    let world = World::open(&source).map_err(|error| Error::World(error.to_string()))?;
    Ok(Opened {
        problems: world.problems().iter().map(ToString::to_string).collect(),
        left_out: world.left_out(),
        store: Store::new(world.name(), world.documents().iter().cloned(), world.errors().clone()),
    })
}

/// Opens a world for a command, and tells on stderr what is wrong with its files.
pub(super) fn open_and_tell(name: &str) -> Result<Opened, Error> {
    let opened = open(name)?;
    for problem in opened.problems.iter().take(TOLD) {
        tell(&format!("markscope: {problem}"));
    }
    if opened.problems.len() > TOLD {
        tell(&format!("markscope: and {} more", opened.problems.len() - TOLD));
    }
    if opened.left_out > 0 {
        tell(&format!(
            "markscope: {} opened, {} left out",
            visible_line(name),
            documents(opened.left_out)
        ));
    }
    Ok(opened)
}

pub(super) fn documents(count: usize) -> String {
    format!("{count} document{}", if count == 1 { "" } else { "s" })
}

impl Opened {
    /// The document at a path, which may lack its first slash; else an error that
    /// names the nearest path.
    pub(super) fn document(
        &self,
        path: &str,
    ) -> Result<&std::sync::Arc<crate::document::Document>, Error> {
        let catalog = self.store.catalog();
        let rooted = format!("/{path}");
        if let Some(found) = catalog.document(path).or_else(|| catalog.document(&rooted)) {
            return Ok(found);
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
