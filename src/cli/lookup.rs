//! `markscope lookup`: what a reader gets.

use super::args::{Format, Lookup};
use super::json::{World, object};
use super::open::open_and_tell;
use super::output::{self, End, Error};
use super::remote;
use crate::catalog::Refusal;
use crate::mark::Address;

pub(super) fn run(args: &Lookup) -> Result<End, Error> {
    if args.query.trim().is_empty() {
        return Err(Error::Usage(
            "lookup failed: LOOKUP requires a non-empty query; `*` lists everything".into(),
        ));
    }
    if Address::is_meant(&args.world) {
        return remote::run(args);
    }
    let opened = open_and_tell(&args.world, args.options.state)?;
    let question = args.options.question(&args.query);
    let mut asked = opened.store.ask(&question);
    let selection = asked.select(&opened.store, args.options.budget);
    match args.format {
        Format::Text => output::result(&selection.text())?,
        Format::Json => output::json(&object(
            World::of(&opened),
            &question,
            asked.session().answered(),
            &selection,
        ))?,
    }
    Ok(match asked.refusal() {
        Some(Refusal::BadRequest(_)) => End::Usage,
        Some(Refusal::NotFound(_)) => End::NoMatch,
        None if selection.rows.is_empty() => End::NoMatch,
        None => opened.end(End::Fine),
    })
}
