//! Documents from one file of JSON.
//!
//! A `.json` file is one object with `documents` (a list of [records](record)),
//! and optionally `name` and `errors`, which maps a path to the text that a fetch
//! of it answers. A `.jsonl` file has one record on each line, and a line may
//! also be an object with only `name` or `errors`; `.jsonl.gz` is the same,
//! compressed. Nothing in a body is front matter here.

mod json;
pub(super) mod lines;
mod record;

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use self::json::{Object, Text};
use self::lines::{Line, Lines};
use super::WorldError;
use super::problem::{Problem, excerpt};
use crate::document::Document;

/// How an archive is written, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Json,
    Lines,
    CompressedLines,
}

const SUFFIXES: [(&str, Kind); 3] =
    [(".jsonl.gz", Kind::CompressedLines), (".jsonl", Kind::Lines), (".json", Kind::Json)];

impl Kind {
    /// The kind of an archive of that name, if it is one. Case does not matter.
    pub(super) fn of(path: &Path) -> Option<Self> {
        Some(split_name(path)?.1)
    }
}

/// The name of an archive without what says its kind.
pub(super) fn stem(path: &Path) -> String {
    split_name(path).map(|(stem, _)| stem).unwrap_or_default()
}

/// The name without its suffix, and the kind that the suffix means.
fn split_name(path: &Path) -> Option<(String, Kind)> {
    let name = path.file_name()?.to_string_lossy();
    SUFFIXES.into_iter().find_map(|(suffix, kind)| {
        let stem = name.len().checked_sub(suffix.len())?;
        let end = name.get(stem..)?;
        end.eq_ignore_ascii_case(suffix).then(|| (name[..stem].to_owned(), kind))
    })
}

/// How much is read, so that a small file cannot fill the memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of one line.
    pub(super) line: usize,
    /// Bytes of the whole archive after decompression.
    pub(super) whole: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: 64 << 20, whole: 1 << 30 }
    }
}

/// What an archive holds.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) name: String,
    pub(super) documents: Vec<Document>,
    pub(super) errors: BTreeMap<String, String>,
    pub(super) problems: Vec<Problem>,
    /// How many records were looked at.
    pub(super) looked_at: usize,
}

/// Reads an archive.
///
/// # Errors
///
/// The file cannot be read or decompressed, is over the limit, or, as a `.json`
/// file, is not of the shape of an archive. A bad record is a problem instead.
pub(super) fn read(path: &Path, kind: Kind, limits: Limits) -> Result<Contents, WorldError> {
    let unreadable = |source| WorldError::Unreadable { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    let mut gathered = Gathered::new(path);
    match kind {
        Kind::Json => {
            let size = file.metadata().map_err(unreadable)?.len();
            let mut bytes = Vec::new();
            if size <= limits.whole {
                file.take(limits.whole + 1).read_to_end(&mut bytes).map_err(unreadable)?;
            }
            if size > limits.whole || bytes.len() as u64 > limits.whole {
                return Err(WorldError::TooLarge { path: path.to_owned(), limit: limits.whole });
            }
            gathered.whole(&bytes)?;
        }
        Kind::Lines => gathered.lines(file, limits)?,
        Kind::CompressedLines => {
            gathered.lines(MultiGzDecoder::new(BufReader::new(file)), limits)?;
        }
    }
    Ok(gathered.contents)
}

struct Gathered<'p> {
    path: &'p Path,
    contents: Contents,
    named: bool,
    paths: HashSet<String>,
}

impl<'p> Gathered<'p> {
    fn new(path: &'p Path) -> Self {
        Self {
            path,
            contents: Contents {
                name: stem(path),
                documents: Vec::new(),
                errors: BTreeMap::new(),
                problems: Vec::new(),
                looked_at: 0,
            },
            named: false,
            paths: HashSet::new(),
        }
    }

