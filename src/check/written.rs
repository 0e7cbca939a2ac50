//! Where the parts of a metadata value are written.
//!
//! A value is a text or a list of texts, and commas divide it into parts. The same part
//! may stand in it twice, in another one's words, or in another spelling: in quotes,
//! with escapes, over several lines. So a part is never searched for: the value is
//! walked to the part that is meant.

use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};

/// A key and its value, as bytes of a file's text.
pub(super) struct Written {
    pub(super) key: Range<usize>,
    texts: Vec<Text>,
}

/// A text of a value as it is read, and the bytes that each of its bytes is read from.
struct Text {
    read: String,
    places: Vec<Range<usize>>,
}

impl Written {
    /// The bytes of a part of the value: the `nth` between commas, counted from 0.
    pub(super) fn part(&self, nth: usize, part: &str) -> Option<Range<usize>> {
        let mut left = nth;
        for text in &self.texts {
            let mut at = 0;
            for piece in text.read.split(',') {
                let start = at + piece.len() - piece.trim_start().len();
                at += piece.len() + 1;
                if left > 0 {
                    left -= 1;
                    continue;
                }
                let is_it = !part.is_empty() && text.read[start..].starts_with(part);
                let places = text.places.get(start..start + part.len()).filter(|_| is_it)?;
                return Some(places.first()?.start..places.last()?.end);
            }
        }
        None
    }
}

/// A key of a file's front matter, the last of that name.
pub(super) fn in_front_matter(head: &str, key: &str) -> Option<Written> {
    let opening = head.find('\n')? + 1;
    let closing = head.trim_end_matches(['\n', '\r']).rfind('\n')? + 1;
    let block = head.get(opening..closing)?;
    let walk = Walk { block, events: Parser::new_from_str(block) };
    let mut found = walk.find(key)?;
    found.key = found.key.start + opening..found.key.end + opening;
    for place in found.texts.iter_mut().flat_map(|text| &mut text.places) {
        *place = place.start + opening..place.end + opening;
    }
    Some(found)
}

/// A key of the block that a store writes, of which each value is the rest of a line.
pub(super) fn in_store(head: &str, key: Range<usize>, is_tags: bool) -> Option<Written> {
    let colon = key.end + head[key.end..].find(':')?;
    let line = head[colon + 1..].split('\n').next()?;
    let lead = line.len() - line.trim_start().len();
    let (mut from, mut value) = (colon + 1 + lead, line.trim());
    let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some(inner) = list.filter(|_| is_tags) {
        (from, value) = (from + 1, inner);
    }
    let text = |start: usize, read: &str| Text {
        read: read.to_owned(),
        places: (start..start + read.len()).map(|at| at..at + 1).collect(),
    };
    if !is_tags {
        return Some(Written { key, texts: vec![text(from, value)] });
    }
    // A store serves no tag that is empty.
    let mut texts = Vec::new();
    for piece in value.split(',') {
        if !piece.trim().is_empty() {
            texts.push(text(from, piece));
        }
        from += piece.len() + 1;
    }
    Some(Written { key, texts })
}

struct Walk<'a> {
    block: &'a str,
    events: Parser<'a, saphyr_parser::StrInput<'a>>,
}

impl<'a> Walk<'a> {
    fn next(&mut self) -> Option<(Event<'a>, Span)> {
        self.events.next_event()?.ok()
    }

    fn find(mut self, wanted: &str) -> Option<Written> {
        while !matches!(self.next()?.0, Event::MappingStart(..)) {}
        let mut found = None;
        loop {
            let (event, span) = self.next()?;
            let is_wanted = match event {
                Event::MappingEnd => return found,
                Event::Scalar(key, ..) => key == wanted,
                other => {
                    self.skip(&other)?;
                    false
                }
            };
            let (value, at) = self.next()?;
            if !is_wanted {
                self.skip(&value)?;
                continue;
            }
            let texts = match value {
                Event::Scalar(text, style, ..) => vec![self.text(&text, style, at)],
                Event::SequenceStart(..) => self.list()?,
                other => {
                    self.skip(&other)?;
                    Vec::new()
                }
            };
            found = Some(Written { key: self.bytes(span), texts });
        }
    }

