//! One markdown file, wherever its bytes come from: a folder or the binary.

use std::path::Path;

use super::problem::Problem;
use super::{MAX_DOCUMENT, front_matter, yaml};
use crate::document::Document;

/// A document, unless it had to be left out, and what is wrong with its file.
pub(super) struct Parsed {
    pub(super) document: Option<Document>,
    pub(super) problems: Vec<Problem>,
}

impl Parsed {
    /// No document, for one reason.
    pub(super) fn left_out(problem: Problem) -> Self {
        Self { document: None, problems: vec![problem.leaves_out()] }
    }
}

/// Makes a document of the bytes of a file: `path` is where it is in the world,
/// `file` what a message calls it. The document has no time of change yet.
pub(super) fn parse(path: String, file: &Path, bytes: Vec<u8>) -> Parsed {
    if bytes.len() > MAX_DOCUMENT {
        return Parsed::left_out(too_large(file));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid_up_to = error.utf8_error().valid_up_to();
            return Parsed::left_out(not_utf8(file, error.as_bytes(), valid_up_to));
        }
    };
    let split = front_matter::split(&text);
    let mut problems = Vec::new();
    if split.unclosed {
        problems.push(
            Problem::new(
                file,
                "the first line opens front matter that nothing closes, so all of it is text",
                "end the front matter with a line `---`; if a rule is meant, write `***`",
            )
            .on_line(1),
        );
    }
    let declared = match split.block.map(|block| yaml::read(block, file, 2)) {
        None => yaml::Declared::default(),
        Some(Ok(declared)) => declared,
        Some(Err(problem)) => return Parsed::left_out(*problem),
    };
    problems.extend(declared.problems);
    let start = text.len() - split.body.len();
    let body = if start == 0 { text } else { text[start..].to_owned() };
    let document =
        Document::new(path, body).with_version(declared.version).with_metadata(declared.metadata);
    Parsed { document: Some(document), problems }
}

/// The problem of a document over the size limit.
pub(super) fn too_large(file: &Path) -> Problem {
    Problem::new(
        file,
        format!("the document is larger than {} MiB", MAX_DOCUMENT >> 20),
        "split it into several documents",
    )
}

fn not_utf8(file: &Path, bytes: &[u8], valid_up_to: usize) -> Problem {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Problem::new(file, "the file is UTF-16, not UTF-8", "save it as UTF-8").on_line(1);
    }
    let before = String::from_utf8_lossy(&bytes[..valid_up_to]);
    let before = before.strip_prefix('\u{feff}').unwrap_or(&before);
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    let byte = bytes.get(valid_up_to).copied().unwrap_or_default();
    Problem::new(
        file,
        format!("the file is not UTF-8: byte 0x{byte:02X} at offset {valid_up_to}"),
        "save it as UTF-8, or give it another name than .md if it is no text",
    )
    .on_line(line)
    .at_column(column)
}
