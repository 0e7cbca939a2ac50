//! The inverted index: for every term, the sections whose text and whose trail
//! have it, and the documents whose tags or title have it. It is apart from what
//! the catalog match needs, so that who never looks into bodies never reads them.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::postings::{Found, Lists};
use super::terms::{Term, tokens};
use super::vocabulary::Vocabulary;
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
pub(super) struct Postings<'a> {
    segments: Vec<(&'a Segment, u32)>,
}

impl Postings<'_> {
    /// Sections whose own text has the term, ascending, with how often it does.
    pub(super) fn text(&self) -> impl Iterator<Item = (u32, u8)> {
        self.segments.iter().flat_map(|(segment, term)| {
            let (places, counts) = segment.text.of_term(*term);
            let sections = places.iter().map(|place| place + segment.first_section);
            sections.zip(counts.iter().copied())
        })
    }

    /// Sections whose heading or whose ancestors' headings have it, ascending.
    pub(super) fn trail(&self) -> impl Iterator<Item = u32> {
        self.segments.iter().flat_map(|(segment, term)| {
            let (places, _) = segment.trail.of_term(*term);
            places.iter().map(|place| place + segment.first_section)
        })
    }

    /// Documents whose tags or title have it, ascending.
    pub(super) fn documents(&self) -> impl Iterator<Item = u32> {
        self.segments.iter().flat_map(|(segment, term)| {
            let (places, _) = segment.tagged.of_term(*term);
            places.iter().map(|place| place + segment.first_document)
        })
    }
}

/// What ranking compares of a document, worked out once.
pub(super) struct Entry {
    pub(super) importance: f64,
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
    /// Built when first asked for.
    bodies: OnceLock<Bodies>,
}

/// What is known of the texts of the documents.
#[derive(Default)]
pub(super) struct Bodies {
    pub(super) sections: Vec<Section>,
    /// For each document, its sections; sections of a document stand together.
    pub(super) sections_of: Vec<Range<u32>>,
    segments: Vec<Segment>,
}

/// The terms of one run of documents. Each worker makes one, and they are left as
/// they are: a query looks into each, which costs less than joining them.
struct Segment {
    terms: Vocabulary,
    text: Lists,
    trail: Lists,
    tagged: Lists,
    /// Places within a segment count from these.
    first_section: u32,
    first_document: u32,
}

impl Index {
    /// An index that has not read any body yet.
    pub(super) fn build(mut documents: Vec<Arc<Document>>) -> Self {
        documents.sort_by(|a, b| a.path().cmp(b.path()));
        documents.dedup_by(|a, b| a.path() == b.path());
        Self {
            directories: directories(&documents),
            entries: documents.par_iter().map(|document| Entry::of(document)).collect(),
            documents,
            bodies: OnceLock::new(),
        }
    }

    /// What is known of the texts, which are read now if they were not before.
    pub(super) fn bodies(&self) -> &Bodies {
        self.bodies.get_or_init(|| Bodies::of(&self.documents))
    }

    /// The heading that a section is the own text of.
    pub(super) fn heading(&self, section: usize) -> Option<&Heading> {
        let section = &self.bodies().sections[section];
        let document = &self.documents[section.document as usize];
        section.heading.map(|at| &document.outline().headings()[at as usize])
    }

    /// The own text of a section as plain lines.
    pub(super) fn own_text(&self, section: usize) -> String {
        let Section { document, heading, .. } = &self.bodies().sections[section];
        let document = &self.documents[*document as usize];
        plain_lines(&document.body()[own_range(document, heading.map(|at| at as usize))])
    }
}

impl Entry {
    fn of(document: &Document) -> Self {
        let in_journal = document.path().split('/').any(|segment| segment == "journal");
        Self {
            importance: document.importance(),
            title: lowercase(document.title()),
            tags: document.tags().map(lowercase).collect(),
            demotion: if in_journal { 0.5 } else { 1.0 },
        }
    }
}

impl Bodies {
    /// Reads documents, which are sorted by path.
    fn of(documents: &[Arc<Document>]) -> Self {
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
        // Threads of their own: a worker of a pool that waits here would take up other
        // work meanwhile, which may come here again and wait for itself.
        let built: Vec<Part> = std::thread::scope(|scope| {
            let build = |range| scope.spawn(move || Part::build(documents, range));
            let threads: Vec<_> = parts.into_iter().map(build).collect();
            let ended = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            ended.collect()
        });
        let mut bodies = Self::default();
        for part in built {
            bodies.append(part);
        }
        bodies
    }

