//! Whether what a reader gets can be cited, and the links in it lead somewhere.

use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::nearest::nearest;
use super::{Findings, Place, World};
use crate::document::Document;
use crate::mark::{Authority, decoded_path, resolve};
use crate::markdown::slug;
use crate::selection::{LARGE, pinned};

/// What a fetch of an archived document gives.
const ARCHIVED: &str = "archived";

/// Sections of fewer bytes are the same by chance.
const TELLING: usize = 64;

/// How many other documents with a text are named.
const NAMED: usize = 3;

/// Texts of sections that more than one document has.
pub(super) struct Sections {
    /// The paths of the documents that have a text, the best ranked first.
    copies: FxHashMap<String, Vec<String>>,
}

impl Sections {
    pub(super) fn of(documents: &[Arc<Document>]) -> Self {
        // All texts together are twice the world and more; only those that are
        // there twice are kept.
        let hashed: Vec<Vec<Text<'_>>> =
            documents.par_iter().map(|document| texts(document).map(Text::of).collect()).collect();
        let mut first: FxHashMap<Text<'_>, &Document> = FxHashMap::default();
        let mut copies: FxHashMap<&str, Vec<&Document>> = FxHashMap::default();
        for (document, texts) in documents.iter().zip(hashed) {
            for text in texts {
                match first.get(&text) {
                    None => {
                        first.insert(text, document);
                    }
                    Some(other) if other.path() == document.path() => {}
                    Some(other) => {
                        let copies = copies.entry(text.text).or_insert_with(|| vec![*other]);
                        if copies.last().is_some_and(|last| last.path() != document.path()) {
                            copies.push(document);
                        }
                    }
                }
            }
        }
        let ranked = copies.into_iter().map(|(text, mut documents)| {
            documents.sort_by(|a, b| {
                (b.importance() + 0.0)
                    .total_cmp(&(a.importance() + 0.0))
                    .then_with(|| b.modified().cmp(&a.modified()))
                    .then_with(|| a.path().cmp(b.path()))
            });
            (
                text.to_owned(),
                documents.into_iter().map(|document| document.path().to_owned()).collect(),
            )
        });
        Self { copies: ranked.collect() }
    }
}

/// A text with its hash, so that many are hashed at once and each only once.
#[derive(PartialEq, Eq)]
struct Text<'a> {
    hash: u64,
    text: &'a str,
}

impl<'a> Text<'a> {
    fn of(text: &'a str) -> Self {
        Self { hash: FxBuildHasher.hash_one(text), text }
    }
}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// The trimmed texts of the sections of a document; of one without headings, all.
fn texts(document: &Document) -> impl Iterator<Item = &str> {
    let body = document.body();
    let whole = document.outline().headings().is_empty().then_some(body);
    let sections = document.outline().headings().iter().map(|heading| &body[heading.range()]);
    sections.chain(whole).map(str::trim).filter(|text| text.len() >= TELLING)
}

pub(super) fn check(
    world: &World<'_>,
    sections: &Sections,
    document: &Document,
    findings: &mut Findings,
) {
    let body = document.body();
    let headings = document.outline().headings();
    if body.len() < LARGE && !body.trim().is_empty() && pinned(document).is_none() {
        pin(document, findings);
    }
    if body.len() >= LARGE && !headings.iter().any(|heading| heading.level == 2) {
        findings.add(
            "C002",
            Place::Document,
            format!("the document has {} bytes and no H2", body.len()),
            "divide it with H2 headings: a reader gets single sections of it, or an outline",
        );
    }
    for heading in headings {
        let own = slug(&heading.text);
        if own != heading.anchor {
            let message = match own.as_str() {
                "" => {
                    "this heading has no letter and no digit, and it is not the first such".into()
                }
                own => format!("a heading before has #{own}"),
            };
            findings.add(
                "C003",
                Place::body(heading.start..line_end(body, heading.start)),
                format!("{message}, so the anchor of this one is #{}", heading.anchor),
                "give it a text of its own: the number moves when another one is put in between",
            );
        }
    }
    copies(sections, document, findings);
    for empty in document.outline().empty_headings() {
        findings.add(
            "C005",
            Place::body(empty.clone()),
            "this heading has no text, so it opens no section",
            "write its text, or remove it",
        );
    }
    for link in document.outline().links() {
        let place = Place::body(link.range.clone());
        self::link(world, document, &link.destination, place, findings);
    }
}

