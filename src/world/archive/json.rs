//! JSON of which every value keeps its own text and its place in the archive.

use std::cell::OnceCell;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// An object with its entries as written: in their order, repeated ones too.
#[derive(Debug)]
pub(super) struct Object<'a> {
    pub(super) entries: Vec<(String, &'a RawValue)>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object { entries })
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// What is wrong with a piece of JSON, and where in the archive.
#[derive(Debug)]
pub(super) struct Error {
    /// Counted from 1.
    pub(super) line: usize,
    /// In bytes, counted from 1.
    pub(super) column: usize,
    pub(super) message: String,
}

/// The text of a whole archive, or of one line of it.
pub(super) struct Text<'a> {
    pub(super) whole: &'a str,
    first_line: usize,
    /// Where the line feeds are, found when first asked for.
    line_feeds: OnceCell<Vec<usize>>,
}

impl<'a> Text<'a> {
    /// A text that begins on that line of the archive.
    pub(super) fn new(whole: &'a str, first_line: usize) -> Self {
        Self { whole, first_line, line_feeds: OnceCell::new() }
    }

    /// Reads a piece of this text as an object.
    pub(super) fn object(&self, piece: &'a str) -> Result<Object<'a>, Error> {
        serde_json::from_str(piece).map_err(|error| self.error(piece, &error))
    }

    /// Reads a piece of this text as a list.
    pub(super) fn list(&self, piece: &'a str) -> Result<Vec<&'a RawValue>, Error> {
        serde_json::from_str(piece).map_err(|error| self.error(piece, &error))
    }

    /// The line of the archive on which a piece of this text begins.
    pub(super) fn line_of(&self, piece: &str) -> usize {
        self.line_at(self.offset(piece))
    }

    /// Where a piece of this text begins in it, in bytes. Its address says so.
    fn offset(&self, piece: &str) -> usize {
        let offset = (piece.as_ptr() as usize).wrapping_sub(self.whole.as_ptr() as usize);
        if offset <= self.whole.len() { offset } else { 0 }
    }

    fn line_at(&self, offset: usize) -> usize {
        let line_feeds = self
            .line_feeds
            .get_or_init(|| memchr::memchr_iter(b'\n', self.whole.as_bytes()).collect());
        self.first_line + line_feeds.partition_point(|line_feed| *line_feed < offset)
    }

    fn error(&self, piece: &str, error: &serde_json::Error) -> Error {
        let message = error.to_string();
        let message = match message.rfind(" at line ") {
            Some(end) => message[..end].to_owned(),
            None => message,
        };
        let offset = self.offset(piece);
        let column = if error.line() <= 1 {
            let line_start = self.whole[..offset].rfind('\n').map_or(0, |end| end + 1);
            offset - line_start + error.column()
        } else {
            error.column()
        };
        let line = self.line_at(offset) + error.line().saturating_sub(1);
        Error { line, column: column.max(1), message }
    }
}

/// The text of a JSON string, or `None` for a value of another kind and for a
/// string with an escape that is no character.
pub(super) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_text_and_their_line() {
        let text = Text::new("{\"a\": 0.50,\n\n \"b\": [1e3,\n 2], \"a\": \"\\u0041\"}", 7);
        let object = text.object(text.whole).expect("an object");
        let entries: Vec<_> = object
            .entries
            .iter()
            .map(|(key, value)| (key.as_str(), value.get(), text.line_of(value.get())))
            .collect();
        assert_eq!(entries, [("a", "0.50", 7), ("b", "[1e3,\n 2]", 9), ("a", "\"\\u0041\"", 10)]);
        let list = text.list(object.entries[1].1.get()).expect("a list");
        assert_eq!(list.iter().map(|item| text.line_of(item.get())).collect::<Vec<_>>(), [9, 10]);
        assert_eq!(string(object.entries[2].1).as_deref(), Some("A"));
        assert_eq!(string(object.entries[0].1), None);
    }

    #[test]
    fn errors_are_where_they_are() {
        let text = Text::new("{\"a\":\n  {\"b\": }}", 3);
        let error = text.object(text.whole).expect_err("no value");
        assert_eq!((error.line, error.column), (4, 9));
        assert_eq!(error.message, "expected value");
        let text = Text::new("{\"a\":\n  [1]}", 3);
        let object = text.object(text.whole).expect("an object");
        let error = text.object(object.entries[0].1.get()).expect_err("a list");
        assert_eq!(error.line, 4);
        assert!(error.message.contains("expected an object"), "{}", error.message);
    }
}
