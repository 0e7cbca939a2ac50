//! What to say about front matter that is not YAML, in terms of the line that
//! has to be changed.
//!
//! A YAML parser reports where it gave up, which is often one line after the
//! fault, and it names its own grammar. The people who read the message wrote
//! `title: Re: budget`.

use std::path::Path;

use saphyr_parser::{Marker, Span};

use super::problem::{Problem, excerpt};

/// A value that is longer is not repeated in quotes.
const SUGGESTED: usize = 60;

/// Where and why the parser gave up.
pub(super) struct Fault<'a> {
    pub(super) block: &'a str,
    pub(super) file: &'a Path,
    /// The line of the file that the block begins with.
    pub(super) first_line: usize,
    /// The parser's own words.
    pub(super) info: &'a str,
    pub(super) marker: Marker,
    /// Where the lists and mappings begin that are still open.
    pub(super) open: &'a [Span],
    pub(super) last_scalar: Option<Span>,
}

/// What to change, and where: line (of the block) and column count from 1.
struct Diagnosis {
    line: usize,
    column: usize,
    message: String,
    help: String,
}

impl Diagnosis {
    fn new(line: usize, column: usize, message: &str, help: &str) -> Self {
        Self { line, column, message: message.to_owned(), help: help.to_owned() }
    }
}

/// The problem that leaves the document out.
pub(super) fn explain(fault: &Fault<'_>) -> Box<Problem> {
    let lines = lines(fault.block);
    let Diagnosis { line, column, message, help } = diagnose(fault, &lines);
    // The end of the block may be counted as one line more.
    let line = line.min(lines.len());
    let problem = Problem::new(fault.file, message, help)
        .on_line(fault.first_line + line.saturating_sub(1))
        .at_column(column);
    let text = line_at(&lines, line);
    match entry(text).filter(|_| !text.starts_with([' ', '\t'])) {
        Some((key, _)) => problem.about(key),
        None => problem,
    }
    .refusal()
}

/// What is most likely meant. The parser's words are the only thing that tells
/// its errors apart; those not known here are passed on with its line.
fn diagnose(fault: &Fault<'_>, lines: &[&str]) -> Diagnosis {
    let info = fault.info;
    let line = fault.marker.line();
    let text = line_at(lines, line);
    let says = |part: &str| info.contains(part);
    let here =
        |message: &str, help: &str| Diagnosis::new(line, fault.marker.col() + 1, message, help);

    if let Some(diagnosis) = unclosed(fault, lines) {
        return diagnosis;
    }
    if says("tab") || says("valid YAML whitespace") {
        // A tab that begins a line is noticed at the end of the line before.
        let tabbed = [line, line + 1].into_iter().find_map(|line| {
            let column = line_at(lines, line).chars().position(|c| c == '\t')?;
            Some((line, column + 1))
        });
        if let Some((line, column)) = tabbed {
            let message = "a tab stands where YAML wants spaces";
            return Diagnosis::new(line, column, message, "write spaces in its place");
        }
    }
    if says("simple key expect") {
        // The parser notices at the end of the line, or of all lines.
        return no_key(lines, last_content(lines, line));
    }
    if says("mapping values are not allowed") {
        return if fault.last_scalar.is_some_and(|span| span.start.line() < line) {
            here(
                "the line is indented, so it continues the value of the line above",
                "begin the line at the left margin, or put the whole value in quotes",
            )
        } else {
            here("a value holds `: `, which begins another key", &quoting(text))
        };
    }
    if says("quoted scalar") && says("trailing content") {
        return here("text follows the closing quote", &quoting(text));
    }
    if says("quoted scalar") && (says("indentation") || says("end of stream")) {
        let help = "close it, or put the whole value in quotes of the other kind";
        return here("a quote is not closed", help);
    }
    if says("quoted scalar") && (says("escape") || says("hexadecimal")) {
        return here(
            "a backslash in double quotes begins an escape that does not exist",
            "write `\\\\` for a backslash, or use single quotes",
        );
    }
    if says("unprintable") {
        return here("a NUL character stands in the front matter", "remove it");
    }
    if says("unknown anchor") || says("anchor or alias") {
        let message = "a value begins with `*` or `&`, which makes it an alias or an anchor";
        return here(message, &quoting(text));
    }
    if says("unexpected character") {
        let first = text.chars().nth(fault.marker.col()).unwrap_or(' ');
        let first = match first {
            '`' => "a backtick".to_owned(),
            other => format!("`{other}`"),
        };
        let message = format!("a value begins with {first}, which YAML keeps for itself");
        return here(&message, &quoting(text));
    }
    let directive = lines.iter().position(|line| line.starts_with('%'));
    if let Some(index) = directive.filter(|_| says("irective") || says("document start")) {
        let message = "the line begins with `%`, which YAML keeps for itself";
        return Diagnosis::new(index + 1, 1, message, "remove it, or put the key in quotes");
    }
    let mut help = quoting(text);
    if lines.first().is_some_and(|line| line.trim().is_empty()) {
        help.push_str("; if the first line of the file is meant as a rule, write `***`");
    }
    here(&format!("the front matter is not YAML: {info}"), &help)
}

