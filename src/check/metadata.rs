//! What of the metadata a lookup or a store takes otherwise than it was meant.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Findings, Place, Severity, World};
use crate::document::Document;
use crate::mark::wire::SERVER_KEYS;
use crate::relations::PREFIX;
use crate::text::lowercase;

/// Limits of a store (store format, section 7).
const MOST_KEYS: usize = 50;
const MOST_METADATA: usize = 1024;
const MOST_BODY: usize = 1_048_576;
/// A store also takes no more than this of the front matter that it writes itself. No
/// rule asks for it: what is within the two limits above is always within this one.
const MOST_FRONT_MATTER: usize = 2048;
/// The longest lines that a store adds, the two fences, and `meta.`, `: ` and a line
/// feed for each key.
const ADDED: usize = "---\nversion: 2147483647\narchived: false\n---\n".len()
    + "previous-hash: sha256-\n".len()
    + 64
    + "type: Document\n".len()
    + MOST_KEYS * "meta.: \n".len();
const _: () = assert!(MOST_METADATA + ADDED <= MOST_FRONT_MATTER, "a rule is needed for it");
/// Keys that a store keeps for itself, or takes for a condition of the request
/// (store format, section 4); beside those of a server's answers.
const KEPT_KEYS: [&str; 6] =
    ["version", "previous-hash", "auth", "expected-version", "if-none-match", "if-modified-since"];

/// The index of an Open Knowledge Format bundle, and the one key that it has (store
/// format, section 11.1).
const OKF_INDEX: &str = "/index.md";
const OKF_VERSION: &str = "okf_version";
/// Keys of that format that a store renames or drops.
const OKF_KEYS: [&str; 2] = ["status", "stale_after"];

/// The spelling of each tag that most documents use, by its lowercase.
pub(super) struct Tags(HashMap<String, String>);

impl Tags {
    pub(super) fn of(documents: &[Arc<Document>]) -> Self {
        let mut uses: HashMap<String, BTreeMap<String, usize>> = HashMap::new();
        for tag in documents.iter().flat_map(|document| document.tags()) {
            *uses.entry(lowercase(tag)).or_default().entry(tag.to_owned()).or_insert(0) += 1;
        }
        let usual = uses.into_iter().filter(|(_, spellings)| spellings.len() > 1);
        let usual = usual.filter_map(|(lower, spellings)| {
            // Of equals the first, which has the capitals.
            let most = spellings.iter().rev().max_by_key(|(_, count)| **count)?;
            Some((lower, most.0.clone()))
        });
        Self(usual.collect())
    }
}

pub(super) fn check(world: &World<'_>, tags: &Tags, document: &Document, findings: &mut Findings) {
    if let Some(value) = document.metadata().get("importance") {
        let read: Option<f64> = value.trim().parse().ok();
        let wrong = match read {
            Some(number) if (0.0..=1.0).contains(&number) => None,
            Some(number) if number.is_finite() => Some("is not between 0 and 1"),
            _ => Some("is no decimal number"),
        };
        if let Some(wrong) = wrong {
            findings.add(
                "M001",
                Place::Value("importance".into(), value.trim().to_owned(), 0),
                format!("`{}` {wrong}, so the importance is 0.5", value.trim()),
                "write a number from 0 to 1, such as 0.8",
            );
        }
    }
    for (at, tag) in document.tags().enumerate() {
        if let Some(usual) = tags.0.get(&lowercase(tag)).filter(|usual| *usual != tag) {
            let before = document.tags().take(at).filter(|other| *other == tag).count();
            findings.add(
                "M002",
                Place::part(document, "tags", tag, before),
                format!("the tag `{tag}` is written `{usual}` elsewhere"),
                "choose one spelling",
            );
        }
    }
    if !has_title(document) {
        findings.add(
            "M003",
            Place::Document,
            format!("there is no title, so the table shows `{}`", document.title()),
            "declare `title:`, or begin the text with a line `# Title`",
        );
    }
    keys(world, document, findings);
    sizes(document, findings);
}

/// Whether a document says its title, in its metadata or its text.
pub(super) fn has_title(document: &Document) -> bool {
    let name = document.path().rsplit('/').next().unwrap_or(document.path());
    let is_declared =
        document.metadata().get("title").is_some_and(|title| !title.trim().is_empty());
    is_declared || document.title() != name
}

fn keys(world: &World<'_>, document: &Document, findings: &mut Findings) {
    for (key, value) in document.metadata() {
        let is_served = !key.is_empty()
            && key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        let plain: String = lowercase(key)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        if key == OKF_VERSION && document.path() == OKF_INDEX {
            continue;
        }
        // A bundle keeps to its own format, whatever a store makes of it.
        let is_okf = OKF_KEYS.contains(&key.as_str())
            && world
                .document(OKF_INDEX)
                .is_some_and(|index| index.metadata().contains_key(OKF_VERSION));
        let severity = is_okf.then_some(Severity::Note);
        // What is nearly a relation has a finding of its own.
        if !(is_served || plain.starts_with(PREFIX) || plain == "rel") {
            findings.add_as(
                "M004",
                severity,
                Place::Key(key.clone()),
                format!("`{key}` is renamed or dropped when the document is published"),
                format!("write `{}`", plain.trim_matches('-')),
            );
        } else if SERVER_KEYS.contains(&key.as_str()) || KEPT_KEYS.contains(&key.as_str()) {
            findings.add_as(
                "M004",
                severity,
                Place::Key(key.clone()),
                format!("`{key}` is a key of the server's own, so it is dropped"),
                "give it another name",
            );
        } else if value.trim_end_matches(['\n', '\r']).contains(['\n', '\r']) {
            // The line feed at the end of a folded text is no loss.
            findings.add(
                "M004",
                Place::Key(key.clone()),
                format!("the value of `{key}` has a line break, which a store does not keep"),
                "write it on one line",
            );
        }
    }
}

fn sizes(document: &Document, findings: &mut Findings) {
    let metadata = document.metadata();
    if metadata.len() > MOST_KEYS {
        findings.add(
            "M005",
            Place::Document,
            format!("{} metadata keys; a store takes {MOST_KEYS}", metadata.len()),
            "join or remove some",
        );
    }
    let size = |(key, value): (&String, &String)| match key.as_str() {
        // A store counts tags as the list that it writes: `[a, b]`.
        "tags" => {
            let tags: Vec<&str> = document.tags().collect();
            key.len() + tags.join(", ").len() + 2
        }
        _ => key.len() + value.len(),
    };
    let bytes: usize = metadata.iter().map(size).sum();
    if bytes > MOST_METADATA {
        let largest = metadata.iter().max_by_key(|(_, value)| value.len());
        findings.add(
            "M006",
            largest.map_or(Place::Document, |(key, _)| Place::Key(key.clone())),
            format!("{bytes} bytes of metadata; a store takes {MOST_METADATA}"),
            "shorten this value, which is the longest, or move some of it into the body",
        );
    }
    if document.body().len() > MOST_BODY {
        findings.add(
            "M007",
            Place::Document,
            format!("the body has {} bytes; a store takes {MOST_BODY}", document.body().len()),
            "divide the document",
        );
    }
}
