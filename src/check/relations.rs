//! Whether relations lead where their author meant.

use std::collections::{HashMap, HashSet};

use super::chains::Chains;
use super::nearest::nearest;
use super::{Findings, Place, World};
use crate::document::Document;
use crate::mark::{Authority, canonical, decoded_path, resolve};
use crate::relations::{PREFIX, Reason, Relation};

pub(super) fn check(world: &World<'_>, document: &Document, findings: &mut Findings) {
    keys(document, findings);
    let Some(declared) = world.declared(document.path()) else { return };
    let mut told: HashMap<(&str, &str), usize> = HashMap::new();
    for rejected in &declared.rejected {
        let before = told.entry((&rejected.key, &rejected.value)).or_insert(0);
        let place = Place::part(document, &rejected.key, &rejected.value, *before);
        *before += 1;
        match rejected.reason {
            Reason::EmptyPredicate => findings.add(
                "R007",
                place,
                format!("`{}` has no predicate, so {} is dropped", rejected.key, rejected.value),
                "say which relation it is, such as `rel-related`",
            ),
            Reason::WhiteSpace => findings.add(
                "R006",
                place,
                format!("`{}` has white space in it, so it is dropped", rejected.value),
                white_space(world, document, &rejected.value),
            ),
            Reason::SelfReference => findings.add(
                "R005",
                place,
                "the target is the document itself, so it is dropped",
                "name the document that is meant, or remove the target",
            ),
        }
    }
    let mut seen: HashMap<(&str, String), usize> = HashMap::new();
    for relation in &declared.refs {
        let before = seen.entry((&relation.predicate, relation.location())).or_insert(0);
        let nth = *before;
        *before += 1;
        // Where it is written is looked for only where there is something to say.
        let place = || written(document, relation, nth);
        if nth > 0 {
            findings.add(
                "R009",
                place(),
                format!("{} is declared twice as {}", relation.location(), relation.predicate),
                "remove one of the two",
            );
            continue;
        }
        target(world, relation, &place, findings);
    }
}

/// What is wrong with white space in a target: a comma is missing, or the document's
/// own path has it.
fn white_space(world: &World<'_>, document: &Document, value: &str) -> String {
    let whole = value.split('#').next().unwrap_or(value);
    let resolved = decoded_path(&resolve(document.path(), whole));
    if resolved.is_some_and(|path| world.document(&path).is_some()) {
        return "rename that document: no target can have white space, and a reader asks for %20 \
                as it stands"
            .to_owned();
    }
    let parts: Vec<&str> = value.split_whitespace().collect();
    let is_document = |part: &&str| {
        let target = part.split('#').next().unwrap_or(part);
        target.ends_with(".md") || world.document(&resolve(document.path(), target)).is_some()
    };
    if parts.iter().all(is_document) {
        format!("put a comma between them: `{}`", parts.join(", "))
    } else {
        "name one document; a target cannot have white space".to_owned()
    }
}

/// The place of a relation: the part of the value that it was read from, `before` of
/// those that mean the same passed over.
pub(super) fn written(document: &Document, relation: &Relation, before: usize) -> Place {
    let key = format!("{PREFIX}{}", relation.predicate);
    let value = document.metadata().get(&key).map(String::as_str).unwrap_or_default();
    let is_it = |part: &&str| {
        let (target, fragment) = part.split_once('#').unwrap_or((part, ""));
        fragment == relation.fragment && resolve(document.path(), target) == relation.target
    };
    let parts = value.split(',').map(str::trim).enumerate();
    match parts.filter(|(_, part)| is_it(part)).nth(before) {
        Some((nth, part)) => Place::Value(key, part.to_owned(), nth),
        None => Place::Key(key),
    }
}

