//! Transcripts of tool calls, whatever their shape: the lookups that were made, and
//! the texts that came of them.
//!
//! A text is known by how every result begins; a lookup by its arguments, an object
//! that has a query, in a call whose name ends with `mark_lookup`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{File, ImportError, Imported, without_mark};
use crate::catalog::Match;
use crate::lookup::MAX_BUDGET;
use crate::mark::Address;
use crate::text::counted;
use crate::tune::json_fault;
use crate::tune::recorded::RecordedLookup;

/// A result's text and what is known of its question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The text.
    pub text: String,
    /// The query.
    pub query: Option<String>,
    /// The budget in tokens.
    pub budget: Option<u64>,
}

/// How every result begins.
pub(super) const BEGINNING: &str = "status: ";
/// The names that a call's arguments have.
const ARGUMENTS: [&str; 5] = ["arguments", "input", "args", "params", "parameters"];
/// How deep a transcript's JSON is looked into.
const DEEPEST: usize = 64;

/// All results that a text holds, in its order. One that is no JSON is taken for a
/// result itself.
pub fn results(text: &str) -> Vec<Found> {
    let text = without_mark(text);
    let plain = || vec![Found { text: text.to_owned(), ..Found::default() }];
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return plain();
    }
    let values: Result<Vec<Value>, _> =
        serde_json::Deserializer::from_str(text).into_iter().collect();
    let Ok(values) = values else { return plain() };
    let mut found = Vec::new();
    let mut calls = BTreeMap::new();
    for value in &values {
        search(value, &Found::default(), 0, &mut calls, &mut found);
    }
    found
}

/// What is known of a question, by the id of the call that put it.
type Asked = BTreeMap<String, Found>;

