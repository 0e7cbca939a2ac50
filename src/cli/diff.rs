//! `markscope diff`: what an edit changes for readers.

mod sides;
mod text;

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use rayon::prelude::*;
use serde::Serialize;

use super::args::{Budgets, EngineName, Format, MatchName, Network, time};
use super::lookups_file;
use super::output::{self, End, Error};
use super::progress::Progress;
use crate::catalog::{Catalog, Request};
use crate::lookup::Store;
use crate::mark::Address;
use crate::selection::Engine;
use crate::text::visible_line;
use crate::tune::{
    DocumentDiff, Pair, RecordedLookup, ResultDiff, Why, diff, documents, level, titles_and_tags,
    unread,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope diff ./notes@HEAD ./notes
  markscope diff ./notes@v1.2 ./notes \"rest hours\" \"sour dough\" --match body
  markscope diff ./notes@HEAD ./notes --lookups lookups.jsonl
  markscope diff /srv/store /srv/store --before-as-of 2026-06-30
  markscope diff mark://kb.example/ ./notes --documents --lookups lookups.jsonl

Without queries and --lookups, every document's title and every tag is looked up, of
both worlds. FOLDER@REVISION is the folder in a git revision, with the links and line
ends of a work tree; a file or folder of that whole name comes first. A server's
documents are read one by one. Nothing is written anywhere.

A document that is in both worlds has one time in both, where times are those of
files: when a copy was made is no part of what was written. Version numbers are left
out where one of the worlds has none.

The exit code is 1 if anything differs.";

pub(super) const PREVIEW_EXAMPLES: &str = "\
Examples:
  markscope preview ./notes mark://kb.example/
  markscope preview ./notes mark://kb.example/ --lookups lookups.jsonl
  markscope preview ./notes mark://kb.example/ \"rest hours\" --match body

The documents of both are compared: which are new, changed, changed in metadata alone,
or on the server and not in the folder; and the results of the lookups, as diff shows
them. What --max-documents or a refusal kept from being read is told as not read.
Nothing is written anywhere. The exit code is 1 if anything differs.";

#[derive(Debug, Args)]
pub(super) struct PreviewArgs {
    /// The folder that would be published
    folder: String,
    /// The served world, mark://host[:port]
    server: String,
    /// What to look up in both
    queries: Vec<String>,
    /// Recorded lookups, one JSON object a line; - is stdin
    #[arg(long, value_name = "FILE")]
    lookups: Option<PathBuf>,
    #[command(flatten)]
    budgets: Budgets,
    /// What queries are matched against; not sent, the catalog
    #[arg(long = "match", value_name = "MATCH")]
    matched: Option<MatchName>,
    /// A text to read, or JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Show every result that differs in the text
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    network: Network,
}

/// What publishing a folder would change.
pub(super) fn preview(args: PreviewArgs) -> Result<End, Error> {
    if Address::is_meant(&args.folder) {
        return Err(Error::Usage(format!(
            "{} is on a server; name the folder first, then the server",
            visible_line(&args.folder)
        )));
    }
    run(&DiffArgs {
        before: args.server,
        after: args.folder,
        queries: args.queries,
        lookups: args.lookups,
        documents: true,
        before_as_of: None,
        after_as_of: None,
        budgets: args.budgets,
        matched: args.matched,
        engine: EngineName::Selection,
        format: args.format,
        all: args.all,
        network: args.network,
    })
}

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// Folder, folder@REVISION, store, archive, `bundled`, or a server's mark://host[:port]
    before: String,
    /// The same, to hold against it
    after: String,
    /// What to look up
    queries: Vec<String>,
    /// Recorded lookups, one JSON object a line; - is stdin
    #[arg(long, value_name = "FILE")]
    lookups: Option<PathBuf>,
    /// List the documents that differ; without queries and --lookups, them alone
    #[arg(long)]
    documents: bool,
    /// The first world as it stood at a time
    #[arg(long, value_name = "RFC3339", value_parser = time)]
    before_as_of: Option<Timestamp>,
    /// The second world as it stood at a time
    #[arg(long, value_name = "RFC3339", value_parser = time)]
    after_as_of: Option<Timestamp>,
    #[command(flatten)]
    budgets: Budgets,
    /// What queries, titles and tags are matched against; not sent, the catalog
    #[arg(long = "match", value_name = "MATCH")]
    matched: Option<MatchName>,
    /// Which rules select the evidence
    #[arg(long, value_name = "ENGINE", default_value = "selection")]
    engine: EngineName,
    /// A text to read, or JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Show every result that differs in the text
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    network: Network,
}

