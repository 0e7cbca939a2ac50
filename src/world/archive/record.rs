//! One document of an archive.
//!
//! A record is an object with `path` and `body` (texts), and optionally
//! `version` (a whole number above 0), `modified` (a time by RFC 3339),
//! `metadata` (an object of texts) and `error` (the text that a fetch answers,
//! for which the body may be missing). Records are written by programs, so one
//! of another shape is left out whole; only a metadata value that is an object
//! costs no more than its key.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use serde_json::value::RawValue;

use super::json::{Object, Text, string};
use crate::document::Document;
use crate::world::MAX_DOCUMENT;
use crate::world::file::too_large;
use crate::world::problem::{Problem, excerpt};

/// A record: what it says of its path.
pub(super) struct Record {
    pub(super) path: String,
    /// The document, missing only where there is an error.
    pub(super) document: Option<Document>,
    /// What a fetch of the path answers instead of the document.
    pub(super) error: Option<String>,
}

/// Reads a record that begins on a line of an archive; what costs no more than a
/// key is added to `problems`.
///
/// # Errors
///
/// Why the document is left out.
pub(super) fn read<'a>(
    object: &Object<'a>,
    text: &Text<'a>,
    file: &Path,
    line: usize,
    problems: &mut Vec<Problem>,
) -> Result<Record, Box<Problem>> {
    let reader = Reader { object, text, file, line };
    let path = reader.path()?;
    let error = reader.text("error")?;
    let body = reader.text("body")?;
    let version = reader.version()?;
    let modified = reader.modified()?;
    let metadata = reader.metadata(problems)?;
    let document = match body {
        Some(body) if body.len() > MAX_DOCUMENT => {
            return Err(too_large(file).on_line(line).refusal());
        }
        Some(body) => Some(
            Document::new(path.clone(), body)
                .with_version(version)
                .with_modified(modified)
                .with_metadata(metadata),
        ),
        None if error.is_some() => None,
        None => {
            let message = format!("the document at `{}` has no `body`", excerpt(&path));
            let help = "write its text, or an `error` for a path that cannot be read";
            return Err(Problem::new(file, message, help).on_line(line).refusal());
        }
    };
    Ok(Record { path, document, error })
}

/// A path as a world has it: with a `/` before it.
pub(super) fn rooted(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

struct Reader<'r, 'a> {
    object: &'r Object<'a>,
    text: &'r Text<'a>,
    file: &'r Path,
    line: usize,
}

/// The longest path, in bytes, that a request for it has room for.
const MAX_PATH: usize = 4087;

impl<'a> Reader<'_, 'a> {
    fn path(&self) -> Result<String, Box<Problem>> {
        let path = self.text("path")?.filter(|path| !path.is_empty()).ok_or_else(|| {
            let help = "write where it is, as in \"path\": \"/notes/a.md\"";
            Problem::new(self.file, "a document has no `path`", help).on_line(self.line).refusal()
        })?;
        let path = rooted(&path);
        if path.len() > MAX_PATH {
            let message = format!("the path `{}` has {} bytes", excerpt(&path), path.len());
            let help = format!("no reader can ask for more than {MAX_PATH} bytes");
            return Err(Problem::new(self.file, message, help).on_line(self.line).refusal());
        }
        if path.split('/').any(|segment| segment == "..") {
            let message = format!("the path `{}` climbs with `..`", excerpt(&path));
            let help = "write the path from the root of the world";
            return Err(Problem::new(self.file, message, help).on_line(self.line).refusal());
        }
        Ok(path)
    }

    fn version(&self) -> Result<Option<u64>, Box<Problem>> {
        let Some(value) = self.get("version")? else { return Ok(None) };
        match serde_json::from_str(value.get()) {
            Ok(version) if version > 0 => Ok(Some(version)),
            _ => Err(self.wrong("version", value, "a whole number above 0")),
        }
    }

    fn modified(&self) -> Result<Option<Timestamp>, Box<Problem>> {
        let Some(value) = self.get("modified")? else { return Ok(None) };
        string(value)
            .and_then(|text| text.trim().parse().ok())
            .map(Some)
            .ok_or_else(|| self.wrong("modified", value, "a time such as \"2026-01-31T08:00:00Z\""))
    }

    fn metadata(
        &self,
        problems: &mut Vec<Problem>,
    ) -> Result<BTreeMap<String, String>, Box<Problem>> {
        let mut metadata = BTreeMap::new();
        let Some(value) = self.get("metadata")? else { return Ok(metadata) };
        let object = self
            .text
            .object(value.get())
            .map_err(|_| self.wrong("metadata", value, "an object of texts"))?;
        for (key, value) in object.entries {
            let line = self.text.line_of(value.get());
            let name = excerpt(&key);
            if metadata.contains_key(&key) {
                let message = format!("the metadata key `{name}` is there a second time");
                let problem = Problem::new(self.file, message, "remove one of the two");
                return Err(problem.on_line(line).about(&key).refusal());
            }
            if let Some(text) = self.scalar(value).or_else(|| self.list(value)) {
                metadata.insert(key, text);
            } else {
                let message = format!(
                    "the metadata value of `{name}` is no text and no list of texts, so the key is \
                     skipped"
                );
                let problem = Problem::new(self.file, message, "write it as one text");
                problems.push(problem.on_line(line).about(&key));
            }
        }
        Ok(metadata)
    }

    /// A metadata value as text: numbers and truths as they are written.
    fn scalar(&self, value: &RawValue) -> Option<String> {
        match value.get().as_bytes().first()? {
            b'"' => string(value),
            b'n' => Some(String::new()),
            b'[' | b'{' => None,
            _ => Some(value.get().to_owned()),
        }
    }

    /// A list in one text, without what is null in it.
    fn list(&self, value: &'a RawValue) -> Option<String> {
        let items = self.text.list(value.get()).ok()?;
        let items = items.into_iter().filter(|item| item.get() != "null");
        Some(items.map(|item| self.scalar(item)).collect::<Option<Vec<_>>>()?.join(", "))
    }

    /// The text under a key; `None` if the key is missing or null.
    fn text(&self, key: &str) -> Result<Option<String>, Box<Problem>> {
        let Some(value) = self.get(key)? else { return Ok(None) };
        string(value).map(Some).ok_or_else(|| self.wrong(key, value, "a text"))
    }

    /// The value under a key; `None` if the key is missing or null.
    fn get(&self, key: &str) -> Result<Option<&'a RawValue>, Box<Problem>> {
        let mut values = self.object.entries.iter().filter(|(entry, _)| entry == key);
        let value = values.next().map(|(_, value)| *value);
        if let Some((_, second)) = values.next() {
            let message = format!("`{key}` is there a second time in one document");
            let problem = Problem::new(self.file, message, "remove one of the two");
            let line = self.text.line_of(second.get());
            return Err(problem.on_line(line).about(key).refusal());
        }
        Ok(value.filter(|value| value.get() != "null"))
    }

    fn wrong(&self, key: &str, value: &RawValue, wanted: &str) -> Box<Problem> {
        let value_text = excerpt(value.get());
        Problem::new(
            self.file,
            format!("`{key}` of a document is {value_text}"),
            format!("write {wanted}"),
        )
        .on_line(self.text.line_of(value.get()))
        .about(key)
        .refusal()
    }
}