/// The names that a call's id has: in the call itself, and in what answers it.
const IDS: [&str; 7] =
    ["tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "call_id", "callId", "id"];
/// How far inside a call its arguments may be.
const INSIDE: usize = 3;

/// The id of a call, in the call or in what answers it.
fn id(object: &Map<String, Value>) -> Option<String> {
    IDS.iter().find_map(|name| match object.get(*name)? {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    })
}

/// The question of a call: the arguments that are in it, not those of calls that a
/// list in it has.
fn question(object: &Map<String, Value>, inside: usize) -> Option<Found> {
    let mut known = Found::default();
    learn(object, &mut known);
    if known.query.is_some() {
        return Some(known);
    }
    let inside = inside.checked_sub(1)?;
    object.iter().find_map(|(name, value)| match value {
        Value::Object(object) => question(object, inside),
        // Some keep them as the text that the model wrote.
        Value::String(text) if ARGUMENTS.contains(&name.as_str()) => {
            question(serde_json::from_str::<Value>(text).ok()?.as_object()?, inside)
        }
        _ => None,
    })
}

/// Finds the texts in a value. What is known of the question is what stands beside or
/// around the text.
fn search(value: &Value, around: &Found, depth: usize, calls: &mut Asked, found: &mut Vec<Found>) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::String(text) if text.starts_with(BEGINNING) => {
            found.push(Found { text: text.clone(), ..around.clone() });
        }
        Value::Array(values) => match parts(values) {
            Some(texts) => {
                found.extend(texts.into_iter().map(|text| Found { text, ..around.clone() }));
            }
            None => {
                for value in values {
                    search(value, around, depth + 1, calls, found);
                }
            }
        },
        Value::Object(object) => {
            let mut known = around.clone();
            if let Some(id) = id(object) {
                // What is asked comes ahead of what answers it.
                match question(object, INSIDE) {
                    Some(question) => {
                        calls.insert(id, question);
                    }
                    None => {
                        if let Some(question) = calls.get(&id) {
                            known = question.clone();
                        }
                    }
                }
            }
            learn(object, &mut known);
            for argument in object.values().filter_map(Value::as_object) {
                learn(argument, &mut known);
            }
            for value in object.values() {
                search(value, &known, depth + 1, calls, found);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The texts of a list of text items, where they are results: an item that does not
/// begin as one goes on with the one ahead of it.
fn parts(values: &[Value]) -> Option<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    for value in values {
        let item = value.as_object().filter(|item| item.get("type") == Some(&"text".into()))?;
        let text = item.get("text")?.as_str()?;
        match out.last_mut() {
            Some(last) if !text.starts_with(BEGINNING) => last.push_str(text),
            None if !text.starts_with(BEGINNING) => return None,
            _ => out.push(text.to_owned()),
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Takes the arguments of a lookup out of an object that has them.
fn learn(object: &Map<String, Value>, known: &mut Found) {
    let Some(query) = object.get("query").and_then(Value::as_str) else { return };
    known.query = Some(query.to_owned());
    // Without one no evidence was asked for.
    known.budget = lookup(object).ok().and_then(|lookup| lookup.budget);
}

/// The lookups that a transcript holds, in its order.
pub(super) fn import(file: &File, out: &mut Imported) -> Result<(), ImportError> {
    let text = without_mark(&file.text);
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        values.push(value.map_err(|error| {
            let why = json_fault::words(&error);
            ImportError { line: Some(error.line()), ..file.error(None, why) }
        })?);
    }
    let mut found = Calls { file, lookups: Vec::new(), last: None, merged: 0, faults: Vec::new() };
    for (at, value) in values.iter().enumerate() {
        found.take(value, &format!("[{at}]"), 0, None);
    }
    let Calls { lookups, merged, faults, .. } = found;
    if lookups.is_empty() {
        if let Some(first) = faults.into_iter().next() {
            return Err(first);
        }
        return Err(file.error(
            None,
            "there is no lookup in it: no call of mark_lookup with a query; --kind names what a \
             file holds",
        ));
    }
    // One call that was at fault, as a reader's may be, is no reason to lose the others.
    out.remarks.extend(faults.iter().map(|fault| format!("{fault}; it is left out")));
    if merged > 0 {
        let verb = if merged == 1 { "is" } else { "are" };
        out.remarks.push(format!(
            "{}: {} {verb} the same as the one before, and no id tells them apart: taken for it",
            file.name,
            counted(merged, "call")
        ));
    }
    out.lookups.extend(lookups);
    Ok(())
}

/// The lookups that were called.
struct Calls<'a> {
    file: &'a File,
    lookups: Vec<RecordedLookup>,
    /// The id of the last one.
    last: Option<String>,
    /// Calls that are taken for the one before them, though nothing says so.
    merged: usize,
    faults: Vec<ImportError>,
}

impl Calls<'_> {
    /// Takes the calls of a value, `around` which an id may stand. The names of a call's
    /// parts differ from one agent to the next; their content does not.
    fn take(&mut self, value: &Value, key: &str, depth: usize, around: Option<&str>) {
        if depth > DEEPEST {
            return;
        }
        match value {
            Value::Array(values) => {
                for (at, value) in values.iter().enumerate() {
                    self.take(value, &format!("{key}[{at}]"), depth + 1, around);
                }
            }
            Value::Object(object) => {
                let own = id(object);
                let id = own.as_deref().or(around);
                let names = ["name", "tool", "tool_name", "toolName"];
                let name = names.iter().find_map(|name| object.get(*name)?.as_str());
                let is_lookup = name.is_some_and(|name| name.ends_with("mark_lookup"));
                match arguments(object) {
                    Some((name, Value::Object(arguments))) if is_lookup => {
                        self.call(&arguments, &format!("{key}.{name}"), id);
                    }
                    Some((name, Value::String(_) | Value::Null)) if is_lookup => {
                        let why = "the arguments of a lookup are an object, and this is none";
                        self.faults.push(self.file.error(format!("{key}.{name}"), why));
                    }
                    _ => {
                        for (name, value) in object {
                            self.take(value, &format!("{key}.{name}"), depth + 1, id);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, arguments: &Map<String, Value>, key: &str, id: Option<&str>) {
        // The tool as it is described to a model, and no call.
        if arguments.contains_key("properties") && !arguments.contains_key("query") {
            return;
        }
        let differs = id.zip(self.last.as_deref()).is_some_and(|(one, last)| one != last);
        match lookup(arguments) {
            // A call stands in a transcript once as it is made and once as it is answered.
            Ok(lookup) if self.lookups.last() == Some(&lookup) && !differs => {
                self.merged += usize::from(id.is_none() || self.last.is_none());
            }
            Ok(lookup) => {
                self.lookups.push(lookup);
                self.last = id.map(str::to_owned);
            }
            Err((argument, why)) => {
                self.faults.push(self.file.error(format!("{key}.{argument}"), why));
            }
        }
    }
}

/// What a call has for arguments, and by which name. Some keep them as the text that the
/// model wrote.
fn arguments(object: &Map<String, Value>) -> Option<(&'static str, Value)> {
    ARGUMENTS.iter().find_map(|name| {
        let arguments = object.get(*name)?;
        let parsed = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
        Some((*name, parsed.unwrap_or_else(|| arguments.clone())))
    })
}

/// The lookup of a call's arguments.
///
/// # Errors
/// The argument that cannot be understood, and why.
pub(super) fn lookup(
    arguments: &Map<String, Value>,
) -> Result<RecordedLookup, (&'static str, &'static str)> {
    let text = |name: &'static str| match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err((name, "this is a text")),
    };
    // Numbers come as 3, as 3.0, and as "3".
    let number = |name: &'static str| match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => number
            .as_f64()
            .filter(|number| number.fract() == 0.0)
            .map(|number| Some(number as i64))
            .ok_or((name, "this is a whole number")),
        Some(Value::String(text)) => {
            text.trim().parse().map(Some).map_err(|_| (name, "this is a whole number"))
        }
        Some(_) => Err((name, "this is a whole number")),
    };
    let query = text("query")?.filter(|query| !query.trim().is_empty());
    let query = query.ok_or(("query", "a lookup has a query"))?;
    let matched = match text("match")?.filter(|matched| !matched.is_empty()) {
        Some(matched) => {
            Some(matched.parse::<Match>().map_err(|_| ("match", "this is `catalog` or `body`"))?)
        }
        None => None,
    };
    let budget = number("budget")?.unwrap_or(0).max(0).unsigned_abs();
    if budget > MAX_BUDGET {
        return Err(("budget", "this is more than 1,000,000 tokens, the most there is"));
    }
    Ok(RecordedLookup {
        scope: text("url")?.map_or_else(|| "/".into(), scope),
        match_sent: matched,
        filter: text("filter")?.unwrap_or_default().to_owned(),
        // Nothing is sent where it is not above 0.
        limit: number("limit")?.filter(|limit| *limit > 0).and_then(|it| usize::try_from(it).ok()),
        verbose: match arguments.get("verbose") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(verbose)) => *verbose,
            Some(_) => return Err(("verbose", "this is true or false")),
        },
        budget: Some(budget),
        ..RecordedLookup::new(query)
    })
}

/// The scope of a `url`: a bare path, or the path of a location.
pub(super) fn scope(url: &str) -> String {
    let path = Address::parse(url).map_or_else(|_| url.to_owned(), |(_, path)| path);
    if path.is_empty() { "/".into() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_paired_with_its_call_by_the_id() {
        let calls = [
            // As messages, two calls in one, answered the other way round.
            r#"{"id":"msg","content":[{"type":"tool_use","id":"t1","name":"x__mark_lookup",
                "input":{"query":"rye","budget":800}},{"type":"tool_use","id":"t2",
                "name":"x__mark_lookup","input":{"query":"sour","budget":"900"}}]}
               {"content":[{"type":"tool_result","tool_use_id":"t2",
                "content":[{"type":"text","text":"status: ok\n2"}]}]}
               {"content":[{"type":"tool_result","tool_use_id":"t1","content":"status: ok\n1"}]}"#,
            // Arguments as a text.
            r#"{"tool_calls":[{"id":"a","function":{"name":"mark_lookup",
                "arguments":"{\"query\":\"sour\",\"budget\":900}"}},{"id":"b","function":{
                "name":"mark_lookup","arguments":"{\"query\":\"rye\",\"budget\":800.0}"}}]}
               {"role":"tool","tool_call_id":"a","content":"status: ok\n2"}
               {"role":"tool","tool_call_id":"b","content":"status: ok\n1"}"#,
            // Numbers, which a later call may have again.
            r#"{"id":1,"method":"tools/call","params":{"name":"mark_lookup","arguments":{
                "query":"sour","budget":900}}}
               {"id":1,"result":{"content":[{"type":"text","text":"status: ok\n2"}]}}
               {"id":1,"method":"tools/call","params":{"name":"mark_lookup","arguments":{
                "query":"rye","budget":800}}}
               {"id":1,"result":{"content":[{"type":"text","text":"status: ok\n1"}]}}"#,
        ];
        let found = |text: &str, query: &str, budget| Found {
            text: text.to_owned(),
            query: Some(query.to_owned()),
            budget: Some(budget),
        };
        let wanted = [found("status: ok\n2", "sour", 900), found("status: ok\n1", "rye", 800)];
        for call in calls {
            assert_eq!(results(call), wanted, "{call}");
        }
        let other = r#"{"id":"t1","input":{"query":"rye"}} {"id":"t2","output":"status: ok"}"#;
        assert_eq!(results(other), [Found { text: "status: ok".into(), ..Found::default() }]);
    }

    #[test]
    fn a_result_in_parts_is_put_together() {
        let texts = |items: &str| -> Vec<String> {
            let text = format!(r#"{{"query":"rye","content":[{items}]}}"#);
            results(&text).into_iter().map(|found| found.text).collect()
        };
        let item = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
        let items = |of: &[&str]| of.iter().map(|text| item(text)).collect::<Vec<_>>().join(",");
        assert_eq!(
            texts(&items(&["status: o", "k\\nmore", " and more"])),
            ["status: ok\nmore and more"]
        );
        assert_eq!(
            texts(&items(&["status: ok", "status: ok\\n2"])),
            ["status: ok", "status: ok\n2"]
        );
        assert_eq!(texts(&items(&["thought", "status: ok"])), ["status: ok"]);
    }

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
