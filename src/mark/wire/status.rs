//! The status words of a response.

use std::fmt;

/// What became of a request, as far as a reader distinguishes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Status {
    /// Done.
    Ok,
    /// A condition held: the copy that the client has is current.
    NotModified,
    /// Nothing is there.
    NotFound,
    /// The document was archived; its versions can still be read.
    Archived,
    /// A token is needed, and none or no valid one was sent.
    Unauthorized,
    /// The token does not cover this.
    NotPermitted,
    /// The request is at fault, or the server does not know the verb.
    BadRequest,
    /// Too many requests; later again.
    RateLimited,
    /// The server failed.
    ServerError,
    /// Any other word. It says nothing about whether there is a document.
    Other(String),
}

impl Status {
    /// The word on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Ok => "ok",
            Self::NotModified => "not-modified",
            Self::NotFound => "not-found",
            Self::Archived => "archived",
            Self::Unauthorized => "unauthorized",
            Self::NotPermitted => "not-permitted",
            Self::BadRequest => "bad-request",
            Self::RateLimited => "rate-limited",
            Self::ServerError => "server-error",
            Self::Other(word) => word,
        }
    }

    /// The heading of an error's body: the word with a capital, spaces for dashes.
    pub fn title(&self) -> String {
        let words = self.as_str().replace('-', " ");
        let mut chars = words.chars();
        match chars.next() {
            Some(first) => first.to_uppercase().chain(chars).collect(),
            None => words,
        }
    }
}

impl From<&str> for Status {
    fn from(word: &str) -> Self {
        let known = [
            Self::Ok,
            Self::NotModified,
            Self::NotFound,
            Self::Archived,
            Self::Unauthorized,
            Self::NotPermitted,
            Self::BadRequest,
            Self::RateLimited,
            Self::ServerError,
        ];
        known
            .into_iter()
            .find(|status| status.as_str() == word)
            .unwrap_or_else(|| Self::Other(word.to_owned()))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_and_make_titles() {
        for (word, title) in [
            ("not-found", "Not found"),
            ("ok", "Ok"),
            ("too-large", "Too large"),
            ("", ""),
            ("élan-vital", "Élan vital"),
        ] {
            assert_eq!(Status::from(word).as_str(), word);
            assert_eq!(Status::from(word).title(), title);
        }
        assert_eq!(Status::from("archived"), Status::Archived);
        assert_eq!(Status::from("Archived"), Status::Other("Archived".into()));
    }
}
