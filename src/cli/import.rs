//! `markscope import`: recorded lookups out of what others keep.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::args::State;
use super::lookups_file::{name, text};
use super::open::open_and_tell;
use super::output::{self, End, Error, tell};
use super::result_file::{self, Reads, shown};
use crate::text::visible_line;
use crate::tune::{ImportFile, Source, import, write_lookups};

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope import transcript.jsonl > lookups.jsonl
  markscope import tasks.json rubric.json --world corpus.jsonl.gz > lookups.jsonl
  markscope import corpora/latebit-2026-09-14-v4 > lookups.jsonl
  markscope import report.json tasks.json rubric.json --out lookups.jsonl
  markscope import graph-context-v1.json | markscope replay bundled --lookups -

What a file holds is seen by its shape:
  tasks       questions, with a scope each
  rubric      the passages an answer rests on, and lookups written down per task
  graph       fixed rows with documents of their own, which stay with each lookup
  questions   queries with the place of the answer
  report      model runs: the first mark_lookup of each attempt
  transcript  calls of mark_lookup anywhere in JSON or JSON lines
Tasks, rubric and report belong together where they are given together.";

/// The names of tasks and rubric in a folder; a dataset.json may be there besides.
const IN_FOLDER: [&str; 2] = ["tasks.json", "rubric.json"];

#[derive(Debug, Args)]
pub(super) struct Import {
    /// Files, or a folder with tasks.json and rubric.json; - is stdin
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What the files hold, where their shape does not say
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,
    /// Tell which passages are not there in this world, or lie in old versions
    #[arg(long, value_name = "WORLD")]
    world: Option<String>,
    /// Write the lookups to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Tasks,
    Rubric,
    Graph,
    Questions,
    Report,
    Transcript,
}

impl Kind {
    fn source(self) -> Source {
        match self {
            Self::Tasks => Source::Tasks,
            Self::Rubric => Source::Rubric,
            Self::Graph => Source::Graph,
            Self::Questions => Source::Questions,
            Self::Report => Source::Report,
            Self::Transcript => Source::Transcript,
        }
    }
}

pub(super) fn run(args: &Import) -> Result<End, Error> {
    let paths: Vec<PathBuf> = args.files.iter().flat_map(|path| within(path)).collect();
    if let Some(file) = &args.out {
        let files = paths.iter().map(PathBuf::as_path).collect();
        let worlds = args.world.iter().map(String::as_str).collect();
        result_file::check(file, "--out", &Reads { files, worlds })?;
    }
    let mut files = Vec::new();
    for path in paths {
        let text = text(&path)?;
        let source = args.kind.map_or_else(|| Source::of(&text), Kind::source);
        files.push(ImportFile { name: name(&path), text, source });
    }
    let imported = import(&files).map_err(|error| Error::Usage(error.to_string()))?;
    for remark in &imported.remarks {
        tell(&format!("markscope: {}", visible_line(remark)));
    }
    let mut end = if imported.lookups.is_empty() { End::NoMatch } else { End::Fine };
    if let Some(world) = &args.world {
        let opened = open_and_tell(world, State { as_of: None, chain: false })?;
        for lookup in &imported.lookups {
            let own = lookup.own_world();
            let store = own.as_ref().unwrap_or(&opened.store);
            for remark in crate::tune::Passages::of(lookup, store).remarks() {
                let name = visible_line(lookup.name());
                tell(&format!("markscope: {name}: {}", visible_line(remark)));
            }
        }
        end = opened.end(end);
    }
    let lines = write_lookups(&imported.lookups);
    match &args.out {
        None => output::result(&lines)?,
        Some(file) => {
            result_file::write(file, &lines).map_err(|error| {
                Error::World(format!("{} cannot be written: {error}", shown(file)))
            })?;
            let count = imported.lookups.len();
            let noun = if count == 1 { "lookup" } else { "lookups" };
            tell(&format!("markscope: {count} {noun} written"));
        }
    }
    Ok(end)
}

/// A file itself, or tasks, rubric and dataset of a folder.
fn within(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let always = IN_FOLDER.iter().map(|name| path.join(name));
    let dataset = Some(path.join("dataset.json")).filter(|file| file.exists());
    always.chain(dataset).collect()
}
