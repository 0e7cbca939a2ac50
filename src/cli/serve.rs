//! `markscope serve`: a world over the Mark Protocol, for development.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Runtime;

use super::args::Serve;
use super::open::{documents, open_and_tell};
use super::output::{End, Error, tell};
use crate::mark::Address;
use crate::serve::{Access, Identity, Library, Server};
use crate::text::visible_line;

pub(super) fn run(args: &Serve) -> Result<End, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::World(error.to_string());
    let access = match &args.token_file {
        Some(file) => {
            let text = String::from_utf8(read(file)?);
            let text = text.map_err(|_| failed(&format!("{} is not UTF-8", shown(file))))?;
            Access::parse(&text).map_err(|error| failed(&format!("{}: {error}", shown(file))))?
        }
        None => Access::default(),
    };
    let identity = match (&args.cert, &args.key) {
        (Some(cert), Some(key)) => Identity::from_pem(&read(cert)?, &read(key)?),
        _ => Identity::self_signed(),
    };
    let identity = identity.map_err(|error| failed(&error))?;
    let opened = open_and_tell(&args.world, args.state)?;
    let count = opened.store.catalog().documents().len();
    let library = Arc::new(Library::new(opened.store).with_histories(opened.world));
    let runtime = Runtime::new().map_err(|error| failed(&error))?;
    runtime.block_on(async {
        let server =
            Server::bind(library, access, args.listen, identity).map_err(|error| failed(&error))?;
        let address = server.address().map_err(|error| failed(&error))?;
        let host = match address.ip() {
            ip if ip.is_loopback() => "localhost".to_owned(),
            ip if ip.is_unspecified() => "HOST".to_owned(),
            ip => ip.to_string(),
        };
        let host = if host.contains(':') { format!("[{host}]") } else { host };
        let authority = format!("{host}:{}", address.port());
        let location = Address::of_authority(&authority)
            .map_or(authority.clone(), |address| address.identity());
        tell(&format!(
            "markscope: a development server, read-only: {} of {} at {address} (UDP)",
            documents(count),
            visible_line(&args.world)
        ));
        let trust = if args.cert.is_some() { "" } else { " --insecure" };
        tell(&format!("markscope: reach it with: markscope lookup {location}/ QUERY{trust}"));
        if !address.ip().is_loopback() {
            tell("markscope: WARNING: other machines can reach this address");
        }
        tell("markscope: Ctrl-C ends it");
        tokio::select! {
            () = server.run() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        server.close().await;
        Ok(End::Fine)
    })
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    fs::read(file).map_err(|error| {
        Error::World(format!("{} cannot be read: {error}; check its path", shown(file)))
    })
}

fn shown(file: &Path) -> String {
    visible_line(&file.display().to_string())
}
