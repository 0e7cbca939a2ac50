//! Which token goes to which server.
//!
//! A token given for a command is for the server that the command names, and for
//! no other. Else it is the one that the reference clients keep for the server:
//! in `~/.mark/tokens.toml`, or in a file of its own in `~/.mark/tokens.d`.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::mark::address::Address;
use crate::text::visible_line;

/// The variable with a token for the server that a command names.
const VARIABLE: &str = "DEMARKUS_AUTH";
/// The largest file that is looked at.
const MAX_FILE: u64 = 1 << 20;

/// A token. It is never printed: not by `Debug`, and there is no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    secret: String,
    origin: String,
}

impl Token {
    /// The token itself, for the request alone.
    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    /// The file or the variable that it is from.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    fn of(text: &str, origin: &str) -> Result<Self, TokenError> {
        let token = text.trim();
        let is_fine =
            !token.is_empty() && !token.chars().any(|c| c.is_whitespace() || c.is_control());
        if is_fine {
            Ok(Self { secret: token.to_owned(), origin: origin.to_owned() })
        } else {
            Err(TokenError::NoToken { origin: origin.to_owned() })
        }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Why a token cannot be had. None of these tells what is in a file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// A file cannot be read.
    #[error("{file} cannot be read: {cause}; give a file with the token in it, or none")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        cause: String,
    },
    /// What is there is no token.
    #[error("{origin} holds no token: it must be one word on a line of its own")]
    NoToken {
        /// The file or the variable.
        origin: String,
    },
    /// A file of tokens is no TOML of the right shape.
    #[error("{file} cannot be used; write it as [\"host:6309\"] and below it token = \"…\"")]
    Toml {
        /// The file.
        file: String,
    },
}

/// Where tokens are looked for.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    file: Option<PathBuf>,
    variable: Option<Token>,
    folder: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Kept {
    token: String,
}

impl Tokens {
    /// The places of this process: a file given on the command line, the variable
    /// `DEMARKUS_AUTH`, and `~/.mark`.
    ///
    /// # Errors
    /// The variable is set and holds no token.
    pub fn of_process(file: Option<PathBuf>) -> Result<Self, TokenError> {
        let variable = std::env::var(VARIABLE).ok().filter(|text| !text.trim().is_empty());
        let folder = std::env::home_dir().map(|home| home.join(".mark"));
        Self::new(file, variable.as_deref(), folder)
    }

    /// The places given: a file, the value of a variable, and the folder that
    /// holds `tokens.toml` and `tokens.d`.
    ///
    /// # Errors
    /// The value is no token.
    pub fn new(
        file: Option<PathBuf>,
        variable: Option<&str>,
        folder: Option<PathBuf>,
    ) -> Result<Self, TokenError> {
        let variable = variable.map(|text| Token::of(text, VARIABLE)).transpose()?;
        Ok(Self { file, variable, folder })
    }

    /// The places that are looked at, and whether there is anything; nothing is read.
    pub fn places(&self) -> Vec<(String, bool)> {
        let file = self.file.iter().map(|file| (shown(file), file.exists()));
        let variable = (VARIABLE.to_owned(), self.variable.is_some());
        let kept = self
            .folder
            .iter()
            .flat_map(|folder| ["tokens.toml", "tokens.d"].map(|name| folder.join(name)));
        let kept = kept.map(|path| (shown(&path), path.exists()));
        file.chain([variable]).chain(kept).collect()
    }

