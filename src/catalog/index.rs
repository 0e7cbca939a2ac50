//! The inverted index: for every term, the sections whose text and whose trail
//! have it, and the documents whose tags or title have it.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::terms::tokens;
use crate::document::Document;
use crate::markdown::{Heading, plain_lines, push_plain_lines};
use crate::text::lowercase;

/// A section of the index: the text before the first heading, or one heading's
/// own text, which ends where the next heading of any level begins.
pub(super) struct Section {
    /// Index into the documents.
    pub(super) document: u32,
    /// Index into the document's headings; `None` before the first.
    heading: Option<u32>,
    /// Tokens of the section's own text.
    pub(super) tokens: u32,
}

/// Where one term occurs.
#[derive(Default)]
pub(super) struct Postings {
    /// Sections whose own text has the term, ascending, and how often.
    pub(super) text: Vec<(u32, u8)>,
    /// Sections whose heading or whose ancestors' headings have it, ascending.
    pub(super) trail: Vec<u32>,
    /// Documents whose tags or title have it, ascending.
    pub(super) documents: Vec<u32>,
}

/// What the catalog match compares, lowercased once.
pub(super) struct Entry {
    pub(super) title: String,
    pub(super) tags: Vec<String>,
    /// Body ranking halves documents below a directory called `journal`.
    pub(super) demotion: f64,
}

/// The index over documents sorted by path.
pub(super) struct Index {
    pub(super) documents: Vec<Arc<Document>>,
    pub(super) entries: Vec<Entry>,
    pub(super) directories: HashSet<String>,
    pub(super) sections: Vec<Section>,
    /// For each document, its sections; sections of a document stand together.
    pub(super) sections_of: Vec<Range<u32>>,
    terms: FxHashMap<Box<str>, u32>,
    postings: Vec<Postings>,
}

impl Index {
    pub(super) fn build(mut documents: Vec<Arc<Document>>) -> Self {
        documents.sort_by(|a, b| a.path().cmp(b.path()));
        documents.dedup_by(|a, b| a.path() == b.path());
        let workers = rayon::current_num_threads().max(1);
        // Parts of equal bytes, so that no worker waits for another.
        let total: usize = documents.iter().map(|document| document.body().len() + 256).sum();
        let mut parts: Vec<Range<usize>> = Vec::new();
        let (mut begin, mut size) = (0, 0);
        for (at, document) in documents.iter().enumerate() {
            size += document.body().len() + 256;
            if size * workers >= total || at + 1 == documents.len() {
                parts.push(begin..at + 1);
                (begin, size) = (at + 1, 0);
            }
        }
        let mut built: Vec<Part> =
            parts.into_par_iter().map(|range| Part::build(&documents, range)).collect();
        let mut whole = if built.is_empty() { Part::default() } else { built.remove(0) };
        for part in built {
            whole.append(part);
        }
        let directories = directories(&documents);
        Self {
            directories,
            entries: whole.entries,
            sections: whole.sections,
            sections_of: whole.sections_of,
            terms: whole.terms,
            postings: whole.postings,
            documents,
        }
    }

    /// Where a term occurs, if it occurs at all.
    pub(super) fn postings(&self, term: &str) -> Option<&Postings> {
        self.terms.get(term).map(|id| &self.postings[*id as usize])
    }

    /// The heading that a section is the own text of.
    pub(super) fn heading(&self, section: usize) -> Option<&Heading> {
        let section = &self.sections[section];
        let document = &self.documents[section.document as usize];
        section.heading.map(|at| &document.outline().headings()[at as usize])
    }

    /// The own text of a section as plain lines.
    pub(super) fn own_text(&self, section: usize) -> String {
        let Section { document, heading, .. } = &self.sections[section];
        let document = &self.documents[*document as usize];
        plain_lines(&document.body()[own_range(document, heading.map(|at| at as usize))])
    }
}

/// The byte range of a section's own text: from the end of the heading's first
/// source line to the next heading of any level.
fn own_range(document: &Document, heading: Option<usize>) -> Range<usize> {
    let headings = document.outline().headings();
    let body = document.body();
    let Some(at) = heading else {
        return 0..headings.first().map_or(body.len(), |first| first.start);
    };
    let start = headings[at].start;
    let end = headings.get(at + 1).map_or(body.len(), |next| next.start);
    let text = memchr::memchr(b'\n', &body.as_bytes()[start..]).map_or(body.len(), |lf| start + lf);
    text.min(end)..end
}

