//! How one metadata value is written.
//!
//! Servers write a block with one particular YAML library. A reader takes any
//! form, but two servers that hold the same should answer with the same bytes, so
//! the choice of quotes here is that library's: plain where the text would read
//! back as itself and as a text, else single quotes, else double quotes, and a
//! literal block where there are lines.

use std::fmt::Write as _;

use jiff::civil::Date;

/// Appends a value as the reference servers write it. `indent` is for the lines
/// of a literal block.
pub(super) fn push(out: &mut String, value: &str, indent: &str) {
    let shape = Shape::of(value);
    if reads_as_other_than_text(value) {
        push_double(out, value);
    } else if value.contains('\n') {
        if shape.literal { push_literal(out, value, indent) } else { push_double(out, value) }
    } else if shape.plain {
        out.push_str(value);
    } else if shape.single {
        out.push('\'');
        out.push_str(&value.replace('\'', "''"));
        out.push('\'');
    } else {
        push_double(out, value);
    }
}

/// Appends a key: like a value, but never over several lines.
pub(super) fn push_key(out: &mut String, key: &str) {
    if key.contains('\n') { push_double(out, key) } else { push(out, key, "") }
}

/// Appends a text in double quotes with escapes, which any reader understands.
pub(super) fn push_double(out: &mut String, value: &str) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0' => out.push_str("\\0"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\u{1b}' => out.push_str("\\e"),
            '\u{85}' => out.push_str("\\N"),
            '\u{2028}' => out.push_str("\\L"),
            '\u{2029}' => out.push_str("\\P"),
            c if is_printable(c) => out.push(c),
            // Writing to a String cannot fail.
            c if (c as u32) <= 0xff => drop(write!(out, "\\x{:02X}", c as u32)),
            c if (c as u32) <= 0xffff => drop(write!(out, "\\u{:04X}", c as u32)),
            c => drop(write!(out, "\\U{:08X}", c as u32)),
        }
    }
    out.push('"');
}

fn push_literal(out: &mut String, value: &str, indent: &str) {
    out.push('|');
    if !value.ends_with('\n') {
        out.push('-');
    }
    let lines = value.strip_suffix('\n').unwrap_or(value);
    for line in lines.split('\n') {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
    }
}

/// In which forms a text can stand.
struct Shape {
    plain: bool,
    single: bool,
    literal: bool,
}

impl Shape {
    fn of(value: &str) -> Self {
        let odd = value.chars().any(|c| !is_printable(c) && c != '\n' && c != '\t');
        let breaks = value.contains(['\u{2028}', '\u{2029}']);
        let tabs = value.contains('\t');
        let outer = value.starts_with([' ', '\n']) || value.ends_with([' ', '\n']);
        // Blocks of these need marks that not every reader knows.
        let outer_lines =
            value.starts_with([' ', '\t', '\n']) || value.ends_with(' ') || value.ends_with("\n\n");
        let break_space = value.contains("\n ");
        let space_break = value.contains(" \n");
        Self {
            plain: !outer && !odd && !breaks && !tabs && !value.contains('\n') && !indicates(value),
            single: !odd && !breaks && !tabs && !break_space && !space_break,
            literal: !outer_lines && !space_break && !odd && !breaks,
        }
    }
}

/// Whether a text has a character where YAML would take it for markup.
fn indicates(value: &str) -> bool {
    if value.starts_with("---") || value.starts_with("...") {
        return true;
    }
    let mut before = ' ';
    let mut chars = value.chars().peekable();
    let mut first = true;
    while let Some(c) = chars.next() {
        let ends_word = chars.peek().is_none_or(|next| matches!(next, ' ' | '\t' | '\n'));
        let is_markup = match c {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
            | '@' | '`'
                if first =>
            {
                true
            }
            '?' | '-' if first => ends_word,
            ':' => ends_word,
            '#' => matches!(before, ' ' | '\t' | '\n'),
            _ => false,
        };
        if is_markup {
            return true;
        }
        before = c;
        first = false;
    }
    false
}

/// Whether a character stands for itself inside quotes.
fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Whether a plain text would be read as null, a truth, a number or a time.
fn reads_as_other_than_text(value: &str) -> bool {
    is_word_of_yaml(value) || is_number(value) || is_sexagesimal(value) || is_time(value)
}

fn is_word_of_yaml(value: &str) -> bool {
    const WORDS: [&str; 40] = [
        "", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "y",
        "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off",
        "OFF", "<<", ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF",
        "-.inf", "-.Inf", "-.INF",
    ];
    WORDS.contains(&value)
}

fn is_number(value: &str) -> bool {
    let starts = value.strip_prefix(['+', '-']).unwrap_or(value);
    if !starts.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return false;
    }
    let text = value.replace('_', "");
    let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)] {
        if let Some(digits) = digits.strip_prefix(prefix) {
            return digits.chars().all(|c| c.is_digit(radix))
                && u64::from_str_radix(digits, radix).is_ok();
        }
    }
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_is_fine = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && all_digits(exponent)
    });
    !(whole.is_empty() && fraction.is_empty())
        && all_digits(whole)
        && all_digits(fraction)
        && exponent_is_fine
        && digits.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Numbers to the base 60, which old YAML has: `1:30`.