    /// The texts of a list; an item that is null is none of them.
    fn list(&mut self) -> Option<Vec<Text>> {
        let mut texts = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Some(texts),
                (Event::Scalar(text, style, _, tag), span) => {
                    let is_null = matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                    if !(is_null && style == ScalarStyle::Plain && tag.is_none()) {
                        texts.push(self.text(&text, style, span));
                    }
                }
                (other, _) => self.skip(&other)?,
            }
        }
    }

    /// Passes over the rest of what an event begins.
    fn skip(&mut self, event: &Event<'_>) -> Option<()> {
        let opens =
            |event: &Event<'_>| matches!(event, Event::MappingStart(..) | Event::SequenceStart(..));
        let mut depth = usize::from(opens(event));
        while depth > 0 {
            let next = self.next()?.0;
            if opens(&next) {
                depth += 1;
            } else if matches!(next, Event::MappingEnd | Event::SequenceEnd) {
                depth -= 1;
            }
        }
        Some(())
    }

    fn bytes(&self, span: Span) -> Range<usize> {
        let byte = |marker: Marker| {
            let at = self.block.char_indices().nth(marker.index());
            at.map_or(self.block.len(), |(at, _)| at)
        };
        byte(span.start)..byte(span.end)
    }

    fn text(&self, read: &str, style: ScalarStyle, span: Span) -> Text {
        let bytes = self.bytes(span);
        // The parser does not say where the lines of a block end: they are read as far
        // as they are what was read.
        let end = match style {
            ScalarStyle::Literal | ScalarStyle::Folded => self.block.len(),
            _ => bytes.end,
        };
        let mut source = Source { text: &self.block[..end], at: bytes.start, style };
        let places = source.places(read).unwrap_or_default();
        Text { read: read.to_owned(), places }
    }
}

/// A text as it is written, read on and on.
struct Source<'a> {
    text: &'a str,
    at: usize,
    style: ScalarStyle,
}