fn directories(documents: &[Arc<Document>]) -> HashSet<String> {
    let mut directories = HashSet::new();
    for document in documents {
        let mut path = document.path();
        while let Some(at) = path.rfind('/').filter(|at| *at > 0) {
            path = &path[..at];
            if !directories.insert(path.to_owned()) {
                break;
            }
        }
    }
    directories
}

/// The index over one run of documents; parts are joined in order.
#[derive(Default)]
struct Part {
    entries: Vec<Entry>,
    sections: Vec<Section>,
    sections_of: Vec<Range<u32>>,
    terms: FxHashMap<Box<str>, u32>,
    postings: Vec<Postings>,
    // Buffers.
    plain: String,
    folded: String,
}

impl Part {
    fn build(documents: &[Arc<Document>], range: Range<usize>) -> Self {
        let mut part = Self::default();
        for at in range {
            part.add(number(at), &documents[at]);
        }
        part
    }

    fn add(&mut self, at: u32, document: &Document) {
        let title = document.title();
        let tags: Vec<String> = document.tags().map(lowercase).collect();
        for text in tags.iter().map(String::as_str).chain([title]) {
            self.each_token(text, |postings| {
                if postings.documents.last() != Some(&at) {
                    postings.documents.push(at);
                }
            });
        }
        let in_journal = document.path().split('/').any(|segment| segment == "journal");
        self.entries.push(Entry {
            title: lowercase(title),
            tags,
            demotion: if in_journal { 0.5 } else { 1.0 },
        });
        let first = number(self.sections.len());
        self.add_section(at, document, None, &[]);
        let headings = document.outline().headings();
        let mut ancestors: Vec<usize> = Vec::new();
        for (index, heading) in headings.iter().enumerate() {
            while ancestors.last().is_some_and(|last| headings[*last].level >= heading.level) {
                ancestors.pop();
            }
            ancestors.push(index);
            self.add_section(at, document, Some(index), &ancestors);
        }
        self.sections_of.push(first..number(self.sections.len()));
    }

    fn add_section(
        &mut self,
        at: u32,
        document: &Document,
        heading: Option<usize>,
        trail: &[usize],
    ) {
        let mut plain = std::mem::take(&mut self.plain);
        plain.clear();
        push_plain_lines(&document.body()[own_range(document, heading)], &mut plain);
        // Without text the space before the first heading is no section; a heading is one.
        if heading.is_some() || !plain.is_empty() {
            let section = number(self.sections.len());
            let mut count = 0;
            self.each_token(&plain, |postings| {
                count += 1;
                match postings.text.last_mut() {
                    Some((last, times)) if *last == section => {
                        // Ranking looks at no larger count than this type holds.
                        *times = times.saturating_add(1);
                    }
                    _ => postings.text.push((section, 1)),
                }
            });
            for index in trail {
                self.each_token(&document.outline().headings()[*index].text, |postings| {
                    if postings.trail.last() != Some(&section) {
                        postings.trail.push(section);
                    }
                });
            }
            self.sections.push(Section {
                document: at,
                heading: heading.map(number),
                tokens: count,
            });
        }
        self.plain = plain;
    }

    fn each_token(&mut self, text: &str, mut record: impl FnMut(&mut Postings)) {
        let Self { terms, postings, folded, .. } = self;
        tokens(text, folded, |token| {
            let id = match terms.get(token) {
                Some(id) => *id,
                None => {
                    let id = number(postings.len());
                    terms.insert(token.into(), id);
                    postings.push(Postings::default());
                    id
                }
            };
            record(&mut postings[id as usize]);
        });
    }

    fn append(&mut self, other: Self) {
        let offset = number(self.sections.len());
        self.entries.extend(other.entries);
        self.sections.extend(other.sections);
        self.sections_of.extend(
            other.sections_of.into_iter().map(|range| range.start + offset..range.end + offset),
        );
        let mut theirs: Vec<Option<Postings>> = other.postings.into_iter().map(Some).collect();
        for (term, id) in other.terms {
            let Some(mut postings) = theirs[id as usize].take() else { continue };
            for (section, _) in &mut postings.text {
                *section += offset;
            }
            for section in &mut postings.trail {
                *section += offset;
            }
            match self.terms.get(&term) {
                Some(known) => {
                    let known = &mut self.postings[*known as usize];
                    known.text.append(&mut postings.text);
                    known.trail.append(&mut postings.trail);
                    known.documents.append(&mut postings.documents);
                }
                None => {
                    self.terms.insert(term, number(self.postings.len()));
                    self.postings.push(postings);
                }
            }
        }
    }
}

/// Numbers of documents, sections and terms are kept in 32 bits: 10 MiB a
/// document and 4 billion sections are far beyond what fits in memory.
fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
