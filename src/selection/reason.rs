//! Outcomes in words, with numbers.

use super::report::{Fate, Outcome, PieceReport, short_tokens};
use super::{RELATED_LIMIT, TOKEN};

/// "did not fit: 388 tokens, 176 left, 212 short".
pub(super) fn piece_reason(piece: &PieceReport) -> String {
    match piece.fate {
        Fate::DidNotFit { left } => format!("did not fit: {}", needs(piece.bytes, left)),
        Fate::NamedUnfit => {
            format!("did not fit: about {} tokens; what was left is not told", piece.tokens)
        }
        Fate::Printed { .. } => format!("printed, {} tokens", piece.bytes / TOKEN),
        Fate::SameText { .. } => {
            format!("its text stands above; a stub of {} tokens says where", piece.bytes / TOKEN)
        }
        Fate::Within { .. } => "lies within what is printed above".into(),
        Fate::Encloses { .. } => "encloses what is printed above".into(),
    }
}

/// Whole tokens that add up. What was left is rounded down, as everywhere; what is
/// missing is exact to the budget that would do; so it is the need that gives way.
pub(super) fn needs(size: usize, left: i64) -> String {
    let short = i64::try_from(short_tokens(size, left)).unwrap_or(i64::MAX);
    let left = left.div_euclid(TOKEN as i64);
    let tokens = if short == 1 { "1 token".into() } else { format!("{short} tokens") };
    format!("{} needed, {left} left, {tokens} short", left.saturating_add(short))
}

/// The outcome of a row or target from what became of its pieces.
pub(super) fn outcome_of(pieces: &[PieceReport]) -> Outcome {
    let any = |test: fn(&Fate) -> bool| pieces.iter().any(|piece| test(&piece.fate));
    if any(|fate| matches!(fate, Fate::Printed { .. })) {
        Outcome::Printed
    } else if any(|fate| matches!(fate, Fate::SameText { .. })) {
        Outcome::SameText
    } else if any(|fate| matches!(fate, Fate::DidNotFit { .. } | Fate::NamedUnfit)) {
        Outcome::DidNotFit
    } else {
        Outcome::Covered
    }
}

/// The sentence for a row or target from what became of its pieces.
pub(super) fn reason_of(pieces: &[PieceReport]) -> String {
    if let [piece] = pieces {
        return piece_reason(piece);
    }
    let count = |test: fn(&Fate) -> bool| pieces.iter().filter(|piece| test(&piece.fate)).count();
    let printed = count(|fate| matches!(fate, Fate::Printed { .. } | Fate::SameText { .. }));
    let unfit = count(|fate| matches!(fate, Fate::DidNotFit { .. } | Fate::NamedUnfit));
    let covered = pieces.len() - printed - unfit;
    let mut parts = vec![format!("{printed} of {} pieces printed", pieces.len())];
    if unfit > 0 {
        parts.push(format!("{unfit} did not fit"));
    }
    if covered > 0 {
        parts.push(format!("{covered} covered above"));
    }
    parts.join(", ")
}

/// Why a document could not be fetched. What a store says in one word is put in a
/// sentence; any other error stands as it came.
fn failed(error: &str) -> String {
    let told = match error {
        "not-found" => "there is no such document",
        "archived" => "it is archived; only its versions can still be read",
        "unauthorized" => "a token is needed to read it, and none or no valid one was sent",
        "not-permitted" => "the token that was sent does not cover it",
        "rate-limited" => "the server wants fewer requests; ask again later",
        _ => return format!("could not be fetched: {error}"),
    };
    format!("{told} ({error})")
}

impl Outcome {
    /// The sentence where no piece explains it. `detail` is the error or the
    /// number that belongs to it.
    pub(super) fn sentence(self, detail: &str) -> String {
        match self {
            Self::NoSection => format!("the document has no section #{detail}"),
            Self::Failed => failed(detail),
            Self::Waiting => "its document has not come yet".into(),
            Self::FetchLimit => {
                format!("not fetched: the limit of {} documents was reached", super::FETCH_LIMIT)
            }
            Self::Stopped => {
                format!("not reached: the budget was used up, {detail} more would reach it")
            }
            Self::Cancelled => format!("not reached: {detail}"),
            Self::NoBudget => "not expanded: no budget, the table alone".into(),
            Self::TableAlone => {
                format!("not expanded: the table alone is over the budget, {detail} short")
            }
            Self::Empty => "the body is empty".into(),
            Self::InTable => "its document is in the table".into(),
            Self::OtherAuthority => "on another authority, which a result never follows".into(),
            Self::AlreadyTried => "the same document was tried before".into(),
            Self::OverThree => format!("{RELATED_LIMIT} related documents are printed before it"),
            Self::NotFollowed => format!("not followed: {detail}"),
            Self::NotTold => "the text does not say what became of it".into(),
            Self::Printed | Self::SameText | Self::Covered | Self::DidNotFit => detail.to_owned(),
        }
    }
}
