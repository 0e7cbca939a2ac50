//! Whether a reader can reach what the author wrote.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::metadata::has_title;
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
            // Zero equals zero, whatever its sign.
            (b.importance() + 0.0)
                .total_cmp(&(a.importance() + 0.0))
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
    if path.contains(char::is_control) {
        findings.add(
            "P007",
            Place::Document,
            "the path has a control character in it, so nobody can type it",
            "rename the file so that its path has none",
        );
    }
    // A document without a title is told of as that.
    if let Some(above) = titles.above(path).filter(|_| has_title(document)) {
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
    // What comes of the row is settled before any other document is looked at.
    let itself = world.document(document.path());
    let fetch = |location: &str| match itself {
        Some(itself) if location == document.path() => Ok(Arc::clone(itself)),
        _ => Err("not-found".to_owned()),
    };
    session.select(budget, fetch)
}

/// Targets that could be followed, in the order in which they would be, each once.
fn beyond_third(
    world: &World<'_>,
    document: &Document,
    declared: &Relations,
    findings: &mut Findings,
) {
    let mut followed: Vec<&Relation> = Vec::new();
    let mut tried: Vec<&str> = Vec::new();
    for relation in hop_order(&declared.refs) {
        let target = relation.target.as_str();
        let is_here = Authority::of(target) == Authority::of(document.path());
        if !is_here || tried.contains(&target) {
            continue;
        }
        // What fails takes no place of the three, but is tried only once, whatever
        // section is named then.
        let brings = |target: &Document| {
            relation.fragment.is_empty() || target.outline().find(&relation.fragment).is_some()
        };
        let can_be_had = world.fetch(target).is_some_and(|target| brings(target));
        if can_be_had || followed.len() < RELATED_LIMIT {
            tried.push(target);
        }
        if can_be_had {
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
/// is the only row of a lookup: envelope, table and frame with them, but no relation
/// line. `heading` is that of the section, where it is one.
fn most(document: &Document, range: Range<usize>, heading: &str, query: &str) -> usize {
    let text = &document.body()[range];
    // A line that begins as the frame does costs a byte more.
    let framed = 1 + memchr::memmem::find_iter(text.as_bytes(), "\n>>>").count();
    let tags: usize = document.tags().map(|tag| tag.len() + 2).sum();
    // A cell has an escape for each byte at most; an anchor is no longer than twice the
    // heading that it is made of, and a number behind it.
    let cells = document.title().len() + tags + 2 * heading.len();
    let pin = document.outline().headings().first().map_or(0, |first| first.text.len());
    let frame = 4 * document.path().len() + 2 * pin;
    text.len() + framed + 2 * (cells + query.len()) + frame + 2 * heading.len() + 512
}

/// No result needs fewer bytes for a text, where its document is the only row.
fn least(document: &Document, range: Range<usize>, query: &str) -> usize {
    let text = document.body()[range].trim();
    text.len() + 2 * document.path().len() + document.title().len() + query.len()
}

fn budget_bytes(world: &World<'_>) -> usize {
    usize::try_from(world.settings.budget).unwrap_or(usize::MAX).saturating_mul(TOKEN)
}

/// The relation line, even where the document is the only row.
fn line(world: &World<'_>, document: &Document, declared: &Relations, findings: &mut Findings) {
    // Where all of it is smaller than the budget by far, no run is needed to know.
    let line = declared.line().map_or(0, |line| line.len());
    let (all, title, budget) = (0..document.body().len(), document.title(), budget_bytes(world));
    let is_settled = || {
        most(document, all.clone(), "", title) + line < budget
            // Nothing follows a text that does not fit.
            || least(document, all.clone(), title) > budget
    };
    if document.body().len() < LARGE && is_settled() {
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

/// What a reader is told where no piece fits.
const NOTHING: &str = "nothing of it fits";

/// What a reader gets of a document that is not printed whole.
fn instead(printed: &[&PieceReport]) -> String {
    match printed {
        [] => NOTHING.to_owned(),
        [outline] if outline.range.is_none() => "a reader gets an outline of it".to_owned(),
        sections => {
            let sections: Vec<&str> = sections
                .iter()
                .map(|piece| piece.location.rsplit_once('#').map_or("", |(_, anchor)| anchor))
                .collect();
            format!("a reader gets of it #{}", sections.join(", #"))
        }
    }
}

/// A target of which a reader cannot get all, and what there is instead.
fn large(world: &World<'_>, document: &Document, relation: &Relation, findings: &mut Findings) {
    let Some(target) = world.fetch(&relation.target) else { return };
    let body = target.body();
    let (range, heading) = match relation.fragment.as_str() {
        "" => (0..body.len(), ""),
        fragment => match target.outline().find(fragment) {
            Some(heading) => (heading.range(), heading.text.as_str()),
            None => return,
        },
    };
    let bytes = range.len();
    let is_whole = bytes < LARGE || !relation.fragment.is_empty();
    // What is smaller than the budget with all around it is not worth a run.
    let title = document.title();
    if is_whole && most(target, range.clone(), heading, title) < budget_bytes(world) {
        return;
    }
    let instead = if is_whole && least(target, range, title) > budget_bytes(world) {
        NOTHING.to_owned()
    } else {
        let selection = alone(world, target, &relation.fragment, title);
        let Some(row) = selection.rows.first() else { return };
        let printed: Vec<&PieceReport> =
            row.pieces.iter().filter(|piece| piece.short().is_none()).collect();
        if is_whole && !printed.is_empty() {
            return;
        }
        instead(&printed)
    };
    findings.add(
        "P006",
        written(document, relation, 0),
        format!(
            "{} has {} tokens and is not printed whole at a budget of {}; for a lookup of this \
             title {instead}",
            relation.location(),
            bytes / TOKEN,
            world.settings.budget
        ),
        "name a smaller section, as path#anchor",
    );
}
