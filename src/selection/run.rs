//! One run over the rows and one hop, under one budget.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::answered::TableRow;
use super::decisions::{Change, Decisions, bytes};
use super::piece::{Pieces, outline_piece};
use super::print::item;
use super::reason::{outcome_of, reason_of};
use super::report::{
    Fate, Item, Kind, LineReport, Outcome, PieceReport, RowReport, Selection, TargetReport,
};
use super::session::{Documents, Missing, Session};
use super::{Engine, FETCH_LIMIT, NAMED_UNFIT, RELATED_LIMIT, TOKEN};
use crate::document::Document;
use crate::mark::{Authority, canonical};
use crate::relations::Relation;

/// Predicates whose targets are tried before all others.
const FIRST_PREDICATES: [&str; 5] =
    ["supersedes", "superseded-by", "depends-on", "implements", "derived-from"];

/// What a row or a target is, for the items it brings.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    Row(usize),
    Target(usize),
}

/// What came of one row or target before its outcome is put in words.
struct Tried {
    outcome: Outcome,
    reason: String,
    pieces: Vec<PieceReport>,
    line: Option<LineReport>,
}

impl Tried {
    fn without_pieces(outcome: Outcome, detail: &str) -> Self {
        Self { outcome, reason: outcome.sentence(detail), pieces: Vec::new(), line: None }
    }

    fn printed(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece.fate, Fate::Printed { .. } | Fate::SameText { .. }))
    }
}

/// Whether a location can be expanded.
enum Access {
    Document(Arc<Document>),
    Failed(String),
    FetchLimit,
}

/// A piece that did not fit, for the note that names such.
pub(super) struct Unfit {
    pub(super) location: String,
    pub(super) tokens: usize,
}

