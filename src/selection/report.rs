//! What a run yields: items, outcomes and reasons.

use std::ops::Range;

use serde::{Serialize, Serializer};

use super::reason::{needs, piece_reason};
use super::{Breakpoint, Engine, TOKEN};
use crate::relations::{Rejected, Relation};

/// What an item of the reader's text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Status, matches and match, with the empty line behind them.
    Envelope,
    /// The ranked table, or the body of a refusal.
    Table,
    /// The line feed between table and expansion; never charged.
    Gap,
    /// A section, a whole document or an outline.
    Block,
    /// A block whose text was printed already: it says where.
    Stub,
    /// A note that a piece lies within, or encloses, one printed already.
    Covered,
    /// The relations that a document declares.
    RelationLine,
    /// Any other note.
    Note,
}

impl Kind {
    /// The name in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Envelope => "envelope",
            Self::Table => "table",
            Self::Gap => "gap",
            Self::Block => "block",
            Self::Stub => "stub",
            Self::Covered => "covered",
            Self::RelationLine => "relation line",
            Self::Note => "note",
        }
    }
}

/// One part of the reader's text. The texts of all items, joined, are the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its bytes, as the reader gets them.
    pub text: String,
    /// The citable location: of a block or stub its own, of a covered note that of
    /// the piece, of a relation line the document's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The document's location as the table or the relation has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The bytes of the document's body that it shows or covers.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "pair")]
    pub range: Option<Range<usize>>,
    /// The row that brought it, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    /// The relation target that brought it, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<usize>,
    /// The item that has the same text, or that covers or is covered by this piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<usize>,
    /// Bytes charged to the budget.
    pub charged: usize,
}

impl Item {
    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Size in whole tokens.
    pub fn tokens(&self) -> usize {
        self.text.len() / TOKEN
    }
}

fn pair<S: Serializer>(range: &Option<Range<usize>>, serializer: S) -> Result<S::Ok, S::Error> {
    range.as_ref().map(|range| [range.start, range.end]).serialize(serializer)
}

/// What became of a row or of a relation's target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// At least one block with text was printed.
    Printed,
    /// Only stubs were printed: the text stands elsewhere in the result.
    SameText,
    /// All of it lies within, or encloses, what was printed already.
    Covered,
    /// No piece fitted.
    DidNotFit,
    /// The document has no such section.
    NoSection,
    /// The document could not be fetched.
    Failed,
    /// Its document, or one before it, has not come yet.
    Waiting,
    /// The limit of documents per result was reached.
    FetchLimit,
    /// The budget was used up before.
    Stopped,
    /// The caller cancelled before.
    Cancelled,
    /// There is no budget.
    NoBudget,
    /// The table alone used the budget.
    TableAlone,
    /// The body is empty, which the engine `rows` skips.
    Empty,
    /// Target only: its document is in the table.
    InTable,
    /// Target only: it is on another authority.
    OtherAuthority,
    /// Target only: the same document was tried before.
    AlreadyTried,
    /// Target only: three related documents were printed before.
    OverThree,
    /// Target only: the relation line did not fit, so none is followed.
    NotFollowed,
    /// The result was read back out of its text, which does not say.
    NotTold,
}

impl Outcome {
    /// One or two words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::SameText => "same text",
            Self::Covered => "covered",
            Self::DidNotFit => "did not fit",
            Self::NoSection => "no section",
            Self::Failed => "failed",
            Self::Waiting => "waiting",
            Self::FetchLimit => "fetch limit",
            Self::Stopped => "stopped",
            Self::Cancelled => "cancelled",
            Self::NoBudget => "no budget",
            Self::TableAlone => "no room",
            Self::Empty => "empty",
            Self::InTable => "in table",
            Self::OtherAuthority => "elsewhere",
            Self::AlreadyTried => "tried",
            Self::OverThree => "over three",
            Self::NotFollowed => "not followed",
            Self::NotTold => "not told",
        }
    }

    /// Whether the reader has its evidence, here or elsewhere in the result.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Printed | Self::SameText | Self::Covered | Self::InTable)
    }
}

