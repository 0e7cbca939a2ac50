//! Servers, as the command line has them.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use super::args::Network;
use super::output::{End, Error, tell};
use super::worlds::Wanted;
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

/// Does something that a program may be running for. A signal that ends this one lets
/// go of the work, and the program with it, where by default it would be left alone.
pub(super) fn wait(
    wanted: &Wanted,
    work: impl Future<Output = Result<End, Error>>,
) -> Result<End, Error> {
    let runtime = runtime()?;
    if wanted.tool.is_none() {
        return runtime.block_on(work);
    }
    runtime.block_on(async {
        tokio::select! {
            end = work => end,
            signal = ended() => Ok(End::Signal(signal)),
        }
    })
}

/// Waits for a signal that ends a program; gives its number.
#[cfg(unix)]
async fn ended() -> i32 {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use tokio::signal::unix::{SignalKind, signal};

    async fn one(number: i32) -> i32 {
        let came = match signal(SignalKind::from_raw(number)) {
            Ok(mut signal) => signal.recv().await,
            Err(_) => None,
        };
        match came {
            Some(()) => number,
            None => std::future::pending().await,
        }
    }
    tokio::select! {
        number = one(SIGINT) => number,
        number = one(SIGTERM) => number,
        number = one(SIGHUP) => number,
    }
}

/// Waits for a signal that ends a program; gives its number.
#[cfg(not(unix))]
async fn ended() -> i32 {
    match tokio::signal::ctrl_c().await {
        Ok(()) => signal_hook::consts::SIGINT,
        Err(_) => std::future::pending().await,
    }
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
