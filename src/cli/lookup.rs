//! `markscope lookup`: what a reader gets.

use super::args::{Format, Lookup};
use super::json::{World, object};
use super::network::runtime;
use super::output::{self, End, Error, tell};
use super::worlds::{Wanted, Worlds, open_worlds};
use crate::lookup::Asked;

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
    runtime()?.block_on(async {
        let worlds = open_worlds(&wanted).await?;
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
        worlds.reader.close().await;
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
