//! The world or worlds that a command asks, wherever they are.

use std::cell::Cell;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;

use futures_util::future::join_all;

use super::args::{Network, State};
use super::network::{remote_options, warn_of_insecure};
use super::open::{Opened, open_with, tell_problems};
use super::output::{Error, tell};
use super::result_file::Reads;
use crate::document::Document;
use crate::log::{self, Since};
use crate::lookup::{Question, Store};
use crate::mark::Address;
use crate::selection::Engine;
use crate::text::visible_line;
use crate::world::{Many, Progress, Reader, RemoteWorld, Tool, World};

/// What is to be asked.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The world that the command names.
    pub(super) world: String,
    /// Those beside it.
    pub(super) also: Vec<String>,
    /// Which state of them.
    pub(super) state: State,
    /// How servers are called.
    pub(super) network: Network,
    /// The command of a tool to ask in place of the world.
    pub(super) tool: Option<String>,
}

/// Worlds that can be asked.
pub(super) struct Worlds {
    pub(super) reader: Reader,
    /// The world itself, where a tool is asked in its place.
    pub(super) beside: Option<Reader>,
    /// What is wrong with their files, a sentence each.
    pub(super) problems: Vec<String>,
    pub(super) left_out: usize,
    /// Where histories are broken, a sentence each; only if that was asked for.
    pub(super) breaks: Vec<String>,
    /// The scope to ask in, where it came with the location.
    pub(super) scope: Option<String>,
    /// The world's files, where it is one world on this machine.
    pub(super) world: Option<Arc<World>>,
    /// Whether nobody vouches for a server among them.
    pub(super) is_insecure: bool,
    /// Whether documents of a server were read one by one and are asked here.
    pub(super) is_crawled: bool,
}

impl Wanted {
    /// Whether a certificate that nobody vouches for is accepted somewhere.
    pub(super) fn is_insecure(&self) -> bool {
        let mut names = self.also.iter().chain([&self.world]);
        self.network.insecure && names.any(|name| Address::is_meant(name))
    }

    /// What was asked for and does not reach a tool, where one is asked: it has its own
    /// engine, and its own world as that is now.
    pub(super) fn not_told(&self, question: &Question) -> Option<String> {
        self.tool.as_ref()?;
        let names = [
            (question.engine != Engine::default(), "--engine"),
            (self.state.as_of.is_some(), "--as-of"),
            (self.network.crawl, "--crawl"),
        ];
        let names: Vec<&str> =
            names.into_iter().filter_map(|(is_asked, name)| is_asked.then_some(name)).collect();
        let verb = if names.len() == 1 { "does" } else { "do" };
        let words = format!("{verb} not reach the tool, which has its own engine and world");
        (!names.is_empty()).then(|| format!("{} {words}", names.join(", ")))
    }

    /// What is wrong with the command line, before anything is opened.
    ///
    /// # Errors
    /// A location names a directory where `--scope` does too.
    pub(super) fn check(&self, scope: &str) -> Result<(), Error> {
        if matches!(scope, "" | "/") {
            return Ok(());
        }
        let names_scope = |name: &String| {
            Address::parse(name).is_ok_and(|(_, path)| !matches!(path.as_str(), "" | "/"))
        };
        if self.also.iter().chain([&self.world]).any(names_scope) {
            return Err(Error::Usage(
                "the location names a directory already; give it there or with --scope, not both"
                    .into(),
            ));
        }
        Ok(())
    }

