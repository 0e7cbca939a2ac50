//! Tasks and rubric: the lookups that a rubric's completion has, and the passages that
//! its evidence has. An unknown field is an error, as it is for whoever wrote them.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{File, ImportError, Imported};
use crate::catalog::Match;
use crate::tune::recorded::{RecordedLookup, RequiredPassage};

/// A task.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task {
    pub(super) id: String,
    #[serde(default)]
    pub(super) category: Option<String>,
    pub(super) question: String,
    #[serde(default, rename = "fields")]
    _fields: BTreeMap<String, String>,
    #[serde(default)]
    scope: Option<String>,
}

/// What is expected of one task.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    #[serde(default, rename = "answer")]
    _answer: BTreeMap<String, Value>,
    #[serde(default)]
    evidence: BTreeMap<String, Vec<RequiredPassage>>,
    #[serde(default, rename = "supplemental")]
    _supplemental: BTreeMap<String, Vec<RequiredPassage>>,
    #[serde(default)]
    abstain: bool,
    #[serde(default)]
    outcome: Option<Outcome>,
    #[serde(default)]
    completion: Vec<Completion>,
    #[serde(default, rename = "contradictions")]
    _contradictions: Vec<RequiredPassage>,
}

/// What the right answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Answered,
    NotFound,
    Incomplete,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Completion {
    step: String,
    tool: String,
    url: String,
    query: String,
    #[serde(default, rename = "match")]
    matched: Option<Match>,
    #[serde(default, rename = "status")]
    _status: Option<String>,
    #[serde(default, rename = "matches")]
    _matches: Option<u64>,
    #[serde(default, rename = "complete")]
    _complete: Option<bool>,
    #[serde(default, rename = "failure")]
    _failure: Option<String>,
}

/// An object in which each key stands once: of two, one would be lost without a word.
struct Once<T>(BTreeMap<String, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Once<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Each<T> {
            type Value = BTreeMap<String, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut out = BTreeMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    if out.contains_key(&key) {
                        return Err(A::Error::custom(format!("duplicate field `{key}`")));
                    }
                    out.insert(key, map.next_value()?);
                }
                Ok(out)
            }
        }
        deserializer.deserialize_map(Each(PhantomData)).map(Self)
    }
}

pub(super) type Tasks = Vec<Task>;
pub(super) type Rubric = BTreeMap<String, Expected>;

pub(super) fn read_tasks(file: &File) -> Result<Tasks, ImportError> {
    let tasks: Tasks = file.json()?;
    for (at, task) in tasks.iter().enumerate() {
        if tasks[..at].iter().any(|other| other.id == task.id) {
            let why = format!("another task has the id {}", task.id);
            return Err(file.error(format!("[{at}].id"), why));
        }
    }
    Ok(tasks)
}

pub(super) fn read_rubric(file: &File, tasks: &Tasks) -> Result<Rubric, ImportError> {
    let Once(rubric) = file.json::<Once<Expected>>()?;
    for (id, expected) in &rubric {
        if !tasks.is_empty() && !tasks.iter().any(|task| task.id == *id) {
            return Err(file.error(id.clone(), "no task has this id"));
        }
        for (field, passages) in &expected.evidence {
            for (at, passage) in passages.iter().enumerate() {
                let key = |name: &str| format!("{id}.evidence.{field}[{at}].{name}");
                if !passage.path.starts_with('/') {
                    let why = "a path begins with `/`, the root of the world";
                    return Err(file.error(key("path"), why));
                }
                if passage.anchor.as_deref().is_none_or(|anchor| anchor.trim().is_empty()) {
                    let why = "a passage lies in a section: its anchor is not empty";
                    return Err(file.error(key("anchor"), why));
                }
                if passage.quote.as_deref().is_none_or(|quote| quote.trim().is_empty()) {
                    return Err(file.error(key("quote"), "a passage has a quote"));
                }
                if passage.version == Some(0) {
                    return Err(file.error(key("version"), "versions are counted from 1"));
                }
            }
        }
        for (at, step) in expected.completion.iter().enumerate() {
            if step.is_lookup() && step.query.trim().is_empty() {
                let key = format!("{id}.completion[{at}].query");
                return Err(file.error(key, "a query is not empty; `*` lists everything"));
            }
        }
    }
    Ok(rubric)
}

impl Completion {
    /// Whether it is a lookup, by whatever name a client gives the tool.
    fn is_lookup(&self) -> bool {
        self.tool.ends_with("mark_lookup")
    }
}

