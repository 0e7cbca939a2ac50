//! What is wrong with a JSON value, in the words of a file's author: the parser's own
//! words are of the types of this program.

use serde_json::Error;

/// Why a value cannot be read, without the place.
pub fn words(error: &Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    if error.is_eof() {
        return "the JSON ends too early".into();
    }
    if error.is_syntax() {
        return match text {
            "trailing characters" => "something stands behind the JSON value".into(),
            _ => format!("this is not JSON: {text}"),
        };
    }
    of_data(text).unwrap_or_else(|| text.to_owned())
}

fn of_data(text: &str) -> Option<String> {
    let wrong = |rest: &str| {
        let (found, wanted) = rest.split_once(", expected ")?;
        Some(format!("this is {}; it takes {}", kind(found), kind(wanted)))
    };
    if let Some(rest) = text.strip_prefix("invalid type: ") {
        return wrong(rest);
    }
    if let Some(rest) = text.strip_prefix("invalid value: ") {
        return wrong(rest);
    }
    if let Some(rest) = text.strip_prefix("unknown field ") {
        return match rest.split_once(", expected ") {
            Some((_, known)) => Some(format!("there is no such key; {}", listed(known))),
            None => Some("there is no such key, and none is wanted here".into()),
        };
    }
    if let Some(rest) = text.strip_prefix("unknown variant ") {
        let (found, known) = rest.split_once(", expected ")?;
        return Some(format!("this is {found}; {}", listed(known)));
    }
    if let Some(key) = text.strip_prefix("missing field ") {
        return Some(format!("the key {key} is missing"));
    }
    let key = text.strip_prefix("duplicate field ")?;
    Some(format!("the key {key} stands here twice"))
}

/// What may stand there: serde lists it as ``one of `a`, `b` `` or as `` `a` or `b` ``.
fn listed(known: &str) -> String {
    let known = known.strip_prefix("one of ").unwrap_or(known);
    if known.contains(['`']) && known.matches('`').count() > 2 {
        format!("there are {known}")
    } else {
        format!("there is {known}")
    }
}

/// A kind of value as people who write JSON call it.
fn kind(of: &str) -> String {
    let (kind, value) = match of.split_once(' ') {
        Some((kind, value)) => (kind, value.trim_matches('`')),
        None => (of, ""),
    };
    match (kind, value) {
        ("map", _) | ("a", "map") | ("struct", _) => "an object".into(),
        ("sequence", _) | ("a", "sequence") => "a list".into(),
        ("a", "string" | "borrowed string") => "a text".into(),
        ("a", "boolean") => "true or false".into(),
        ("u64" | "u32" | "u16" | "u8" | "usize", _) => "a whole number, not below 0".into(),
        ("i64" | "i32", _) => "a whole number".into(),
        ("f64" | "f32", _) => "a number".into(),
        ("string", text) => format!("the text {text}"),
        ("integer", number) => format!("the number {number}"),
        ("floating", number) => {
            format!("the number {}", number.trim_start_matches("point ").trim_matches('`'))
        }
        ("boolean", value) => value.to_owned(),
        ("null", _) => "null".into(),
        _ => of.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is read to see what is wrong")]
    struct Read {
        text: String,
        #[serde(default)]
        whole: Option<usize>,
        #[serde(default)]
        share: f64,
        #[serde(default)]
        list: Vec<String>,
        #[serde(default)]
        by_name: BTreeMap<String, String>,
        #[serde(default)]
        is_so: bool,
        #[serde(default)]
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        One,
        Two,
    }

    #[test]
    fn a_fault_is_told_in_the_words_of_json() {
        for (text, want) in [
            (r#"{"text":5}"#, "this is the number 5; it takes a text"),
            (r#"{"text":null}"#, "this is null; it takes a text"),
            (r#"{"text":{}}"#, "this is an object; it takes a text"),
            (r#"{"text":["a"]}"#, "this is a list; it takes a text"),
            (
                r#"{"text":"a","whole":-4}"#,
                "this is the number -4; it takes a whole number, not below 0",
            ),
            (
                r#"{"text":"a","whole":1.5}"#,
                "this is the number 1.5; it takes a whole number, not below 0",
            ),
            (
                r#"{"text":"a","whole":"x y"}"#,
                "this is the text \"x y\"; it takes a whole number, not below 0",
            ),
            (r#"{"text":"a","share":true}"#, "this is true; it takes a number"),
            (r#"{"text":"a","list":"b"}"#, "this is the text \"b\"; it takes a list"),
            (r#"{"text":"a","by_name":[]}"#, "this is a list; it takes an object"),
            (r#"{"text":"a","is_so":1}"#, "this is the number 1; it takes true or false"),
            (r#"{"text":"a","kind":"six"}"#, "this is `six`; there are `one` or `two`"),
            (r#"{"text":"a","text":"b"}"#, "the key `text` stands here twice"),
            (r#"{"list":[]}"#, "the key `text` is missing"),
            (
                r#"{"text":"a","texd":1}"#,
                "there is no such key; there are `text`, `whole`, `share`, `list`, `by_name`, `is_so`, `kind`",
            ),
            (r#"{"text":"a""#, "the JSON ends too early"),
            (r#"{"text":"a"} x"#, "something stands behind the JSON value"),
            (r#"{text:"a"}"#, "this is not JSON: key must be a string"),
            ("[1]", "this is the number 1; it takes a text"),
            ("7", "this is the number 7; it takes an object"),
        ] {
            let error = serde_json::from_str::<Read>(text).expect_err(text);
            assert_eq!(words(&error), want, "{text}");
        }
    }
}