/// All that differs, as JSON.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    before: Named<'a>,
    after: Named<'a>,
    engine: Engine,
    /// Whether all documents of both worlds were read. What was not read of one is left
    /// out of both.
    complete: bool,
    /// Documents that differ, or were not read; none where they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<&'a [DocumentDiff]>,
    /// How many lookups were asked.
    lookups: usize,
    /// Those whose results differ.
    results: &'a [ResultDiff],
}

#[derive(Serialize)]
struct Named<'a> {
    world: &'a str,
    documents: usize,
}

pub(super) fn run(args: &DiffArgs) -> Result<End, Error> {
    // The command line is at fault before any world is.
    for query in &args.queries {
        check_query(query)?;
    }
    let recorded = args.lookups.as_deref().map(lookups_file::lookups).transpose()?;
    let [before, after] = sides::open(
        [(&args.before, args.before_as_of), (&args.after, args.after_as_of)],
        &args.network,
    )?;
    let is_complete = before.unread.is_empty() && after.unread.is_empty();
    let unread = unread(&before, &after);
    let (before, after) = level(before, after);
    let worlds = Pair { before: &before, after: &after };
    let lookups = lookups(args, recorded, worlds);
    let documents = args.documents.then(|| {
        let mut all = documents(&before, &after);
        all.extend(unread);
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    });
    let engine = args.engine.engine();
    let progress = Progress::new(lookups.len());
    let results: Vec<ResultDiff> = lookups
        .par_iter()
        .filter_map(|(why, lookup)| {
            let found = diff(why, lookup, worlds, engine, args.budgets.of(lookup));
            progress.step();
            found
        })
        .collect();
    progress.end();
    match args.format {
        Format::Json => {
            let named = |name, store: &Store| Named {
                world: name,
                documents: store.catalog().documents().len(),
            };
            output::json(&Object {
                schema: 1,
                before: named(&args.before, &before),
                after: named(&args.after, &after),
                engine,
                complete: is_complete,
                documents: documents.as_deref(),
                lookups: lookups.len(),
                results: &results,
            })?;
        }
        Format::Text => {
            let names = [args.before.as_str(), args.after.as_str()];
            let mut out = String::new();
            if !is_complete {
                out.push_str(&text::incomplete(names));
            }
            if let Some(documents) = &documents {
                out.push_str(&text::documents(documents, names));
            }
            if !lookups.is_empty() || !args.documents {
                let shown = if args.all { usize::MAX } else { text::SHOWN };
                out.push_str(&text::results(&results, lookups.len(), names, shown));
            }
            output::raw(&out)?;
        }
    }
    let differs = !results.is_empty() || documents.is_some_and(|documents| !documents.is_empty());
    Ok(if differs { End::NoMatch } else { End::Fine })
}

/// Refuses what no world answers.
fn check_query(query: &str) -> Result<(), Error> {
    let empty = Catalog::new([]);
    match empty.lookup(&Request::new(query)) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(Error::Usage(format!(
            "the query \"{}\" is refused: {}",
            visible_line(query),
            refusal.message()
        ))),
    }
}

/// What to look up, and why.
fn lookups(
    args: &DiffArgs,
    recorded: Option<Vec<RecordedLookup>>,
    worlds: Pair<&Store>,
) -> Vec<(Why, RecordedLookup)> {
    let matched = args.matched.map(MatchName::matched);
    let asked = |mut lookup: RecordedLookup| {
        lookup.match_sent = matched;
        lookup
    };
    let given = args.queries.iter().map(|query| (Why::Given, asked(RecordedLookup::new(query))));
    let mut lookups: Vec<(Why, RecordedLookup)> = given.collect();
    let is_named = recorded.is_some() || !lookups.is_empty();
    lookups.extend(recorded.into_iter().flatten().map(|lookup| (Why::Recorded, lookup)));
    if !is_named && !args.documents {
        let all = titles_and_tags(worlds.before, worlds.after);
        lookups.extend(all.into_iter().map(|(why, lookup)| (why, asked(lookup))));
    }
    lookups
}
