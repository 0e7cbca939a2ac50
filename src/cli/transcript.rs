//! A result's text, wherever a file holds it: as it is, or inside the JSON of a
//! transcript of tool calls.

use serde_json::{Map, Value};

/// A result's text and what is known of its question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The text.
    pub(super) text: String,
    /// The query.
    pub(super) query: Option<String>,
    /// The budget in tokens.
    pub(super) budget: Option<u64>,
}

/// How every result begins.
const BEGINNING: &str = "status: ";
/// How deep a transcript's JSON is looked into.
const DEEPEST: usize = 64;

/// All results that a text holds, in its order. One that is no JSON is taken for a
/// result itself.
pub(super) fn results(text: &str) -> Vec<Found> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let plain = || vec![Found { text: text.to_owned(), ..Found::default() }];
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return plain();
    }
    let values: Result<Vec<Value>, _> =
        serde_json::Deserializer::from_str(text).into_iter().collect();
    let Ok(values) = values else { return plain() };
    let mut found = Vec::new();
    for value in &values {
        search(value, &Found::default(), 0, &mut found);
    }
    found
}

/// Finds the texts in a value. What is known of the question is what stands beside or
/// around the text.
fn search(value: &Value, around: &Found, depth: usize, found: &mut Vec<Found>) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::String(text) if text.starts_with(BEGINNING) => {
            found.push(Found { text: text.clone(), ..around.clone() });
        }
        Value::Array(values) => {
            for value in values {
                search(value, around, depth + 1, found);
            }
        }
        Value::Object(object) => {
            let mut known = around.clone();
            learn(object, &mut known);
            for argument in object.values().filter_map(Value::as_object) {
                learn(argument, &mut known);
            }
            for value in object.values() {
                search(value, &known, depth + 1, found);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Takes the arguments of a lookup out of an object that has them.
fn learn(object: &Map<String, Value>, known: &mut Found) {
    let Some(query) = object.get("query").and_then(Value::as_str) else { return };
    known.query = Some(query.to_owned());
    // Without one no evidence was asked for.
    known.budget = Some(object.get("budget").and_then(Value::as_u64).unwrap_or(0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_with_their_questions() {
        let found = |text: &str, query: Option<&str>, budget| Found {
            text: text.to_owned(),
            query: query.map(str::to_owned),
            budget,
        };
        assert_eq!(results("status: ok\n\n"), [found("status: ok\n\n", None, None)]);
        assert_eq!(results("\u{feff}status: ok\n"), [found("status: ok\n", None, None)]);
        assert_eq!(results("{ no json"), [found("{ no json", None, None)]);
        assert_eq!(results("\"status: ok\""), [found("status: ok", None, None)]);
        let lines = concat!(
            "{\"tool\":\"mark_lookup\",\"arguments\":{\"query\":\"rye\",\"budget\":800},",
            "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"status: ok\\n\\n1\"}]}}\n",
            "{\"name\":\"mark_fetch\",\"input\":{\"url\":\"/a\"},\"output\":\"version: 1\\n\"}\n",
            "{\"input\":{\"query\":\"sour\"},\"output\":\"status: ok\\n\\n2\"}\n",
        );
        assert_eq!(
            results(lines),
            [
                found("status: ok\n\n1", Some("rye"), Some(800)),
                found("status: ok\n\n2", Some("sour"), Some(0)),
            ]
        );
    }
}
