//! `markscope relations`: what documents declare, resolved, and what is rejected.

use std::fmt::Write as _;

use serde::Serialize;

use super::args::{Format, Relations as Arguments};
use super::network::{fetch, runtime};
use super::open::open_and_tell;
use super::output::{self, End, Error};
use super::worlds::{Wanted, open_worlds};
use crate::document::Document;
use crate::lookup::Store;
use crate::mark::{Address, Authority};
use crate::relations::{Relation, Relations};
use crate::text::{counted, visible_line};

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
    if Address::is_meant(&args.world) {
        return on_server(args);
    }
    let opened = open_and_tell(&args.world, args.state)?;
    if let Some(path) = &args.path {
        one(Some(&opened.store), &*opened.document(path)?, args.format)?;
    } else {
        all(&opened.store, args.format)?;
    }
    Ok(opened.end(End::Fine))
}

/// Of a server one document is fetched; all of them are crawled.
fn on_server(args: &Arguments) -> Result<End, Error> {
    let wanted = Wanted {
        world: args.world.clone(),
        also: Vec::new(),
        state: args.state,
        network: args.network.clone(),
        tool: None,
    };
    if !args.network.crawl {
        let is_whole = Address::parse(&args.world).is_ok_and(|(_, path)| path == "/");
        if is_whole && args.path.is_none() {
            return Err(Error::Usage(format!(
                "{} is a whole world: name a document, or have all of them listed and read with \
                 --crawl",
                visible_line(&args.world)
            )));
        }
        let document = fetch(&args.world, args.path.as_deref(), &args.network)?;
        one(None, &document, args.format)?;
        return Ok(End::Fine);
    }
    if args.path.is_some() {
        return Err(Error::Usage("one document is fetched without --crawl".into()));
    }
    let worlds = runtime()?.block_on(open_worlds(&wanted))?;
    if let Some(store) = worlds.reader.store() {
        all(store, args.format)?;
    }
    Ok(End::Fine)
}

/// What one document declares. Without its world nothing is said of the targets.
fn one(store: Option<&Store>, document: &Document, format: Format) -> Result<(), Error> {
    let declared = Declared::of(document);
    match format {
        Format::Text => output::result(&text(store, &declared)),
        Format::Json => output::json(&declared),
    }
}

fn all(store: &Store, format: Format) -> Result<(), Error> {
    let documents = store.catalog().documents();
    let declared: Vec<Declared<'_>> = documents
        .iter()
        .map(|document| Declared::of(document))
        .filter(|declared| !declared.is_empty())
        .collect();
    match format {
        Format::Text => {
            let texts: Vec<String> = declared.iter().map(|one| text(Some(store), one)).collect();
            output::result(&format!("{}\n{}", texts.join("\n"), summary(store, &declared)))
        }
        Format::Json => output::json(&declared),
    }
}

fn text(store: Option<&Store>, declared: &Declared<'_>) -> String {
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
            store.map(|store| Found::of(store, relation).words()).unwrap_or_default()
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

/// How many relations there are, and all that no reader can follow.
fn summary(store: &Store, declared: &[Declared<'_>]) -> String {
    let mut faults = String::new();
    let (mut relations, mut count) = (0, 0);
    for one in declared {
        relations += one.relations.refs.len();
        let path = visible_line(one.path);
        let unresolved = one.relations.refs.iter().filter_map(|relation| {
            let found = Found::of(store, relation);
            found.is_fault().then(|| {
                format!("rel-{}: {}{}", relation.predicate, relation.location(), found.words())
            })
        });
        let rejected =
            one.relations.rejected.iter().map(|rejected| {
                format!("{}: {}  ({})", rejected.key, rejected.value, rejected.reason)
            });
        for fault in unresolved.chain(rejected) {
            count += 1;
            // Writing to a String cannot fail.
            let _ = writeln!(faults, "  {path}  {}", visible_line(&fault));
        }
    }
    let documents = super::open::documents(declared.len());
    let relations = counted(relations, "relation");
    match count {
        0 => format!("{relations} in {documents}, all of them lead somewhere\n"),
        count => format!("{relations} in {documents}, {}:\n{faults}", counted(count, "fault")),
    }
}

/// What a reader who follows a relation finds.
enum Found {
    Document,
    OtherAuthority,
    NoSection,
    Error(String),
}

impl Found {
    fn of(store: &Store, relation: &Relation) -> Self {
        if Authority::of(&relation.target) != Authority::Bare {
            return Self::OtherAuthority;
        }
        match store.fetch(&relation.target) {
            Err(error) => Self::Error(error),
            Ok(document) => {
                let named = relation.fragment.is_empty()
                    || document.outline().find(&relation.fragment).is_some();
                if named { Self::Document } else { Self::NoSection }
            }
        }
    }

    fn is_fault(&self) -> bool {
        matches!(self, Self::NoSection | Self::Error(_))
    }

    fn words(&self) -> String {
        match self {
            Self::Document => String::new(),
            Self::OtherAuthority => "  (on another authority)".into(),
            Self::NoSection => "  (no such section)".into(),
            Self::Error(error) => format!("  ({error})"),
        }
    }
}