fn is_sexagesimal(value: &str) -> bool {
    let text = value.strip_prefix(['+', '-']).unwrap_or(value);
    let mut parts = text.split(':');
    let head = parts.next().unwrap_or_default();
    let head_is_fine = head.starts_with(|c: char| c.is_ascii_digit())
        && head.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let parts: Vec<&str> = parts.collect();
    let Some((last, inner)) = parts.split_last() else { return false };
    let last = match last.split_once('.') {
        Some((last, rest)) if rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') => {
            last
        }
        Some(_) => return false,
        None => last,
    };
    let is_part = |part: &str| match part.as_bytes() {
        [one] => one.is_ascii_digit(),
        [ten, one] => (b'0'..=b'5').contains(ten) && one.is_ascii_digit(),
        _ => false,
    };
    head_is_fine && is_part(last) && inner.iter().all(|part| is_part(part))
}

/// A date, or a date and a time, in the forms that YAML takes for one.
fn is_time(value: &str) -> bool {
    let (date, time) = match value.find(['T', 't', ' ']) {
        Some(at) => (&value[..at], Some((&value[at..=at], &value[at + 1..]))),
        None => (value, None),
    };
    let mut parts = date.split('-');
    let mut number = |lengths: std::ops::RangeInclusive<usize>| {
        let part = parts.next()?;
        let is_fine = lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        is_fine.then(|| part.parse::<i16>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(4..=4), number(1..=2), number(1..=2)) else {
        return false;
    };
    let (month, day) = (i8::try_from(month).unwrap_or(0), i8::try_from(day).unwrap_or(0));
    if parts.next().is_some() || Date::new(year, month, day).is_err() {
        return false;
    }
    match time {
        None => true,
        Some((" ", time)) => is_clock(time),
        Some((_, time)) => match time.strip_suffix('Z') {
            Some(clock) => is_clock(clock),
            None => time.rfind(['+', '-']).is_some_and(|at| {
                let zone = time[at + 1..].split_once(':');
                is_clock(&time[..at])
                    && zone.is_some_and(|(h, m)| below(h, 24, 2) && below(m, 60, 2))
            }),
        },
    }
}

fn is_clock(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts[..] else { return false };
    (below(hour, 24, 1) && below(minute, 60, 1) && below(second, 60, 1))
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

fn below(text: &str, limit: u8, least_digits: usize) -> bool {
    (least_digits..=2).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.parse::<u8>().is_ok_and(|number| number < limit)
}

#[cfg(test)]
mod tests {
    use super::push;

    fn written(value: &str) -> String {
        let mut out = String::new();
        push(&mut out, value, "    ");
        out
    }

    #[test]
    fn what_would_not_read_as_text_is_in_double_quotes() {
        for value in [
            "3",
            "0.70",
            "1e3",
            "0x1F",
            "1_000",
            "true",
            "Yes",
            "on",
            "y",
            "~",
            "null",
            "2026-10-10",
            "2026-09-30T07:15:00Z",
            "1:30",
            ".inf",
            "",
            "007",
            "2026-1-2 3:4:5",
            "+1",
            "-.5",
            "0b11",
            "2026-09-30T07:15:00.25+02:00",
            "5.",
            "<<",
        ] {
            assert_eq!(written(value), format!("\"{value}\""));
        }
    }

    #[test]
    fn plain_texts_stand_as_they_are() {
        for value in [
            "a,b",
            "a:b",
            "it's",
            "sha256-00ff",
            "café",
            "NaN",
            "=",
            "-x",
            "?x",
            "C:\\dir",
            "0x",
            "2026-13-40",
            "1e999",
            "1.2.3",
            "https://example.org/a?b=c#d",
            "2026-09-30T25:00:00Z",
            "9fd",
            "v1",
            "1:75",
            "日本語",
            "e3",
        ] {
            assert_eq!(written(value), value);
        }
    }

    #[test]
    fn markup_is_in_single_quotes() {
        for value in [
            "# x", "*x", "&x", "[a]", "{a}", ",x", "\"so\"", "@x", "`x`", "%x", "!x", "|x", ">x",
            "- x", "? x", "a: b", "a #b", "a:", " x", "x ", "---", "...", "-", "--- x",
        ] {
            assert_eq!(written(value), format!("'{value}'"));
        }
        assert_eq!(written("'a'"), "'''a'''");
    }

    #[test]
    fn what_is_not_printable_is_escaped() {
        for (value, want) in [
            ("a\tb", r#""a\tb""#),
            ("\u{7}", r#""\a""#),
            ("\u{feff}x", r#""\uFEFFx""#),
            ("👍", r#""\U0001F44D""#),
            ("\u{1}", r#""\x01""#),
            ("a\u{85}b", r#""a\Nb""#),
        ] {
            assert_eq!(written(value), want);
        }
    }

    #[test]
    fn lines_make_a_literal_block() {
        assert_eq!(written("a\nb"), "|-\n    a\n    b");
        assert_eq!(written("a\n\nb\n"), "|\n    a\n\n    b");
        assert_eq!(written("a\n\n"), r#""a\n\n""#);
        assert_eq!(written(" a\nb"), r#"" a\nb""#);
        assert_eq!(written("a \nb"), r#""a \nb""#);
    }
}
