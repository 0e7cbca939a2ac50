//! One document as a reader may hold it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jiff::Timestamp;

use crate::markdown::Outline;

/// A document: where it is, which version it is, what its publisher declared
/// about it, and its text. The outline is parsed once, when first asked for.
#[derive(Debug)]
pub struct Document {
    path: String,
    version: Option<u64>,
    modified: Option<Timestamp>,
    metadata: BTreeMap<String, String>,
    body: String,
    outline: OnceLock<Outline>,
}

impl Document {
    /// A document of a world, at a path that begins with `/`.
    pub fn new(path: impl Into<String>, body: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            version: None,
            modified: None,
            metadata: BTreeMap::new(),
            body: body.into(),
            outline: OnceLock::new(),
        }
    }

    /// The same document with a version number; `None` where it has none.
    #[must_use]
    pub fn with_version(mut self, version: Option<u64>) -> Self {
        self.version = version;
        self
    }

    /// The same document with the time it was last changed.
    #[must_use]
    pub fn with_modified(mut self, modified: Option<Timestamp>) -> Self {
        self.modified = modified;
        self
    }

    /// The same document with its publisher metadata, every value as text.
    #[must_use]
    pub fn with_metadata(mut self, metadata: BTreeMap<String, String>) -> Self {
        self.metadata = metadata;
        self
    }

    /// Whether another document has all the same: path, version, time, metadata, text.
    pub fn is_same(&self, other: &Self) -> bool {
        self.path == other.path
            && self.version == other.version
            && self.modified == other.modified
            && self.metadata == other.metadata
            && self.body == other.body
    }

    /// The path below the world's root, beginning with `/`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The version number, where the world keeps versions.
    pub fn version(&self) -> Option<u64> {
        self.version
    }

    /// When the document was last changed, where that is known.
    pub fn modified(&self) -> Option<Timestamp> {
        self.modified
    }

    /// What the publisher declared: title, tags, importance, `rel-*` and any
    /// other key, in byte order of the keys.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.metadata
    }

    /// The text, without front matter. All offsets are bytes into this.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The headings and sections of the body, parsed at the first call only.
    pub fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::parse(&self.body))
    }

    /// The trimmed tags, in the order declared, empty ones left out.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.metadata
            .get("tags")
            .into_iter()
            .flat_map(|tags| tags.split(','))
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
    }

    /// The declared importance from 0 to 1; 0.5 where it is absent, unreadable
    /// or out of range.
    pub fn importance(&self) -> f64 {
        self.metadata
            .get("importance")
            .and_then(|value| value.trim().parse::<f64>().ok())
            .filter(|value| (0.0..=1.0).contains(value))
            .unwrap_or(0.5)
    }

    /// The title a lookup shows: the declared one; else the first line `# …` that
    /// stands outside code fences, found by a plain scan of lines (so inline
    /// markup and closing `#` stay); else the last segment of the path.
    pub fn title(&self) -> &str {
        if let Some(title) = self.metadata.get("title").map(|title| title.trim())
            && !title.is_empty()
        {
            return title;
        }
        first_title_line(&self.body)
            .unwrap_or_else(|| self.path.rsplit('/').next().unwrap_or(&self.path))
    }
}

fn first_title_line(body: &str) -> Option<&str> {
    let mut fenced = false;
    for line in body.split('\n') {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        let indent = line.bytes().take_while(|byte| *byte == b' ').count();
        if indent <= 3
            && let Some(text) = line[indent..].strip_prefix("# ")
            && !text.trim().is_empty()
        {
            return Some(text.trim());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(key: &str, value: &str, body: &str) -> Document {
        Document::new("/dir/file.md", body)
            .with_metadata(BTreeMap::from([(key.to_owned(), value.to_owned())]))
    }

    #[test]
    fn importance_falls_back_to_a_half() {
        for (value, want) in [
            (".8", 0.8),
            (" 0.25 ", 0.25),
            ("1", 1.0),
            ("0", 0.0),
            ("NaN", 0.5),
            ("inf", 0.5),
            ("-1", 0.5),
            ("7", 0.5),
            ("high", 0.5),
            ("", 0.5),
        ] {
            assert_eq!(with("importance", value, "").importance(), want, "{value}");
        }
    }

    #[test]
    fn title_is_declared_or_the_first_h1_line_or_the_name() {
        assert_eq!(with("title", " T ", "# H\n").title(), "T");
        assert_eq!(with("title", "  ", "# *H* #\n").title(), "*H* #");
        assert_eq!(with("x", "", "```\n# no\n```\n   # yes\n").title(), "yes");
        assert_eq!(with("x", "", "Setext\n===\n\t# no\n    # no\n").title(), "file.md");
    }

    #[test]
    fn tags_are_trimmed_and_never_empty() {
        let tags = with("tags", " a, b ,,c", "");
        assert_eq!(tags.tags().collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
