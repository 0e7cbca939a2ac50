//! `markscope lookup mark://…`: the same over the network.

use super::args::{Format, Lookup, Network};
use super::json::{World, object};
use super::output::{self, End, Error, tell};
use crate::mark::client::{Tls, Tokens};
use crate::mark::wire::Status;
use crate::text::visible_line;
use crate::world::{Remote, RemoteOptions};

pub(super) fn run(args: &Lookup) -> Result<End, Error> {
    let failed = |error: &dyn std::fmt::Display| Error::World(error.to_string());
    let mut remote =
        Remote::open(&args.world, &options(&args.network)?).map_err(|error| failed(&error))?;
    let mut question = args.options.question(&args.query);
    if remote.scope() != "/" {
        if question.request.scope != "/" {
            return Err(Error::Usage(
                "the location names a directory already; give it there or with --scope, not both"
                    .into(),
            ));
        }
        question.request.scope = remote.scope().to_owned();
    }
    let mut asked = remote.ask(&question).map_err(|error| failed(&error))?;
    let selection = remote.select(&mut asked, args.options.budget);
    for line in asked.remarks().iter().chain(asked.failures()) {
        tell(&format!("markscope: {line}"));
    }
    match args.format {
        Format::Text => output::result(&selection.text())?,
        Format::Json => {
            let name = remote.name();
            let world = World { name: &name, documents: None, left_out: 0 };
            let answered = asked.session().answered();
            output::json(&object(world, &question, answered, &selection))?;
        }
    }
    Ok(match asked.status() {
        Status::Ok if !asked.failures().is_empty() => End::World,
        Status::Ok if selection.rows.is_empty() => End::NoMatch,
        Status::Ok => End::Fine,
        Status::BadRequest => End::Usage,
        Status::NotFound => End::NoMatch,
        _ => End::World,
    })
}

fn options(network: &Network) -> Result<RemoteOptions, Error> {
    let tls = match &network.ca {
        _ if network.insecure => {
            tell(
                "markscope: WARNING: --insecure: the server's certificate is not verified; whoever \
                 is on the way can read and change everything, the token too",
            );
            Tls::Insecure
        }
        Some(file) => Tls::Ca(file.clone()),
        None => Tls::Platform,
    };
    let tokens = Tokens::of_process(network.token_file.clone())
        .map_err(|error| Error::Usage(visible_line(&error.to_string())))?;
    Ok(RemoteOptions { tls, wait: network.timeout, tokens })
}
