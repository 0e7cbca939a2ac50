//! What became of rows and relations, as far as the items of a text tell it.

use std::collections::HashSet;

use super::frame::{block_text, closing, encloses, note, table_alone, unfit};
use crate::mark::{Authority, canonical};
use crate::relations::{PREFIX, Relation};
use crate::selection::reason::{outcome_of, reason_of};
use crate::selection::{
    Answered, Engine, FETCH_LIMIT, Fate, Item, Kind, LineReport, Outcome, PieceReport,
    RELATED_LIMIT, RowReport, Selection, TOKEN, TableRow, TargetReport, hop_order,
};

/// What the text tells of one row or relation target.
#[derive(Default)]
struct Told {
    pieces: Vec<PieceReport>,
    line: Option<LineReport>,
    /// What a note says in place of pieces.
    noted: Option<(Outcome, String)>,
}

pub(super) struct Account<'a> {
    answered: &'a Answered,
    items: Vec<Item>,
    engine: Engine,
    /// Whether the text tells the engine; it is taken for one otherwise.
    is_told: bool,
    budget: Option<u64>,
    is_cut: bool,
    rows: Vec<Told>,
    /// The relations of the strongest match, in the order tried.
    relations: Vec<Relation>,
    targets: Vec<Told>,
    strongest: Option<String>,
    fetched: Vec<String>,
    /// Pieces that did not fit and have no name.
    nameless: usize,
}

/// The row or the target that the text has got to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Row(usize),
    Target(usize),
}

impl<'a> Account<'a> {
    pub(super) fn new(
        answered: &'a Answered,
        items: Vec<Item>,
        engine: Option<Engine>,
        budget: Option<u64>,
        is_cut: bool,
    ) -> Self {
        let rows = answered.rows().iter().map(|_| Told::default()).collect();
        Self {
            answered,
            items,
            engine: engine.unwrap_or_default(),
            is_told: engine.is_some(),
            budget,
            is_cut,
            rows,
            relations: Vec::new(),
            targets: Vec::new(),
            strongest: None,
            fetched: Vec::new(),
            nameless: 0,
        }
    }

    fn told(&mut self, at: At) -> Option<&mut Told> {
        match at {
            At::Row(at) => self.rows.get_mut(at),
            At::Target(at) => self.targets.get_mut(at),
        }
    }

    /// Goes through the items in order.
    pub(super) fn take(&mut self) {
        let mut at = At::Row(0);
        for index in 0..self.items.len() {
            match self.items[index].kind {
                Kind::Block | Kind::Stub | Kind::Covered => {
                    let location = self.items[index].location.clone().unwrap_or_default();
                    if let Some(found) = self.bringer(at, &location, index) {
                        at = found;
                        self.piece(index, at);
                    }
                }
                Kind::RelationLine => self.line(index, at),
                Kind::Note => {
                    if let Some(found) = self.noted(index, at) {
                        at = found;
                    }
                }
                Kind::Envelope | Kind::Table | Kind::Gap => {}
            }
        }
        self.leftovers();
    }

    /// The first row or target from a place on that can have brought a piece.
    fn bringer(&self, from: At, location: &str, item: usize) -> Option<At> {
        let rows = self.answered.rows();
        if let At::Row(first) = from {
            let found = (first..rows.len()).filter(|at| brings(&rows[*at], location));
            let mut found = found.filter(|at| self.is_open(*at, location, item));
            if let Some(found) = found.next() {
                return Some(At::Row(found));
            }
        }
        let first = match from {
            At::Row(_) => 0,
            At::Target(at) => at,
        };
        let targets = self.relations.iter().enumerate().skip(first);
        let mut found = targets.filter(|(_, relation)| {
            let rest = cited(location, &relation.target);
            rest.is_some_and(|anchor| relation.fragment.is_empty() || anchor == relation.fragment)
        });
        found.next().map(|(at, _)| At::Target(at))
    }

    /// Whether a row can bring one more piece. One with an anchor has one piece; one
    /// without has several only where its document is large, and those differ.
    fn is_open(&self, at: usize, location: &str, item: usize) -> bool {
        let rows = self.answered.rows();
        let pieces = &self.rows[at].pieces;
        if self.rows[at].noted.is_some() || pieces.iter().any(|piece| piece.location == location) {
            return false;
        }
        if !rows[at].anchor.is_empty() {
            return pieces.is_empty();
        }
        // A later row that asks for this very piece would be told that it is covered, or
        // get it once more, had this row brought it.
        let asks = |row: &TableRow| !row.anchor.is_empty() && brings(row, location);
        let is_told = self.items[item + 1..].iter().any(|later| {
            let is_piece = matches!(later.kind, Kind::Block | Kind::Stub | Kind::Covered);
            is_piece && later.location.as_deref() == Some(location)
        });
        is_told || !rows[at + 1..].iter().any(asks)
    }

