//! The metadata that a front matter block declares.
//!
//! The block is read from the events of a YAML parser rather than from a tree of
//! values, for three reasons: a scalar keeps the text it was written with
//! (`0123`, `2024-12-19` and `yes` are titles, not numbers, dates and truths),
//! every finding has its line, and nothing is ever expanded, since anchors and
//! aliases are refused when they come by.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use super::mend::{self, Fault};
use super::problem::{Problem, excerpt};

/// The key that gives a document's version and is no metadata.
const VERSION: &str = "version";

/// What a block declares, and what of it could not be used.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) metadata: BTreeMap<String, String>,
    pub(super) version: Option<u64>,
    pub(super) problems: Vec<Problem>,
}

/// Reads the lines between the fences of a file. `first_line` is the line of the
/// file that the block begins with.
///
/// # Errors
///
/// The one problem that makes the whole block unusable: it is not YAML, no list
/// of `key: value` lines, declares a key twice, or uses an anchor or an alias.
pub(super) fn read(block: &str, file: &Path, first_line: usize) -> Result<Declared, Box<Problem>> {
    let mut reader = Reader {
        parser: Parser::new_from_str(block),
        block,
        file,
        first_line,
        open: Vec::new(),
        last_scalar: None,
        seen: HashMap::new(),
        declared: Declared::default(),
    };
    reader.block()?;
    Ok(reader.declared)
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    block: &'a str,
    file: &'a Path,
    first_line: usize,
    /// Where the lists and mappings begin that are not yet closed.
    open: Vec<Span>,
    last_scalar: Option<Span>,
    /// The line of the file on which each key was declared.
    seen: HashMap<String, usize>,
    declared: Declared,
}

/// A value as far as metadata can hold it.
enum Value {
    Null,
    Text(String),
    /// A list or mapping inside the value, or the value itself a mapping.
    Nested,
}

impl<'a> Reader<'a> {
    fn block(&mut self) -> Result<(), Box<Problem>> {
        self.next()?; // the start of the stream
        if matches!(self.next()?.0, Event::StreamEnd) {
            return Ok(());
        }
        match self.next()? {
            (Event::MappingStart(..), _) => self.entries()?,
            (event, span) => match self.value(event)? {
                Value::Null => {}
                _ => return Err(self.no_mapping(span)),
            },
        }
        self.next()?; // the end of the document
        match self.next()? {
            (Event::StreamEnd, _) => Ok(()),
            (_, span) => Err(self
                .problem(
                    span,
                    "the front matter ends before this line",
                    "remove the line that is `...` or begins with `---`",
                )
                .refusal()),
        }
    }

