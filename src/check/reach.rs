//! Whether a reader can reach what the author wrote.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::relations::written;
use super::{Findings, Place, Severity, World};
use crate::catalog::{Answer, Row};
use crate::document::Document;
use crate::mark::Authority;
use crate::relations::{PREFIX, Relation, Relations};
use crate::selection::{
    Answered, Engine, LARGE, PieceReport, RELATED_LIMIT, Selection, Session, TOKEN, hop_order,
};
use crate::text::lowercase;

/// What a lookup compares of each document, in the order of the ranking among
/// documents of one score.
pub(super) struct Titles {
    ranked: Vec<Ranked>,
    /// Where each path stands.
    places: HashMap<String, usize>,
    /// All titles and tags, lowercased, one after the other: a word is looked for in
    /// all of them at once.
    text: String,
    /// Where each document's part of `text` begins.
    starts: Vec<usize>,
    /// How many titles and tags have each word as one of theirs.
    uses: HashMap<String, usize>,
}

struct Ranked {
    path: String,
    title: String,
    tags: Vec<String>,
}

impl Titles {
    pub(super) fn of(documents: &[Arc<Document>]) -> Self {
        let mut order: Vec<&Arc<Document>> = documents.iter().collect();
        order.sort_by(|a, b| {
            b.importance()
                .total_cmp(&a.importance())
                .then_with(|| b.modified().cmp(&a.modified()))
                .then_with(|| a.path().cmp(b.path()))
        });
        let (mut text, mut starts) = (String::new(), Vec::new());
        let ranked: Vec<Ranked> = order
            .into_iter()
            .map(|document| {
                let title = lowercase(document.title());
                let tags: Vec<String> = document.tags().map(lowercase).collect();
                starts.push(text.len());
                text.push_str(&title);
                text.push('\n');
                for tag in &tags {
                    text.push_str(tag);
                    text.push('\n');
                }
                Ranked { path: document.path().to_owned(), title, tags }
            })
            .collect();
        let mut uses: HashMap<String, usize> = HashMap::new();
        let words = ranked.iter().flat_map(|one| {
            one.title.split_whitespace().chain(one.tags.iter().map(String::as_str))
        });
        for word in words {
            match uses.get_mut(word) {
                Some(count) => *count += 1,
                None => drop(uses.insert(word.to_owned(), 1)),
            }
        }
        let places = ranked.iter().enumerate().map(|(at, one)| (one.path.clone(), at)).collect();
        Self { ranked, places, text, starts, uses }
    }

    /// The document that a lookup by another one's title has first, if it is not
    /// that one: one with all the words that ranks higher.
    fn above(&self, path: &str) -> Option<&Ranked> {
        let place = *self.places.get(path)?;
        let one = &self.ranked[place];
        let words: Vec<&str> = one.title.split_whitespace().collect();
        // The rarest word leaves the fewest to look at.
        let use_of = |word: &str| self.uses.get(word).copied().unwrap_or(0);
        let rarest =
            words.iter().min_by_key(|word| (use_of(word), std::cmp::Reverse(word.len())))?;
        let finder = memchr::memmem::Finder::new(rarest);
        // Only those in front can be above: the score cannot be higher than all words.
        let end = self.starts[place];
        let mut from = 0;
        while let Some(at) = finder.find(&self.text.as_bytes()[from..end]) {
            let at = from + at;
            let other = self.starts.partition_point(|start| *start <= at) - 1;
            let candidate = &self.ranked[other];
            let has = |word: &&str| {
                candidate.title.contains(*word) || candidate.tags.iter().any(|tag| tag == word)
            };
            if words.iter().all(has) {
                return Some(candidate);
            }
            from = self.starts.get(other + 1).copied().unwrap_or(end).min(end);
        }
        None
    }
}

pub(super) fn check(
    world: &World<'_>,
    titles: &Titles,
    document: &Document,
    findings: &mut Findings,
) {
    let path = document.path();
    if path.contains('#') {
        findings.add(
            "P002",
            Place::Document,
            format!("a reader asks for {} instead of {path}", path.split('#').next().unwrap_or("")),
            "rename the file so that its path has no #",
        );
    }
    if let Some(above) = titles.above(path) {
        let same = above.title == lowercase(document.title());
        let place = match document.metadata().contains_key("title") {
            true => Place::Key("title".into()),
            false => Place::Document,
        };
        let what = if same { "has the same title" } else { "holds all words of the title" };
        findings.add_as(
            "P003",
            same.then_some(Severity::Warning),
            place,
            format!("a lookup by this title shows {} first, which {what}", above.path),
            "make the title more telling, or change the importance of one of them",
        );
    }
    let Some(declared) = world.declared(path) else { return };
    if declared.refs.is_empty() {
        return;
    }
    beyond_third(world, document, declared, findings);
    line(world, document, declared, findings);
    for relation in &declared.refs {
        large(world, document, relation, findings);
    }
}

/// What a reader gets of one document, or of a section of it, where the table has
/// nothing else: no other lookup leaves more room for it.
fn alone(world: &World<'_>, document: &Document, anchor: &str, query: &str) -> Selection {
    let answer = Answer::of(query, vec![Row::of(document, anchor)]);
    let answered = Answered::from_catalog(&Ok(answer), None, false);
    let budget = i64::try_from(world.settings.budget).unwrap_or(i64::MAX);
    let mut session = Session::new(answered, query, Engine::Selection);
    session.select(budget, |location| world.store.fetch(location))
}