pub(super) struct Run<'a> {
    pub(super) session: &'a mut Session,
    documents: &'a mut dyn Documents,
    budget: u64,
    pub(super) remaining: i64,
    pub(super) decisions: Decisions,
    pub(super) items: Vec<Item>,
    /// For each path, the ranges printed, in print order, with their items.
    pub(super) printed: HashMap<String, Vec<(Range<usize>, usize)>>,
    /// The first block that printed a text.
    pub(super) first_with_text: HashMap<Arc<str>, usize>,
    pub(super) unfit: Vec<Unfit>,
    fetched: Vec<String>,
    /// The fetch limit is noted once for the whole result.
    limit_noted: bool,
    /// Paths whose relation line had its one try.
    pub(super) line_tried: HashSet<String>,
    /// The document whose relations are followed.
    strongest: Option<String>,
    cancelled: Option<String>,
    rows: Vec<RowReport>,
    targets: Vec<TargetReport>,
    expanded: usize,
    related: usize,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        session: &'a mut Session,
        budget: u64,
        documents: &'a mut dyn Documents,
    ) -> Self {
        Self {
            session,
            documents,
            budget,
            remaining: 0,
            decisions: Decisions::new(budget),
            items: Vec::new(),
            printed: HashMap::new(),
            first_with_text: HashMap::new(),
            unfit: Vec::new(),
            fetched: Vec::new(),
            limit_noted: false,
            line_tried: HashSet::new(),
            strongest: None,
            cancelled: None,
            rows: Vec::new(),
            targets: Vec::new(),
            expanded: 0,
            related: 0,
        }
    }

    pub(super) fn finish(mut self) -> Result<Selection, Missing> {
        let spent = self.session.answered.spent();
        let budget = i64::try_from(self.budget).unwrap_or(i64::MAX).saturating_mul(bytes(TOKEN));
        self.remaining = match self.session.engine {
            Engine::Selection => budget - bytes(spent),
            Engine::Rows => budget,
        };
        self.push_answer();
        match self.expand() {
            Ok(()) => Ok(self.report(None)),
            Err(location) => {
                let rows = &self.session.answered.rows()[self.rows.len()..];
                let waiting: Vec<RowReport> =
                    rows.iter().map(|row| untried(row, Outcome::Waiting, "")).collect();
                self.rows.extend(waiting);
                let so_far = Box::new(self.report(Some(location.clone())));
                Err(Missing { location, so_far })
            }
        }
    }

    fn report(self, awaits: Option<String>) -> Selection {
        let (up, down) = self.decisions.breakpoints();
        Selection {
            engine: self.session.engine,
            budget: self.budget,
            spent: self.session.answered.spent(),
            remaining: self.remaining,
            items: self.items,
            rows: self.rows,
            targets: self.targets,
            rejected: match &self.strongest {
                Some(strongest) => self.session.rejected(strongest),
                None => Vec::new(),
            },
            strongest: self.strongest,
            fetched: self.fetched,
            expanded: self.expanded,
            related: self.related,
            awaits,
            up,
            down,
        }
    }

    fn push_answer(&mut self) {
        let answered = &self.session.answered;
        let parts = [
            (Kind::Envelope, Some(answered.envelope())),
            (Kind::Table, Some(answered.table())),
            (Kind::Note, answered.note()),
        ];
        let free = self.session.engine == Engine::Rows;
        let items: Vec<Item> = parts
            .into_iter()
            .filter_map(|(kind, text)| Some((kind, text?)))
            .map(|(kind, text)| Item {
                charged: if free { 0 } else { text.len() },
                ..item(kind, text.to_owned())
            })
            .collect();
        self.items.extend(items);
    }

    /// Fills `rows` and `targets`; `Err` is the location of a document that is not
    /// known yet.
    fn expand(&mut self) -> Result<(), String> {
        let count = self.session.answered.rows().len();
        if count == 0 {
            return Ok(());
        }
        let budget = i64::try_from(self.budget).unwrap_or(i64::MAX).saturating_mul(bytes(TOKEN));
        if !self.decisions.some_left(budget, || Change::Budget) {
            self.leave_rows(Outcome::NoBudget, "");
            return Ok(());
        }
        self.items.push(item(Kind::Gap, "\n".into()));
        if self.session.engine == Engine::Selection
            && !self.decisions.some_left(self.remaining, || Change::Expansion)
        {
            let short = self.short_of_any();
            let spent = self.session.answered.spent() / TOKEN;
            self.note(
                &format!(
                    "the table alone used {spent} of {} result tokens; raise budget or fetch a row",
                    self.budget
                ),
                None,
            );
            self.leave_rows(Outcome::TableAlone, &short);
            return Ok(());
        }
        for index in 0..count {
            let row = &self.session.answered.rows()[index];
            let (path, anchor, location) = (row.path.clone(), row.anchor.clone(), row.location());
            let looked_at = || Change::Row(location.clone());
            let tried = self.try_location(&path, &anchor, Origin::Row(index), looked_at)?;
            self.expanded += usize::from(tried.printed());
            self.rows.push(RowReport {
                location,
                outcome: tried.outcome,
                reason: tried.reason,
                pieces: tried.pieces,
                relation_line: tried.line,
            });
        }
        if self.session.engine == Engine::Selection {
            self.hop()?;
        }
        self.close(self.expanded, count, self.related);
        Ok(())
    }

    /// No row is expanded, all for one reason.
    fn leave_rows(&mut self, outcome: Outcome, detail: &str) {
        let rows = self.session.answered.rows().iter();
        self.rows = rows.map(|row| untried(row, outcome, detail)).collect();
    }

    /// What "one byte more than nothing" is short of, in words.
    fn short_of_any(&self) -> String {
        let bytes = (1 - self.remaining).max(0).unsigned_abs();
        match bytes.div_ceil(TOKEN as u64) {
            1 => "1 token".into(),
            tokens => format!("{tokens} tokens"),
        }
    }

    /// Follows the relations of the first document that printed a block, and of no
    /// other, provided its relation line was printed.
    fn hop(&mut self) -> Result<(), String> {
        let Some(strongest) = self.strongest.clone() else { return Ok(()) };
        let relations = self.relations(&strongest);
        let line_printed = self.items.iter().any(|item| {
            item.kind == Kind::RelationLine && item.path.as_deref() == Some(strongest.as_str())
        });
        let authority = Authority::of(&strongest);
        let in_table: HashSet<String> =
            self.session.answered.rows().iter().map(|row| canonical(&row.path)).collect();
        let mut tried_before: HashSet<String> = HashSet::new();
        for (index, relation) in hop_order(&relations.refs).enumerate() {
            let target = &relation.target;
            let tried = if !line_printed {
                Tried::without_pieces(Outcome::NotFollowed, "the relation line did not fit")
            } else if in_table.contains(target) {
                Tried::without_pieces(Outcome::InTable, "")
            } else if Authority::of(target) != authority {
                Tried::without_pieces(Outcome::OtherAuthority, "")
            } else if tried_before.contains(target) {
                Tried::without_pieces(Outcome::AlreadyTried, "")
            } else if self.related == RELATED_LIMIT {
                Tried::without_pieces(Outcome::OverThree, "")
            } else {
                tried_before.insert(target.clone());
                let looked_at = || Change::Target(relation.location());
                self.try_location(target, &relation.fragment, Origin::Target(index), looked_at)?
            };
            self.related += usize::from(tried.printed());
            self.targets.push(TargetReport {
                relation: relation.clone(),
                outcome: tried.outcome,
                reason: tried.reason,
                pieces: tried.pieces,
                relation_line: tried.line,
            });
        }
        Ok(())
    }

    fn close(&mut self, expanded: usize, rows: usize, related: usize) {
        if self.session.engine == Engine::Selection && !self.unfit.is_empty() {
            let named: Vec<String> = self
                .unfit
                .iter()
                .take(NAMED_UNFIT)
                .map(|unfit| format!("{} (~{} tokens)", unfit.location, unfit.tokens))
                .collect();
            let mut text = format!("did not fit: {}", named.join(", "));
            if self.unfit.len() > NAMED_UNFIT {
                text.push_str(&format!(" +{} more", self.unfit.len() - NAMED_UNFIT));
            }
            self.note(&text, None);
        }
        let related = match related {
            0 => String::new(),
            related => format!(" and {related} related documents"),
        };
        self.note(&format!("expanded {expanded} of {rows} rows{related} within the budget"), None);
    }

    /// Expands one row or target. What would be skipped without a word, whatever
    /// the budget, is told before the budget is asked: the text is the same, and
    /// a breakpoint of the engine `selection` then always shows in it. The engine
    /// `rows` says nothing of what does not fit.
    fn try_location(
        &mut self,
        path: &str,
        anchor: &str,
        origin: Origin,
        looked_at: impl FnOnce() -> Change,
    ) -> Result<Tried, String> {
        if let Some(reason) = &self.cancelled {
            return Ok(Tried::without_pieces(Outcome::Cancelled, reason));
        }
        let asked_before = self.fetched.iter().any(|fetched| fetched == path);
        if asked_before
            && let Some(Err(error)) = self.session.held.get(path).map(|held| &held.fetched)
        {
            return Ok(Tried::without_pieces(Outcome::Failed, error));
        }
        if !asked_before && self.limit_noted {
            return Ok(Tried::without_pieces(Outcome::FetchLimit, ""));
        }
        if !self.decisions.some_left(self.remaining, looked_at) {
            return Ok(Tried::without_pieces(Outcome::Stopped, &self.short_of_any()));
        }
        if let Some(reason) = self.documents.cancelled() {
            if matches!(origin, Origin::Row(_)) {
                self.note(&format!("stopped: {reason}"), Some(origin));
            }
            let tried = Tried::without_pieces(Outcome::Cancelled, &reason);
            self.cancelled = Some(reason);
            return Ok(tried);
        }
        match self.access(path, origin)? {
            Access::Document(document) => self.expand_document(&document, path, anchor, origin),
            Access::Failed(error) => Ok(Tried::without_pieces(Outcome::Failed, &error)),
            Access::FetchLimit => Ok(Tried::without_pieces(Outcome::FetchLimit, "")),
        }
    }

    /// The document of a location, once per path, with the notes of a failure.
    fn access(&mut self, path: &str, origin: Origin) -> Result<Access, String> {
        if !self.fetched.iter().any(|fetched| fetched == path) {
            if self.fetched.len() >= FETCH_LIMIT {
                self.limit_noted = true;
                self.note(
                    &format!(
                        "fetch limit of {FETCH_LIMIT} documents reached; \
                         later rows on unfetched documents skipped"
                    ),
                    Some(origin),
                );
                return Ok(Access::FetchLimit);
            }
            if !self.session.held.contains_key(path) {
                let fetched = self.documents.fetch(path).ok_or_else(|| path.to_owned())?;
                self.session.hold(path.to_owned(), fetched);
            }
            self.fetched.push(path.to_owned());
            if let Some(Err(error)) = self.session.held.get(path).map(|held| &held.fetched) {
                let error = error.clone();
                self.note(&format!("{path}: {error}"), Some(origin));
                return Ok(Access::Failed(error));
            }
        }
        match self.session.held.get(path).map(|held| held.fetched.clone()) {
            Some(Ok(document)) => Ok(Access::Document(document)),
            Some(Err(error)) => Ok(Access::Failed(error)),
            None => Err(path.to_owned()),
        }
    }

    fn expand_document(
        &mut self,
        document: &Arc<Document>,
        path: &str,
        anchor: &str,
        origin: Origin,
    ) -> Result<Tried, String> {
        if self.session.engine == Engine::Rows && document.body().is_empty() {
            return Ok(Tried::without_pieces(Outcome::Empty, ""));
        }
        let pieces = self.pieces(document, path, anchor);
        let mut reports = Vec::new();
        match &*pieces {
            Pieces::NoSection => {
                self.note(&format!("{path}: section #{anchor} not found"), Some(origin));
                return Ok(Tried::without_pieces(Outcome::NoSection, anchor));
            }
            Pieces::One(piece) => reports.push(self.print(piece, path, origin)),
            Pieces::Large { sections, outline } => {
                for piece in sections {
                    reports.push(self.print(piece, path, origin));
                }
                let any = |report: &PieceReport| {
                    matches!(report.fate, Fate::Printed { .. } | Fate::SameText { .. })
                };
                if !reports.iter().any(any) {
                    let outline = outline.get_or_init(|| outline_piece(document, path));
                    reports.push(self.print(outline, path, origin));
                }
            }
        }
        let mut tried = Tried {
            outcome: outcome_of(&reports),
            reason: reason_of(&reports),
            pieces: reports,
            line: None,
        };
        if tried.printed() && self.session.engine == Engine::Selection {
            if self.strongest.is_none() {
                self.strongest = Some(path.to_owned());
            }
            tried.line = self.relation_line(path, origin);
        }
        Ok(tried)
    }

    fn pieces(&mut self, document: &Document, path: &str, anchor: &str) -> Arc<Pieces> {
        let Session { held, terms, engine, .. } = &mut *self.session;
        let choose = || {
            Arc::new(Pieces::choose(document, path, anchor, terms, *engine == Engine::Selection))
        };
        match held.get_mut(path) {
            Some(held) => match held.pieces.get(anchor) {
                Some(pieces) => Arc::clone(pieces),
                None => {
                    let pieces = choose();
                    held.pieces.insert(anchor.to_owned(), Arc::clone(&pieces));
                    pieces
                }
            },
            None => choose(),
        }
    }
}

fn untried(row: &TableRow, outcome: Outcome, detail: &str) -> RowReport {
    RowReport {
        location: row.location(),
        outcome,
        reason: outcome.sentence(detail),
        pieces: Vec::new(),
        relation_line: None,
    }
}

/// The order in which relations are followed: those that say what a document
/// rests on first, then the rest; each group as the relation line has it.
pub fn hop_order(refs: &[Relation]) -> impl Iterator<Item = &Relation> {
    let is_first = |relation: &&Relation| FIRST_PREDICATES.contains(&relation.predicate.as_str());
    refs.iter().filter(is_first).chain(refs.iter().filter(move |relation| !is_first(relation)))
}