impl Expected {
    /// The required passages, each once: fields may rest on the same one.
    pub(super) fn required(&self) -> Vec<RequiredPassage> {
        let mut out: Vec<RequiredPassage> = Vec::new();
        for passage in self.evidence.values().flatten() {
            if !out.contains(passage) {
                out.push(passage.clone());
            }
        }
        out
    }

    /// Whether the right answer is that there is none.
    fn is_absent(&self) -> bool {
        self.abstain || self.outcome.is_some_and(|outcome| outcome != Outcome::Answered)
    }
}

/// What the format wants of scopes and does not have; a selection is measured all the
/// same.
pub(super) fn scopes(tasks: &Tasks, rubric: &Rubric, has_dataset: bool, out: &mut Imported) {
    let scoped = tasks.iter().filter(|task| task.scope.is_some()).count();
    if scoped != 0 && scoped != tasks.len() {
        out.remarks.push(format!(
            "{scoped} of {} tasks have a scope: a file has it on all of them or on none",
            tasks.len()
        ));
    }
    if has_dataset && scoped == 0 && !tasks.is_empty() {
        let words = "there is a dataset.json, and no task has a scope: only scoped tasks have one";
        out.remarks.push(words.into());
    }
    for task in tasks {
        let Some(scope) = task.scope.as_deref() else { continue };
        let is_clean = scope == "/"
            || scope.starts_with('/') && scope.split('/').skip(1).all(|part| !part.is_empty());
        if !is_clean {
            let words = "a scope is a clean path such as `/` or `/bread`";
            out.remarks.push(format!("{}: its scope is `{scope}`; {words}", task.id));
            continue;
        }
        let within = |path: &str| {
            scope == "/" || path.strip_prefix(scope).is_some_and(|rest| rest.starts_with('/'))
        };
        let required = rubric.get(&task.id).map(Expected::required).unwrap_or_default();
        for passage in required.iter().filter(|passage| !within(&passage.path)) {
            out.remarks.push(format!(
                "{}: {} lies outside its scope {scope}",
                task.id,
                passage.location()
            ));
        }
    }
}

/// The lookups of all tasks. One without any in its rubric is asked by its question.
pub(super) fn lookups(tasks: &Tasks, rubric: &Rubric, out: &mut Imported) {
    let ids: Vec<&String> = match tasks.is_empty() {
        true => rubric.keys().collect(),
        false => tasks.iter().map(|task| &task.id).collect(),
    };
    for id in ids {
        let task = tasks.iter().find(|task| task.id == *id);
        let expected = rubric.get(id);
        let required = expected.map(Expected::required).unwrap_or_default();
        if expected.is_some_and(Expected::is_absent) {
            let words = format!("{id}: nothing is to be found, so no passage is measured");
            out.remarks.push(words);
        }
        let about = |lookup: RecordedLookup| RecordedLookup {
            category: task.and_then(|task| task.category.clone()),
            question: task.map(|task| task.question.clone()),
            required: required.clone(),
            ..lookup
        };
        let completion = expected.map(|it| it.completion.as_slice()).unwrap_or_default();
        let (asked, others): (Vec<&Completion>, Vec<&Completion>) =
            completion.iter().partition(|step| step.is_lookup());
        out.remarks.extend(others.into_iter().map(|step| {
            format!("{id}: its step `{}` is left out: {} is no mark_lookup", step.step, step.tool)
        }));
        for step in &asked {
            let id = if asked.len() > 1 { format!("{id}/{}", step.step) } else { id.clone() };
            out.lookups.push(about(RecordedLookup {
                id: Some(id),
                scope: super::calls::scope(&step.url),
                match_sent: step.matched,
                ..RecordedLookup::new(step.query.clone())
            }));
        }
        match task {
            Some(task) if asked.is_empty() => {
                out.remarks.push(format!(
                    "{id}: no lookup is recorded for it; its whole question is the query, which \
                     finds little: all words must match"
                ));
                out.lookups.push(about(RecordedLookup {
                    id: Some(id.clone()),
                    scope: task.scope.clone().unwrap_or_else(|| "/".into()),
                    match_sent: Some(Match::Body),
                    ..RecordedLookup::new(task.question.clone())
                }));
            }
            None if asked.is_empty() => {
                out.remarks.push(format!(
                    "{id} is left out: it has no lookup, and no question without its task"
                ));
            }
            _ => {}
        }
    }
}
