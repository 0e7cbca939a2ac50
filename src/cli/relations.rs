//! `markscope relations`: what documents declare, resolved, and what is rejected.

use std::fmt::Write as _;

use serde::Serialize;

use super::args::{Format, Relations as Arguments};
use super::open::open_and_tell;
use super::output::{self, End, Error};
use crate::document::Document;
use crate::lookup::Store;
use crate::mark::Authority;
use crate::relations::{Relation, Relations};
use crate::text::visible_line;

#[derive(Serialize)]
struct Declared<'a> {
    path: &'a str,
    #[serde(flatten)]
    relations: Relations,
}

impl<'a> Declared<'a> {
    fn of(document: &'a Document) -> Self {
        let relations = Relations::of(document.path(), document.metadata());
        Self { path: document.path(), relations }
    }

    fn is_empty(&self) -> bool {
        self.relations.refs.is_empty() && self.relations.rejected.is_empty()
    }
}

pub(super) fn run(args: &Arguments) -> Result<End, Error> {
    let opened = open_and_tell(&args.world, args.state)?;
    let store = &opened.store;
    if let Some(path) = &args.path {
        let document = opened.document(path)?;
        let declared = Declared::of(&document);
        match args.format {
            Format::Text => output::result(&text(store, &declared))?,
            Format::Json => output::json(&declared)?,
        }
        return Ok(opened.end(if declared.is_empty() { End::NoMatch } else { End::Fine }));
    }
    let documents = store.catalog().documents();
    let declared: Vec<Declared<'_>> = documents
        .iter()
        .map(|document| Declared::of(document))
        .filter(|declared| !declared.is_empty())
        .collect();
    match args.format {
        Format::Text => {
            let texts: Vec<String> = declared.iter().map(|one| text(store, one)).collect();
            output::result(&texts.join("\n"))?;
        }
        Format::Json => output::json(&declared)?,
    }
    Ok(opened.end(if declared.is_empty() { End::NoMatch } else { End::Fine }))
}

fn text(store: &Store, declared: &Declared<'_>) -> String {
    let mut out = format!("{}\n", visible_line(declared.path));
    if declared.is_empty() {
        out.push_str("  declares no relation\n");
    }
    let keys = declared.relations.refs.iter().map(|relation| relation.predicate.len() + 4);
    let width = keys.max().unwrap_or(0);
    for relation in &declared.relations.refs {
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "  {:<width$}  {}{}",
            format!("rel-{}", visible_line(&relation.predicate)),
            visible_line(&relation.location()),
            state(store, relation)
        );
    }
    for rejected in &declared.relations.rejected {
        let _ = writeln!(
            out,
            "  rejected: {}: {} ({})",
            visible_line(&rejected.key),
            visible_line(&rejected.value),
            rejected.reason
        );
    }
    out
}

/// What a reader who follows the relation finds, where that is not the document.
fn state(store: &Store, relation: &Relation) -> String {
    if Authority::of(&relation.target) != Authority::Bare {
        return "  (on another authority)".into();
    }
    match store.fetch(&relation.target) {
        Err(error) => format!("  ({error})"),
        Ok(document) => {
            let named = relation.fragment.is_empty()
                || document.outline().find(&relation.fragment).is_some();
            if named { String::new() } else { "  (no such section)".into() }
        }
    }
}