/// What became of one piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "fate", rename_all = "kebab-case")]
pub enum Fate {
    /// Printed as a block.
    Printed {
        /// The item.
        item: usize,
    },
    /// Printed as a stub.
    SameText {
        /// The stub.
        item: usize,
        /// The block that has the text.
        of: usize,
    },
    /// Not printed: it lies inside a printed range, or equals it.
    Within {
        /// The note.
        item: usize,
        /// The block or stub whose range it is.
        of: usize,
    },
    /// Not printed: it reaches beyond a printed range that it overlaps.
    Encloses {
        /// The note.
        item: usize,
        /// The block or stub whose range it is.
        of: usize,
    },
    /// Not printed for want of room, which is known from the text's own note alone.
    NamedUnfit,
    /// Not printed for want of room.
    DidNotFit {
        /// Bytes that were left; may be negative.
        left: i64,
    },
}

/// One piece of a row or target, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PieceReport {
    /// Where a reader can cite it.
    pub location: String,
    /// The bytes of the body; none for an outline.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "pair")]
    pub range: Option<Range<usize>>,
    /// The size of its trimmed text, in tokens.
    pub tokens: usize,
    /// Bytes of the block with its frame, as charged or as needed; 0 where none
    /// was tried because it is covered.
    pub bytes: usize,
    /// What became of it.
    #[serde(flatten)]
    pub fate: Fate,
}

impl PieceReport {
    /// How many whole tokens more would have let it in, where it did not fit.
    pub fn short(&self) -> Option<u64> {
        match self.fate {
            Fate::DidNotFit { left } => Some(short_tokens(self.bytes, left)),
            _ => None,
        }
    }
}

/// Whole tokens that are missing for `needs` bytes.
pub(super) fn short_tokens(needs: usize, left: i64) -> u64 {
    let deficit = super::decisions::bytes(needs).saturating_sub(left).max(0);
    deficit.unsigned_abs().div_ceil(TOKEN as u64)
}

/// What became of a document's relation line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineReport {
    /// The document's location.
    pub path: String,
    /// Bytes of the line with its frame.
    pub bytes: usize,
    /// The item, if it was printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// Bytes that were left for it.
    pub left: i64,
}

impl LineReport {
    /// How many whole tokens more would have let it in, where it did not fit.
    pub fn short(&self) -> Option<u64> {
        self.item.is_none().then(|| short_tokens(self.bytes, self.left))
    }
}

/// What became of one row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowReport {
    /// The row's location as the table has it, with the anchor.
    pub location: String,
    /// In one word.
    pub outcome: Outcome,
    /// In a sentence, with numbers.
    pub reason: String,
    /// Its pieces, in the order tried.
    pub pieces: Vec<PieceReport>,
    /// The relation line that followed, if its document's turn came here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_line: Option<LineReport>,
}

/// What became of one relation target of the strongest match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TargetReport {
    /// The relation as its document declares it.
    #[serde(flatten)]
    pub relation: Relation,
    /// In one word.
    pub outcome: Outcome,
    /// In a sentence, with numbers.
    pub reason: String,
    /// Its pieces, in the order tried.
    pub pieces: Vec<PieceReport>,
    /// The relation line that followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_line: Option<LineReport>,
}

/// Something that the reader did not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Omission {
    /// What it would have been: a block, or a relation line.
    pub kind: Kind,
    /// Where it is.
    pub location: String,
    /// In one word.
    pub outcome: Outcome,
    /// In a sentence, with numbers.
    pub reason: String,
    /// Tokens that were missing where it stood, if room was all it wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short: Option<u64>,
    /// The row it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
    /// The relation target it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<usize>,
}

