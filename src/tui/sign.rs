//! Outcomes as a sign, a word and a role: never colour alone.

use crate::selection::{Fate, Outcome, PieceReport};

use super::theme::Role;

/// The sign of what printed, but for a part.
pub const IN_PART: &str = "◐";

/// The sign of an outcome, one cell wide.
pub fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Printed => "●",
        Outcome::SameText => "≡",
        Outcome::Covered | Outcome::InTable => "○",
        Outcome::DidNotFit | Outcome::TableAlone => "✗",
        Outcome::NoSection | Outcome::NotTold => "?",
        Outcome::Failed => "!",
        Outcome::OtherAuthority => "↗",
        Outcome::Waiting => "…",
        Outcome::FetchLimit
        | Outcome::Stopped
        | Outcome::Cancelled
        | Outcome::NoBudget
        | Outcome::Empty
        | Outcome::AlreadyTried
        | Outcome::OverThree
        | Outcome::NotFollowed => "·",
    }
}

/// The role of an outcome.
pub fn role(outcome: Outcome) -> Role {
    match outcome {
        Outcome::Printed => Role::Shown,
        Outcome::SameText | Outcome::Covered | Outcome::InTable => Role::Repeated,
        Outcome::DidNotFit
        | Outcome::Stopped
        | Outcome::TableAlone
        | Outcome::NotFollowed
        | Outcome::FetchLimit
        | Outcome::Waiting
        | Outcome::Cancelled
        | Outcome::NoBudget => Role::Omitted,
        Outcome::NoSection | Outcome::Failed => Role::Failed,
        Outcome::Empty
        | Outcome::OtherAuthority
        | Outcome::AlreadyTried
        | Outcome::OverThree
        | Outcome::NotTold => Role::Dim,
    }
}

/// Cells for sign and word of the widest of some outcomes, and the gap behind.
pub fn width(outcomes: impl Iterator<Item = Outcome>) -> usize {
    // Of a thousand rows there are a few outcomes.
    let mut known: Vec<Outcome> = Vec::new();
    for outcome in outcomes {
        if !known.contains(&outcome) {
            known.push(outcome);
        }
    }
    known.into_iter().map(|outcome| super::width::width(&label(outcome))).max().unwrap_or(0) + 2
}

/// Whether of what printed something a part did not fit.
fn is_in_part(outcome: Outcome, pieces: &[PieceReport]) -> bool {
    outcome == Outcome::Printed
        && pieces
            .iter()
            .any(|piece| matches!(piece.fate, Fate::DidNotFit { .. } | Fate::NamedUnfit))
}

/// Sign and word for a row or a target with its pieces.
pub fn told(outcome: Outcome, pieces: &[PieceReport]) -> String {
    match is_in_part(outcome, pieces) {
        true => format!("{IN_PART} in part"),
        false => label(outcome),
    }
}

/// The sign alone.
pub fn of_pieces(outcome: Outcome, pieces: &[PieceReport]) -> &'static str {
    if is_in_part(outcome, pieces) { IN_PART } else { sign(outcome) }
}

/// Sign and word.
pub fn label(outcome: Outcome) -> String {
    format!("{} {}", sign(outcome), outcome.word())
}
