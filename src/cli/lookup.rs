//! `markscope lookup`: what a reader gets.

use std::path::Path;

use super::args::{Format, Lookup};
use super::json::{World, object};
use super::network::wait;
use super::output::{self, End, Error, tell};
use super::result_file::{self, shown};
use super::worlds::{Wanted, Worlds, open_worlds};
use crate::lookup::{Asked, Question};
use crate::tune::{Parting, RecordedLookup, parting};
use crate::world::Tool;

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
        tool: args.deployed.mcp.clone(),
    };
    wanted.check(&question.request.scope)?;
    if let Some(file) = &args.record {
        result_file::check_record(file, "--record", &wanted.reads())?;
    }
    if args.deployed.parity {
        return parity(args, &wanted, question);
    }
    if let Some(words) = wanted.not_told(&question) {
        tell(&format!("markscope: {words}"));
    }
    wait(&wanted, async {
        let worlds = open_worlds(&wanted).await?;
        if let Some(scope) = &worlds.scope {
            question.request.scope.clone_from(scope);
        }
        let asked = worlds.reader.ask(&question, args.options.budget).await;
        let mut asked = asked.map_err(Error::World)?;
        let selection = worlds.reader.select_all(&mut asked, args.options.budget).await;
        // What a tool's text does not say is for who wants it explained.
        let is_text = asked.told().is_some() && matches!(args.format, Format::Text);
        let remarks = if is_text { &[][..] } else { asked.remarks() };
        for line in remarks.iter().chain(asked.failures()) {
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
        if let Some(file) = &args.record {
            record(file, &question, args.options.budget)?;
        }
        worlds.reader.close().await;
        Ok(end(&asked, selection.rows.is_empty(), &worlds))
    })
}

/// Holds the text of a tool against that of the world itself.
fn parity(args: &Lookup, wanted: &Wanted, mut question: Question) -> Result<End, Error> {
    let budget = args.options.budget;
    let world = Wanted { tool: None, ..wanted.clone() };
    let command = wanted.tool.clone().unwrap_or_default();
    wait(wanted, async {
        let worlds = open_worlds(&world).await?;
        if let Some(scope) = &worlds.scope {
            question.request.scope.clone_from(scope);
        }
        let asked = worlds.reader.ask(&question, budget).await;
        let mut asked = asked.map_err(Error::World)?;
        let own = worlds.reader.select_all(&mut asked, budget).await.text();
        let tool = Tool::start(&command, &wanted.world, wanted.network.timeout).await;
        let tool = tool.map_err(Error::World)?;
        let theirs = tool.lookup(&question, budget).await.map_err(Error::World);
        tool.close().await;
        worlds.reader.close().await;
        let theirs = theirs?;
        let parting = parting(&own, &theirs);
        match args.format {
            Format::Text => output::result(&verdict(&own, &theirs, parting.as_ref()))?,
            Format::Json => output::json(&serde_json::json!({
                "same": parting.is_none(),
                "own": { "bytes": own.len(), "line": parting.as_ref().map(|it| &it.one) },
                "tool": { "bytes": theirs.len(), "line": parting.as_ref().map(|it| &it.other) },
                "byte": parting.as_ref().map(|it| it.byte),
                "line": parting.as_ref().map(|it| it.line),
            }))?,
        }
        Ok(if parting.is_none() { End::Fine } else { End::NoMatch })
    })
}

/// Whether two texts are the same, in a few lines.
fn verdict(own: &str, theirs: &str, parting: Option<&Parting>) -> String {
    let Some(parting) = parting else {
        return format!("The tool's text is markscope's own: {} bytes.\n", own.len());
    };
    format!(
        "The tool's text is not markscope's own: {} ({} bytes here, {} there).\n\
         here:  {}\nthere: {}\n",
        parting.place(),
        own.len(),
        theirs.len(),
        Parting::shown(parting.one.as_ref()),
        Parting::shown(parting.other.as_ref()),
    )
}

/// Writes a lookup behind what is in a file of recorded ones.
pub(super) fn record(file: &Path, question: &Question, budget: u64) -> Result<(), Error> {
    let line = RecordedLookup::of(question, budget).line();
    result_file::append(file, &line)
        .map_err(|error| Error::World(format!("{} cannot be written: {error}", shown(file))))
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
