//! Recorded lookups out of what others keep: tasks with their rubric, fixed rows with
//! inline documents, questions, reports of model runs, transcripts of tool calls.
//!
//! - `tasks`: tasks and a rubric: the lookups of its completion, the passages of its
//!   evidence
//! - `graph`: fixed rows with documents of their own
//! - `questions`: questions with the place of their answer
//! - `report`: the first lookup of each attempt of a model
//! - `calls`: results and lookups anywhere in the JSON of a transcript

mod calls;
mod dataset;
mod graph;
mod questions;
mod report;
mod tasks;

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::json_fault;
use super::recorded::RecordedLookup;
use crate::text::visible_line;

pub use calls::{Found, results};

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Tasks: questions in words, with the scope to look in.
    Tasks,
    /// A rubric: expected answers, the passages they rest on, and lookups.
    Rubric,
    /// Fixed rows with inline documents.
    Graph,
    /// Questions with the place of their answer.
    Questions,
    /// A report of model runs.
    Report,
    /// Calls of tools and their results.
    Transcript,
    /// What binds tasks and rubric to a corpus; nothing of it is needed.
    Dataset,
}

impl Source {
    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tasks => "tasks",
            Self::Rubric => "rubric",
            Self::Graph => "graph",
            Self::Questions => "questions",
            Self::Report => "report",
            Self::Transcript => "transcript",
            Self::Dataset => "dataset",
        }
    }

    /// What a text holds, by its shape.
    pub fn of(text: &str) -> Self {
        let text = without_mark(text);
        let Ok(value) = serde_json::from_str::<Value>(text) else { return Self::Transcript };
        let has = |value: &Value, key: &str| value.get(key).is_some();
        match &value {
            Value::Array(items) => match items.first() {
                Some(first) if has(first, "docs") && has(first, "rows") => Self::Graph,
                Some(first) if has(first, "question") && has(first, "id") => Self::Tasks,
                _ => Self::Transcript,
            },
            Value::Object(object) => match object.values().next() {
                _ if has(&value, "attempts") => Self::Report,
                _ if has(&value, "questions") => Self::Questions,
                _ if has(&value, "tasks_sha256") => Self::Dataset,
                Some(first) if has(first, "evidence") || has(first, "answer") => Self::Rubric,
                _ => Self::Transcript,
            },
            _ => Self::Transcript,
        }
    }
}

/// A text without the byte order mark that some editors put ahead of it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A file to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// What a message calls it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What it holds.
    pub source: Source,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// The lookups, in the order of the files.
    pub lookups: Vec<RecordedLookup>,
    /// What to know about them, a sentence each.
    pub remarks: Vec<String>,
}

/// What is wrong in a file, with the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    /// The file, as it was named.
    pub file: String,
    /// The line, counted from 1, where it is known.
    pub line: Option<usize>,
    /// The key, such as `t1.evidence.hours[0].path`.
    pub key: Option<String>,
    /// Why, with the way out.
    pub message: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible_line(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if let Some(key) = &self.key {
            write!(f, "{}: ", visible_line(key))?;
        }
        f.write_str(&visible_line(&self.message))
    }
}

impl std::error::Error for ImportError {}

impl File {
    fn error(&self, key: impl Into<Option<String>>, message: impl Into<String>) -> ImportError {
        ImportError {
            file: self.name.clone(),
            line: None,
            key: key.into(),
            message: message.into(),
        }
    }

    /// Whether the file can be JSON at all: another one is taken for it by mistake.
    fn begins_as_json(&self) -> Result<(), ImportError> {
        let text = self.text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with(['{', '[']) {
            return Ok(());
        }
        let what = if text.starts_with(calls::BEGINNING) {
            "this is the text of a result, which `markscope view` opens"
        } else if text.is_empty() {
            "this is empty"
        } else {
            "this is neither an object nor a list"
        };
        Err(self.error(
            None,
            format!(
                "{what}; import reads tasks, rubrics, graphs, questions, reports and transcripts of \
                 tool calls, all of them JSON or JSON lines"
            ),
        ))
    }

    /// The file as one JSON value.
    fn json<T: DeserializeOwned>(&self) -> Result<T, ImportError> {
        let mut json = serde_json::Deserializer::from_str(without_mark(&self.text));
        let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let key = Some(error.path().to_string()).filter(|path| path != ".");
            let message = json_fault::words(error.inner());
            ImportError { line: Some(error.inner().line()), ..self.error(key, message) }
        })?;
        let end = json.end().map_err(|error| ImportError {
            line: Some(error.line()),
            ..self.error(None, "there is something behind the JSON")
        });
        end.map(|()| read)
    }
}

/// Reads lookups out of files. Tasks, rubric and reports belong together where they
/// are given together.
///
/// # Errors
/// The first file that cannot be read as what it is, with the place.
pub fn import(files: &[File]) -> Result<Imported, ImportError> {
    for file in files {
        file.begins_as_json()?;
    }
    let mut out = Imported::default();
    let only = |source: Source| {
        let mut of = files.iter().filter(move |file| file.source == source);
        match (of.next(), of.next()) {
            (_, Some(second)) => Err(second.error(
                None,
                format!("there is one {} already; import one after the other", source.name()),
            )),
            (first, None) => Ok(first),
        }
    };
    let tasks = only(Source::Tasks)?.map(tasks::read_tasks).transpose()?.unwrap_or_default();
    let rubric = only(Source::Rubric)?.map(|file| tasks::read_rubric(file, &tasks)).transpose()?;
    let rubric = rubric.unwrap_or_default();
    let dataset = only(Source::Dataset)?;
    if let Some(dataset) = dataset {
        dataset::check(dataset, files, &mut out)?;
    }
    tasks::scopes(&tasks, &rubric, dataset.is_some(), &mut out);
    let has_report = files.iter().any(|file| file.source == Source::Report);
    if !has_report {
        tasks::lookups(&tasks, &rubric, &mut out);
    }
    for file in files {
        match file.source {
            Source::Tasks | Source::Rubric | Source::Dataset => {}
            Source::Graph => graph::import(file, &mut out)?,
            Source::Questions => questions::import(file, &mut out)?,
            Source::Report => report::import(file, &tasks, &rubric, &mut out)?,
            Source::Transcript => calls::import(file, &mut out)?,
        }
    }
    Ok(out)
}
