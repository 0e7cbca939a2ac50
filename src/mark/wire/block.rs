//! The metadata block: a flat YAML mapping of texts.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

use super::scalar;

/// Metadata by key.
pub type Metadata = BTreeMap<String, String>;

/// Indentation of the lines of a literal block.
const INDENT: &str = "    ";

/// Why a metadata block cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// It is not YAML.
    #[error("line {line} of the metadata is not YAML")]
    Syntax {
        /// The line of the block, counted from 1.
        line: usize,
    },
    /// It is YAML, but no mapping.
    #[error("the metadata is no list of `key: value` lines")]
    NoMapping,
    /// A value is a list or a mapping, or an alias of one.
    #[error("line {line} of the metadata holds a list, a mapping or an alias instead of a text")]
    NotText {
        /// The line of the block, counted from 1.
        line: usize,
    },
    /// A key stands twice.
    #[error("line {line} of the metadata declares the key `{key}` a second time")]
    Duplicate {
        /// The line of the block, counted from 1.
        line: usize,
        /// The key.
        key: String,
    },
    /// It is not UTF-8.
    #[error("the metadata is not UTF-8")]
    NotUtf8,
}

/// Reads the lines between the fences. A value is the text of its source, so `3`
/// and `"3"` are the same and `010` stays as it is; nothing and null are empty.
///
/// # Errors
/// What makes the block unusable. There is no reading part of it.
pub fn read_block(block: &str) -> Result<Metadata, BlockError> {
    let mut events = Events { parser: Parser::new_from_str(block) };
    let mut metadata = Metadata::new();
    events.next()?; // the start of the stream
    if matches!(events.next()?.0, Event::StreamEnd) {
        return Ok(metadata);
    }
    match events.next()?.0 {
        Event::MappingStart(..) => {}
        Event::Scalar(text, style, ..) if is_null(&text, style) => {
            events.end()?;
            return Ok(metadata);
        }
        _ => return Err(BlockError::NoMapping),
    }
    loop {
        let (event, line) = events.next()?;
        let key = match event {
            Event::MappingEnd => break,
            Event::Scalar(text, ..) => text.into_owned(),
            _ => return Err(BlockError::NotText { line }),
        };
        let value = match events.next()? {
            (Event::Scalar(text, style, ..), _) if is_null(&text, style) => String::new(),
            (Event::Scalar(text, ..), _) => text.into_owned(),
            (_, line) => return Err(BlockError::NotText { line }),
        };
        if metadata.contains_key(&key) {
            return Err(BlockError::Duplicate { line, key });
        }
        metadata.insert(key, value);
    }
    events.end()?;
    Ok(metadata)
}

struct Events<'a> {
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Events<'a> {
    /// The next event and its line.
    fn next(&mut self) -> Result<(Event<'a>, usize), BlockError> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, span.start.line())),
            Some(Err(error)) => Err(BlockError::Syntax { line: error.marker().line() }),
            None => Ok((Event::StreamEnd, 0)),
        }
    }

    /// Nothing may follow the one mapping.
    fn end(&mut self) -> Result<(), BlockError> {
        self.next()?; // the end of the document
        match self.next()?.0 {
            Event::StreamEnd => Ok(()),
            _ => Err(BlockError::NoMapping),
        }
    }
}

fn is_null(text: &str, style: ScalarStyle) -> bool {
    style == ScalarStyle::Plain && matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Writes metadata as the lines between the fences, each with its line feed, as
/// the reference servers do: keys sorted with numbers inside them as numbers.
pub fn write_block<'a>(metadata: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut entries: Vec<(&str, &str)> = metadata.into_iter().collect();
    entries.sort_by(|(a, _), (b, _)| natural(a, b));
    let mut out = String::new();
    for (key, value) in entries {
        scalar::push_key(&mut out, key);
        out.push_str(": ");
        scalar::push(&mut out, value, INDENT);
        out.push('\n');
    }
    out
}

/// Writes metadata with every value in double quotes, sorted by key: the form a
/// client sends, which no reader can mistake.
pub(super) fn write_quoted(metadata: &Metadata) -> String {
    let mut out = String::new();
    for (key, value) in metadata {
        scalar::push_key(&mut out, key);
        out.push_str(": ");
        scalar::push_double(&mut out, value);
        out.push('\n');
    }
    out
}

