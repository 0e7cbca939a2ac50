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
    // Told where the file has more than these.
    let (mut without, mut bare) = (Vec::new(), 0);
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
        let key = format!("attempts[{at}].trace.calls[{number}].input");
        // Some keep it as the text that the model wrote.
        let parsed = first.input.as_str().and_then(|text| serde_json::from_str(text).ok());
        let input = parsed.unwrap_or_else(|| first.input.clone());
        let Some(arguments) = input.as_object() else {
            bare += usize::from(input.is_null());
            without.push(format!("{id} is left out: {key} is no object with a query"));
            continue;
        };
        let lookup = match calls::lookup(arguments) {
            Ok(lookup) => lookup,
            Err((name, why)) => {
                without.push(format!("{id} is left out: {key}.{name}: {why}"));
                continue;
            }
        };
        let task = tasks.iter().find(|task| task.id == attempt.task);
        out.lookups.push(RecordedLookup {
            id: Some(id),
            category: attempt.category.or_else(|| task.and_then(|task| task.category.clone())),
            question: task.map(|task| task.question.clone()),
            required: rubric.get(&attempt.task).map(Expected::required).unwrap_or_default(),
            ..lookup
        });
    }
    if out.lookups.len() == before && !without.is_empty() {
        let why = match bare == without.len() {
            true => {
                "this is an export of figures alone: its calls have no inputs; import the full \
                 report"
                    .to_owned()
            }
            false => without.swap_remove(0),
        };
        return Err(file.error(None, why));
    }
    out.remarks.extend(without);
    if rubric.is_empty() {
        out.remarks.push(format!(
            "{}: no passage is measured; give the rubric too, and the tasks",
            file.name
        ));
    }
    Ok(())
}
