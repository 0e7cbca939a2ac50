//! The filter of a LOOKUP: clauses that must all hold.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::document::Document;
use crate::text::eq_fold;

/// One clause of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// Some tag equals the value, without regard to case.
    Tag(String),
    /// The document changed strictly after this time.
    ModifiedAfter(Timestamp),
    /// The document changed strictly before this time.
    ModifiedBefore(Timestamp),
    /// The declared metadata value of the key equals the value exactly.
    Exact {
        /// The metadata key.
        key: String,
        /// The value it must have.
        value: String,
    },
}

/// Why a filter is refused. The wording is the store's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterError {
    /// No `=`, or nothing on one side of it.
    MalformedClause(String),
    /// A time that is neither RFC 3339 nor `YYYY-MM-DD`.
    InvalidDate {
        /// The key whose value it is.
        key: String,
        /// The value.
        value: String,
    },
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MalformedClause(clause) => write!(f, "malformed filter clause \"{clause}\""),
            Self::InvalidDate { key, value } => {
                write!(f, "filter {key}: invalid date \"{value}\" (want RFC 3339 or YYYY-MM-DD)")
            }
        }
    }
}

impl std::error::Error for FilterError {}

/// The clauses of a filter, all of which must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    clauses: Vec<Clause>,
}

impl Filter {
    /// The clauses in the order written.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Whether a document is let through.
    pub fn holds(&self, document: &Document) -> bool {
        self.clauses.iter().all(|clause| match clause {
            Clause::Tag(value) => document.tags().any(|tag| eq_fold(tag, value)),
            Clause::ModifiedAfter(time) => document.modified().is_some_and(|at| at > *time),
            Clause::ModifiedBefore(time) => document.modified().is_some_and(|at| at < *time),
            Clause::Exact { key, value } => document.metadata().get(key) == Some(value),
        })
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let clauses = text
            .split(',')
            .map(str::trim)
            .filter(|clause| !clause.is_empty())
            .map(parse_clause)
            .collect::<Result<_, _>>()?;
        Ok(Self { clauses })
    }
}

fn parse_clause(clause: &str) -> Result<Clause, FilterError> {
    let (key, value) = clause
        .split_once('=')
        .map(|(key, value)| (key.trim(), value.trim()))
        .filter(|(key, value)| !key.is_empty() && !value.is_empty())
        .ok_or_else(|| FilterError::MalformedClause(clause.to_owned()))?;
    let time = || {
        parse_time(value).ok_or_else(|| FilterError::InvalidDate {
            key: key.to_owned(),
            value: value.to_owned(),
        })
    };
    Ok(match key {
        "tag" => Clause::Tag(value.to_owned()),
        "modified-after" => Clause::ModifiedAfter(time()?),
        "modified-before" => Clause::ModifiedBefore(time()?),
        key => Clause::Exact { key: key.to_owned(), value: value.to_owned() },
    })
}

/// RFC 3339 with capital `T` and `Z`, or a date, which is midnight in UTC.
pub(crate) fn parse_time(text: &str) -> Option<Timestamp> {
    if is_date(text) {
        let date: Date = text.parse().ok()?;
        return TimeZone::UTC.to_timestamp(date.at(0, 0, 0, 0)).ok();
    }
    // The library reads more forms than RFC 3339 has.
    let bytes = text.as_bytes();
    let clock = bytes.get(11..19)?;
    // A fraction may be finer than the library's nanoseconds: what is finer is cut.
    let (seconds, rest) = text.split_at_checked(19)?;
    let zone = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let fraction = &rest[..rest.len() - zone.len()];
    let well_formed = is_date(text.get(..10)?)
        && bytes[10] == b'T'
        && clock[2] == b':'
        && clock[5] == b':'
        && [0, 1, 3, 4, 6, 7].iter().all(|at| clock[*at].is_ascii_digit())
        // The library takes a leap second, which a store does not.
        && clock[6] < b'6'
        && is_zone(zone);
    let shortened = format!("{seconds}{}{zone}", &fraction[..fraction.len().min(10)]);
    well_formed.then(|| shortened.parse().ok()).flatten()
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn is_zone(text: &str) -> bool {
    let bytes = text.as_bytes();
    text == "Z"
        || (bytes.len() == 6
            && matches!(bytes[0], b'+' | b'-')
            && bytes[3] == b':'
            && [1, 2, 4, 5].iter().all(|at| bytes[*at].is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rfc_3339_or_dates() {
        for (text, want) in [
            ("2026-01-01", "2026-01-01T00:00:00Z"),
            ("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.5Z"),
            ("2024-01-01T00:00:00.1234567891Z", "2024-01-01T00:00:00.123456789Z"),
            ("2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00Z"),
        ] {
            assert_eq!(parse_time(text).map(|time| time.to_string()).as_deref(), Some(want));
        }
        for text in [
            "2026-01-01T00:00:60Z",
            "2026-01-01t00:00:00z",
            "2026-01-01T00:00:00",
            "2026-01-01T00:00:0é",
            "2026-01-01T00:00é0Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:00:00.Z.",
            "",
        ] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