/// What keeps a document from being cited by its H1.
fn pin(document: &Document, findings: &mut Findings) {
    let body = document.body();
    let headings = document.outline().headings();
    let at = |start: usize| Place::body(start..line_end(body, start));
    let (place, message, help) = match headings {
        [] => (
            Place::Document,
            "the document has no heading, so it is cited without an anchor".to_owned(),
            "begin it with a line `# Title`",
        ),
        [first, ..] if !body[..first.start].trim().is_empty() => {
            let start = body.len() - body.trim_start().len();
            (
                at(start),
                "text stands before the first heading, so the document is cited without an anchor"
                    .to_owned(),
                "put the H1 first",
            )
        }
        [first, ..] if first.level != 1 => (
            at(first.start),
            "the first heading is no H1, so the document is cited without an anchor".to_owned(),
            "begin with one `# ` heading",
        ),
        [first, rest @ ..] => {
            let second = rest.iter().find(|heading| heading.level == 1);
            let place = second.map_or(at(first.end.min(body.len())), |second| at(second.start));
            (
                place,
                "a second H1 ends the first one's section, so the document is cited without an anchor"
                    .to_owned(),
                "make it an H2",
            )
        }
    };
    findings.add("C001", place, message, help);
}

/// Sections that another document has too; of one in the other the outer.
fn copies(sections: &Sections, document: &Document, findings: &mut Findings) {
    let body = document.body();
    if document.outline().headings().is_empty() {
        if let Some(paths) = sections.copies.get(body.trim()) {
            copy(document, "the text", Place::Document, paths, findings);
        }
        return;
    }
    let mut covered = 0;
    for heading in document.outline().headings() {
        if heading.start < covered {
            continue;
        }
        let text = body[heading.range()].trim();
        let Some(paths) = sections.copies.get(text) else { continue };
        covered = heading.end;
        let place = Place::body(heading.start..line_end(body, heading.start));
        copy(document, &format!("section #{}", heading.anchor), place, paths, findings);
    }
}

fn copy(document: &Document, what: &str, place: Place, paths: &[String], findings: &mut Findings) {
    // A text may be in all documents of a world, so that no finding looks at all paths.
    let others = paths.iter().map(String::as_str).filter(|path| *path != document.path());
    let others: Vec<&str> = others.take(NAMED + 1).collect();
    let fate = match paths.first() {
        Some(first) if first == document.path() => "this copy is printed, the other is a stub",
        _ => "the other is printed, this copy is a stub",
    };
    findings.add(
        "C004",
        place,
        format!("{what} is in {} too, byte for byte", named(&others, paths.len() - 1)),
        format!("keep one and link to it; where both match alike, {fate}"),
    );
}

/// The first of several paths, and how many more there are of all.
fn named(paths: &[&str], all: usize) -> String {
    match paths {
        [few @ .., _] if paths.len() > NAMED => {
            format!("{} and {} more", few.join(", "), all - few.len())
        }
        few => few.join(", "),
    }
}

fn link(
    world: &World<'_>,
    document: &Document,
    destination: &str,
    place: Place,
    findings: &mut Findings,
) {
    let (target, fragment) = destination.split_once('#').unwrap_or((destination, ""));
    let found = if target.is_empty() {
        world.document(document.path())
    } else {
        let location = resolve(document.path(), target);
        if Authority::of(&location) != Authority::Bare {
            return;
        }
        let decoded = decoded_path(&location).unwrap_or_else(|| location.clone());
        // A reader that follows a link decodes it first. A link to a folder or a
        // file that is no document is not for us to judge.
        let path = decoded.split('?').next().unwrap_or(&decoded);
        if world.error(path) == Some(ARCHIVED) {
            let help = "name the document that took its place, or remove the link";
            findings.add(
                "C006",
                place,
                format!("{path} is archived, so a fetch of it fails"),
                help,
            );
            return;
        }
        let Some(found) = world.document(path) else {
            let is_document = path.ends_with(".md") && world.error(path).is_none();
            if is_document {
                let near = world.paths().nearest(path).filter(|near| *near != document.path());
                let help = match near {
                    Some(near) => format!("there is {near}"),
                    None => "correct the path, or remove the link".to_owned(),
                };
                findings.add("C006", place, format!("there is no document {path}"), help);
            }
            return;
        };
        Some(found)
    };
    let Some(found) = found.filter(|_| !fragment.is_empty()) else { return };
    let decoded = decoded_path(fragment).unwrap_or_else(|| fragment.to_owned());
    if [fragment, decoded.as_str()].into_iter().any(|typed| found.outline().find(typed).is_some()) {
        return;
    }
    let anchors = found.outline().headings().iter().map(|heading| heading.anchor.as_str());
    let help = match nearest(fragment, anchors) {
        Some(near) => format!("there is #{near}"),
        None => "correct the anchor, or leave it out".to_owned(),
    };
    let message = format!("{} has no section #{fragment}", found.path());
    findings.add("C006", place, message, help);
}

fn line_end(body: &str, start: usize) -> usize {
    let line = body[start..].split('\n').next().unwrap_or_default();
    start + line.trim_end_matches('\r').len()
}
