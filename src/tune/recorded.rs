//! Recorded lookups: a file of JSON lines, one lookup a line.
//!
//! ```json
//! {"query":"rest hours","match":"body","budget":800,"required":[{"path":"/bread/rye.md","anchor":"day-one","quote":"rests for 14 hours"}]}
//! ```
//!
//! The keys of a passage are those of a rubric's evidence. An empty line is passed
//! over; a key that is not known is an error, since it is most often a misspelt one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalog::{Match, Request};
use crate::document::Document;
use crate::lookup::{Asked, DEFAULT_BUDGET, MAX_BUDGET, Question, Store};
use crate::selection::{Answered, Engine};
use crate::text::visible_line;
use crate::tune::json_fault;

/// One recorded lookup: what was asked, and what the answer to it must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedLookup {
    /// A name for it, such as a task's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The query as typed.
    pub query: String,
    /// The directory below which to look; `/` is the whole world.
    #[serde(default = "whole_world", skip_serializing_if = "is_whole_world")]
    pub scope: String,
    /// The match, where the request carries one.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    pub match_sent: Option<Match>,
    /// The filter as typed; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub filter: String,
    /// Rows at most, where the request carries a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Whether the table has all tags.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub verbose: bool,
    /// The budget in tokens, where one was given; 0 is the table alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
    /// A free label, used for sub-totals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The question that the reader had, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The rows of the table, where they are fixed: the world is then not asked for
    /// any. Locations with or without an anchor, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
    /// The documents it is asked of, body by path, where it brings its own: the world
    /// is then not looked at.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub docs: BTreeMap<String, String>,
    /// The passages that the answer rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<RequiredPassage>,
}

/// A passage that an answer rests on: a quote, or all of a section, or, with
/// neither, a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequiredPassage {
    /// The document's path, from the root of the world.
    pub path: String,
    /// The version that holds it, where one is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The section's anchor, without `#`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The words themselves; white space between them does not matter.
    #[serde(default, alias = "text", skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

fn whole_world() -> String {
    "/".into()
}

fn is_whole_world(scope: &str) -> bool {
    scope == "/"
}

impl RecordedLookup {
    /// A query over the whole world with nothing else recorded.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            id: None,
            query: query.into(),
            scope: whole_world(),
            match_sent: None,
            filter: String::new(),
            limit: None,
            verbose: false,
            budget: None,
            category: None,
            question: None,
            rows: Vec::new(),
            docs: BTreeMap::new(),
            required: Vec::new(),
        }
    }

    /// A question as it was put, with its budget; for a recorder.
    pub fn of(question: &Question, budget: u64) -> Self {
        let request = &question.request;
        Self {
            scope: if request.scope.is_empty() { whole_world() } else { request.scope.clone() },
            match_sent: request.match_sent,
            filter: request.filter.clone(),
            limit: request.limit,
            verbose: question.verbose,
            budget: Some(budget),
            ..Self::new(request.query.clone())
        }
    }

    /// The question to put to a world.
    pub fn question(&self, engine: Engine, verbose: bool) -> Question {
        Question {
            request: Request {
                query: self.query.clone(),
                scope: self.scope.clone(),
                filter: self.filter.clone(),
                match_sent: self.match_sent,
                limit: self.limit,
            },
            engine,
            verbose: verbose || self.verbose,
        }
    }

    /// The world of the documents that it brings, where it does.
    pub fn own_world(&self) -> Option<Store> {
        if self.docs.is_empty() {
            return None;
        }
        let document = |(path, body): (&String, &String)| Arc::new(Document::new(path, body));
        Some(Store::new(self.name(), self.docs.iter().map(document), BTreeMap::new()))
    }

    /// Puts the question to a world. Where the rows are fixed, the world gives the
    /// documents alone.
    pub fn ask(&self, store: &Store, engine: Engine, verbose: bool) -> Asked {
        let question = self.question(engine, verbose);
        if self.rows.is_empty() {
            return store.ask(&question);
        }
        let answer = store.catalog().given(&question.request, &self.rows);
        let answered = Answered::from_catalog(&Ok(answer), self.match_sent, question.verbose);
        Asked::new(answered, &question, None)
    }

    /// The budget in tokens; 1,500 where none was recorded.
    pub fn budget(&self) -> u64 {
        self.budget.unwrap_or(DEFAULT_BUDGET)
    }

    /// What to call it: its id, else its query.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.query)
    }

    /// The lookup as one line, without the line feed.
    pub fn line(&self) -> String {
        // Texts and numbers alone: there is nothing that JSON cannot hold.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The key at fault, and why, where a value is not one that can be asked.
    fn fault(&self) -> Option<(String, String)> {
        let fault = |key: &str, why: &str| Some((key.to_owned(), why.to_owned()));
        if self.query.trim().is_empty() && self.rows.is_empty() {
            return fault("query", "a query is not empty; `*` lists everything");
        }
        if self.budget.is_some_and(|budget| budget > MAX_BUDGET) {
            let why = format!("a budget is a whole number of tokens from 0 to {MAX_BUDGET}");
            return fault("budget", &why);
        }
        if let Some(path) = self.docs.keys().find(|path| !path.starts_with('/')) {
            return fault(&format!("docs.{path}"), "a path begins with `/`, the root of the world");
        }
        for (at, passage) in self.required.iter().enumerate() {
            let key = |name: &str| format!("required[{at}].{name}");
            if !passage.path.starts_with('/') {
                return fault(&key("path"), "a path begins with `/`, the root of the world");
            }
            if passage.anchor.as_deref().is_some_and(|anchor| anchor.trim().is_empty()) {
                return fault(&key("anchor"), "an anchor is not empty; leave the key out");
            }
            if passage.quote.as_deref().is_some_and(|quote| quote.trim().is_empty()) {
                return fault(&key("quote"), "a quote is not empty; leave the key out");
            }
            if passage.version == Some(0) {
                return fault(&key("version"), "versions are counted from 1");
            }
        }
        None
    }
}