/// The order of keys: by the first character that differs, with a number as a
/// number (`rel-a2` before `rel-a10`), and other characters before letters.
fn natural(a: &str, b: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (Some(x), Some(y)) = (a.get(same), b.get(same)) else { return a.len().cmp(&b.len()) };
    let behind_digit = same > 0 && a[same - 1].is_numeric();
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(y),
        // A number that goes on is the greater one.
        (true, false) => return if behind_digit { Ordering::Less } else { Ordering::Greater },
        (false, true) => return if behind_digit { Ordering::Greater } else { Ordering::Less },
        (false, false) => {}
    }
    let digits = |text: &[char]| text.iter().skip(same).take_while(|c| c.is_ascii_digit()).count();
    let (long, short) = (digits(&a), digits(&b));
    let number = |text: &[char], count: usize| {
        text[same..same + count].iter().fold(0u64, |number, c| {
            number.wrapping_mul(10).wrapping_add(u64::from(c.to_digit(10).unwrap_or(0)))
        })
    };
    // Inside a number that has begun, a zero counts as any other digit.
    let begun = a[..same].iter().rev().take_while(|c| c.is_ascii_digit()).any(|c| *c != '0');
    let lead = |count: usize| {
        if begun { 10u64.saturating_pow(u32::try_from(count).unwrap_or(19)) } else { 0 }
    };
    (number(&a, long).wrapping_add(lead(long)))
        .cmp(&number(&b, short).wrapping_add(lead(short)))
        .then(long.cmp(&short))
        .then(x.cmp(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(block: &str) -> Vec<(String, String)> {
        read_block(block).expect("a block").into_iter().collect()
    }

    #[test]
    fn every_form_of_a_scalar_is_read_as_its_text() {
        let block = "a: 3\nb: \"4\"\nc: 010\nd: it's\ne: 'it''s # so'\nf:\ng: ~\nh: \"~\"\n\
                     i: \"\\t\\x41\\u00e9\\U0001F44D\\/\\N\"\nj: |-\n    one\n\n    two\nk: |+\n  x\n\n\
                     l: plain\n  goes on\n# a comment\n\"12\": x # behind\n";
        let want = [
            ("12", "x"),
            ("a", "3"),
            ("b", "4"),
            ("c", "010"),
            ("d", "it's"),
            ("e", "it's # so"),
            ("f", ""),
            ("g", ""),
            ("h", "~"),
            ("i", "\tAé👍/\u{85}"),
            ("j", "one\n\ntwo"),
            ("k", "x\n\n"),
            ("l", "plain goes on"),
        ];
        let got = read(block);
        let got: Vec<_> = got.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(got, want);
    }

    #[test]
    fn an_empty_block_is_an_empty_mapping() {
        for block in ["", "\n", "# only this\n", "null\n", "{}"] {
            assert_eq!(read_block(block), Ok(Metadata::new()), "{block:?}");
        }
    }

    #[test]
    fn what_is_no_mapping_of_texts_is_refused() {
        use BlockError::{Duplicate, NoMapping, NotText, Syntax};
        for (block, want) in [
            ("just text", NoMapping),
            ("- a\n- b", NoMapping),
            ("a: [b, c]", NotText { line: 1 }),
            ("x: y\na:\n  b: c", NotText { line: 3 }),
            ("x: &a y\nz: *a", NotText { line: 2 }),
            ("a: 1\nb: 2\na: 3", Duplicate { line: 3, key: "a".into() }),
            ("a: \"open", Syntax { line: 1 }),
        ] {
            match (read_block(block), want) {
                (Err(Syntax { .. }), Syntax { .. }) => {}
                (got, want) => assert_eq!(got, Err(want), "{block:?}"),
            }
        }
    }

    #[test]
    fn keys_are_sorted_with_their_numbers() {
        let sorted = ["12", "a", "a-b", "a1", "a2", "a10", "a10b", "ab", "rel-a2", "rel-a10"];
        for (at, a) in sorted.iter().enumerate() {
            for b in &sorted[at + 1..] {
                assert_eq!(natural(a, b), Ordering::Less, "{a} before {b}");
                assert_eq!(natural(b, a), Ordering::Greater, "{b} behind {a}");
            }
        }
        assert_eq!(natural("a100", "a12"), Ordering::Greater);
        assert_eq!(natural("a7", "a7"), Ordering::Equal);
    }
}
