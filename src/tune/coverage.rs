//! Which required passages a result holds, and what a result costs, in figures.
//!
//! A passage is looked for in the blocks of its own document. Rows and snippets of
//! the table, notes, relation lines and stubs hold none: a reader may only cite what
//! a block showed. An outline is a block, though never one to cite.
//!
//! - CONTAINED: the quote, white space normalised, occurs in the text of a block of
//!   the passage's document. Without a quote: a block covers all of the section;
//!   with neither quote nor anchor: a block shows some of the document.
//! - CITABLE: a block contains it and has an anchor in its header, which is the
//!   passage's, or that of a section around it in which the quote occurs exactly
//!   once, counting those that share words. A passage without an anchor of its own
//!   takes any header that has one.
//! - A passage of a version that is not the current one is left out: no lookup
//!   over current versions can hold it.

use std::collections::HashMap;
use std::ops::{AddAssign, Range, SubAssign};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::recorded::{RecordedLookup, RequiredPassage};
use crate::document::Document;
use crate::lookup::Store;
use crate::selection::{Item, Kind, Selection, TOKEN};

/// What one result costs and holds. Sums of several add figure by figure; those that
/// a file makes up end at the largest number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// Tokens of the whole result text, rounded down for each result.
    pub tokens: u64,
    /// Bytes of the whole result text.
    pub bytes: u64,
    /// Rows of the table.
    pub rows: u64,
    /// Rows that printed a block.
    pub expanded: u64,
    /// Related documents printed.
    pub hops: u64,
    /// Blocks with a text: sections, whole documents, outlines.
    pub blocks: u64,
    /// Of these, those whose header has an anchor.
    pub citable_blocks: u64,
    /// Blocks that only say where their text stands.
    pub stubs: u64,
    /// Documents that were fetched for it, failed ones too.
    pub fetches: u64,
    /// Required passages contained.
    pub contained: u64,
    /// Required passages contained under a citable header.
    pub citable: u64,
}

impl Figures {
    /// The figures of a result whose required passages are covered so.
    pub fn of(selection: &Selection, covered: &[Covered]) -> Self {
        let of_kind = |kind: Kind| selection.items.iter().filter(move |item| item.kind == kind);
        let bytes = selection.bytes();
        Self {
            tokens: whole(bytes / TOKEN),
            bytes: whole(bytes),
            rows: whole(selection.rows.len()),
            expanded: whole(selection.expanded),
            hops: whole(selection.related),
            blocks: whole(of_kind(Kind::Block).count()),
            citable_blocks: whole(
                of_kind(Kind::Block).filter(|item| header_anchor(item).is_some()).count(),
            ),
            stubs: whole(of_kind(Kind::Stub).count()),
            fetches: whole(selection.fetched.len()),
            contained: whole(covered.iter().filter(|covered| covered.contained).count()),
            citable: whole(covered.iter().filter(|covered| covered.citable).count()),
        }
    }
}

fn whole(count: usize) -> u64 {
    count as u64
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.rows = self.rows.saturating_add(other.rows);
        self.expanded = self.expanded.saturating_add(other.expanded);
        self.hops = self.hops.saturating_add(other.hops);
        self.blocks = self.blocks.saturating_add(other.blocks);
        self.citable_blocks = self.citable_blocks.saturating_add(other.citable_blocks);
        self.stubs = self.stubs.saturating_add(other.stubs);
        self.fetches = self.fetches.saturating_add(other.fetches);
        self.contained = self.contained.saturating_add(other.contained);
        self.citable = self.citable.saturating_add(other.citable);
    }
}

impl SubAssign for Figures {
    /// Takes out what was added before.
    fn sub_assign(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_sub(other.tokens);
        self.bytes = self.bytes.saturating_sub(other.bytes);
        self.rows = self.rows.saturating_sub(other.rows);
        self.expanded = self.expanded.saturating_sub(other.expanded);
        self.hops = self.hops.saturating_sub(other.hops);
        self.blocks = self.blocks.saturating_sub(other.blocks);
        self.citable_blocks = self.citable_blocks.saturating_sub(other.citable_blocks);
        self.stubs = self.stubs.saturating_sub(other.stubs);
        self.fetches = self.fetches.saturating_sub(other.fetches);
        self.contained = self.contained.saturating_sub(other.contained);
        self.citable = self.citable.saturating_sub(other.citable);
    }
}