    /// The token for a server, if there is one. `named` is whether a token given for
    /// the command is for this server: only then the variable counts, and a file with
    /// one token. A file of tokens by server counts for each of them.
    ///
    /// # Errors
    /// A place that has to be looked at cannot be used.
    pub fn find(&self, server: &Address, named: bool) -> Result<Option<Token>, TokenError> {
        if let Some(file) = &self.file {
            let text = read(file)?.ok_or_else(|| TokenError::Unreadable {
                file: shown(file),
                cause: "there is no such file".into(),
            })?;
            if named {
                return Self::in_file(&text, file, server);
            }
            if text.contains('=')
                && let Some(token) = kept(&text, file, server)?
            {
                return Ok(Some(token));
            }
        }
        if let Some(token) = self.variable.as_ref().filter(|_| named) {
            return Ok(Some(token.clone()));
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        let file = folder.join("tokens.toml");
        if let Some(text) = read(&file)?
            && let Some(token) = kept(&text, &file, server)?
        {
            return Ok(Some(token));
        }
        let file = folder.join("tokens.d").join(server.to_string());
        match read(&file)? {
            Some(text) => Token::of(&text, &shown(&file)).map(Some),
            None => Ok(None),
        }
    }

    /// A file given by name holds one token, or tokens by server.
    fn in_file(text: &str, file: &Path, server: &Address) -> Result<Option<Token>, TokenError> {
        match Token::of(text, &shown(file)) {
            Ok(token) => Ok(Some(token)),
            Err(no_token) if text.contains('=') => match kept(text, file, server)? {
                Some(token) => Ok(Some(token)),
                None => Err(no_token),
            },
            Err(no_token) => Err(no_token),
        }
    }
}

fn kept(text: &str, file: &Path, server: &Address) -> Result<Option<Token>, TokenError> {
    let all: BTreeMap<String, Kept> =
        toml::from_str(text).map_err(|_| TokenError::Toml { file: shown(file) })?;
    let kept = all.get(&server.to_string());
    kept.map(|kept| Token::of(&kept.token, &shown(file))).transpose()
}

/// The text of a file; `None` where there is none.
fn read(file: &Path) -> Result<Option<String>, TokenError> {
    let unreadable = |cause: String| TokenError::Unreadable { file: shown(file), cause };
    let size = match fs::metadata(file) {
        Ok(metadata) => metadata.len(),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error.to_string())),
    };
    if size > MAX_FILE {
        return Err(unreadable("it is too large for a token".into()));
    }
    fs::read_to_string(file).map(Some).map_err(|error| unreadable(error.to_string()))
}

fn shown(file: &Path) -> String {
    visible_line(&file.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(authority: &str) -> Address {
        Address::of_authority(authority).expect("an address")
    }

    #[test]
    fn places_are_asked_in_order() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("given");
        fs::write(&file, "tok-given\n").expect("written");
        fs::write(home.path().join("tokens.toml"), "[\"kb.example:6309\"]\ntoken = \"tok-kept\"\n")
            .expect("written");
        fs::create_dir(home.path().join("tokens.d")).expect("made");
        fs::write(home.path().join("tokens.d/other.example:7000"), " tok-own \n").expect("written");
        let folder = Some(home.path().to_owned());
        let all = Tokens::new(Some(file), Some("tok-variable"), folder.clone()).expect("tokens");
        let file = home.path().join("by-server");
        fs::write(&file, "[\"second.example:6309\"]\ntoken = \"tok-second\"\n").expect("written");
        let by_server = Tokens::new(Some(file), Some("tok-variable"), folder.clone());
        let by_server = by_server.expect("tokens");
        let variable = Tokens::new(None, Some("tok-variable"), folder.clone()).expect("tokens");
        let none = Tokens::new(None, None, folder).expect("tokens");
        for (tokens, authority, named, want) in [
            (&all, "kb.example", true, Some("tok-given")),
            (&all, "kb.example", false, Some("tok-kept")),
            (&by_server, "second.example", false, Some("tok-second")),
            (&by_server, "kb.example", false, Some("tok-kept")),
            (&variable, "kb.example", true, Some("tok-variable")),
            (&variable, "other.example:7000", false, Some("tok-own")),
            (&none, "KB.example:6309", true, Some("tok-kept")),
            (&none, "kb.example:7000", true, None),
            (&Tokens::default(), "kb.example", true, None),
        ] {
            let found = tokens.find(&server(authority), named).expect("no error");
            assert_eq!(found.as_ref().map(Token::secret), want, "{authority}");
        }
    }

    #[test]
    fn nothing_tells_a_token() {
        let home = tempfile::tempdir().expect("a folder");
        fs::write(home.path().join("tokens.toml"), "[\"h:6309\"\ntoken = \"tok-secret\"")
            .expect("written");
        let tokens = Tokens::new(None, None, Some(home.path().to_owned())).expect("tokens");
        let error = tokens.find(&server("h"), true).expect_err("broken");
        assert!(!error.to_string().contains("tok-secret"), "{error}");
        let tokens = Tokens::new(None, Some("tok-secret"), None).expect("tokens");
        assert!(!format!("{tokens:?}").contains("tok-secret"));
        let error = Tokens::new(None, Some("tok secret"), None).expect_err("two words");
        assert!(!error.to_string().contains("tok secret"), "{error}");
    }
}