/// The innermost open list in brackets or braces, if it begins before the line of
/// the fault. The parser then complains about the first line that is no list.
fn unclosed(fault: &Fault<'_>, lines: &[&str]) -> Option<Diagnosis> {
    let start = fault.open.last()?.start;
    let opening = line_at(lines, start.line()).chars().nth(start.col())?;
    let closing = match opening {
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    (start.line() < fault.marker.line()).then(|| {
        let message = format!("what `{opening}` opens is not closed");
        let help = format!("close it with `{closing}`, or put the whole value in quotes");
        Diagnosis::new(start.line(), start.col() + 1, &message, &help)
    })
}

fn no_key(lines: &[&str], line: usize) -> Diagnosis {
    let help = match line_at(lines, line).split_once(':') {
        Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {
            let (key, value) = (excerpt(key.trim()), excerpt(value.trim()));
            format!("write a space after the colon: {key}: {value}")
        }
        _ => "write it as `key: value`, or remove it".to_owned(),
    };
    Diagnosis::new(line, 1, "the line is not of the form `key: value`", &help)
}

/// How to write the value of this line so that it is one text.
fn quoting(text: &str) -> String {
    let Some((key, value)) = entry(text).filter(|(_, value)| needs_quotes(value)) else {
        return "correct the line, or put its whole value in quotes".to_owned();
    };
    // Quotes that are there already are most often meant to be seen.
    let quoted = if value.contains(['"', '\\']) {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        format!("\"{value}\"")
    };
    let brackets = if value.starts_with(['[', '{']) { "correct the brackets, or " } else { "" };
    format!("{brackets}put the value in quotes: {}: {quoted}", excerpt(key))
}

/// Whether a value of one line, short enough to be repeated, means something else
/// without quotes.
fn needs_quotes(value: &str) -> bool {
    value.chars().count() <= SUGGESTED
        && (value.starts_with(|c| "[]{}#&*!|>'\"%@,`".contains(c))
            || value.starts_with("- ")
            || value.starts_with("? ")
            || value.contains(": ")
            || value.ends_with(':'))
}

/// Key and value of a line `key: value`, if it is one.
fn entry(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(": ")?;
    let (key, value) = (key.trim(), value.trim());
    (!key.is_empty() && !value.is_empty()).then_some((key, value))
}

/// The last line before a line that holds more than blanks or a comment.
fn last_content(lines: &[&str], before: usize) -> usize {
    (1..before)
        .rev()
        .find(|line| {
            let text = line_at(lines, *line).trim();
            !text.is_empty() && !text.starts_with('#')
        })
        .unwrap_or(before)
}

/// A line of the block, counted from 1.
fn line_at<'a>(lines: &[&'a str], line: usize) -> &'a str {
    line.checked_sub(1).and_then(|index| lines.get(index)).copied().unwrap_or("")
}