    /// What must not be written over.
    pub(super) fn reads(&self) -> Reads<'_> {
        let worlds = self.also.iter().chain([&self.world]).map(String::as_str).collect();
        Reads { files: Vec::new(), worlds }
    }

    /// Opens all of them. Where there are several, one that is not there stays among
    /// them as failed; where there is one, that is the error. `tell` hears how far a
    /// crawl is.
    ///
    /// # Errors
    /// There is no world.
    pub(super) async fn open(&self, tell: &dyn Fn(String)) -> Result<Worlds, Error> {
        self.open_again(tell, &[]).await
    }

    /// The same for a world that was read before: what is known of documents that are
    /// the same is not worked out again.
    pub(super) async fn open_again(
        &self,
        tell: &dyn Fn(String),
        before: &[Arc<Document>],
    ) -> Result<Worlds, Error> {
        let since = Since::now();
        let opened = self.open_all(tell, before).await;
        match &opened {
            Ok(worlds) if log::is_on() => {
                let documents =
                    worlds.reader.store().map(|store| store.catalog().documents().len());
                let documents =
                    documents.map(|count| format!("{}, ", super::open::documents(count)));
                log::note(format_args!(
                    "opening of {}: {}{} problems, {since}",
                    self.world,
                    documents.unwrap_or_default(),
                    worlds.problems.len()
                ));
            }
            Ok(_) => {}
            Err(error) => log::note(format_args!("opening of {}: {error}, {since}", self.world)),
        }
        opened
    }

    async fn open_all(
        &self,
        tell: &dyn Fn(String),
        before: &[Arc<Document>],
    ) -> Result<Worlds, Error> {
        let worlds = self.open_worlds(tell, before).await;
        let Some(command) = &self.tool else { return worlds };
        let tool = Tool::start(command, &self.world, self.network.timeout).await;
        let tool = Reader::Tool(Arc::new(tool.map_err(Error::World)?));
        // The tool may see a world that nobody else does from here.
        Ok(match worlds {
            Ok(worlds) => Worlds { beside: Some(worlds.reader), reader: tool, ..worlds },
            Err(error) => Worlds { problems: vec![error.to_string()], ..Worlds::new(tool) },
        })
    }

    async fn open_worlds(
        &self,
        tell: &dyn Fn(String),
        before: &[Arc<Document>],
    ) -> Result<Worlds, Error> {
        let names = || std::iter::once(&self.world).chain(&self.also);
        let opened = join_all(names().map(|name| self.open_one(name, tell, before))).await;
        let mut opened = names().zip(opened);
        let mut worlds = match (opened.next(), self.also.is_empty()) {
            (Some((_, only)), true) => only?,
            (first, _) => together(first.into_iter().chain(opened)),
        };
        worlds.is_insecure = self.is_insecure();
        Ok(worlds)
    }

    /// Whether a server is the first that the command names: a token given for the
    /// command is for that one.
    fn is_first_server(&self, name: &str) -> bool {
        let server = |name: &str| Address::parse(name).ok().map(|(address, _)| address);
        let first = std::iter::once(&self.world).chain(&self.also).find_map(|name| server(name));
        first.is_some() && first == server(name)
    }

    async fn open_one(
        &self,
        name: &str,
        tell: &dyn Fn(String),
        before: &[Arc<Document>],
    ) -> Result<Worlds, Error> {
        if !Address::is_meant(name) {
            return Ok(Worlds::of(open_with(name, self.state, before)?));
        }
        if self.state.chain || self.state.as_of.is_some() {
            return Err(Error::Usage(format!(
                "{} is on a server: --chain and --as-of need the store itself",
                visible_line(name)
            )));
        }
        let failed = |error: &dyn std::fmt::Display| Error::World(error.to_string());
        let options = remote_options(&self.network, self.is_first_server(name))?;
        let world = RemoteWorld::open(name, &options).await.map_err(|error| failed(&error))?;
        if !self.network.crawl {
            let scope = Some(world.scope().to_owned()).filter(|scope| scope != "/");
            return Ok(Worlds { scope, ..Worlds::new(Reader::Remote(Arc::new(world))) });
        }
        let most = self.network.max_documents;
        let crawled = world.crawl(most, |progress| tell(far(progress))).await;
        let crawled = crawled.map_err(|error| failed(&error))?;
        world.close().await;
        if crawled.documents.is_empty() {
            let why = crawled.problems.first().map(|why| format!(": {why}")).unwrap_or_default();
            return Err(Error::World(format!(
                "{} has no document to read{why}",
                visible_line(name)
            )));
        }
        let store = Store::new(world.name(), crawled.documents, Default::default());
        let mut worlds = Worlds::new(Reader::Store(Arc::new(store)));
        worlds.problems = crawled.problems;
        worlds.left_out = crawled.left_out;
        worlds.is_crawled = true;
        worlds.scope = Some(world.scope().to_owned()).filter(|scope| scope != "/");
        Ok(worlds)
    }
}