impl RequiredPassage {
    /// Where it is: path, version, anchor.
    pub fn location(&self) -> String {
        let mut out = self.path.clone();
        if let Some(version) = self.version {
            out.push_str(&format!("/v{version}"));
        }
        if let Some(anchor) = &self.anchor {
            out.push('#');
            out.push_str(anchor.trim().trim_start_matches('#'));
        }
        out
    }
}

/// What is wrong in a file of recorded lookups, with the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookupsError {
    /// The file, as it was named.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The key, such as `required[0].path`; none where the line is no object.
    pub key: Option<String>,
    /// Why, in a sentence with the way out.
    pub message: String,
}

impl fmt::Display for LookupsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", visible_line(&self.file), self.line)?;
        if let Some(key) = &self.key {
            write!(f, "{}: ", visible_line(key))?;
        }
        f.write_str(&visible_line(&self.message))
    }
}

impl std::error::Error for LookupsError {}

/// Reads recorded lookups out of the text of a file; `file` is what a message
/// calls it.
///
/// # Errors
/// The first line that is no lookup, with the key at fault. A file without a lookup
/// is one too, at line 1.
pub fn read_lookups(text: &str, file: &str) -> Result<Vec<RecordedLookup>, LookupsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut out = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let error =
            |key, message| LookupsError { file: file.to_owned(), line: index + 1, key, message };
        let lookup = read_line(line).map_err(|(key, message)| error(key, message))?;
        if let Some((key, message)) = lookup.fault() {
            return Err(error(Some(key), message));
        }
        out.push(lookup);
    }
    if out.is_empty() {
        return Err(LookupsError {
            file: file.to_owned(),
            line: 1,
            key: None,
            message: "there is no lookup; write one a line, such as {\"query\":\"rest hours\"}"
                .into(),
        });
    }
    Ok(out)
}

fn read_line(line: &str) -> Result<RecordedLookup, (Option<String>, String)> {
    let (whole, alone) = (line.trim_start(), line.trim());
    if whole.starts_with('[') {
        let why = "a line is one lookup, an object; this is a list: write each of its objects on \
                   a line of its own, as `jq -c '.[]' FILE` does";
        return Err((None, why.into()));
    }
    if alone == "{" || (alone.starts_with('{') && alone.ends_with([',', '{', '['])) {
        let why = "a line is one lookup, a whole object; this one goes on in the next line: write \
                   it on one line, as `jq -c . FILE` does";
        return Err((None, why.into()));
    }
    let mut json = serde_json::Deserializer::from_str(line);
    let lookup: RecordedLookup = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Where there is no value there is no key of one.
        let has_key = !error.inner().is_eof() && !error.inner().is_syntax();
        let key = Some(error.path().to_string()).filter(|path| path != "." && has_key);
        (key, cause(error.inner()))
    })?;
    json.end().map_err(|error| (None, cause(&error)))?;
    Ok(lookup)
}

/// The reason without the line, which would always be 1.
fn cause(error: &serde_json::Error) -> String {
    let words = json_fault::words(error);
    if error.is_syntax() || error.is_eof() {
        return format!("{words}, at column {}; a line is one JSON object", error.column());
    }
    words
}

