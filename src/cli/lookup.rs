//! `markscope lookup`: what a reader gets.

use std::io::{self, IsTerminal as _, Write as _};

use tokio::runtime::{Builder, Runtime};

use super::args::{Format, Lookup};
use super::json::{World, object};
use super::open::tell_problems;
use super::output::{self, End, Error, tell};
use super::worlds::{Wanted, Worlds, warn_of_insecure};
use crate::lookup::Asked;
use crate::text::visible_line;
use crate::world::Reader;

pub(super) fn run(args: &Lookup) -> Result<End, Error> {
    if args.query.trim().is_empty() {
        return Err(Error::Usage(
            "lookup failed: LOOKUP requires a non-empty query; `*` lists everything".into(),
        ));
    }
    let mut question = args.options.question(&args.query);
    let wanted = Wanted {
        world: args.world.clone(),
        also: args.also.clone(),
        state: args.options.state,
        network: args.network.clone(),
    };
    wanted.check(&question.request.scope)?;
    let runtime = runtime()?;
    runtime.block_on(async {
        let worlds = open(&wanted).await?;
        if let Some(scope) = &worlds.scope {
            question.request.scope.clone_from(scope);
        }
        let asked = worlds.reader.ask(&question).await;
        let mut asked = asked.map_err(Error::World)?;
        let selection = worlds.reader.select_all(&mut asked, args.options.budget).await;
        for line in asked.remarks().iter().chain(asked.failures()) {
            tell(&format!("markscope: {line}"));
        }
        match args.format {
            Format::Text => output::result(&selection.text())?,
            Format::Json => {
                let name = worlds.reader.name();
                let documents =
                    worlds.reader.store().map(|store| store.catalog().documents().len());
                let world = World { name: &name, documents, left_out: worlds.left_out };
                let answered = asked.session().answered();
                output::json(&object(world, &question, answered, &selection))?;
            }
        }
        if let Reader::Remote(world) = &worlds.reader {
            world.close().await;
        }
        Ok(end(&asked, selection.rows.is_empty(), &worlds))
    })
}

pub(super) fn end(asked: &Asked, is_empty: bool, worlds: &Worlds) -> End {
    match asked.status() {
        "ok" | "partial" if !asked.failures().is_empty() => End::World,
        "ok" | "partial" if is_empty => End::NoMatch,
        "partial" => End::World,
        "ok" if !worlds.breaks.is_empty() => End::NoMatch,
        "ok" => End::Fine,
        "bad-request" => End::Usage,
        "not-found" => End::NoMatch,
        _ => End::World,
    }
}

/// Opens worlds for a command that prints, and tells on stderr what there is to know.
pub(super) async fn open(wanted: &Wanted) -> Result<Worlds, Error> {
    // One line that moves, where somebody looks.
    let moves = io::stderr().is_terminal();
    let told = std::cell::Cell::new(false);
    let progress = |words: String| {
        if moves {
            told.set(true);
            // Nothing is left to do where even stderr is closed.
            let _ = write!(io::stderr().lock(), "\r\x1b[K{}", visible_line(&words));
        }
    };
    let worlds = wanted.open(&progress).await;
    if told.get() {
        let _ = write!(io::stderr().lock(), "\r\x1b[K");
    }
    let worlds = worlds?;
    if worlds.is_insecure {
        warn_of_insecure();
    }
    if worlds.is_crawled {
        tell(
            "markscope: crawled: the documents were read one by one and are asked here, not there",
        );
    }
    tell_problems(&wanted.world, &worlds.breaks, &worlds.problems, worlds.left_out);
    Ok(worlds)
}

/// What it takes to wait for the network.
pub(super) fn runtime() -> Result<Runtime, Error> {
    Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Error::World(format!("the network cannot be used from here: {error}")))
}
