//! What the tests share: the cases of `tests/golden` and its worlds.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use markscope::catalog::{Match, Request};
use markscope::document::Document;
use markscope::selection::{Answered, Engine, Envelope, Selection, Session};
use serde_json::Value;

/// A world of `tests/golden/worlds`, read by this file alone: the program's own
/// reader is tested against it, not with it.
pub struct GoldenWorld {
    pub documents: Vec<Arc<Document>>,
    pub errors: BTreeMap<String, String>,
}

pub fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn cases(file: &str) -> Vec<Value> {
    read(&golden(file)).as_array().cloned().expect("an array of cases")
}

/// Runs every case of a file and fails with the first differences, if any.
pub fn failures(file: &str, run: impl Fn(&Value) -> (Value, Value)) {
    let all = cases(file);
    let mut failed = Vec::new();
    for case in &all {
        let (want, got) = run(case);
        if want != got {
            failed.push(format!("{}\n  want {want}\n  got  {got}", case["name"]));
        }
    }
    let count = failed.len();
    failed.truncate(4);
    assert!(count == 0, "{count} of {} differ:\n{}", all.len(), failed.join("\n"));
}

pub fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{}: no text {key}", case["name"]))
}

pub fn metadata(value: &Value) -> BTreeMap<String, String> {
    let map = value["metadata"].as_object().cloned().unwrap_or_default();
    map.into_iter()
        .map(|(key, value)| (key, value.as_str().expect("metadata is text").to_owned()))
        .collect()
}

pub fn world(name: &str) -> GoldenWorld {
    let json = read(&golden("worlds").join(format!("{name}.json")));
    let documents = json["documents"].as_array().expect("documents").iter().map(|document| {
        Arc::new(
            Document::new(text(document, "path"), text(document, "body"))
                .with_version(document["version"].as_u64())
                .with_modified(Some(text(document, "modified").parse().expect("a time")))
                .with_metadata(metadata(document)),
        )
    });
    let errors = json["errors"].as_object().cloned().unwrap_or_default();
    GoldenWorld {
        documents: documents.collect(),
        errors: errors
            .into_iter()
            .map(|(path, error)| (path, error.as_str().expect("an error text").to_owned()))
            .collect(),
    }
}

pub fn request(case: &Value) -> Request {
    let sent = case["match_sent"] == true;
    let matched: Match = text(case, "match").parse().expect("a match");
    Request {
        query: text(case, "query").to_owned(),
        scope: text(case, "scope").to_owned(),
        filter: text(case, "filter").to_owned(),
        match_sent: sent.then_some(matched),
        limit: case["limit"].as_u64().map(|limit| usize::try_from(limit).expect("a limit")),
    }
}

/// Runs one case of `expand.json` under one engine.
pub fn expand(case: &Value, engine: Engine) -> (Answered, Selection) {
    let world = world(text(case, "world"));
    let sent = case["match_sent"] == true;
    let matched: Match = text(case, "match").parse().expect("a match");
    let answered: Match = text(case, "answered").parse().expect("a match");
    let envelope = Envelope {
        status: "ok".into(),
        matches: case["rows"].as_u64().map(|rows| rows as usize),
        // An older server that falls back repeats nothing.
        match_echo: (sent && matched == answered).then_some(answered),
        worlds: None,
    };
    let asked = sent.then_some(matched);
    let answered = Answered::new(&envelope, text(case, "table_body"), asked, false);
    let authority = text(case, "authority");
    let fetch = |location: &str| {
        let path = match authority {
            "" => location,
            authority => location.strip_prefix(authority).ok_or("not-found")?,
        };
        if let Some(error) = world.errors.get(path) {
            return Err(error.clone());
        }
        let found = world.documents.iter().find(|document| document.path() == path);
        found.cloned().ok_or_else(|| "not-found".to_owned())
    };
    let mut session = Session::new(answered.clone(), text(case, "query"), engine);
    let budget = case["budget_tokens"].as_i64().expect("a budget");
    (answered, session.select(budget, fetch))
}