    fn path(&self, at: At) -> String {
        match at {
            At::Row(at) => self.answered.rows().get(at).map(|row| row.path.clone()),
            At::Target(at) => self.relations.get(at).map(|relation| relation.target.clone()),
        }
        .unwrap_or_default()
    }

    fn mark(&mut self, item: usize, at: At) {
        let path = self.path(at);
        if !self.fetched.contains(&path) {
            self.fetched.push(path);
        }
        let item = &mut self.items[item];
        match at {
            At::Row(row) => item.row = Some(row),
            At::Target(target) => item.target = Some(target),
        }
    }

    fn piece(&mut self, index: usize, at: At) {
        self.mark(index, at);
        let path = self.path(at);
        let item = &mut self.items[index];
        item.path = Some(path.clone());
        let of = item.refers_to.unwrap_or_default();
        let (fate, bytes) = match item.kind {
            Kind::Stub => (Fate::SameText { item: index, of }, item.text.len()),
            Kind::Covered if encloses(&item.text) => (Fate::Encloses { item: index, of }, 0),
            Kind::Covered => (Fate::Within { item: index, of }, 0),
            _ => (Fate::Printed { item: index }, item.text.len()),
        };
        let location = item.location.clone().unwrap_or_default();
        let is_printed = matches!(item.kind, Kind::Block | Kind::Stub);
        // The text of a stub is that of the block that it names.
        let shown = if item.kind == Kind::Stub { of } else { index };
        let tokens = block_text(&self.items[shown].text).map_or(0, str::len) / TOKEN;
        if is_printed && self.strongest.is_none() && self.engine == Engine::Selection {
            self.strongest = Some(path);
        }
        let not_told = Some(extent(&location));
        let piece = PieceReport { location, range: None, not_told, tokens, bytes, fate };
        if let Some(told) = self.told(at) {
            told.pieces.push(piece);
        }
    }

    fn line(&mut self, index: usize, at: At) {
        self.mark(index, at);
        let path = self.path(at);
        let item = &mut self.items[index];
        item.location = Some(path.clone());
        item.path = Some(path.clone());
        let bytes = item.text.len();
        if self.strongest.as_deref() == Some(&path) && self.relations.is_empty() {
            let refs = relations(&self.items[index].text);
            self.relations = hop_order(&refs).cloned().collect();
            self.targets = self.relations.iter().map(|_| Told::default()).collect();
        }
        let line = LineReport { path, bytes, item: Some(index), left: 0 };
        if let Some(told) = self.told(at) {
            told.line = Some(line);
        }
    }

    /// A note on a document that could not be had or has no such section.
    fn noted(&mut self, index: usize, from: At) -> Option<At> {
        let words = note(&self.items[index].text)?.to_owned();
        if words.starts_with("fetch limit of ") {
            return None;
        }
        let rows = self.answered.rows().iter().enumerate();
        let rows = rows.map(|(at, row)| (At::Row(at), row.path.as_str(), row.anchor.as_str()));
        let targets = self.relations.iter().enumerate();
        let targets = targets.map(|(at, relation)| {
            (At::Target(at), relation.target.as_str(), relation.fragment.as_str())
        });
        let first = |at: At| match (from, at) {
            (At::Row(from), At::Row(at)) => at >= from,
            (At::Row(_), At::Target(_)) => true,
            (At::Target(_), At::Row(_)) => false,
            (At::Target(from), At::Target(at)) => at >= from,
        };
        let mut places = rows.chain(targets).filter(|(at, ..)| first(*at));
        let (at, noted) = places.find_map(|(at, path, anchor)| {
            let words = words.strip_prefix(path)?.strip_prefix(": ")?;
            let missing =
                words.strip_prefix("section #").and_then(|it| it.strip_suffix(" not found"));
            Some(match missing {
                Some(missing) if missing == anchor => {
                    (at, (Outcome::NoSection, missing.to_owned()))
                }
                Some(_) => return None,
                None => (at, (Outcome::Failed, words.to_owned())),
            })
        })?;
        self.mark(index, at);
        if let Some(told) = self.told(at) {
            told.noted = Some(noted);
        }
        Some(at)
    }

