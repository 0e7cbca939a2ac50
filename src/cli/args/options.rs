//! What a lookup may ask for, and values as they are typed.

use std::time::Duration;

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use crate::catalog::{Match, Request, parse_time};
use crate::lookup::{DEFAULT_BUDGET, MAX_BUDGET, Question};
use crate::selection::Engine;
use crate::tune::RecordedLookup;

/// Which state of the world is looked at.
#[derive(Debug, Clone, Copy, Args)]
pub(in crate::cli) struct State {
    /// The world as it stood at a time; without a history, what has not changed since
    #[arg(long, value_name = "RFC3339", value_parser = time)]
    pub(in crate::cli) as_of: Option<Timestamp>,
    /// Verify the hashes of all versions first; 1 is the exit code if one is broken
    #[arg(long)]
    pub(in crate::cli) chain: bool,
}

/// What a lookup may ask for, beside world and query.
#[derive(Debug, Args)]
pub(in crate::cli) struct Options {
    /// Tokens for the whole result; 0 is the table alone
    #[arg(
        long,
        value_name = "TOKENS",
        default_value_t = DEFAULT_BUDGET,
        value_parser = budget,
        allow_negative_numbers = true,
        env = "MARKSCOPE_BUDGET",
        hide_env = true
    )]
    pub(in crate::cli) budget: u64,
    /// What the query is matched against; not sent, a store matches the catalog
    #[arg(long = "match", value_name = "MATCH", env = "MARKSCOPE_MATCH", hide_env = true)]
    matched: Option<MatchName>,
    /// Only below this directory
    #[arg(long, value_name = "PATH", default_value = "/")]
    scope: String,
    /// Only documents for which every clause holds: tag=, modified-after=,
    /// modified-before=, or any metadata key
    #[arg(long, value_name = "K=V[,K=V…]", default_value = "", hide_default_value = true)]
    filter: String,
    /// Rows at most; a store gives no more than 1000 [default: 10]
    #[arg(
        long,
        value_name = "N",
        value_parser = limit,
        allow_negative_numbers = true,
        env = "MARKSCOPE_LIMIT",
        hide_env = true
    )]
    limit: Option<usize>,
    /// Show all tags of a row
    #[arg(long)]
    verbose: bool,
    /// Which rules select the evidence
    #[arg(
        long,
        value_name = "ENGINE",
        default_value = "selection",
        env = "MARKSCOPE_ENGINE",
        hide_env = true
    )]
    engine: EngineName,
    #[command(flatten)]
    pub(in crate::cli) state: State,
}

impl Options {
    pub(in crate::cli) fn question(&self, query: &str) -> Question {
        Question {
            request: Request {
                query: query.to_owned(),
                scope: self.scope.clone(),
                filter: self.filter.clone(),
                match_sent: self.matched.map(MatchName::matched),
                limit: self.limit,
            },
            engine: self.engine.engine(),
            verbose: self.verbose,
        }
    }
}

/// The budgets of recorded lookups.
#[derive(Debug, Clone, Copy, Args)]
pub(in crate::cli) struct Budgets {
    // The setting is not the default of this one: what is recorded comes before it.
    /// One budget for all lookups, in place of those recorded
    #[arg(id = "budget-of-all", long = "budget", value_name = "TOKENS", value_parser = budget)]
    of_all: Option<u64>,
    /// The budget of a lookup that has none recorded
    #[arg(
        id = "budget",
        long = "budget-where-none",
        value_name = "TOKENS",
        default_value_t = DEFAULT_BUDGET,
        value_parser = budget,
        env = "MARKSCOPE_BUDGET",
        hide_env = true,
        hide = true
    )]
    where_none: u64,
}

impl Budgets {
    /// The budget that takes the place of all that are recorded, where there is one.
    pub(in crate::cli) fn of_all(self) -> Option<u64> {
        self.of_all
    }