    fn broken(&self, position: Option<(usize, usize)>, message: &str) -> WorldError {
        WorldError::Broken {
            path: self.path.to_owned(),
            line: position.map(|(line, _)| line),
            column: position.map(|(_, column)| column),
            message: crate::text::visible_line(message),
        }
    }

    /// A `.json` file.
    fn whole(&mut self, bytes: &[u8]) -> Result<(), WorldError> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = 1 + memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count();
            let offset = error.valid_up_to();
            self.broken(Some((line, 1)), &format!("the archive is not UTF-8 at offset {offset}"))
        })?;
        let text = Text::new(text.strip_prefix('\u{feff}').unwrap_or(text), 1);
        let object = text.object(text.whole).map_err(|error| {
            self.broken(Some((error.line, error.column)), &format!("not JSON: {}", error.message))
        })?;
        let mut documents = None;
        for (key, value) in &object.entries {
            match key.as_str() {
                "documents" => documents = Some(*value),
                _ => self.header(&text, key, value),
            }
        }
        let Some(documents) = documents else {
            return Err(self.broken(None, "the archive has no `documents`"));
        };
        let records = text.list(documents.get()).map_err(|error| {
            let position = (error.line, error.column);
            self.broken(Some(position), &format!("`documents` is no list: {}", error.message))
        })?;
        for record in records {
            match text.object(record.get()) {
                Ok(object) => self.record(&text, text.line_of(record.get()), &object),
                Err(error) => self.no_record(&error),
            }
        }
        Ok(())
    }

    /// A `.jsonl` file, decompressed.
    fn lines(&mut self, reader: impl Read, limits: Limits) -> Result<(), WorldError> {
        let mut lines = Lines::new(BufReader::new(reader), limits);
        loop {
            let number = lines.number() + 1;
            match lines.next() {
                Ok(Line::Text(bytes)) => self.line(number, bytes),
                Ok(Line::TooLong) => {
                    self.contents.looked_at += 1;
                    let message = format!("the line is longer than {} bytes", limits.line);
                    let problem = Problem::new(self.path, message, "split the document");
                    self.contents.problems.push(problem.on_line(number).leaves_out());
                }
                Ok(Line::End) => return Ok(()),
                Ok(Line::OverLimit) => {
                    let path = self.path.to_owned();
                    return Err(WorldError::TooLarge { path, limit: limits.whole });
                }
                Err(error) => {
                    let message = format!("the archive cannot be read further: {error}");
                    return Err(self.broken(Some((number, 1)), &message));
                }
            }
        }
    }

    fn line(&mut self, number: usize, bytes: &[u8]) {
        let bytes = match number {
            1 => bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes),
            _ => bytes,
        };
        // With its line feed, a line that is cut short would be reported one further.
        let bytes = bytes.trim_ascii_end();
        if bytes.is_empty() {
            return;
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Text::new(text, number),
            Err(error) => {
                self.contents.looked_at += 1;
                let offset = error.valid_up_to();
                let message = format!("the line is not UTF-8 at byte {offset} of the line");
                let problem = Problem::new(self.path, message, "write the archive as UTF-8");
                self.contents.problems.push(problem.on_line(number).leaves_out());
                return;
            }
        };
        match text.object(text.whole) {
            Ok(object) if is_header(&object) => {
                for (key, value) in &object.entries {
                    self.header(&text, key, value);
                }
            }
            Ok(object) => self.record(&text, number, &object),
            Err(error) => self.no_record(&error),
        }
    }

    /// What an archive says beside its documents. Other keys are not for us.
    fn header(&mut self, text: &Text<'_>, key: &str, value: &serde_json::value::RawValue) {
        let problem = match key {
            "name" => match json::string(value) {
                Some(name) => {
                    if !self.named && !name.trim().is_empty() {
                        self.contents.name = name;
                        self.named = true;
                    }
                    return;
                }
                None => "the name of the archive is not a text, so its file name is used",
            },
            "errors" => match text.object(value.get()) {
                Ok(errors) => {
                    self.errors(text, &errors);
                    return;
                }
                Err(_) if value.get() == "null" => return,
                Err(_) => "`errors` does not map paths to texts, so it is skipped",
            },
            _ => return,
        };
        let help = "write a text for `name`, an object of texts for `errors`";
        let problem = Problem::new(self.path, problem, help).on_line(text.line_of(value.get()));
        self.contents.problems.push(problem.about(key));
    }

    fn errors(&mut self, text: &Text<'_>, errors: &Object<'_>) {
        for (path, value) in &errors.entries {
            match json::string(value) {
                Some(error) => {
                    self.contents.errors.entry(record::rooted(path)).or_insert(error);
                }
                None => {
                    let message =
                        format!("the error of `{}` is not a text, so it is skipped", excerpt(path));
                    let problem = Problem::new(self.path, message, "write it as a text")
                        .on_line(text.line_of(value.get()));
                    self.contents.problems.push(problem);
                }
            }
        }
    }

    fn no_record(&mut self, error: &json::Error) {
        self.contents.looked_at += 1;
        let message = format!("no document could be read: {}", error.message);
        let help = "write one JSON object with `path` and `body`";
        let problem = Problem::new(self.path, message, help).on_line(error.line);
        self.contents.problems.push(problem.at_column(error.column).leaves_out());
    }

    fn record(&mut self, text: &Text<'_>, line: usize, object: &Object<'_>) {
        self.contents.looked_at += 1;
        let mut problems = Vec::new();
        match record::read(object, text, self.path, line, &mut problems) {
            Ok(record) => {
                if !self.paths.insert(record.path.clone()) {
                    let path = excerpt(&record.path);
                    let message = format!("the path `{path}` is there already");
                    let problem =
                        Problem::new(self.path, message, "give one of the two another path");
                    problems.push(problem.on_line(line).leaves_out());
                } else {
                    if let Some(error) = record.error {
                        self.contents.errors.entry(record.path).or_insert(error);
                    }
                    self.contents.documents.extend(record.document);
                }
            }
            Err(problem) => problems.push(*problem),
        }
        self.contents.problems.extend(problems);
    }
}

