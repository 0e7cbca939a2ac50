//! A result read back out of its text, as a transcript holds it.
//!
//! A text says what was printed and, in its notes, a little of what was not. What
//! it does not say is not guessed: the outcome is then "not told", and
//! [`ReadBack::unknown`] has a sentence for it. What the frame leaves open is
//! decided by what the engine would have printed: a block whose whole text is
//! `same text as X` is a stub where X was printed before, and a piece belongs to
//! the first row from where the text has got to that can have brought it.
//!
//! - `frame`: the text cut into items
//! - `account`: what became of rows and relations, from the items

mod account;
mod frame;

use std::borrow::Cow;
use std::fmt;

use super::{Answered, Engine, Kind, Selection, TOKEN};
use crate::table::unescape;
use account::Account;
use frame::Frames;

/// A result as its text tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadBack {
    /// Envelope, table and rows.
    pub answered: Answered,
    /// The items, and what became of rows and relations. Its budget and what is left
    /// are 0 where the budget is not known.
    pub selection: Selection,
    /// The budget in tokens, where it is known; 0 for none.
    pub budget: Option<u64>,
    /// The engine that selected, where the text has something that one alone prints; the
    /// selection has [`Engine::Selection`] where it does not.
    pub engine: Option<Engine>,
    /// The query, where the text repeats it.
    pub query: Option<String>,
    /// The directory below which was looked, where the text repeats it.
    pub scope: Option<String>,
    /// What the text does not say, a sentence each.
    pub unknown: Vec<String>,
}

/// A text that is no result: the line, counted from 1, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoResult {
    /// The line.
    pub line: usize,
    /// Why, with the way out.
    pub message: String,
}

impl fmt::Display for NoResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for NoResult {}

/// The query and the scope that the line above the table repeats. A line that can be
/// read in two ways says neither.
fn asked(table: &str) -> (Option<String>, Option<String>) {
    let mut lines = table.lines().take_while(|line| !line.starts_with('|'));
    let asked = lines.find_map(|line| line.strip_prefix("# Lookup matches for \""));
    let Some(asked) = asked else { return (None, None) };
    if let Some(query) = asked.strip_suffix("\" across readable worlds") {
        return (Some(unescape(query)), None);
    }
    let mut places = asked.match_indices("\" in /");
    match (places.next(), places.next()) {
        (Some((at, _)), None) => {
            (Some(unescape(&asked[..at])), Some(unescape(&asked[at + "\" in ".len()..])))
        }
        _ => (None, None),
    }
}

/// Reads a result's text back. `budget` is the one it was asked for with, in tokens,
/// where that is known.
///
/// # Errors
/// Where it does not begin as a result does.
pub fn read_back(text: &str, budget: Option<u64>) -> Result<ReadBack, NoResult> {
    let has_returns = text.split('\n').next().is_some_and(|line| line.ends_with('\r'));
    let plain = if has_returns { Cow::Owned(text.replace("\r\n", "\n")) } else { text.into() };
    let frames = Frames::cut(&plain)?;
    let budget = frames.budget(budget);
    let mut unknown = Vec::new();
    if has_returns {
        unknown.push("its own line ends: a tool writes LF, and here is CRLF".to_owned());
    }
    let engine = frames.engine();
    if budget.is_none() {
        unknown.push("the budget, and what was left of it".to_owned());
    }
    if engine.is_none() {
        unknown.push("which engine selected the evidence; taken for `selection`".to_owned());
    }
    let told = engine;
    let engine = engine.unwrap_or_default();
    let lacks = frames.lacks_rows();
    let Frames { answered, items, is_cut, .. } = frames;
    if is_cut {
        unknown.push("the end of the result: the text is cut off".to_owned());
    }
    if let Some((lacking, counted)) = lacks {
        unknown.push(format!("{lacking} of the {counted} rows that its envelope counts"));
    }
    let mut account = Account::new(&answered, items, told, budget, is_cut);
    account.take();
    let mut selection = account.selection(&mut unknown);
    selection.spent = answered.spent();
    if engine == Engine::Rows {
        for item in &mut selection.items {
            if matches!(item.kind, Kind::Envelope | Kind::Table | Kind::Note) {
                item.charged = 0;
            }
        }
    }
    if let Some(budget) = budget {
        let charged: usize = selection.items.iter().map(|item| item.charged).sum();
        let bytes = i64::try_from(budget.saturating_mul(TOKEN as u64)).unwrap_or(i64::MAX);
        selection.budget = budget;
        selection.remaining = bytes.saturating_sub(i64::try_from(charged).unwrap_or(i64::MAX));
    }
    let (query, scope) = asked(answered.table());
    Ok(ReadBack { answered, selection, budget, engine: told, query, scope, unknown })
}