    /// The pieces that the note on what did not fit names.
    fn leftovers(&mut self) {
        let named = self.items.iter().find_map(|item| unfit(note(&item.text)?));
        let Some((named, more)) = named else { return };
        self.nameless = more;
        let mut from = At::Row(0);
        for (location, tokens) in named {
            let rows = self.answered.rows();
            let row = match from {
                At::Row(from) => (from..rows.len()).find(|at| {
                    brings(&rows[*at], &location)
                        && (self.rows[*at].pieces.is_empty() || rows[*at].anchor.is_empty())
                        && self.rows[*at].noted.is_none()
                }),
                At::Target(_) => None,
            };
            let target = || {
                self.relations.iter().position(|relation| {
                    let anchor = cited(&location, &relation.target);
                    anchor.is_some_and(|it| relation.fragment.is_empty() || it == relation.fragment)
                })
            };
            let Some(at) = row.map(At::Row).or_else(|| target().map(At::Target)) else { continue };
            from = at;
            let path = self.path(at);
            if !self.fetched.contains(&path) {
                self.fetched.push(path);
            }
            // The frame around the text: `>>> `, the location, and four line feeds.
            let bytes = tokens * TOKEN + location.len() + 8;
            let (not_told, fate) = (Some(extent(&location)), Fate::NamedUnfit);
            let piece = PieceReport { location, range: None, not_told, tokens, bytes, fate };
            if let Some(told) = self.told(at) {
                told.pieces.push(piece);
            }
        }
    }

    pub(super) fn selection(mut self, unknown: &mut Vec<String>) -> Selection {
        let notes = || self.items.iter().filter_map(|item| note(&item.text));
        let alone = notes().any(|note| table_alone(note).is_some());
        let stopped = notes().find_map(|note| note.strip_prefix("stopped: ")).map(str::to_owned);
        let limited = notes().any(|note| note.starts_with("fetch limit of "));
        let expands = self.items.iter().any(|item| item.kind == Kind::Gap);
        let counted = self.items.iter().rev().find_map(|item| closing(&item.text));
        let mut rows: Vec<RowReport> = Vec::new();
        let mut not_told = 0;
        for (row, told) in self.answered.rows().iter().zip(std::mem::take(&mut self.rows)) {
            let failed = rows.iter().zip(self.answered.rows()).find(|(report, other)| {
                other.path == row.path && report.outcome == Outcome::Failed
            });
            let (outcome, reason) = match (told.noted, told.pieces.as_slice()) {
                (Some((outcome, detail)), _) => (outcome, outcome.sentence(&detail)),
                (None, pieces) if !pieces.is_empty() => {
                    let reason = self.of_all(row, reason_of(pieces), pieces.len());
                    (outcome_of(pieces), reason)
                }
                _ if !expands && self.budget == Some(0) => plain(Outcome::NoBudget),
                _ if alone => (Outcome::TableAlone, "not expanded: the table left no room".into()),
                _ if let Some((report, _)) = failed => (Outcome::Failed, report.reason.clone()),
                _ if let Some(reason) = &stopped => {
                    (Outcome::Cancelled, Outcome::Cancelled.sentence(reason))
                }
                _ if limited
                    && !self.fetched.contains(&row.path)
                    && self.fetched.len() >= FETCH_LIMIT =>
                {
                    plain(Outcome::FetchLimit)
                }
                _ => {
                    not_told += 1;
                    (Outcome::NotTold, self.why_not_told().to_owned())
                }
            };
            rows.push(RowReport {
                location: row.location(),
                outcome,
                reason,
                pieces: told.pieces,
                relation_line: told.line,
            });
        }
        let targets = self.targets();
        not_told += targets.iter().filter(|target| target.outcome == Outcome::NotTold).count();
        if not_told > 0 {
            let words = if not_told == 1 { "row or relation" } else { "rows and relations" };
            unknown.push(format!("what became of {not_told} {words}"));
        }
        if self.nameless > 0 {
            unknown.push(format!("which {} more pieces did not fit", self.nameless));
        }
        if self.engine == Engine::Selection && self.strongest.is_some() && targets.is_empty() {
            unknown.push(
                "whether the strongest match declares relations: its relation line is not there"
                    .to_owned(),
            );
        }
        let printed = |pieces: &[PieceReport]| {
            pieces
                .iter()
                .any(|piece| matches!(piece.fate, Fate::Printed { .. } | Fate::SameText { .. }))
        };
        let expanded = rows.iter().filter(|row| printed(&row.pieces)).count();
        let related = targets.iter().filter(|target| printed(&target.pieces)).count();
        Selection {
            engine: self.engine,
            budget: 0,
            spent: 0,
            remaining: 0,
            items: self.items,
            rows,
            targets,
            strongest: self.strongest,
            rejected: Vec::new(),
            fetched: self.fetched,
            expanded: counted.as_ref().map_or(expanded, |counted| counted.expanded),
            related: counted.map_or(related, |counted| counted.related),
            awaits: None,
            up: None,
            down: None,
        }
    }