/// All of one result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The rules that made it.
    pub engine: Engine,
    /// The budget, in tokens; 0 for none.
    pub budget: u64,
    /// Bytes of all that stands ahead of the expansion.
    pub spent: usize,
    /// What is left of the budget, in bytes; negative where notes overdrew it.
    pub remaining: i64,
    /// The parts of the reader's text, in order.
    pub items: Vec<Item>,
    /// One report for each row.
    pub rows: Vec<RowReport>,
    /// One report for each relation of the strongest match, in the order tried.
    pub targets: Vec<TargetReport>,
    /// The location of the document whose relations are followed: the first that
    /// printed a block.
    pub strongest: Option<String>,
    /// What the strongest match declares as a relation and no reader sees.
    pub rejected: Vec<Rejected>,
    /// Locations fetched, in order, each once.
    pub fetched: Vec<String>,
    /// Rows that printed a block.
    pub expanded: usize,
    /// Related documents printed.
    pub related: usize,
    /// The location of the document that the rest of the result waits for; none
    /// where it is whole.
    pub awaits: Option<String>,
    /// The next budget upward at which anything changes.
    pub up: Option<Breakpoint>,
    /// The next budget downward at which anything changes.
    pub down: Option<Breakpoint>,
}

impl Selection {
    /// The reader's text: the items joined.
    pub fn text(&self) -> String {
        self.items.iter().map(|item| item.text.as_str()).collect()
    }

    /// Bytes of the reader's text.
    pub fn bytes(&self) -> usize {
        self.items.iter().map(Item::bytes).sum()
    }

    /// Bytes charged for items of a kind.
    pub fn charged(&self, kind: Kind) -> usize {
        self.items.iter().filter(|item| item.kind == kind).map(|item| item.charged).sum()
    }

    /// The whole tokens by which each item makes the number of those spent grow, so that
    /// they add up; an item that is not charged for has none.
    pub fn item_tokens(&self) -> Vec<usize> {
        let mut spent = 0;
        let tokens = self.items.iter().map(|item| {
            let before = spent / TOKEN;
            spent += item.charged;
            spent / TOKEN - before
        });
        tokens.collect()
    }

    /// Everything the reader did not get, in the order it would have come: pieces
    /// that did not fit, rows and targets not reached or failed, relation lines.
    pub fn omissions(&self) -> Vec<Omission> {
        let mut out = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let origin = (Some(index), None);
            push_omissions(&mut out, origin, &row.location, row.outcome, &row.reason, &row.pieces);
            push_line(&mut out, origin, row.relation_line.as_ref());
        }
        for (index, target) in self.targets.iter().enumerate() {
            let origin = (None, Some(index));
            let location = target.relation.location();
            push_omissions(
                &mut out,
                origin,
                &location,
                target.outcome,
                &target.reason,
                &target.pieces,
            );
            push_line(&mut out, origin, target.relation_line.as_ref());
        }
        out
    }
}

type Origin = (Option<usize>, Option<usize>);

fn push_omissions(
    out: &mut Vec<Omission>,
    (row, target): Origin,
    location: &str,
    outcome: Outcome,
    reason: &str,
    pieces: &[PieceReport],
) {
    let is_unfit =
        |piece: &&PieceReport| matches!(piece.fate, Fate::DidNotFit { .. } | Fate::NamedUnfit);
    let before = out.len();
    out.extend(pieces.iter().filter(is_unfit).map(|piece| Omission {
        kind: Kind::Block,
        location: piece.location.clone(),
        outcome: Outcome::DidNotFit,
        reason: piece_reason(piece),
        short: piece.short(),
        row,
        target,
    }));
    if out.len() == before && !outcome.is_shown() && outcome != Outcome::Waiting {
        out.push(Omission {
            kind: Kind::Block,
            location: location.to_owned(),
            outcome,
            reason: reason.to_owned(),
            short: None,
            row,
            target,
        });
    }
}

fn push_line(out: &mut Vec<Omission>, (row, target): Origin, line: Option<&LineReport>) {
    if let Some(line) = line
        && let Some(short) = line.short()
    {
        out.push(Omission {
            kind: Kind::RelationLine,
            location: line.path.clone(),
            outcome: Outcome::DidNotFit,
            reason: format!("its relation line did not fit: {}", needs(line.bytes, line.left)),
            short: Some(short),
            row,
            target,
        });
    }
}