    fn append(&mut self, part: Part) {
        let sections = number(self.sections.len());
        let documents = number(self.sections_of.len());
        let Part { mut segment, .. } = part;
        segment.first_section = sections;
        segment.first_document = documents;
        self.segments.push(segment);
        self.sections_of.extend(
            part.sections_of.into_iter().map(|range| range.start + sections..range.end + sections),
        );
        self.sections.extend(
            part.sections
                .into_iter()
                .map(|section| Section { document: section.document + documents, ..section }),
        );
    }

    /// Where a term occurs; nowhere for one that does not.
    pub(super) fn postings(&self, term: &str) -> Postings<'_> {
        let Some(term) = Term::new(term) else { return Postings { segments: Vec::new() } };
        let segments = self.segments.iter();
        Postings {
            segments: segments
                .filter_map(|segment| Some((segment, segment.terms.get(term)?)))
                .collect(),
        }
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

/// The index over one run of documents, with places counted from 0.
struct Part {
    sections: Vec<Section>,
    sections_of: Vec<Range<u32>>,
    segment: Segment,
}

impl Part {
    fn build(documents: &[Arc<Document>], range: Range<usize>) -> Self {
        let mut reader = Reader::default();
        for (at, document) in documents[range].iter().enumerate() {
            reader.add(number(at), document);
        }
        Self {
            sections: reader.sections,
            sections_of: reader.sections_of,
            segment: Segment {
                terms: reader.terms,
                text: reader.text.sorted(),
                trail: reader.trail.sorted(),
                tagged: reader.tagged.sorted(),
                first_section: 0,
                first_document: 0,
            },
        }
    }
}

/// Reads documents one after the other.
#[derive(Default)]
struct Reader {
    sections: Vec<Section>,
    sections_of: Vec<Range<u32>>,
    terms: Vocabulary,
    text: Found,
    trail: Found,
    tagged: Found,
    // Buffers.
    plain: String,
    folded: String,
}

impl Reader {
    /// Adds a document. Documents and sections are numbered within the part.
    fn add(&mut self, at: u32, document: &Document) {
        let title = document.title();
        let tags: Vec<String> = document.tags().map(lowercase).collect();
        for text in tags.iter().map(String::as_str).chain([title]) {
            tokens(text, &mut self.folded, |token| {
                self.tagged.add(self.terms.take(token), at);
            });
        }
        let first = number(self.sections.len());
        self.add_section(at, document, None, &[]);
        // The terms of the headings above, each with its level.
        let mut trail: Vec<(u8, Vec<u32>)> = Vec::new();
        for (index, heading) in document.outline().headings().iter().enumerate() {
            while trail.last().is_some_and(|(level, _)| *level >= heading.level) {
                trail.pop();
            }
            let mut own = Vec::new();
            tokens(&heading.text, &mut self.folded, |token| own.push(self.terms.take(token)));
            trail.push((heading.level, own));
            self.add_section(at, document, Some(index), &trail);
        }
        self.sections_of.push(first..number(self.sections.len()));
    }

    fn add_section(
        &mut self,
        at: u32,
        document: &Document,
        heading: Option<usize>,
        trail: &[(u8, Vec<u32>)],
    ) {
        self.plain.clear();
        push_plain_lines(&document.body()[own_range(document, heading)], &mut self.plain);
        // Without text the space before the first heading is no section; a heading is one.
        if heading.is_none() && self.plain.is_empty() {
            return;
        }
        let section = number(self.sections.len());
        let mut count = 0;
        tokens(&self.plain, &mut self.folded, |token| {
            count += 1;
            self.text.add(self.terms.take(token), section);
        });
        for term in trail.iter().flat_map(|(_, terms)| terms) {
            self.trail.add(*term, section);
        }
        self.sections.push(Section { document: at, heading: heading.map(number), tokens: count });
    }
}

/// Numbers of documents, sections and terms are kept in 32 bits: 10 MiB a
/// document and 4 billion sections are far beyond what fits in memory.
pub(super) fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
