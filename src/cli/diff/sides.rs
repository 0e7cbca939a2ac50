//! The two worlds that are compared, each with all its documents.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::super::args::{Network, State};
use super::super::network::{remote_options, runtime, warn_of_insecure};
use super::super::open::{open_world, tell_problems};
use super::super::output::Error;
use super::super::worlds::{Line, far, tell_crawled};
use crate::mark::Address;
use crate::text::visible_line;
use crate::tune::{Side, Unread};
use crate::world::{ARCHIVED, RemoteWorld};

/// Opens both. What is on this machine comes first: a name that is wrong is told before
/// a server is read.
pub(super) fn open(
    named: [(&String, Option<Timestamp>); 2],
    network: &Network,
) -> Result<[Side; 2], Error> {
    let is_remote = named.map(|(name, _)| Address::is_meant(name));
    for (name, as_of) in named {
        if Address::is_meant(name) && as_of.is_some() {
            return Err(Error::Usage(format!(
                "{} is on a server: a state of it needs the store itself",
                visible_line(name)
            )));
        }
    }
    let mut sides = [None, None];
    for at in [0, 1] {
        if !is_remote[at] {
            let (name, as_of) = named[at];
            sides[at] = Some(local(name, as_of)?);
        }
    }
    if is_remote.contains(&true) {
        runtime()?.block_on(async {
            let mut servers = [None, None];
            for at in [0, 1] {
                if is_remote[at] {
                    let server = Server::read(named[at].0, network).await?;
                    servers[at] = Some(server.world);
                    sides[at] = Some(server.side);
                }
            }
            for at in [0, 1] {
                let [before, after] = &mut sides;
                let (own, other) = if at == 0 { (before, after) } else { (after, before) };
                if let (Some(server), Some(own), Some(other)) = (&servers[at], own, other) {
                    ask_for_archived(server, own, other, network.max_documents).await?;
                    server.close().await;
                }
            }
            Ok::<_, Error>(())
        })?;
    }
    let [Some(before), Some(after)] = sides else {
        return Err(Error::World("a world did not give its documents".into()));
    };
    Ok([before, after])
}

fn local(name: &str, as_of: Option<Timestamp>) -> Result<Side, Error> {
    let world = open_world(name, State { as_of, chain: false })?;
    let problems: Vec<String> = world.problems().iter().map(ToString::to_string).collect();
    tell_problems(name, &[], &problems, world.left_out());
    Ok(Side {
        name: world.name().to_owned(),
        documents: world.documents().to_vec(),
        errors: world.errors().clone(),
        has_times_of_files: world.has_times_of_files(),
        unread: Unread::default(),
    })
}

/// A server, and its documents, read one by one.
struct Server {
    world: RemoteWorld,
    side: Side,
}

impl Server {
    async fn read(name: &str, network: &Network) -> Result<Self, Error> {
        let failed = |error: &dyn std::fmt::Display| Error::World(error.to_string());
        let options = remote_options(network, true)?;
        let world = RemoteWorld::open(name, &options).await.map_err(|error| failed(&error))?;
        let shown = visible_line(name);
        if world.scope() != "/" {
            return Err(Error::Usage(format!(
                "{shown} is a directory of a server; name the server alone, so that paths are \
                 the same"
            )));
        }
        let crawled = {
            let line = Line::new();
            world.crawl(network.max_documents, |progress| line.tell(&far(progress))).await
        };
        let crawled = crawled.map_err(|error| failed(&error))?;
        if crawled.documents.is_empty() {
            let why = crawled.problems.first().map(|why| format!(": {why}")).unwrap_or_default();
            return Err(Error::World(format!("{shown} has no document to read{why}")));
        }
        if network.insecure {
            warn_of_insecure();
        }
        tell_crawled();
        tell_problems(name, &[], &crawled.problems, crawled.left_out);
        let side = Side {
            name: world.name(),
            documents: crawled.documents,
            errors: BTreeMap::new(),
            has_times_of_files: false,
            unread: Unread::new(crawled.unread),
        };
        Ok(Self { world, side })
    }
}

/// Asks a server for what only the other world has: no list tells what is archived.
async fn ask_for_archived(
    server: &RemoteWorld,
    own: &mut Side,
    other: &Side,
    most: usize,
) -> Result<(), Error> {
    let held: BTreeSet<&str> = own.documents.iter().map(|it| it.path()).collect();
    let all = other.documents.iter().map(|document| document.path());
    let all = all.filter(|path| !held.contains(path) && !own.unread.has(path));
    let mut wanted: Vec<String> = all.map(str::to_owned).collect();
    own.unread.add(wanted.split_off(most.min(wanted.len())));
    let archived = server.archived(wanted).await;
    let archived = archived.map_err(|error| Error::World(error.to_string()))?;
    own.errors.extend(archived.into_iter().map(|path| (path, ARCHIVED.to_owned())));
    Ok(())
}