    fn entries(&mut self) -> Result<(), Box<Problem>> {
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                return Ok(());
            }
            let key = match event {
                Event::Scalar(key, ..) => Some(key.into_owned()).filter(|key| !key.is_empty()),
                event => {
                    self.value(event)?;
                    None
                }
            };
            if let Some(key) = &key {
                self.once(key, span)?;
            }
            let (event, _) = self.next()?;
            let is_list = matches!(event, Event::SequenceStart(..));
            let value = self.value(event)?;
            match key {
                Some(key) => self.declare(key, span, value, is_list),
                None => {
                    let problem = self.problem(
                        span,
                        "a key is empty or is itself a list or mapping, so nothing is declared",
                        "write `key: value`, the key in quotes if it begins with `{`, `[` or `?`",
                    );
                    self.declared.problems.push(problem);
                }
            }
        }
    }

    fn once(&mut self, key: &str, span: Span) -> Result<(), Box<Problem>> {
        let line = self.line(span);
        let Some(first) = self.seen.insert(key.to_owned(), line) else { return Ok(()) };
        let name = excerpt(key);
        Err(self
            .problem(
                span,
                format!("the key `{name}` is declared a second time, after line {first}"),
                "remove one of the two lines",
            )
            .about(key)
            .refusal())
    }

    fn declare(&mut self, key: String, span: Span, value: Value, is_list: bool) {
        let text = match value {
            Value::Text(text) => text,
            Value::Null => String::new(),
            Value::Nested => {
                let name = excerpt(&key);
                let what = if is_list { "a list with more than plain texts" } else { "a mapping" };
                let problem = self
                    .problem(
                        span,
                        format!("the value of `{name}` is {what}, so the key is skipped"),
                        "write one text or a list of texts, in quotes where a text begins with `{` \
                         or `[` or holds `: `",
                    )
                    .about(&key);
                self.declared.problems.push(problem);
                return;
            }
        };
        if key != VERSION {
            self.declared.metadata.insert(key, text);
            return;
        }
        self.declared.version = version(&text);
        if self.declared.version.is_none() {
            let text = excerpt(&text);
            let problem = self
                .problem(
                    span,
                    format!("the version `{text}` is not a whole number above 0, so there is none"),
                    "write it as in `version: 7`, or remove the line",
                )
                .about(VERSION);
            self.declared.problems.push(problem);
        }
    }

    /// Reads the rest of a value of which the first event is at hand.
    fn value(&mut self, event: Event<'a>) -> Result<Value, Box<Problem>> {
        match event {
            Event::Scalar(text, style, _, tag) => {
                // A tag such as `!!str` says that an empty or null text is meant.
                let null = style == ScalarStyle::Plain && tag.is_none() && is_null(&text);
                Ok(if null { Value::Null } else { Value::Text(text.into_owned()) })
            }
            Event::SequenceStart(..) => self.list(),
            _ => {
                self.skip()?;
                Ok(Value::Nested)
            }
        }
    }

    /// The items of a list, joined as a publisher would write them in one text.
    fn list(&mut self) -> Result<Value, Box<Problem>> {
        let mut items = Vec::new();
        let mut nested = false;
        loop {
            match self.next()?.0 {
                Event::SequenceEnd => break,
                Event::Scalar(text, style, _, tag) => {
                    let null = style == ScalarStyle::Plain && tag.is_none() && is_null(&text);
                    if !null {
                        items.push(text.into_owned());
                    }
                }
                _ => {
                    self.skip()?;
                    nested = true;
                }
            }
        }
        Ok(if nested { Value::Nested } else { Value::Text(items.join(", ")) })
    }

    /// Passes over the rest of a list or mapping, however deep: no recursion.
    fn skip(&mut self) -> Result<(), Box<Problem>> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()?.0 {
                Event::MappingStart(..) | Event::SequenceStart(..) => depth += 1,
                Event::MappingEnd | Event::SequenceEnd => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<(Event<'a>, Span), Box<Problem>> {
        let (event, span) = match self.parser.next_event() {
            Some(Ok(next)) => next,
            Some(Err(error)) => {
                return Err(mend::explain(&Fault {
                    block: self.block,
                    file: self.file,
                    first_line: self.first_line,
                    info: error.info(),
                    marker: *error.marker(),
                    open: &self.open,
                    last_scalar: self.last_scalar,
                }));
            }
            // Nothing asks for more after the end of the stream, but a loop that
            // waits for the end of a list must never wait for ever.
            None => return Err(self.no_mapping(Span::default())),
        };
        if let Event::Scalar(_, _, _, Some(tag)) = &event
            && !tag.is_yaml_core_schema()
        {
            let name = excerpt(&format!("{}{}", tag.handle, tag.suffix));
            self.declared.problems.push(self.problem(
                span,
                format!("`{name}` is read as the tag of a value and is no part of it"),
                "put the whole value in quotes",
            ));
        }
        match &event {
            Event::Alias(_) => return Err(self.refused(span)),
            Event::Scalar(_, _, anchor, _)
            | Event::SequenceStart(anchor, _)
            | Event::MappingStart(anchor, _)
                if *anchor != 0 =>
            {
                return Err(self.refused(span));
            }
            Event::Scalar(..) => self.last_scalar = Some(span),
            Event::SequenceStart(..) | Event::MappingStart(..) => self.open.push(span),
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
            }
            _ => {}
        }
        Ok((event, span))
    }

    fn refused(&self, span: Span) -> Box<Problem> {
        self.problem(
            span,
            "anchors (`&name`) and aliases (`*name`) are not expanded",
            "write the value out, in quotes if it begins with `&` or `*`",
        )
        .refusal()
    }

    fn no_mapping(&self, span: Span) -> Box<Problem> {
        self.problem(
            span,
            "what stands between the two `---` lines is not a list of `key: value` lines",
            "write a space after each colon; if `---` is meant as a rule, write `***`",
        )
        .refusal()
    }

    fn line(&self, span: Span) -> usize {
        self.first_line + span.start.line().saturating_sub(1)
    }

    fn problem(&self, span: Span, message: impl AsRef<str>, help: impl AsRef<str>) -> Problem {
        Problem::new(self.file, message, help)
            .on_line(self.line(span))
            .at_column(span.start.col() + 1)
    }
}