/// The lines as YAML counts them, where a lone carriage return ends one too.
fn lines(block: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in block.split('\n') {
        lines.extend(line.strip_suffix('\r').unwrap_or(line).split('\r'));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::yaml;

    #[test]
    fn the_line_to_change_is_named_with_the_way_to_change_it() {
        for (block, line, column, key, message, help) in [
            (
                "type: mail\ntitle: Re: budget for October\nrel-answers: /q.md\n",
                3,
                10,
                Some("title"),
                "a value holds `: `",
                "in quotes: title: \"Re: budget for October\"",
            ),
            ("a: b\r\nk: x: y: z\r\n", 3, 5, Some("k"), "`: `", "quotes: k: \"x: y: z\""),
            ("k: \"a\": b\n", 2, 7, Some("k"), "`: `", "quotes: k: '\"a\": b'"),
            ("k: @x\n", 2, 4, Some("k"), "begins with `@`", "quotes: k: \"@x\""),
            ("k: `x`\n", 2, 4, Some("k"), "begins with a backtick", "quotes: k: \"`x`\""),
            ("k: %x\n", 2, 4, Some("k"), "begins with `%`", "quotes: k: \"%x\""),
            ("k: *x* y\n", 2, 4, Some("k"), "an alias", "quotes: k: \"*x* y\""),
            ("k: **x** y\n", 2, 4, Some("k"), "an alias", "quotes: k: \"**x** y\""),
            ("k: - x\n", 2, 4, Some("k"), "not YAML", "quotes: k: \"- x\""),
            ("k: \"a\" b\n", 2, 8, Some("k"), "the closing quote", "quotes: k: '\"a\" b'"),
            ("k: 'it's'\n", 2, 8, Some("k"), "the closing quote", "quotes: k: \"'it's'\""),
            ("k: \"a\nb: c\n", 2, 4, Some("k"), "a quote is not closed", "close it"),
            ("k: 'a\n", 2, 4, Some("k"), "a quote is not closed", "close it"),
            ("k: \"C:\\xyz\"\n", 2, 4, Some("k"), "a backslash", "single quotes"),
            ("k: \"C:\\qyz\"\n", 2, 4, Some("k"), "a backslash", "single quotes"),
            ("k: [a, b\nb: c\n", 2, 4, Some("k"), "`[` opens is not closed", "`]`"),
            ("k: [a, b\n", 2, 4, Some("k"), "`[` opens is not closed", "`]`"),
            ("k: {a\n", 2, 4, Some("k"), "`{` opens is not closed", "`}`"),
            (
                "k: [Draft] x\nb: c\n",
                2,
                12,
                Some("k"),
                "not YAML",
                "brackets, or put the value in quotes",
            ),
            ("k:\n\tb: c\n", 3, 1, None, "a tab", "spaces"),
            ("k: b\n\tc: d\n", 3, 1, None, "a tab", "spaces"),
            ("k:\tb\n", 2, 3, None, "a tab", "spaces"),
            ("a: b\n c: d\n", 3, 3, None, "is indented", "left margin"),
            ("a: b\nkey:value\n", 3, 1, None, "form `key: value`", "colon: key: value"),
            ("a: b\nkey value\n\n# c\nc: d\n", 3, 1, None, "form `key: value`", "remove it"),
            ("%YAML 1.2\na: b\n", 2, 1, None, "begins with `%`", "remove it"),
            ("# c\n%: ", 3, 1, None, "begins with `%`", "the key in quotes"),
            ("a: b\0\n", 2, 5, Some("a"), "NUL", "remove it"),
            ("\n# H\n\nk: a\n\n- b\n", 7, 3, None, "not YAML", "meant as a rule, write `***`"),
        ] {
            let problem = yaml::read(block, Path::new("f.md"), 2).expect_err(block);
            assert_eq!((problem.line, problem.column), (Some(line), Some(column)), "{problem}");
            assert_eq!(problem.key.as_deref(), key, "{problem}");
            assert!(problem.message.contains(message), "{block:?}: {problem}");
            assert!(problem.help.contains(help), "{block:?}: {problem}");
            assert!(problem.left_out);
        }
    }

    #[test]
    fn what_is_suggested_is_read_as_meant() {
        for value in ["Re: x", "@x", "`x`", "*x*", "- x", "\"a\" b", "'it's'", "C:\\x: \"y\"", "a:"]
        {
            let help = quoting(&format!("k: {value}"));
            let line = help.rsplit_once("quotes: ").expect(value).1;
            let declared = yaml::read(line, Path::new("f.md"), 2).expect(value);
            assert_eq!(declared.metadata["k"], value, "{line}");
        }
        let long = "x".repeat(100);
        assert!(!quoting(&format!("k: @{long}")).contains(&long));
    }
}
