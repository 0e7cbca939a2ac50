//! Metadata as a server sends it: what only a publisher's way of writing sets apart
//! is no difference.

use std::collections::BTreeMap;

use crate::mark::wire::SERVER_KEYS;
use crate::relations::PREFIX;

type Metadata = BTreeMap<String, String>;

/// Keys whose values are sentences or names: a comma in them divides no list.
const TEXTS: [&str; 5] = ["title", "description", "type", "resource", "timestamp"];

/// Keys of a request and of a version file: no store takes them from a publisher.
const CONTROL_KEYS: [&str; 5] =
    ["auth", "expected-version", "if-none-match", "if-modified-since", "previous-hash"];

/// The metadata of a document, to be held against that of the same document in another
/// world: lists are joined as a server joins them.
///
/// `is_published` is whether one of the two worlds may be what a store made of the
/// other. Then also: a key that no server sends is left out, unless the other world has
/// it under the name that publishing gives it; values are one line; and what is empty or
/// has several lines is left out where the other world lacks it.
pub(super) fn wire_form(own: &Metadata, other: &Metadata, is_published: bool) -> Metadata {
    let mut out = Metadata::new();
    for (key, value) in own {
        let key = match is_published {
            false => key.clone(),
            true => match sent_key(key, own, other) {
                Some(key) => key,
                None => continue,
            },
        };
        let value = match (is_list(&key), is_published) {
            (true, _) => joined(value),
            (false, false) => value.clone(),
            (false, true) => {
                let value = one_line(value);
                let is_one_list = !TEXTS.contains(&key.as_str())
                    && other.get(&key).is_some_and(|other| joined(other) == joined(&value));
                if is_one_list { joined(&value) } else { value }
            }
        };
        let is_dropped =
            value.is_empty() || own.get(&key).is_some_and(|v| v.contains(['\n', '\r']));
        if is_published && is_dropped && !has(other, &key) {
            continue;
        }
        out.insert(key, value);
    }
    out
}

/// The key that a server sends it under, if it sends it at all.
fn sent_key(key: &str, own: &Metadata, other: &Metadata) -> Option<String> {
    if is_sent(key) {
        return Some(key.to_owned());
    }
    let published = published_key(key);
    let is_taken = own.contains_key(&published) || !is_sent(&published);
    (!is_taken && other.contains_key(&published)).then_some(published)
}

fn is_sent(key: &str) -> bool {
    !key.is_empty()
        && key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !SERVER_KEYS.contains(&key)
        && !CONTROL_KEYS.contains(&key)
}

/// The name that publishing gives a key: small letters, and one `-` for each run of
/// anything else.
fn published_key(key: &str) -> String {
    let small = key.to_lowercase();
    let parts = small.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Whether a key is there, under its own name or one that is published as it.
fn has(metadata: &Metadata, key: &str) -> bool {
    metadata.contains_key(key) || metadata.keys().any(|own| published_key(own) == key)
}

fn is_list(key: &str) -> bool {
    key == "tags" || key.starts_with(PREFIX)
}

/// A list as a server joins it.
fn joined(value: &str) -> String {
    let parts = value.split(',').map(one_line);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",")
}

/// A value on one line.
fn one_line(value: &str) -> String {
    let lines = value.split(['\n', '\r']).map(str::trim);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    type Written = &'static [(&'static str, &'static str)];

    fn metadata(pairs: &[(&str, &str)]) -> Metadata {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_a_server_sends_alike_is_alike() {
        let alike: [(Written, Written); 11] = [
            (&[("tags", "a, b")], &[("tags", "a,b")]),
            (&[("tags", " a ,, b,")], &[("tags", "a,b")]),
            (&[("rel-by", "/b.md, /c.md")], &[("rel-by", "/b.md,/c.md")]),
            (&[("keywords", "a, b")], &[("keywords", "a,b")]),
            (&[("Author", "A")], &[]),
            (&[("Author", "A")], &[("author", "A")]),
            (&[("rel_by", "/a.md")], &[("rel-by", "/a.md")]),
            (&[("okf_version", "1")], &[]),
            (&[("etag", "x"), ("auth", "t"), ("previous-hash", "h")], &[]),
            (&[("description", "folded\nin two\n")], &[("description", "folded in two")]),
            (&[("description", "folded\n"), ("owner", "")], &[]),
        ];
        for (first, second) in alike {
            let (first, second) = (metadata(first), metadata(second));
            let forms = (wire_form(&first, &second, true), wire_form(&second, &first, true));
            assert_eq!(forms.0, forms.1, "{first:?} {second:?}");
        }
        let others: [(Written, Written); 6] = [
            (&[("tags", "a, b")], &[("tags", "b,a")]),
            (&[("tags", "a, b")], &[("tags", "a")]),
            (&[("rel-by", "/b.md, /c.md")], &[("rel-by", "/b.md,/d.md")]),
            (&[("title", "A, b")], &[("title", "A,b")]),
            (&[("author", "A")], &[]),
            (&[("Author", "A")], &[("author", "B")]),
        ];
        for (first, second) in others {
            let (first, second) = (metadata(first), metadata(second));
            let forms = (wire_form(&first, &second, true), wire_form(&second, &first, true));
            assert_ne!(forms.0, forms.1, "{first:?} {second:?}");
        }
    }

    #[test]
    fn two_folders_are_held_against_each_other_key_by_key() {
        let (first, second) =
            (metadata(&[("Author", "A"), ("tags", "a,b")]), metadata(&[("tags", "a, b")]));
        assert_eq!(wire_form(&first, &second, false), first);
        assert_eq!(wire_form(&second, &first, false), metadata(&[("tags", "a,b")]));
    }
}