impl Worlds {
    fn new(reader: Reader) -> Self {
        Self {
            reader,
            beside: None,
            problems: Vec::new(),
            left_out: 0,
            breaks: Vec::new(),
            scope: None,
            world: None,
            is_insecure: false,
            is_crawled: false,
        }
    }

    fn of(opened: Opened) -> Self {
        let (problems, left_out, breaks) =
            (opened.problems.clone(), opened.left_out, opened.breaks.clone());
        let reader = Reader::Store(Arc::new(opened.store));
        let world = Some(Arc::new(opened.world));
        Self { problems, left_out, breaks, world, ..Self::new(reader) }
    }
}

/// Several worlds as one to ask.
fn together<'a>(all: impl Iterator<Item = (&'a String, Result<Worlds, Error>)>) -> Worlds {
    let mut members = Vec::new();
    let mut whole = Worlds::new(Reader::Many(Arc::new(Many::new([]))));
    for (name, opened) in all {
        match opened {
            Ok(worlds) => {
                members.push((worlds.reader.name(), Ok(worlds.reader)));
                whole.problems.extend(worlds.problems);
                whole.breaks.extend(worlds.breaks);
                whole.left_out += worlds.left_out;
                whole.is_crawled |= worlds.is_crawled;
            }
            Err(error) => {
                let shown = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
                let shown = if Address::is_meant(name) {
                    Address::parse(name).map_or(name.clone(), |(address, _)| address.identity())
                } else {
                    shown.to_owned()
                };
                whole.problems.push(format!("{}: {error}", visible_line(name)));
                members.push((shown, Err(error.to_string())));
            }
        }
    }
    whole.reader = Reader::Many(Arc::new(Many::new(members)));
    whole
}

/// Opens worlds for a command that prints, and tells on stderr what there is to know.
pub(super) async fn open_worlds(wanted: &Wanted) -> Result<Worlds, Error> {
    let worlds = {
        let line = Line::new();
        wanted.open(&|words| line.tell(&words)).await
    };
    let worlds = worlds?;
    if worlds.is_insecure {
        warn_of_insecure();
    }
    if worlds.is_crawled {
        tell_crawled();
    }
    tell_problems(&wanted.world, &worlds.breaks, &worlds.problems, worlds.left_out);
    Ok(worlds)
}

/// Says on stderr that no server answers the lookups.
pub(super) fn tell_crawled() {
    tell("markscope: crawled: the documents were read one by one and are asked here, not there");
}

/// One line on stderr that moves, where somebody looks; it is gone when this is dropped.
pub(super) struct Line {
    moves: bool,
    told: Cell<bool>,
}

impl Line {
    pub(super) fn new() -> Self {
        Self { moves: io::stderr().is_terminal(), told: Cell::new(false) }
    }

    pub(super) fn tell(&self, words: &str) {
        if self.moves {
            self.told.set(true);
            // Nothing is left to do where even stderr is closed.
            let _ = write!(io::stderr().lock(), "\r\x1b[K{}", visible_line(words));
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.told.get() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

pub(super) fn far(progress: Progress) -> String {
    let Progress { listed, read } = progress;
    if read == 0 {
        format!("{listed} documents listed")
    } else {
        format!("{read} of {listed} documents read")
    }
}