/// The lookups as the text of a file.
pub fn write_lookups(lookups: &[RecordedLookup]) -> String {
    lookups.iter().map(|lookup| lookup.line() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read_lookups(text, "a.jsonl").expect_err("a fault").to_string()
    }

    #[test]
    fn a_line_has_the_keys_of_a_request_and_of_a_rubric() {
        let text = concat!(
            "{\"query\":\"rest hours\"}\n\n",
            "{\"id\":\"q1\",\"query\":\"rye\",\"scope\":\"/bread\",\"match\":\"body\",",
            "\"filter\":\"tag=x\",\"limit\":3,\"budget\":800,\"category\":\"decision\",",
            "\"question\":\"How long?\",\"rows\":[\"/bread/rye.md#day-one\"],\"required\":[",
            "{\"path\":\"/bread/rye.md\",\"version\":2,\"anchor\":\"day-one\",\"quote\":\"14 h\"},",
            "{\"path\":\"/bread/log.md\"}]}\n"
        );
        let lookups = read_lookups(text, "a.jsonl").expect("two lookups");
        assert_eq!(lookups[0], RecordedLookup::new("rest hours"));
        assert_eq!(
            lookups[1],
            RecordedLookup {
                id: Some("q1".into()),
                query: "rye".into(),
                scope: "/bread".into(),
                match_sent: Some(Match::Body),
                filter: "tag=x".into(),
                limit: Some(3),
                verbose: false,
                budget: Some(800),
                category: Some("decision".into()),
                question: Some("How long?".into()),
                rows: vec!["/bread/rye.md#day-one".into()],
                docs: BTreeMap::new(),
                required: vec![
                    RequiredPassage {
                        path: "/bread/rye.md".into(),
                        version: Some(2),
                        anchor: Some("day-one".into()),
                        quote: Some("14 h".into()),
                    },
                    RequiredPassage {
                        path: "/bread/log.md".into(),
                        version: None,
                        anchor: None,
                        quote: None,
                    },
                ],
            }
        );
        assert_eq!(lookups[1].required[0].location(), "/bread/rye.md/v2#day-one");
        assert_eq!(write_lookups(&lookups), text.replace("\n\n", "\n"));
        assert_eq!(read_lookups(&write_lookups(&lookups), "b").expect("the same"), lookups);
    }

    #[test]
    fn a_question_is_recorded_and_put_again() {
        let mut question = Question::new("rye");
        question.request.match_sent = Some(Match::Body);
        question.request.limit = Some(4);
        let lookup = RecordedLookup::of(&question, 700);
        assert_eq!(lookup.line(), r#"{"query":"rye","match":"body","limit":4,"budget":700}"#);
        assert_eq!(lookup.question(Engine::Selection, false), question);
        assert_eq!(lookup.budget(), 700);
        assert_eq!(RecordedLookup::new("rye").budget(), 1500);
    }

    #[test]
    fn faults_are_told_with_line_and_key() {
        for (text, want) in [
            (
                "{\"query\":\"a b\"}\n{\"query\":\"x\",\"anchour\":1}",
                "a.jsonl:2: anchour: there is no such key; there are `id`, `query`, `scope`, \
                 `match`, `filter`, `limit`, `verbose`, `budget`, `category`, `question`, `rows`, \
                 `docs`, `required`",
            ),
            (
                "{\"query\":\"x\",\"required\":[{\"path\":\"/a.md\"},{\"pat\":\"/b.md\"}]}",
                "a.jsonl:1: required[1].pat: there is no such key; there are `path`, `version`, \
                 `anchor`, `quote`, `text`",
            ),
            (
                "{\"query\":\"x\",\"budget\":-1}",
                "a.jsonl:1: budget: this is the number -1; it takes a whole number, not below 0",
            ),
            (
                "{\"query\":\"x\",\"match\":\"title\"}",
                "a.jsonl:1: match: this is `title`; there are `catalog` or `body`",
            ),
            ("{\"scope\":\"/\"}", "a.jsonl:1: the key `query` is missing"),
            ("{\"query\":\" \"}", "a.jsonl:1: query: a query is not empty; `*` lists everything"),
            (
                "{\"query\":\"x\",\"budget\":1000001}",
                "a.jsonl:1: budget: a budget is a whole number of tokens from 0 to 1000000",
            ),
            (
                "{\"query\":\"x\",\"required\":[{\"path\":\"a.md\"}]}",
                "a.jsonl:1: required[0].path: a path begins with `/`, the root of the world",
            ),
            (
                "{\"query\":\"x\",\"required\":[{\"path\":\"/a.md\",\"quote\":\"\"}]}",
                "a.jsonl:1: required[0].quote: a quote is not empty; leave the key out",
            ),
            (
                "",
                "a.jsonl:1: there is no lookup; write one a line, such as \
                 {\"query\":\"rest hours\"}",
            ),
        ] {
            assert_eq!(error(text), want, "{text}");
        }
        let behind = "a.jsonl:1: something stands behind the JSON value, at column 15; a line is \
                      one JSON object";
        assert_eq!(error("{\"query\":\"x\"} y"), behind);
        let early = "a.jsonl:1: the JSON ends too early, at column 9; a line is one JSON object";
        assert_eq!(error("{\"query\":"), early);
        assert!(error("{\"query\":\"x\",\"query\":\"y\"}").ends_with("`query` stands here twice"));
        let list = "a.jsonl:2: a line is one lookup, an object; this is a list: write each of its \
                    objects on a line of its own, as `jq -c '.[]' FILE` does";
        assert_eq!(error("\n[{\"query\":\"x\"}]"), list);
        for pretty in ["{\n  \"query\": \"x\"\n}", "{ \"query\": \"x\",\n\"budget\": 4 }"] {
            let why = "a.jsonl:1: a line is one lookup, a whole object; this one goes on in the \
                       next line: write it on one line, as `jq -c . FILE` does";
            assert_eq!(error(pretty), why);
        }
    }
}