    /// A reason that counts the pieces of a row, with what the text leaves open: which of a
    /// large document's sections did not fit is named by one engine alone, and only the
    /// first few.
    fn of_all(&self, row: &TableRow, reason: String, pieces: usize) -> String {
        let names_all =
            self.is_told && self.engine == Engine::Selection && self.nameless == 0 && !self.is_cut;
        if names_all || pieces < 2 || !row.anchor.is_empty() {
            return reason;
        }
        format!("{reason}; of more the text does not tell")
    }

    fn targets(&mut self) -> Vec<TargetReport> {
        let in_table: HashSet<String> =
            self.answered.rows().iter().map(|row| canonical(&row.path)).collect();
        let authority = self.strongest.as_deref().map(Authority::of);
        let mut tried_before: HashSet<String> = HashSet::new();
        let mut related = 0;
        let mut out = Vec::new();
        for (relation, told) in self.relations.iter().zip(std::mem::take(&mut self.targets)) {
            let target = &relation.target;
            let (outcome, reason) = if in_table.contains(target) {
                plain(Outcome::InTable)
            } else if Some(Authority::of(target)) != authority {
                plain(Outcome::OtherAuthority)
            } else if tried_before.contains(target) {
                plain(Outcome::AlreadyTried)
            } else if related == RELATED_LIMIT {
                plain(Outcome::OverThree)
            } else {
                tried_before.insert(target.clone());
                match (told.noted, told.pieces.as_slice()) {
                    (Some((outcome, detail)), _) => (outcome, outcome.sentence(&detail)),
                    (None, []) => (Outcome::NotTold, self.why_not_told().to_owned()),
                    (None, pieces) => (outcome_of(pieces), reason_of(pieces)),
                }
            };
            related += usize::from(matches!(outcome, Outcome::Printed | Outcome::SameText));
            out.push(TargetReport {
                relation: relation.clone(),
                outcome,
                reason,
                pieces: told.pieces,
                relation_line: told.line,
            });
        }
        out
    }

    /// Why a text is silent about a row or a target.
    fn why_not_told(&self) -> &'static str {
        let has_unfit = self
            .items
            .iter()
            .any(|item| note(&item.text).is_some_and(|note| note.starts_with("did not fit: ")));
        match self.engine {
            _ if self.is_cut => "not told: the text is cut off",
            // The one does not say, and the other is not known not to be it.
            _ if !self.is_told => "not told: it did not fit, or the budget was used up before",
            Engine::Rows => "not told: it did not fit, or the budget was used up before",
            // All that did not fit is named, or nothing was unfit.
            Engine::Selection if self.nameless == 0 && has_unfit => {
                "not told: the budget was used up before, or the document was not fetched"
            }
            Engine::Selection if self.nameless == 0 => {
                "not told: most likely the budget was used up before"
            }
            Engine::Selection => {
                "not told: it did not fit and is not among those named, or the budget was used up \
                 before"
            }
        }
    }
}

fn plain(outcome: Outcome) -> (Outcome, String) {
    (outcome, outcome.sentence(""))
}

/// What a text leaves open of what a piece covers: an outline of a document stands at
/// the same location as the whole of it.
fn extent(location: &str) -> &'static str {
    if location.contains('#') {
        "a section: the text does not say which bytes"
    } else {
        "whole or an outline: the text does not say"
    }
}

/// Whether a row can have brought the piece at a location.
fn brings(row: &TableRow, location: &str) -> bool {
    cited(location, &row.path).is_some_and(|anchor| row.anchor.is_empty() || anchor == row.anchor)
}

/// The anchor of a citable location of a document, empty for none; `None` where it is
/// another document's.
fn cited<'a>(location: &'a str, path: &str) -> Option<&'a str> {
    let mut rest = location.strip_prefix(path)?;
    if let Some(version) = rest.strip_prefix("/v") {
        let end = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
        if end > 0 {
            rest = &version[end..];
        }
    }
    if rest.is_empty() { Some("") } else { rest.strip_prefix('#') }
}

/// The relations of a relation line, in its order.
fn relations(frame: &str) -> Vec<Relation> {
    let line = frame.lines().next().unwrap_or_default();
    let line = line.strip_prefix(">>> related: ").unwrap_or_default();
    let mut out = Vec::new();
    // No target has white space, so no target has this.
    let separator = format!("; {PREFIX}");
    for group in line.strip_prefix(PREFIX).unwrap_or_default().split(separator.as_str()) {
        let Some((predicate, targets)) = group.split_once(' ') else { continue };
        for target in targets.split(", ") {
            let (target, fragment) = target.split_once('#').unwrap_or((target, ""));
            out.push(Relation {
                predicate: predicate.to_owned(),
                target: target.to_owned(),
                fragment: fragment.to_owned(),
            });
        }
    }
    out
}