    /// The budget of a lookup.
    pub(in crate::cli) fn of(self, lookup: &RecordedLookup) -> u64 {
        self.of_all.or(lookup.budget).unwrap_or(self.where_none)
    }

    /// Gives the lookups that have no budget the user's, where that is another than
    /// the one built in.
    pub(in crate::cli) fn fill(self, lookups: &mut [RecordedLookup]) {
        if self.where_none == DEFAULT_BUDGET {
            return;
        }
        for lookup in lookups {
            lookup.budget.get_or_insert(self.where_none);
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum MatchName {
    /// Titles and tags
    Catalog,
    /// The text of sections too
    Body,
}

impl MatchName {
    pub(in crate::cli) fn matched(self) -> Match {
        match self {
            Self::Catalog => Match::Catalog,
            Self::Body => Match::Body,
        }
    }
}

/// A model's tokens.
#[cfg(feature = "tokenizer")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TokenizerName {
    /// As GPT-4o and later models count
    #[value(name = "o200k_base")]
    O200kBase,
    /// As GPT-3.5 and GPT-4 count
    #[value(name = "cl100k_base")]
    Cl100kBase,
}

#[cfg(feature = "tokenizer")]
impl TokenizerName {
    pub(in crate::cli) fn tokenizer(self) -> crate::tui::tokens::Tokenizer {
        use crate::tui::tokens::Tokenizer;
        let (name, tokenizer) = match self {
            Self::O200kBase => ("o200k_base", bpe_openai::o200k_base()),
            Self::Cl100kBase => ("cl100k_base", bpe_openai::cl100k_base()),
        };
        Tokenizer { name, count: std::sync::Arc::new(|text| tokenizer.count(text)) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EngineName {
    /// One budget for the whole result, coalescing, one hop along relations
    Selection,
    /// The engine before it: rows as they come, the table free
    Rows,
}

impl EngineName {
    pub(in crate::cli) fn engine(self) -> Engine {
        match self {
            Self::Selection => Engine::Selection,
            Self::Rows => Engine::Rows,
        }
    }
}

pub(in crate::cli) fn budget(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|budget| *budget <= MAX_BUDGET)
        .ok_or_else(|| format!("a budget is a whole number of tokens from 0 to {MAX_BUDGET}"))
}

/// Tokens that a model of costs reckons with.
pub(in crate::cli) fn tokens(text: &str) -> Result<u64, String> {
    budget(text).map_err(|_| format!("this is a whole number of tokens from 0 to {MAX_BUDGET}"))
}

/// A store refuses 0, a deployed tool leaves it out: it is never what was meant.
pub(in crate::cli) fn limit(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|limit| *limit > 0).ok_or_else(|| {
        "a limit is a whole number of rows, 1 or more; without it a store gives 10".into()
    })
}

/// The command line of a tool.
pub(super) fn command_line(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a tool is a command line, such as 'TOOL --stdio'".into()),
        _ => Ok(text.to_owned()),
    }
}

pub(super) fn bound(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|most| *most > 0)
        .ok_or_else(|| "a bound is a whole number of documents, 1 or more".into())
}

pub(in crate::cli) fn time(text: &str) -> Result<Timestamp, String> {
    parse_time(text).ok_or_else(|| {
        "a time is RFC 3339, such as 2026-10-01T08:00:00Z, or a date, which is midnight in UTC"
            .into()
    })
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.001..=3600.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "a time is a number of seconds, such as 2.5, at most 3600".into())
}

pub(super) fn size(text: &str) -> Result<(u16, u16), String> {
    let parse = || {
        let (width, height) = text.split_once(['x', 'X'])?;
        Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
    };
    parse()
        .filter(|(width, height)| (1..=1000).contains(width) && (1..=1000).contains(height))
        .ok_or_else(|| "a size is WIDTHxHEIGHT in cells, such as 120x40, at most 1000x1000".into())
}
