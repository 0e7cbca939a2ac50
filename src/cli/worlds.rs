//! The world or worlds that a command asks, wherever they are.

use std::sync::Arc;

use super::args::{Network, State};
use super::lookup::runtime;
use super::open::{Opened, open};
use super::output::{Error, tell};
use crate::document::Document;
use crate::log::{self, Since};
use crate::lookup::{Fetched, Store};
use crate::mark::Address;
use crate::mark::client::{Tls, Tokens};
use crate::text::visible_line;
use crate::world::{Many, Progress, Reader, RemoteOptions, RemoteWorld};

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
}

/// Worlds that can be asked.
pub(super) struct Worlds {
    pub(super) reader: Reader,
    /// What is wrong with their files, a sentence each.
    pub(super) problems: Vec<String>,
    pub(super) left_out: usize,
    /// Where histories are broken, a sentence each; only if that was asked for.
    pub(super) breaks: Vec<String>,
    /// The scope to ask in, where it came with the location.
    pub(super) scope: Option<String>,
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

    /// Opens all of them. Where there are several, one that is not there stays among
    /// them as failed; where there is one, that is the error. `tell` hears how far a
    /// crawl is.
    ///
    /// # Errors
    /// There is no world.
    pub(super) async fn open(&self, tell: &dyn Fn(String)) -> Result<Worlds, Error> {
        let since = Since::now();
        let opened = self.open_all(tell).await;
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

    async fn open_all(&self, tell: &dyn Fn(String)) -> Result<Worlds, Error> {
        let mut worlds = self.open_one(&self.world, tell).await;
        if !self.also.is_empty() {
            let mut all = vec![(self.world.clone(), worlds)];
            for name in &self.also {
                all.push((name.clone(), self.open_one(name, tell).await));
            }
            worlds = Ok(together(all));
        }
        let mut worlds = worlds?;
        worlds.is_insecure = self.is_insecure();
        Ok(worlds)
    }

    async fn open_one(&self, name: &str, tell: &dyn Fn(String)) -> Result<Worlds, Error> {
        if !Address::is_meant(name) {
            return Ok(Worlds::of(open(name, self.state)?));
        }
        if self.state.chain || self.state.as_of.is_some() {
            return Err(Error::Usage(format!(
                "{} is on a server: --chain and --as-of need the store itself",
                visible_line(name)
            )));
        }
        let failed = |error: &dyn std::fmt::Display| Error::World(error.to_string());
        let options = remote_options(&self.network)?;
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
            problems: Vec::new(),
            left_out: 0,
            breaks: Vec::new(),
            scope: None,
            is_insecure: false,
            is_crawled: false,
        }
    }

    fn of(opened: Opened) -> Self {
        let (problems, left_out, breaks) =
            (opened.problems.clone(), opened.left_out, opened.breaks.clone());
        let reader = Reader::Store(Arc::new(opened.store));
        Self { problems, left_out, breaks, ..Self::new(reader) }
    }
}

/// Several worlds as one to ask.
fn together(all: Vec<(String, Result<Worlds, Error>)>) -> Worlds {
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
                let shown = name.trim_end_matches('/').rsplit('/').next().unwrap_or(&name);
                let shown = if Address::is_meant(&name) {
                    Address::parse(&name).map_or(name.clone(), |(address, _)| address.identity())
                } else {
                    shown.to_owned()
                };
                whole.problems.push(format!("{}: {error}", visible_line(&name)));
                members.push((shown, Err(error.to_string())));
            }
        }
    }
    whole.reader = Reader::Many(Arc::new(Many::new(members)));
    whole
}

fn far(progress: Progress) -> String {
    let Progress { listed, read } = progress;
    if read == 0 {
        format!("{listed} documents listed")
    } else {
        format!("{read} of {listed} documents read")
    }
}

/// How a server is called, from the command line.
pub(super) fn remote_options(network: &Network) -> Result<RemoteOptions, Error> {
    let tls = match &network.ca {
        _ if network.insecure => Tls::Insecure,
        Some(file) => Tls::Ca(file.clone()),
        None => Tls::Platform,
    };
    let tokens = Tokens::of_process(network.token_file.clone())
        .map_err(|error| Error::Usage(visible_line(&error.to_string())))?;
    Ok(RemoteOptions { tls, wait: network.timeout, tokens })
}

/// One document of a server: at a path, or at the location's own.
pub(super) fn fetch(
    location: &str,
    path: Option<&str>,
    network: &Network,
) -> Result<Arc<Document>, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::World(error.to_string());
    let options = remote_options(network)?;
    runtime()?.block_on(async {
        let world = RemoteWorld::open(location, &options).await.map_err(|error| failed(&error))?;
        if network.insecure {
            warn_of_insecure();
        }
        let path = match path {
            Some(path) if world.scope() == "/" => format!("/{}", path.trim_start_matches('/')),
            Some(_) => {
                return Err(Error::Usage(
                    "the location names a document already; give its path once".into(),
                ));
            }
            None => world.scope().to_owned(),
        };
        if path == "/" {
            return Err(Error::Usage(format!(
                "{} is a whole world: name a document, such as {}/adr/0001.md",
                visible_line(location),
                world.name()
            )));
        }
        let mut came = None;
        world.fetch(vec![path.clone()], |_, fetched| came = Some(fetched)).await;
        world.close().await;
        match came {
            Some(Fetched::Document(document)) => Ok(document),
            Some(Fetched::Failed(failure)) => Err(Error::World(failure.sentence)),
            Some(Fetched::Error(error)) => {
                let told = format!("{}{}: {}", world.name(), visible_line(&path), told(&error));
                Err(match error.as_str() {
                    "not-found" | "archived" => Error::NoMatch(told),
                    _ => Error::World(told),
                })
            }
            None => Err(failed(&"nothing came")),
        }
    })
}

/// A store's word for what is wrong, with the way out.
fn told(error: &str) -> String {
    let way_out = match error {
        "archived" => "it is archived; a version of it can be read as PATH/vN",
        "unauthorized" => {
            "a token is needed; give one with --token-file or in DEMARKUS_AUTH, or keep it in \
             ~/.mark/tokens.toml"
        }
        "not-permitted" => "the token that was sent does not cover it; another one is needed",
        "rate-limited" => "the server wants fewer requests; try again later",
        _ => return visible_line(error),
    };
    format!("{way_out} ({error})")
}

/// Says on stderr that nobody vouches for the server.
pub(super) fn warn_of_insecure() {
    tell(
        "markscope: WARNING: --insecure: the server's certificate is not verified; whoever \
         is on the way can read and change everything, the token too",
    );
}