impl Source<'_> {
    /// The bytes that each byte of a text is read from; none where that is not plain.
    fn places(&mut self, read: &str) -> Option<Vec<Range<usize>>> {
        let is_block = matches!(self.style, ScalarStyle::Literal | ScalarStyle::Folded);
        if !is_block && self.rest().starts_with('!') {
            // A tag says of what kind the value is, and is no part of it.
            self.at += self.rest().find(char::is_whitespace)?;
            self.blanks();
        }
        if matches!(self.style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
            self.at += 1;
        }
        let mut places = Vec::with_capacity(read.len());
        let mut chars = read.chars().peekable();
        while let Some(c) = chars.next() {
            let range = if !c.is_whitespace() {
                self.blanks();
                self.one(c)?
            } else if self.rest().starts_with('\\') && self.style == ScalarStyle::DoubleQuoted {
                self.one(c)?
            } else {
                // Lines are folded: any blanks stand for any others.
                let run = self.blanks();
                places.extend(std::iter::repeat_n(run.clone(), c.len_utf8()));
                while let Some(c) = chars.next_if(|c| c.is_whitespace()) {
                    places.extend(std::iter::repeat_n(run.clone(), c.len_utf8()));
                }
                continue;
            };
            places.extend(std::iter::repeat_n(range, c.len_utf8()));
        }
        Some(places)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn take(&mut self, length: usize) -> Range<usize> {
        let start = self.at;
        self.at = (start + length).min(self.text.len());
        start..self.at
    }

    /// Passes over blanks, and line ends that are escaped.
    fn blanks(&mut self) -> Range<usize> {
        let start = self.at;
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let is_escaped = self.style == ScalarStyle::DoubleQuoted
                && (self.rest().starts_with("\\\n") || self.rest().starts_with("\\\r"));
            if !is_escaped {
                return start..self.at;
            }
            self.at += 1;
        }
    }

    /// One character, as it is or escaped.
    fn one(&mut self, c: char) -> Option<Range<usize>> {
        let rest = self.rest();
        let length = match self.style {
            ScalarStyle::DoubleQuoted if rest.starts_with('\\') => {
                let escape = rest[1..].chars().next()?;
                match escape {
                    'x' => 4,
                    'u' => 6,
                    'U' => 10,
                    other => 1 + other.len_utf8(),
                }
            }
            ScalarStyle::SingleQuoted if c == '\'' && rest.starts_with("''") => 2,
            _ => rest.starts_with(c).then(|| c.len_utf8())?,
        };
        self.text.is_char_boundary(self.at + length).then(|| self.take(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each part of a value, in every way to write one: the bytes between the signs.
    #[test]
    fn parts_are_walked_to() {
        let (open, close) = ('⟦', '⟧');
        for (block, parts) in [
            ("k: ⟦b⟧, ⟦a b⟧, ⟦b⟧\n", vec!["b", "a b", "b"]),
            ("k: [ '⟦漢字⟧', ⟦b⟧ ,\"⟦b⟧\" ]\r\n", vec!["漢字", "b", "b"]),
            ("k:\r\n  - ⟦x b⟧ # b\r\n  - ~\r\n  - ⟦b⟧, ⟦c⟧\r\n", vec!["x b", "b", "c"]),
            ("k: ['⟦it''s⟧', \"⟦\\x41 b⟧\", \"⟦\\u00e4\\\n  c⟧\"]\n", vec!["it's", "A b", "äc"]),
            ("k: >-\n  ⟦a\n  b⟧,\n\n  ⟦c⟧\n", vec!["a b", "c"]),
            ("k: |\n   ⟦a\n\n   b⟧, ⟦c⟧\n", vec!["a\n\nb", "c"]),
            ("k: ⟦a\n  b⟧, \n  ⟦c⟧\nz: d\n", vec!["a b", "c"]),
            ("  d: \"x, k: b\"\n  \"k\": ⟦b⟧\n", vec!["b"]),
            ("{d: \"x, k: b\", k: ⟦b⟧}\n", vec!["b"]),
            ("k: [!!str ⟦b⟧, !!str '⟦c⟧']\n", vec!["b", "c"]),
            ("z: {k: c}\n? [k, b]\n: q\nk: '⟦⟧, ⟦b⟧'\n", vec!["", "b"]),
        ] {
            let head = format!("---\n{}---\n", block.replace([open, close], ""));
            let found = in_front_matter(&head, "k").unwrap_or_else(|| panic!("{block}"));
            let mut at = "---\n".len();
            for (nth, (part, piece)) in parts.into_iter().zip(block.split(open)).enumerate() {
                at += piece
                    .split_once(close)
                    .map_or(piece.len(), |(one, rest)| one.len() + rest.len());
                let after = block.split(open).nth(nth + 1).unwrap_or_default();
                let written = after.split(close).next().unwrap_or_default();
                let want = (!part.is_empty()).then(|| at..at + written.len());
                assert_eq!(found.part(nth, part), want, "{block} {part}");
            }
        }
        for (block, key) in [("k: [x\n", "k"), ("k: b\n", "b"), ("", "k"), ("- k\n", "k")] {
            assert!(in_front_matter(&format!("---\n{block}---\n"), key).is_none(), "{block}");
        }
        assert!(in_front_matter("# H\n", "k").is_none());
    }

    /// What a store writes is no YAML, and it serves no empty tag.
    #[test]
    fn a_store_has_its_own_lines() {
        let head = "---\nversion: 1\ntags: [a, , \"b\"]\nmeta.rel-by: , /a.md, /a.md\n---\n";
        let key = |name: &str| {
            let at = head.find(name).expect(name);
            at..at + name.len()
        };
        let tags = in_store(head, key("tags"), true).expect("tags");
        let found = |written: &Written, nth: usize, part: &str| {
            written.part(nth, part).map(|range| (range.start, head[range].to_owned()))
        };
        assert_eq!(found(&tags, 1, "\"b\""), Some((27, "\"b\"".to_owned())));
        let by = in_store(head, key("meta.rel-by"), false).expect("targets");
        assert_eq!(found(&by, 2, "/a.md"), Some((54, "/a.md".to_owned())));
        assert_eq!(found(&by, 3, "/a.md"), None);
    }
}
