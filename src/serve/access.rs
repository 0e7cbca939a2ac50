//! Who may read what: the tokens file of a server.
//!
//! A token is known by its hash. Reading is free, but for paths that some token
//! covers with the operation `read`: those need such a token.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use super::hash;
use crate::mark::wire::Status;
use crate::text::visible_line;

/// Always free, so that a client can find out about the server.
const MANIFEST: &str = "/.well-known/agent-manifest.md";
const READ: &str = "read";

/// The tokens of a server; by default there are none and everything can be read.
#[derive(Debug, Default)]
pub struct Access {
    tokens: Vec<Token>,
}

#[derive(Debug)]
struct Token {
    hash: String,
    paths: Vec<String>,
    reads: bool,
    expires: Option<Timestamp>,
}

/// Why a tokens file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// It is no TOML of the right shape.
    #[error("{0}")]
    Toml(String),
    /// A token is of no use as it stands.
    #[error("the token `{label}` {problem}")]
    Token {
        /// The label of the token.
        label: String,
        /// What is wrong, and what to write.
        problem: &'static str,
    },
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    tokens: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    hash: String,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    operations: Vec<String>,
    expires: Option<String>,
}

impl Access {
    /// Reads a tokens file.
    ///
    /// # Errors
    /// What is wrong with it. It is not used in part: a token left out could make
    /// readable what must not be.
    pub fn parse(text: &str) -> Result<Self, AccessError> {
        let file: File = toml::from_str(text)
            .map_err(|error| AccessError::Toml(visible_line(error.message())))?;
        let tokens = file.tokens.into_iter().map(|(label, entry)| {
            let problem = |problem| AccessError::Token { label: visible_line(&label), problem };
            let hex = entry.hash.strip_prefix("sha256-").filter(|hex| hex.len() == 64);
            let hex =
                hex.ok_or_else(|| problem("has no hash of the form sha256-<64 hex digits>"))?;
            if entry.paths.iter().any(|path| path.matches("**").count() > 1) {
                return Err(problem("has a path with more than one `**`; write one path for each"));
            }
            let expires = entry.expires.map(|expires| expires.parse()).transpose();
            Ok(Token {
                hash: hex.to_ascii_lowercase(),
                paths: entry.paths,
                reads: entry.operations.iter().any(|operation| operation == READ),
                expires: expires
                    .map_err(|_| problem("expires at no time; write it as 2026-01-01T00:00:00Z"))?,
            })
        });
        Ok(Self { tokens: tokens.collect::<Result<_, _>>()? })
    }

    /// Whether somebody with this token, or none, may read a path.
    ///
    /// # Errors
    /// [`Status::Unauthorized`] where a token is needed that is known,
    /// [`Status::NotPermitted`] where another one is needed.
    pub fn may_read(&self, path: &str, token: Option<&str>, now: Timestamp) -> Result<(), Status> {
        let mut covering = self.tokens.iter().filter(|token| token.reads && token.covers(path));
        if path == MANIFEST || covering.clone().next().is_none() {
            return Ok(());
        }
        let Some(known) = self.known(token, now) else { return Err(Status::Unauthorized) };
        if covering.any(|token| std::ptr::eq(token, known)) {
            Ok(())
        } else {
            Err(Status::NotPermitted)
        }
    }

    /// Whether a token is one of these and has not expired.
    pub fn knows(&self, token: Option<&str>, now: Timestamp) -> bool {
        self.known(token, now).is_some()
    }

    fn known(&self, token: Option<&str>, now: Timestamp) -> Option<&Token> {
        let hash = hash(token?.as_bytes());
        self.tokens
            .iter()
            .find(|token| token.hash == hash && token.expires.is_none_or(|expires| now < expires))
    }
}

impl Token {
    /// Whether a path is covered; that of a directory also by what covers all in it.
    fn covers(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        self.paths.iter().any(|pattern| covers(pattern, path) || covers(pattern, &inside))
    }
}

/// Whether a pattern covers a path: `*` and `?` stay within a segment, `**` is any
/// number of segments, at the end at least one, be it empty.
fn covers(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    covers_segments(&pattern, &path)
}

fn covers_segments(pattern: &[&str], path: &[&str]) -> bool {
    match pattern {
        [] => path.is_empty(),
        ["**"] => !path.is_empty(),
        ["**", rest @ ..] => (0..=path.len()).any(|at| covers_segments(rest, &path[at..])),
        [first, rest @ ..] => path.split_first().is_some_and(|(name, path)| {
            let pattern: Vec<char> = first.chars().collect();
            let name: Vec<char> = name.chars().collect();
            covers_name(&pattern, &name) && covers_segments(rest, path)
        }),
    }
}

fn covers_name(pattern: &[char], name: &[char]) -> bool {
    match pattern {
        [] => name.is_empty(),
        ['*', rest @ ..] => (0..=name.len()).any(|at| covers_name(rest, &name[at..])),
        ['?', rest @ ..] => !name.is_empty() && covers_name(rest, &name[1..]),
        ['\\', c, rest @ ..] | [c, rest @ ..] => {
            name.first() == Some(c) && covers_name(rest, &name[1..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_cover_paths() {
        for (pattern, path, want) in [
            ("/x/**", "/x/a", true),
            ("/x/**", "/x/a/b", true),
            ("/x/**", "/x", false),
            ("/x/**", "/x/", true),
            ("/x/**", "/xy/a", false),
            ("/**", "/a", true),
            ("/x/*", "/x/a", true),
            ("/x/*", "/x/a/b", false),
            ("/x/*.md", "/x/a.md", true),
            ("/x/?.md", "/x/ab.md", false),
            ("/x/**/z", "/x/z", true),
            ("/x/**/z", "/x/a/b/z", true),
            ("/x/**/z", "/x/a/b", false),
            ("/x/\\*", "/x/*", true),
            ("/x/\\*", "/x/a", false),
        ] {
            assert_eq!(covers(pattern, path), want, "{pattern} {path}");
        }
    }

    #[test]
    fn a_bad_file_is_refused_whole() {
        for text in [
            "tokens = 3",
            "[tokens.a]\nhash = \"md5-1\"",
            "[tokens.a]",
            &format!("[tokens.a]\nhash = \"sha256-{}\"\nexpires = \"soon\"", "0".repeat(64)),
        ] {
            assert!(Access::parse(text).is_err(), "{text}");
        }
        let free = Access::parse("").expect("no tokens");
        assert_eq!(free.may_read("/a", None, Timestamp::UNIX_EPOCH), Ok(()));
    }
}
