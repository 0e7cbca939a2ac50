//! What a document declares in its `rel-*` metadata.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::mark::{canonical, resolve};

/// The beginning of every metadata key that declares relations.
pub const PREFIX: &str = "rel-";

/// One relation that a document declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relation {
    /// The predicate: the metadata key without `rel-`.
    #[serde(rename = "rel")]
    pub predicate: String,
    /// The location of the target, resolved against the document's.
    pub target: String,
    /// What follows the first `#` of the target as written; empty for none.
    pub fragment: String,
}

impl Relation {
    /// The target with its fragment, as a relation line shows it.
    pub fn location(&self) -> String {
        if self.fragment.is_empty() {
            self.target.clone()
        } else {
            format!("{}#{}", self.target, self.fragment)
        }
    }
}

/// A part of a relation's value that no reader sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// The metadata key.
    pub key: String,
    /// The part, trimmed.
    pub value: String,
    /// Why it is left out.
    pub reason: Reason,
}

/// Why a part of a relation's value is left out. Never an error for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Reason {
    /// The key is `rel-` and nothing more.
    #[serde(rename = "empty predicate")]
    EmptyPredicate,
    /// White space inside the part, often a missing comma.
    #[serde(rename = "whitespace in reference")]
    WhiteSpace,
    /// The target is the document itself.
    #[serde(rename = "self reference")]
    SelfReference,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EmptyPredicate => "empty predicate",
            Self::WhiteSpace => "whitespace in reference",
            Self::SelfReference => "self reference",
        })
    }
}

/// All relations of one document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Relations {
    /// In the order of a relation line: keys in byte order, targets as written.
    pub refs: Vec<Relation>,
    /// What was left out, in the same order.
    pub rejected: Vec<Rejected>,
}

impl Relations {
    /// Reads the relations from a document's metadata. `location` is the
    /// document's own, a bare path or `mark://…`, without a version.
    pub fn of(location: &str, metadata: &BTreeMap<String, String>) -> Self {
        let mut relations = Self::default();
        let itself = canonical(location);
        for (key, value) in metadata.range(PREFIX.to_owned()..) {
            let Some(predicate) = key.strip_prefix(PREFIX) else { break };
            for part in value.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                let (target, fragment) = part.split_once('#').unwrap_or((part, ""));
                let resolved = resolve(location, target);
                let reason = if predicate.is_empty() {
                    Some(Reason::EmptyPredicate)
                } else if part.contains(char::is_whitespace) {
                    Some(Reason::WhiteSpace)
                } else if resolved == itself {
                    Some(Reason::SelfReference)
                } else {
                    None
                };
                match reason {
                    Some(reason) => relations.rejected.push(Rejected {
                        key: key.clone(),
                        value: part.to_owned(),
                        reason,
                    }),
                    None => relations.refs.push(Relation {
                        predicate: predicate.to_owned(),
                        target: resolved,
                        fragment: fragment.to_owned(),
                    }),
                }
            }
        }
        relations
    }

    /// The relations as a reader sees them, `rel-by /a.md, /b.md; rel-genre
    /// /g.md#origins`, or `None` where there are none.
    pub fn line(&self) -> Option<String> {
        let mut out = String::new();
        let mut before: Option<&str> = None;
        for relation in &self.refs {
            if before == Some(&relation.predicate) {
                out.push_str(", ");
            } else {
                if before.is_some() {
                    out.push_str("; ");
                }
                out.push_str(PREFIX);
                out.push_str(&relation.predicate);
                out.push(' ');
            }
            out.push_str(&relation.location());
            before = Some(&relation.predicate);
        }
        (!out.is_empty()).then_some(out)
    }
}
