//! A report of model runs: the first lookup of each attempt.

use serde::Deserialize;
use serde_json::Value;

use super::tasks::{Expected, Rubric, Tasks};
use super::{File, ImportError, Imported, calls};
use crate::tune::recorded::RecordedLookup;

/// What is read of a report; it has much more.
#[derive(Debug, Deserialize)]
struct Report {
    attempts: Vec<Attempt>,
}

#[derive(Debug, Deserialize)]
struct Attempt {
    task: String,
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    repeat: Option<u64>,
    #[serde(default)]
    trace: Option<Trace>,
}

#[derive(Debug, Deserialize)]
struct Trace {
    #[serde(default)]
    calls: Option<Vec<Call>>,
}

#[derive(Debug, Deserialize)]
struct Call {
    name: String,
    #[serde(default)]
    input: Value,
}

pub(super) fn import(
    file: &File,
    tasks: &Tasks,
    rubric: &Rubric,
    out: &mut Imported,
) -> Result<(), ImportError> {
    let report: Report = file.json()?;
    let mut seen = 0;
    let before = out.lookups.len();
    for (at, attempt) in report.attempts.into_iter().enumerate() {
        let id = match attempt.repeat {
            Some(repeat) => format!("{}/{repeat}", attempt.task),
            None => attempt.task.clone(),
        };
        let all = attempt.trace.and_then(|trace| trace.calls).unwrap_or_default();
        let first = all.iter().enumerate().find(|(_, call)| call.name.ends_with("mark_lookup"));
        let Some((number, first)) = first else {
            out.remarks.push(format!("{id} is left out: it made no lookup"));
            continue;
        };
        seen += 1;
        let Some(arguments) = first.input.as_object() else { continue };
        let key = || format!("attempts[{at}].trace.calls[{number}].input");
        let lookup = calls::lookup(arguments)
            .map_err(|(name, why)| file.error(format!("{}.{name}", key()), why))?;
        let task = tasks.iter().find(|task| task.id == attempt.task);
        out.lookups.push(RecordedLookup {
            id: Some(id),
            category: attempt.category.or_else(|| task.and_then(|task| task.category.clone())),
            question: task.map(|task| task.question.clone()),
            required: rubric.get(&attempt.task).map(Expected::required).unwrap_or_default(),
            ..lookup
        });
    }
    if seen > 0 && out.lookups.len() == before {
        return Err(file.error(
            None,
            "this is an export of figures alone: its calls have no inputs; import the full report",
        ));
    }
    if rubric.is_empty() {
        out.remarks.push(format!(
            "{}: no passage is measured; give the rubric too, and the tasks",
            file.name
        ));
    }
    Ok(())
}