/// How one required passage is covered by one result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    /// Some block of its document holds it.
    pub contained: bool,
    /// Some block holds it under a header by which it can be cited.
    pub citable: bool,
    /// Every block that holds it came along a relation.
    pub by_hop: bool,
    /// No block of its document holds it; a stub says where the text stands.
    pub by_stub: bool,
}

/// The required passages of one lookup, as they are in one world.
pub struct Passages {
    measured: Vec<Measured>,
    left_out: Vec<RequiredPassage>,
    /// Those measured that stand nowhere in the world.
    absent: Vec<RequiredPassage>,
    remarks: Vec<String>,
    /// For each block seen, by location: how often each passage's quote occurs, as
    /// [`occurrences`] counts.
    counts: HashMap<String, Vec<usize>>,
}

struct Measured {
    passage: RequiredPassage,
    quote: Option<String>,
    document: Option<Arc<Document>>,
    section: Option<Range<usize>>,
}

/// A text with every run of white space as one space, and none at its ends.
pub fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

impl Passages {
    /// Finds the passages of a lookup in a world.
    pub fn of(lookup: &RecordedLookup, store: &Store) -> Self {
        let mut out = Self {
            measured: Vec::new(),
            left_out: Vec::new(),
            absent: Vec::new(),
            remarks: Vec::new(),
            counts: HashMap::new(),
        };
        for passage in &lookup.required {
            out.add(passage, store);
        }
        out
    }

    fn add(&mut self, passage: &RequiredPassage, store: &Store) {
        let document = store.catalog().document(&passage.path).cloned();
        let current = document.as_ref().and_then(|document| document.version());
        if let (Some(version), Some(current)) = (passage.version, current)
            && version != current
        {
            self.remarks.push(format!(
                "{} is left out: the current version of {} is {current}",
                passage.location(),
                passage.path
            ));
            self.left_out.push(passage.clone());
            return;
        }
        let quote = passage.quote.as_deref().map(normalised);
        let section = document
            .as_ref()
            .zip(passage.anchor.as_deref())
            .and_then(|(document, anchor)| Some(document.outline().find(anchor)?.range()));
        if let Some(remark) = remark(passage, document.as_deref(), section.clone(), &quote) {
            self.remarks.push(remark);
            self.absent.push(passage.clone());
        }
        self.measured.push(Measured { passage: passage.clone(), quote, document, section });
    }

    /// The passages that are measured, in the order recorded.
    pub fn measured(&self) -> impl ExactSizeIterator<Item = &RequiredPassage> {
        self.measured.iter().map(|measured| &measured.passage)
    }

    /// The passages of versions that are not current.
    pub fn left_out(&self) -> &[RequiredPassage] {
        &self.left_out
    }

    /// The passages that are measured and that no result can hold, since they do not
    /// stand where they are said to.
    pub fn absent(&self) -> &[RequiredPassage] {
        &self.absent
    }

    /// What to know about the passages, a sentence each: those left out, and those
    /// that no result can hold.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// How each measured passage is covered by a result over the same world.
    pub fn covered(&mut self, selection: &Selection) -> Vec<Covered> {
        let mut out = vec![Covered::default(); self.measured.len()];
        let mut by_row = vec![false; self.measured.len()];
        for item in &selection.items {
            let shows = match item.kind {
                Kind::Block => item,
                // A stub's text is that of another document's block.
                Kind::Stub => match item.refers_to.and_then(|first| selection.items.get(first)) {
                    Some(first) => first,
                    None => continue,
                },
                _ => continue,
            };
            if !self.measured.iter().any(|measured| item.path.as_ref() == Some(measured.path())) {
                continue;
            }
            let counts = self.counts(shows).to_vec();
            for (at, measured) in self.measured.iter().enumerate() {
                if item.path.as_ref() != Some(measured.path()) || !measured.is_in(item, counts[at])
                {
                    continue;
                }
                if item.kind == Kind::Stub {
                    out[at].by_stub = true;
                    continue;
                }
                out[at].contained = true;
                out[at].citable |= measured.is_citable(item, counts[at]);
                by_row[at] |= item.target.is_none();
            }
        }
        for (covered, by_row) in out.iter_mut().zip(by_row) {
            covered.by_hop = covered.contained && !by_row;
            covered.by_stub &= !covered.contained;
        }
        out
    }

