//! What an author should know before publishing: faults in relations, citations and
//! metadata that no lookup ever reports.
//!
//! Pure: documents in, findings out. A finding says where in the document it is
//! ([`Place`]); [`locate`] finds the line of that in the file's text.
//!
//! - `rules`: the rules, their codes, and what each means for a reader
//! - `settings`: a world's own `.markscope.toml`
//! - `relations`, `predicates`, `chains`, `reach`, `citation`, `metadata`: a family of rules each
//! - `locate`, `written`: the line and column of a place

mod chains;
mod citation;
mod locate;
mod metadata;
mod nearest;
mod predicates;
mod reach;
mod relations;
mod rules;
mod settings;
mod written;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::document::Document;
use crate::lookup::Store;
use crate::relations::Relations;

pub use locate::{Located, locate};
use nearest::Paths;
pub use nearest::nearest;
pub use rules::{RULES, Rule};
pub use settings::{Settings, SettingsError};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// A reader gets less than the author meant, or may.
    Warning,
    /// What is declared cannot work.
    Error,
}

impl Severity {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What of a document a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// The document as a whole.
    Document,
    /// A metadata key.
    Key(String),
    /// A part of a metadata value, as it is read, and which one it is of those that the
    /// commas divide, counted from 0.
    Value(String, String, usize),
    /// Bytes of the body, from the first to the one behind the last.
    Body(usize, usize),
}

impl Place {
    /// Bytes of the body.
    fn body(range: Range<usize>) -> Self {
        Self::Body(range.start, range.end)
    }

    /// A part of a metadata value: the one that `before` equal ones stand before.
    fn part(document: &Document, key: &str, part: &str, before: usize) -> Self {
        let value = document.metadata().get(key).map(String::as_str).unwrap_or_default();
        let mut same = value.split(',').enumerate().filter(|(_, other)| other.trim() == part);
        match same.nth(before) {
            Some((nth, _)) => Self::Value(key.to_owned(), part.to_owned(), nth),
            None => Self::Key(key.to_owned()),
        }
    }

    /// The metadata key, where it is one or in one.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Key(key) | Self::Value(key, ..) => Some(key),
            Self::Document | Self::Body(..) => None,
        }
    }
}

/// Something that an author should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How much it matters in this world.
    pub severity: Severity,
    /// The document's path.
    pub path: String,
    /// Where in it.
    pub place: Place,
    /// What is wrong, without a full stop. May hold any character of the document.
    pub message: String,
    /// The way out, without a full stop.
    pub help: String,
}

/// What the rules look at.
pub(crate) struct World<'a> {
    store: &'a Store,
    settings: &'a Settings,
    paths: OnceLock<Paths<'a>>,
    /// Each document by its path, with what it declares: rules ask for both over and
    /// over.
    known: FxHashMap<&'a str, (&'a Arc<Document>, Relations)>,
}

impl<'a> World<'a> {
    fn new(store: &'a Store, settings: &'a Settings) -> Self {
        let documents = store.catalog().documents().par_iter();
        let known = documents.map(|document| {
            let declared = Relations::of(document.path(), document.metadata());
            (document.path(), (document, declared))
        });
        Self { store, settings, paths: OnceLock::new(), known: known.collect() }
    }

    /// What a document of the world declares.
    fn declared(&self, path: &str) -> Option<&Relations> {
        self.known.get(path).map(|(_, declared)| declared)
    }

    /// The document that a fetch of a location gives.
    fn fetch(&self, location: &str) -> Option<&'a Arc<Document>> {
        match self.error(location) {
            Some(_) => None,
            None => self.document(location),
        }
    }

    fn documents(&self) -> &'a [Arc<Document>] {
        self.store.catalog().documents()
    }

    fn document(&self, path: &str) -> Option<&'a Arc<Document>> {
        self.known.get(path).map(|(document, _)| *document)
    }

    /// The paths, to find one that was meant. Most worlds never need it.
    fn paths(&self) -> &Paths<'a> {
        self.paths.get_or_init(|| Paths::of(self.documents()))
    }

    /// The error text that a fetch of a path gives, where the world declares one.
    fn error(&self, path: &str) -> Option<&'a str> {
        self.store.errors().get(path).map(String::as_str)
    }
}

/// Findings as they are made, before settings have their say.
pub(crate) struct Findings {
    path: String,
    found: Vec<Finding>,
}

impl Findings {
    fn of(path: &str) -> Self {
        Self { path: path.to_owned(), found: Vec::new() }
    }

    fn add(
        &mut self,
        code: &str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add_as(code, None, place, message, help);
    }

    /// The same with another severity than the rule's usual one.
    fn add_as(
        &mut self,
        code: &str,
        severity: Option<Severity>,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let Some(rule) = Rule::of(code) else { unreachable!("no rule {code}") };
        self.found.push(Finding {
            rule,
            severity: severity.unwrap_or(rule.severity),
            path: self.path.clone(),
            place,
            message: message.into(),
            help: help.into(),
        });
    }
}

/// Looks a whole world through. Findings stand in the order of paths; those of one
/// document by what they are about, so where lines are known they are sorted again.
pub fn check(store: &Store, settings: &Settings) -> Vec<Finding> {
    let world = World::new(store, settings);
    let shared = Shared::of(&world);
    let documents = world.documents().par_iter();
    let mut found: Vec<Finding> = documents
        .flat_map_iter(|document| {
            let mut findings = Findings::of(document.path());
            relations::check(&world, document, &mut findings);
            predicates::check(&world, &shared.uses, document, &mut findings);
            relations::inverses(&world, &shared.chains, document, &mut findings);
            chains::check(&world, &shared.chains, document, &mut findings);
            reach::check(&world, &shared.titles, document, &mut findings);
            citation::check(&world, &shared.sections, document, &mut findings);
            metadata::check(&world, &shared.tags, document, &mut findings);
            findings.found
        })
        .collect();
    found.retain_mut(|finding| settings.judge(finding));
    found.sort_by(|a, b| {
        (&a.path, &a.place, a.rule.code, &a.message).cmp(&(
            &b.path,
            &b.place,
            b.rule.code,
            &b.message,
        ))
    });
    found
}

/// What is worked out once for all documents.
struct Shared {
    chains: chains::Chains,
    titles: reach::Titles,
    sections: citation::Sections,
    tags: metadata::Tags,
    uses: predicates::Uses,
}

impl Shared {
    fn of(world: &World<'_>) -> Self {
        let documents = world.documents();
        // The outlines, which are parsed once, take the most time of all.
        documents.par_iter().for_each(|document| {
            document.outline();
        });
        let ((chains, tags), ((titles, uses), sections)) = rayon::join(
            || (chains::Chains::of(world), metadata::Tags::of(documents)),
            || {
                rayon::join(
                    || (reach::Titles::of(documents), predicates::Uses::of(documents)),
                    || citation::Sections::of(documents),
                )
            },
        );
        Self { chains, titles, sections, tags, uses }
    }
}

/// Counts by severity.
pub fn counts(findings: &[Finding]) -> HashMap<Severity, usize> {
    let mut counts = HashMap::new();
    for finding in findings {
        *counts.entry(finding.severity).or_default() += 1;
    }
    counts
}