/// A null of the YAML core schema, written plain.
fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// A version as written: decimal digits, above 0.
fn version(text: &str) -> Option<u64> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().filter(|version| *version > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn declared(block: &str) -> Declared {
        read(block, Path::new("f.md"), 2).unwrap_or_else(|problem| panic!("{block:?}: {problem}"))
    }

    /// The metadata of a block without any problem.
    fn metadata(block: &str) -> Vec<(String, String)> {
        let declared = declared(block);
        assert_eq!(declared.problems, [], "{block:?}");
        declared.metadata.into_iter().collect()
    }

    fn value(block: &str) -> String {
        metadata(block).pop().unwrap_or_else(|| panic!("{block:?} declares nothing")).1
    }

    #[test]
    fn scalars_keep_the_text_they_were_written_with() {
        for text in [
            "21E08",
            "2024-12-19",
            "0123",
            "yes",
            "No",
            "1_000",
            ".8",
            "NaN",
            "0x1F",
            "0o7",
            "+1",
            "1.0",
            "true",
            "-.inf",
            "12:30:45",
            "a#b",
            "http://x.example/a?b=c",
            "Nullable",
            "=",
        ] {
            assert_eq!(value(&format!("k: {text}\n")), text);
            assert_eq!(value(&format!("k: {text}\r\n")), text);
            assert_eq!(value(&format!("k:   {text}  # said\n")), text);
            assert_eq!(value(&format!("k: \"{text}\"\n")), text);
            assert_eq!(value(&format!("k: '{text}'\n")), text);
        }
    }

    #[test]
    fn a_plain_null_is_an_empty_text() {
        for text in ["", " ", " ~", " null", " Null", " NULL", " # said"] {
            assert_eq!(value(&format!("k:{text}\n")), "", "{text:?}");
        }
        assert_eq!(value("k: \"null\"\n"), "null");
        assert_eq!(value("k: '~'\n"), "~");
        assert_eq!(value("k: !!str null\n"), "null");
    }

    #[test]
    fn scalars_on_several_lines_are_folded_as_yaml_says() {
        assert_eq!(value("k: a\r\n  b\r\n\r\n  c\r\n"), "a b\nc");
        assert_eq!(value("k: |\r\n  a\r\n  b\r\n"), "a\nb\n");
        assert_eq!(value("k: |-\n  a\n   b\n"), "a\n b");
        assert_eq!(value("k: >\n  a\n  b\n"), "a b\n");
        assert_eq!(value("k: \"a\n  b\\tc\"\n"), "a b\tc");
    }

    #[test]
    fn every_spelling_of_a_list_is_one_text() {
        for (block, want) in [
            ("[a, b]", "a, b"),
            ("\n  - a\n  - b", "a, b"),
            ("\n- a\n- b", "a, b"),
            ("a, b", "a, b"),
            ("a,b", "a,b"),
            ("a", "a"),
            ("", ""),
            ("[]", ""),
            ("[1, 2024-01-01, true, null, ~]", "1, 2024-01-01, true"),
            ("[\"a b\", 'null']", "a b, null"),
            ("[/a.md, \"mark://h.example/b.md#c\"]", "/a.md, mark://h.example/b.md#c"),
        ] {
            for key in ["tags", "rel-genre", "other"] {
                assert_eq!(
                    metadata(&format!("{key}: {block}\n")),
                    [(key.to_owned(), want.to_owned())],
                    "{block:?}"
                );
            }
        }
    }

    #[test]
    fn nothing_declared_is_no_problem() {
        for block in ["", "\n\n", "# said\n", "~\n", "null # said\n", "{}\n", "\r\n"] {
            assert_eq!(metadata(block), [], "{block:?}");
        }
    }

    #[test]
    fn keys_are_taken_as_written() {
        assert_eq!(
            metadata("Tags: a\ntags: b\n\"a b\": c\n7: d\nrel-: e\nmeta.rel-x: f\n"),
            [
                ("7", "d"),
                ("Tags", "a"),
                ("a b", "c"),
                ("meta.rel-x", "f"),
                ("rel-", "e"),
                ("tags", "b")
            ]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn the_version_is_no_metadata() {
        for (text, want) in
            [("1", 1), ("007", 7), ("\"42\"", 42), ("18446744073709551615", u64::MAX)]
        {
            let declared = declared(&format!("title: T\nversion: {text}\n"));
            assert_eq!(declared.version, Some(want), "{text}");
            assert_eq!(declared.metadata.into_keys().collect::<Vec<_>>(), ["title"]);
            assert_eq!(declared.problems, []);
        }
        for text in ["0", "-1", "+1", "1.0", "one", "", "1 2", "18446744073709551616", "١"] {
            let declared = declared(&format!("title: T\nversion: {text}\n"));
            assert_eq!(declared.version, None, "{text}");
            assert_eq!(declared.metadata.into_keys().collect::<Vec<_>>(), ["title"]);
            let [problem] = &declared.problems[..] else {
                panic!("{text}: {:?}", declared.problems)
            };
            assert_eq!((problem.line, problem.key.as_deref()), (Some(3), Some("version")));
            assert!(!problem.left_out);
            assert!(problem.message.contains("whole number"), "{problem}");
        }
    }

    #[test]
    fn a_nested_value_costs_its_key_only() {
        for (block, line, what) in [
            ("a: x\nk:\n  l: m\nz: y\n", 3, "a mapping"),
            ("a: x\nk: {l: m}\nz: y\n", 3, "a mapping"),
            ("a: x\nk: {{ m }}\nz: y\n", 3, "a mapping"),
            ("a: x\nk:\n  - l: m\n    n: [o]\n  - p\nz: y\n", 3, "a list with"),
            ("a: x\nk: [[l], m]\nz: y\n", 3, "a list with"),
        ] {
            let declared = declared(block);
            assert_eq!(declared.metadata.into_keys().collect::<Vec<_>>(), ["a", "z"], "{block:?}");
            let [problem] = &declared.problems[..] else { panic!("{:?}", declared.problems) };
            assert_eq!((problem.line, problem.key.as_deref()), (Some(line), Some("k")));
            assert!(!problem.left_out);
            assert!(problem.message.contains(what), "{problem}");
        }
        for block in ["? [a]\n: b\nz: y\n", "{{a}}: b\nz: y\n", ": b\nz: y\n", "\"\": b\nz: y\n"] {
            let declared = declared(block);
            assert_eq!(declared.metadata.into_keys().collect::<Vec<_>>(), ["z"], "{block:?}");
            let [problem] = &declared.problems[..] else { panic!("{:?}", declared.problems) };
            assert_eq!((problem.line, problem.left_out), (Some(2), false), "{block:?}");
        }
        let declared = declared("title: !draft Plan\n");
        assert_eq!(declared.metadata["title"], "Plan");
        assert!(declared.problems[0].message.contains("`!draft`"), "{}", declared.problems[0]);
    }

    #[test]
    fn a_key_declared_twice_is_refused_at_its_second_line() {
        for (block, line, key) in [
            ("title: A\ntags: x\ntags: y\nz: 1\n", 4, "tags"),
            ("k:\n  a: 1\n\nl: x\n\"k\": y\n", 6, "k"),
            ("version: 1\r\nversion: 1\r\n", 3, "version"),
        ] {
            let problem = read(block, Path::new("f.md"), 2).expect_err(block);
            assert_eq!(
                (problem.line, problem.key.as_deref()),
                (Some(line), Some(key)),
                "{problem}"
            );
            assert!(problem.left_out && problem.message.contains("second time"), "{problem}");
        }
        // The keys of a nested mapping are not the document's.
        assert_eq!(declared("k: {a: 1, a: 2}\na: 3\n").metadata["a"], "3");
    }

    #[test]
    fn anchors_and_aliases_are_never_expanded() {
        for (block, line) in [
            ("a: &x y\n", 2),
            ("a: b\nc: &x [d]\n", 3),
            ("a: [b, &x c]\n", 2),
            ("&x a: b\n", 2),
            ("&x {a: b}\n", 2),
            ("k:\n  l:\n    - &x m\n", 4),
            ("a: &a [l, l]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", 2),
        ] {
            let problem = read(block, Path::new("f.md"), 2).expect_err(block);
            assert_eq!(problem.line, Some(line), "{block:?}: {problem}");
            assert!(problem.left_out && problem.message.contains("not expanded"), "{problem}");
        }
    }

    #[test]
    fn one_mapping_and_nothing_else() {
        for (block, line) in [
            ("just text\n", 2),
            ("\nExample\n\n", 3),
            ("- a\n- b\n", 2),
            ("[a, b]\n", 2),
            ("key:value\n", 2),
            ("a: b\n...\nc: d\n", 4),
            ("a: b\n--- c\n", 3),
        ] {
            let problem = read(block, Path::new("f.md"), 2).expect_err(block);
            assert_eq!(problem.line, Some(line), "{block:?}: {problem}");
            assert!(problem.left_out, "{problem}");
        }
    }

    #[test]
    fn depth_and_width_are_no_danger() {
        for block in [
            format!("a: {}", "[".repeat(100_000)),
            format!("a: {}", "{".repeat(100_000)),
            "- ".repeat(20_000),
            "? ".repeat(20_000),
            format!("a: [{}]", "b,".repeat(50_000)),
            (0..500).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect(),
        ] {
            // Any answer will do, as long as there is one.
            let _answer = read(&block, Path::new("f.md"), 2);
        }
    }

    proptest! {
        #[test]
        fn no_block_makes_it_panic(block in "([-a:\\[\\]{}?!&*|>'\"%@`#, \t~.\\\\\u{0}\u{feff}é]|\r|\n|: |\n- |\n  ){0,60}") {
            if let Err(problem) = read(&block, Path::new("f.md"), 2) {
                let lines = 2 + block.matches(['\n', '\r']).count();
                prop_assert!(problem.line.is_some_and(|line| (2..=lines).contains(&line)));
                prop_assert!(problem.left_out);
            }
        }

        #[test]
        fn any_text_in_quotes_comes_back(text in "[^\u{0}\r\n\u{feff}]{0,40}") {
            let quoted = format!("k: '{}'\n", text.replace('\'', "''"));
            prop_assert_eq!(&declared(&quoted).metadata["k"], &text);
        }
    }
}
