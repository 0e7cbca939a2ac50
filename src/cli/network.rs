//! Servers, as the command line has them.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use super::args::Network;
use super::output::{Error, tell};
use crate::document::Document;
use crate::lookup::Fetched;
use crate::mark::Address;
use crate::mark::client::{Tls, Tokens};
use crate::text::visible_line;
use crate::world::{RemoteOptions, RemoteWorld};

/// What it takes to wait for the network.
pub(super) fn runtime() -> Result<Runtime, Error> {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Error::World(format!("the network cannot be used from here: {error}")))
}

/// How a server is called, from the command line.
/// `is_named` is whether a token given for the command is for this server.
pub(super) fn remote_options(network: &Network, is_named: bool) -> Result<RemoteOptions, Error> {
    let tls = match &network.ca {
        _ if network.insecure => Tls::Insecure,
        Some(file) => Tls::Ca(file.clone()),
        None => Tls::Platform,
    };
    let tokens = Tokens::of_process(network.token_file.clone())
        .map_err(|error| Error::Usage(visible_line(&error.to_string())))?;
    Ok(RemoteOptions { tls, wait: network.timeout, tokens, is_named })
}

/// One document of a server: at a path, or at the location's own.
pub(super) fn fetch(
    location: &str,
    path: Option<&str>,
    network: &Network,
) -> Result<Arc<Document>, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::World(error.to_string());
    if let Ok((address, scope)) = Address::parse(location) {
        let (named, given) = (scope != "/", path.is_some());
        if named && given {
            return Err(Error::Usage(
                "the location names a document already; give its path once".into(),
            ));
        }
        if !named && !given {
            return Err(Error::Usage(format!(
                "{} is a whole world: name a document, such as {}/adr/0001.md",
                visible_line(location),
                address.identity()
            )));
        }
    }
    let options = remote_options(network, true)?;
    runtime()?.block_on(async {
        let world = RemoteWorld::open(location, &options).await.map_err(|error| failed(&error))?;
        if network.insecure {
            warn_of_insecure();
        }
        let path = match path {
            Some(path) => format!("/{}", path.trim_start_matches('/')),
            None => world.scope().to_owned(),
        };
        let mut came = None;
        world.fetch(vec![path.clone()], |_, fetched| came = Some(fetched)).await;
        world.close().await;
        match came {
            Some(Fetched::Document(document)) => Ok(document),
            Some(Fetched::Failed(failure)) => Err(Error::World(failure.sentence)),
            Some(Fetched::Error(error)) => {
                let told = world.refusal(&path, &error);
                Err(match error.as_str() {
                    "not-found" | "archived" => Error::NoMatch(told),
                    _ => Error::World(told),
                })
            }
            None => Err(failed(&"nothing came")),
        }
    })
}

/// Says on stderr that nobody vouches for the server.
pub(super) fn warn_of_insecure() {
    tell(
        "markscope: WARNING: --insecure: the server's certificate is not verified; whoever \
         is on the way can read and change everything, the token too",
    );
}
