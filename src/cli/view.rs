//! `markscope view`: a recorded result, parsed back into the explorer's panes.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::Home;
use super::args::{Format, Shown, budget};
use super::explore::{FRAME, Stdin, draw, run_explorer, shown};
use super::json::{World, object};
use super::network::runtime;
use super::output::{self, End, Error, tell};
use super::plain;
use crate::catalog::Match;
use crate::lookup::Question;
use crate::selection::{ReadBack, read_back};
use crate::text::{counted, visible_line};
use crate::tui::{self, Options};
use crate::tune::{Found, results};
use crate::world::{Reader, Recorded};

pub(super) const EXAMPLES: &str = "\
Examples:
  markscope lookup bundled drone --budget 900 > result.txt
  markscope view result.txt
  markscope view transcript.jsonl --number 2
  markscope lookup bundled drone | markscope view -
  markscope lookup bundled drone | markscope view - --print

The text is what the tool returned: as it is, or anywhere inside the JSON of a
transcript. It has no breakpoints, and not the budget: what it does not say is told.";

/// The largest file that is read, in bytes: a result is some kilobytes.
const LARGEST: u64 = 64 * 1024 * 1024;

#[derive(Debug, Args)]
pub(super) struct View {
    /// A file with the result, or `-` for stdin
    result: PathBuf,
    /// Which result, where the file holds several; the first is 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    number: usize,
    /// The budget it was asked for with, in tokens, where the file does not say
    #[arg(id = "known-budget", long = "budget", value_name = "TOKENS", value_parser = budget)]
    budget: Option<u64>,
    /// Print everything as plain sentences, line by line, for a screen reader
    #[arg(long, conflicts_with_all = ["print", "format"])]
    plain: bool,
    /// Print the result's text again, or one JSON object that explains it
    #[arg(long, value_name = "FORMAT", conflicts_with = "print")]
    format: Option<Format>,
    #[command(flatten)]
    shown: Shown,
}

pub(super) fn run(args: &View, home: &Home) -> Result<End, Error> {
    home.settings()?;
    let (name, text) = read(&args.result)?;
    let Found { text, query, budget } = choose(&name, &text, args.number)?;
    let mut back = read_back(&text, args.budget.or(budget))
        .map_err(|error| Error::Usage(format!("{name}:{error}")))?;
    let query = query.or_else(|| back.query.clone());
    if query.is_none() {
        back.unknown.insert(0, "the query".to_owned());
    }
    // As sentences it is told with the rest.
    if args.format.is_some() {
        for unknown in &back.unknown {
            tell(&format!("markscope: not in the text: {unknown}"));
        }
    }
    let mut question = Question::new(query.clone().unwrap_or_default());
    question.engine = back.selection.engine;
    if let Some(scope) = &back.scope {
        question.request.scope.clone_from(scope);
    }
    let is_body = |line: &str| line == "match: body";
    question.request.match_sent =
        back.answered.envelope().lines().any(is_body).then_some(Match::Body);
    let end = if back.selection.rows.is_empty() { End::NoMatch } else { End::Fine };
    match args.format {
        Some(Format::Text) => {
            output::result(&back.selection.text())?;
            return Ok(end);
        }
        Some(Format::Json) => {
            let world = World { name: &name, documents: None, left_out: 0 };
            let ReadBack { answered, selection, .. } = &back;
            let object = object(world, &question, answered, selection);
            output::json(&object.recorded(query.as_deref(), &back))?;
            return Ok(end);
        }
        None => {}
    }
    let budget = back.budget.unwrap_or(0);
    let label = match args.result.file_name() {
        Some(file) if name != "stdin" => visible_line(&file.display().to_string()),
        _ => name,
    };
    let recorded = Recorded { name: label.clone(), query, back: Arc::new(back) };
    let reader = Reader::Recorded(Arc::new(recorded));
    if args.plain {
        return runtime()?.block_on(plain::told(&reader, &question, budget, None)).map(|_| end);
    }
    let stdin = if args.result == Path::new("-") { Stdin::Text } else { Stdin::Keys };
    let (options, print) = shown(&args.shown, home, stdin)?;
    let options = Options {
        query: Some(question.request.query.clone()),
        question,
        budget,
        places: vec![args.result.display().to_string()],
        world: label,
        ..options
    };
    match print {
        Some(picture) => {
            let size = args.shown.size.unwrap_or(FRAME);
            let opened = tui::Opened::new(reader);
            runtime()?.block_on(draw(opened, options, size, picture)).map(|_| end)
        }
        None => {
            let opening: tui::Opening = Arc::new(move |_| Ok(tui::Opened::new(reader.clone())));
            run_explorer(opening, options)
        }
    }
}

/// The name to show and the text of a file, or of stdin.
fn read(file: &Path) -> Result<(String, String), Error> {
    let is_stdin = file == Path::new("-");
    let name =
        if is_stdin { "stdin".to_owned() } else { visible_line(&file.display().to_string()) };
    let failed = |error: io::Error| Error::Usage(format!("{name} cannot be read: {error}"));
    let mut bytes = Vec::new();
    if is_stdin {
        io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let file = fs::File::open(file).map_err(failed)?;
        file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(Error::Usage(format!("{name} is larger than 64 MiB, which no result is")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Error::Usage(format!("{name}:{line}: this is not UTF-8; give the text as the tool gave it"))
    })?;
    Ok((name, text))
}

/// The line at which a text begins as a result does once more.
fn beginnings(text: &str) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |at: &usize| {
        let envelope = lines[*at..].iter().take_while(|line| !line.is_empty()).count();
        lines[*at].starts_with("status: ")
            && lines[at + envelope..]
                .iter()
                .find(|line| !line.is_empty())
                .is_some_and(|line| line.starts_with("# Lookup matches for "))
    };
    (1..lines.len()).find(begins).map(|at| at + 1)
}

/// One of the results that a text holds.
fn choose(name: &str, text: &str, number: usize) -> Result<Found, Error> {
    let all = results(text);
    let count = all.len();
    let at = number.checked_sub(1);
    match at.and_then(|at| all.into_iter().nth(at)) {
        Some(found) => {
            let more = beginnings(&found.text);
            if let Some(line) = more.filter(|_| count == 1) {
                tell(&format!(
                    "markscope: line {line} begins as another result does: if the file holds \
                     two, view each in a file of its own"
                ));
            }
            if count > 1 {
                tell(&format!("markscope: result {number} of {count}; --number takes another"));
            }
            Ok(found)
        }
        None if count == 0 => Err(Error::Usage(format!(
            "{name}: no text in this JSON begins with `status: `, as each result does"
        ))),
        None => {
            let results = counted(count, "result");
            Err(Error::Usage(format!("{name} holds {results}; --number is 1 to {count}")))
        }
    }
}