fn target(
    world: &World<'_>,
    relation: &Relation,
    place: &dyn Fn() -> Place,
    findings: &mut Findings,
) {
    let target = &relation.target;
    if Authority::of(target) != Authority::Bare {
        findings.add(
            "R003",
            place(),
            format!("{target} is on another authority: it is named and not followed"),
            "nothing, if that is meant",
        );
        return;
    }
    match world.error(target) {
        Some("archived") => {
            findings.add(
                "R002",
                place(),
                format!("{target} is archived, so a fetch of it fails"),
                "name the document that took its place, or remove the relation",
            );
            return;
        }
        Some(error) => {
            findings.add(
                "R001",
                place(),
                format!("a fetch of {target} gives `{error}`"),
                "name a document that can be read, or remove the relation",
            );
            return;
        }
        None => {}
    }
    let Some(found) = world.document(target) else {
        missing(world, relation, place(), findings);
        return;
    };
    if !relation.fragment.is_empty() && found.outline().find(&relation.fragment).is_none() {
        let anchors = found.outline().headings().iter().map(|heading| heading.anchor.as_str());
        let help = match nearest(&relation.fragment, anchors.clone()) {
            Some(near) => format!("there is #{near}"),
            None => match anchors.take(3).collect::<Vec<_>>() {
                none if none.is_empty() => "the document has no headings".to_owned(),
                some => format!("its sections are #{}", some.join(", #")),
            },
        };
        findings.add(
            "R004",
            place(),
            format!("{target} has no section #{}", relation.fragment),
            help,
        );
    }
}

fn missing(world: &World<'_>, relation: &Relation, place: Place, findings: &mut Findings) {
    let target = relation.target.as_str();
    if world.document(&relation.location()).is_some() {
        findings.add(
            "R001",
            place,
            format!(
                "{} is there, but a reader takes what follows the # for an anchor and asks for {target}",
                relation.location()
            ),
            "rename that document so that its path has no #",
        );
        return;
    }
    if world.store.catalog().is_directory(target.trim_end_matches('/')) {
        findings.add(
            "R001",
            place,
            format!("{target} is a folder and no document"),
            format!("name a document in it, such as {}/index.md", target.trim_end_matches('/')),
        );
        return;
    }
    let decoded = decoded_path(target);
    if let Some(decoded) = decoded.filter(|decoded| world.document(decoded).is_some()) {
        findings.add(
            "P001",
            place,
            format!("{decoded} is there, but a reader asks for {target}, which is not"),
            "give the document a path of letters, digits, dashes and dots",
        );
        return;
    }
    let help = match world.paths().nearest(target).filter(|near| *near != findings.path) {
        Some(near) => format!("there is {near}"),
        None => "correct the path, or remove the relation".to_owned(),
    };
    findings.add("R001", place, format!("there is no document {target}"), help);
}

/// Keys that are meant as relations and are none.
fn keys(document: &Document, findings: &mut Findings) {
    for (key, value) in document.metadata() {
        let plain: String = key
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        let help = match plain.as_str() {
            // A key of that name may be anything, unless it names documents.
            "rel" if key == "rel" && !names_documents(value) => continue,
            "rel-" if key == PREFIX => continue,
            "rel" | "rel-" => "say which relation it is, such as `rel-related`".to_owned(),
            plain if plain == key || !plain.starts_with(PREFIX) => continue,
            plain => format!("write `{plain}`"),
        };
        findings.add(
            "R008",
            Place::Key(key.clone()),
            format!("`{key}` is no relation for a reader"),
            help,
        );
    }
}

/// Whether all parts of a value look like targets.
fn names_documents(value: &str) -> bool {
    value.split(',').map(str::trim).all(|part| {
        let target = part.split('#').next().unwrap_or(part);
        target.ends_with(".md") || target.starts_with("mark://")
    })
}

/// Whether a relation's inverses are declared by its target.
pub(super) fn inverses(
    world: &World<'_>,
    chains: &Chains,
    document: &Document,
    findings: &mut Findings,
) {
    let itself = canonical(document.path());
    let Some(declared) = world.declared(document.path()) else { return };
    let mut told: HashSet<(&str, &str)> = HashSet::new();
    for relation in &declared.refs {
        let Some(target) = world.document(&relation.target) else { continue };
        // Of a circle one relation is to go: no other is asked for.
        if chains.are_on_circle(document.path(), target.path(), &relation.predicate) {
            continue;
        }
        let back = world.declared(target.path()).map_or(&[][..], |back| &back.refs);
        for inverse in world.settings.inverses(&relation.predicate) {
            let is_said =
                back.iter().any(|back| back.predicate == inverse && back.target == itself);
            // A second relation to the same document asks for nothing more.
            if is_said || !told.insert((inverse, &relation.target)) {
                continue;
            }
            findings.add(
                "R011",
                written(document, relation, 0),
                format!("{} does not name this document under `{PREFIX}{inverse}`", target.path()),
                format!("declare `{PREFIX}{inverse}: {}` there", document.path()),
            );
        }
    }
}