/// Whether a line of an archive is about the archive and no document.
fn is_header(object: &Object<'_>) -> bool {
    let has = |key: &str| object.entries.iter().any(|(entry, _)| entry == key);
    !has("path") && !has("body") && (has("name") || has("errors"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_whole_may_be_is_refused() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let record = "{\"path\": \"/a\", \"body\": \"\"}";
        let whole = format!("{{\"documents\": [{record}]}}");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, record.as_bytes()).expect("memory");
        let packed = encoder.finish().expect("memory");
        for (name, bytes, size) in [
            ("w.json", whole.as_bytes(), whole.len()),
            ("w.jsonl", record.as_bytes(), record.len()),
            ("w.jsonl.gz", packed.as_slice(), record.len()),
        ] {
            let path = dir.path().join(name);
            std::fs::write(&path, bytes).expect("a file");
            let kind = Kind::of(&path).expect("an archive");
            let limits = |whole: usize| Limits { line: 1000, whole: whole as u64 };
            assert_eq!(read(&path, kind, limits(size)).expect(name).documents.len(), 1);
            let error = read(&path, kind, limits(size - 1)).expect_err(name);
            assert!(matches!(error, WorldError::TooLarge { .. }), "{error}");
        }
    }

    #[test]
    fn the_name_says_what_kind_it_is() {
        for (name, want) in [
            ("a.json", Some(Kind::Json)),
            ("a.JSONL", Some(Kind::Lines)),
            ("a.b.jsonl.gz", Some(Kind::CompressedLines)),
            ("a.json.gz", None),
            ("json", None),
            ("a.md", None),
            ("éjson", None),
        ] {
            assert_eq!(Kind::of(Path::new(name)), want, "{name}");
        }
    }
}
