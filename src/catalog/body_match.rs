//! The body match: which sections a query finds, and in which order.

use std::cmp::Ordering;

use super::index::{Bodies, Index, Postings};
use super::{Hit, MAX_LIMIT};

// The ranking is BM25 over sections, with fixed gains for a term in the trail of
// headings and in tags or title.
const K1: f64 = 1.2;
const B: f64 = 0.75;
const TRAIL_GAIN: f64 = 1.5;
const DOCUMENT_GAIN: f64 = 2.0;
/// A row for the whole document counts this many times.
const DOCUMENT_ROW: f64 = 2.0;

/// The best `limit` rows for the terms, best first. `within` says which
/// documents count; statistics are of those alone.
pub(super) fn hits(
    index: &Index,
    terms: &[String],
    within: &Option<Vec<bool>>,
    limit: usize,
) -> Vec<Hit> {
    if terms.is_empty() {
        return Vec::new();
    }
    let bodies = index.bodies();
    let postings: Vec<Postings<'_>> = terms.iter().map(|term| bodies.postings(term)).collect();
    let scored = Scored::new(bodies, &postings, within);
    let all = terms.len();
    let mut hits = Vec::new();
    for (document, sections) in bodies.sections_of.iter().enumerate() {
        if !is_within(within, document) {
            continue;
        }
        let whole = &scored.documents[document];
        if whole.terms == all {
            hits.push(Hit { document, section: None, score: DOCUMENT_ROW * whole.score });
            continue;
        }
        for section in sections.clone() {
            let section = section as usize;
            let found = &scored.sections[section];
            if found.by_itself && found.terms == all {
                hits.push(Hit { document, section: Some(section), score: found.score });
            }
        }
    }
    finish(index, hits, limit.min(MAX_LIMIT))
}

fn is_within(within: &Option<Vec<bool>>, document: usize) -> bool {
    within.as_ref().is_none_or(|within| within[document])
}

/// What the terms walked so far found in one section or document.
#[derive(Clone, Default)]
struct Found {
    score: f64,
    /// How many terms it has, in the text, the trail, or tags and title.
    terms: usize,
    /// The last term counted, from 1, so that none counts twice.
    last: usize,
    /// Whether at least one term is in the text or the trail.
    by_itself: bool,
}

impl Found {
    fn add(&mut self, term: usize, gain: f64) {
        self.score += gain;
        if self.last != term {
            self.last = term;
            self.terms += 1;
        }
    }
}

struct Scored {
    sections: Vec<Found>,
    documents: Vec<Found>,
}

impl Scored {
    fn new(bodies: &Bodies, postings: &[Postings<'_>], within: &Option<Vec<bool>>) -> Self {
        let mut scored = Self {
            sections: vec![Found::default(); bodies.sections.len()],
            documents: vec![Found::default(); bodies.sections_of.len()],
        };
        let counts =
            |section: u32| is_within(within, bodies.sections[section as usize].document as usize);
        let (mut sections, mut tokens) = (0usize, 0u64);
        for section in &bodies.sections {
            if is_within(within, section.document as usize) {
                sections += 1;
                tokens += u64::from(section.tokens);
            }
        }
        let average = (tokens as f64 / sections.max(1) as f64).max(1.0);
        for (postings, term) in postings.iter().zip(1..) {
            let idf = idf(sections, union_count(postings, counts));
            // In the order the ranking adds: text, trail, tags and title. Sums of
            // floating point numbers depend on it, and ties must stay ties.
            for (section, times) in postings.text() {
                if counts(section) {
                    let times = f64::from(times);
                    let length = f64::from(bodies.sections[section as usize].tokens);
                    let norm = K1 * (1.0 - B + B * length / average);
                    let found = &mut scored.sections[section as usize];
                    found.by_itself = true;
                    found.add(term, idf * times * (K1 + 1.0) / (times + norm));
                }
            }
            for section in postings.trail().filter(|section| counts(*section)) {
                let found = &mut scored.sections[section as usize];
                found.by_itself = true;
                found.add(term, TRAIL_GAIN * idf);
            }
            for document in postings.documents() {
                let at = document as usize;
                if is_within(within, at) {
                    scored.documents[at].add(term, DOCUMENT_GAIN * idf);
                    for section in bodies.sections_of[at].clone() {
                        scored.sections[section as usize].add(term, DOCUMENT_GAIN * idf);
                    }
                }
            }
        }
        scored
    }
}

/// How many sections have the term in their text or their trail.
fn union_count(postings: &Postings<'_>, counts: impl Fn(u32) -> bool) -> usize {
    let sections = postings.text().map(|(section, _)| section);
    let mut text = sections.filter(|section| counts(*section)).peekable();
    let mut trail = postings.trail().filter(|section| counts(*section)).peekable();
    let mut found = 0;
    loop {
        let order = match (text.peek(), trail.peek()) {
            (None, None) => return found,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.cmp(b),
        };
        if order != Ordering::Greater {
            text.next();
        }
        if order != Ordering::Less {
            trail.next();
        }
        found += 1;
    }
}

fn idf(sections: usize, found: usize) -> f64 {
    let (sections, found) = (sections as f64, found as f64);
    (1.0 + (sections - found + 0.5) / (found + 0.5)).ln()
}

/// Weighs by importance and demotion, sorts, and cuts to the limit.
fn finish(index: &Index, mut hits: Vec<Hit>, limit: usize) -> Vec<Hit> {
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f64::max);
    for hit in &mut hits {
        let relative = if best > 0.0 { hit.score / best } else { 1.0 };
        let entry = &index.entries[hit.document];
        hit.score = relative * (0.3 + 0.7 * entry.importance) * entry.demotion;
    }
    let order = |a: &Hit, b: &Hit| {
        b.score
            .total_cmp(&a.score)
            // Documents are sorted by path.
            .then_with(|| a.document.cmp(&b.document))
            .then_with(|| anchor(index, a).cmp(anchor(index, b)))
    };
    if limit < hits.len() {
        hits.select_nth_unstable_by(limit, order);
        hits.truncate(limit);
    }
    hits.sort_by(order);
    hits
}

fn anchor<'a>(index: &'a Index, hit: &Hit) -> &'a str {
    hit.section
        .and_then(|section| index.heading(section))
        .map_or("", |heading| heading.anchor.as_str())
}