    /// How often each quote occurs in a block's text, as [`occurrences`] counts. A
    /// location has one text for all budgets.
    fn counts(&mut self, block: &Item) -> &[usize] {
        let location = block.location.as_deref().unwrap_or_default();
        if !self.counts.contains_key(location) {
            let text = normalised(block_text(block));
            let count = |measured: &Measured| {
                measured.quote.as_deref().map_or(0, |quote| occurrences(&text, quote))
            };
            self.counts.insert(location.to_owned(), self.measured.iter().map(count).collect());
        }
        &self.counts[location]
    }
}

/// How often a quote occurs in a text: not at all, once, or (2) more often. Two
/// occurrences may share words: `so and so` stands twice in `so and so and so`.
fn occurrences(text: &str, quote: &str) -> usize {
    let Some(first) = text.find(quote) else { return 0 };
    // Nothing is everywhere.
    let Some(letter) = quote.chars().next() else { return 2 };
    match text[first + letter.len_utf8()..].find(quote) {
        None => 1,
        Some(_) => 2,
    }
}

impl Measured {
    fn path(&self) -> &String {
        &self.passage.path
    }

    /// Whether a block of the passage's document holds it. An outline has no range.
    fn is_in(&self, item: &Item, count: usize) -> bool {
        if self.quote.is_some() {
            return count > 0;
        }
        let Some(range) = &item.range else { return false };
        match (&self.section, &self.passage.anchor) {
            (Some(section), _) => range.start <= section.start && section.end <= range.end,
            (None, Some(_)) => false,
            (None, None) => true,
        }
    }

    /// Whether the header of a block that holds the passage can be cited for it.
    fn is_citable(&self, item: &Item, count: usize) -> bool {
        let Some(anchor) = header_anchor(item) else { return false };
        let Some(wanted) = &self.passage.anchor else { return true };
        let heading = self.document.as_ref().and_then(|document| document.outline().find(anchor));
        let (Some(section), Some(heading)) = (&self.section, heading) else {
            return wanted.trim().trim_start_matches('#').eq_ignore_ascii_case(anchor);
        };
        let around = heading.range();
        around.start == section.start
            || (around.start <= section.start
                && section.end <= around.end
                && (self.quote.is_none() || count == 1))
    }
}

/// The text of a block without its header.
fn block_text(block: &Item) -> &str {
    let header = block.location.as_deref().map_or(0, |location| ">>> \n".len() + location.len());
    block.text.get(header..).unwrap_or(&block.text)
}

/// The anchor in a block's header.
fn header_anchor(item: &Item) -> Option<&str> {
    let (_, anchor) = item.location.as_deref()?.split_once('#')?;
    Some(anchor)
}

fn remark(
    passage: &RequiredPassage,
    document: Option<&Document>,
    section: Option<Range<usize>>,
    quote: &Option<String>,
) -> Option<String> {
    let location = passage.location();
    let Some(document) = document else {
        return Some(format!("{location}: there is no document {}", passage.path));
    };
    if passage.anchor.is_some() && section.is_none() {
        return Some(format!("{location}: {} has no such section", passage.path));
    }
    let text = &document.body()[section.unwrap_or(0..document.body().len())];
    match quote {
        Some(quote) if !normalised(text).contains(quote.as_str()) => {
            Some(format!("{location}: the quote does not stand there: {quote:?}"))
        }
        _ => None,
    }
}