/// Targets that could be followed, in the order in which they would be, each once.
fn beyond_third(
    world: &World<'_>,
    document: &Document,
    declared: &Relations,
    findings: &mut Findings,
) {
    let mut followed: Vec<&Relation> = Vec::new();
    for relation in hop_order(&declared.refs) {
        let is_here = Authority::of(&relation.target) == Authority::of(document.path());
        // What fails takes no place of the three.
        let brings = |target: &Document| {
            relation.fragment.is_empty() || target.outline().find(&relation.fragment).is_some()
        };
        let can_be_had = world.fetch(&relation.target).is_some_and(|target| brings(target));
        let is_new = !followed.iter().any(|before| before.target == relation.target);
        if is_here && can_be_had && is_new {
            followed.push(relation);
        }
    }
    if followed.len() <= RELATED_LIMIT {
        return;
    }
    let name = |relation: &&Relation| format!("{} {}", relation.predicate, relation.location());
    let first: Vec<String> = followed[..RELATED_LIMIT].iter().map(name).collect();
    let beyond = followed.len() - RELATED_LIMIT;
    let key = format!("{PREFIX}{}", followed[RELATED_LIMIT].predicate);
    findings.add(
        "P004",
        Place::Key(key),
        format!(
            "{beyond} of {} relations come after the third, from {} on",
            followed.len(),
            name(&followed[RELATED_LIMIT])
        ),
        format!(
            "a reader is given at most {RELATED_LIMIT}, first of all {}",
            first.join(", then ")
        ),
    );
}

/// No result needs more bytes for some bytes of a document's text, where the document
/// is the only row: table and frames with them, but no relation line.
fn most(document: &Document, range: Range<usize>) -> usize {
    let metadata: usize = document.metadata().values().map(String::len).sum();
    let text = &document.body()[range];
    // A line that begins as the frame does costs a byte more.
    let framed = 1 + memchr::memmem::find_iter(text.as_bytes(), "\n>>>").count();
    text.len() + framed + 4 * metadata + 8 * document.path().len() + 1024
}

fn budget_bytes(world: &World<'_>) -> usize {
    usize::try_from(world.settings.budget).unwrap_or(usize::MAX).saturating_mul(TOKEN)
}

/// The relation line, even where the document is the only row.
fn line(world: &World<'_>, document: &Document, declared: &Relations, findings: &mut Findings) {
    // Where all of it is smaller than the budget by far, no run is needed to know.
    let line = declared.line().map_or(0, |line| line.len());
    let most = most(document, 0..document.body().len()) + line;
    if document.body().len() < LARGE && most < budget_bytes(world) {
        return;
    }
    let selection = alone(world, document, "", document.title());
    let row = selection.rows.first();
    let Some(line) = row.and_then(|row| row.relation_line.as_ref()) else { return };
    let Some(short) = line.short() else { return };
    let key = document.metadata().keys().find(|key| key.starts_with(PREFIX));
    findings.add(
        "P005",
        key.map_or(Place::Document, |key| Place::Key(key.clone())),
        format!(
            "the relation line takes {} tokens and is {short} short at a budget of {}, even where \
             this document is the only row",
            line.bytes / TOKEN,
            world.settings.budget
        ),
        "declare fewer relations, or divide the document: none of them is followed",
    );
}

/// A target of which a reader cannot get all, and what there is instead.
fn large(world: &World<'_>, document: &Document, relation: &Relation, findings: &mut Findings) {
    let Some(target) = world.fetch(&relation.target) else { return };
    let body = target.body();
    let range = match relation.fragment.as_str() {
        "" => 0..body.len(),
        fragment => match target.outline().find(fragment) {
            Some(heading) => heading.range(),
            None => return,
        },
    };
    let bytes = range.len();
    let is_whole = bytes < LARGE || !relation.fragment.is_empty();
    // What is smaller than the budget with all around it is not worth a run.
    if is_whole && most(target, range) < budget_bytes(world) {
        return;
    }
    let selection = alone(world, target, &relation.fragment, document.title());
    let Some(row) = selection.rows.first() else { return };
    let printed: Vec<&PieceReport> =
        row.pieces.iter().filter(|piece| piece.short().is_none()).collect();
    if is_whole && !printed.is_empty() {
        return;
    }
    let instead = match printed.as_slice() {
        [] => "nothing of it fits".to_owned(),
        [outline] if outline.range.is_none() => "an outline".to_owned(),
        sections => {
            let sections: Vec<&str> = sections
                .iter()
                .map(|piece| piece.location.rsplit_once('#').map_or("", |(_, anchor)| anchor))
                .collect();
            format!("#{}", sections.join(", #"))
        }
    };
    findings.add(
        "P006",
        written(document, relation, 0),
        format!(
            "{} has {} tokens and is not printed whole at a budget of {}; for a lookup of this \
             title a reader gets of it: {instead}",
            relation.location(),
            bytes / TOKEN,
            world.settings.budget
        ),
        "name a smaller section, as path#anchor",
    );
}
