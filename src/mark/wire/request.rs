//! One request: a line, perhaps metadata, perhaps a body.

use super::block::{Metadata, read_block, write_quoted};
use super::{MAX_BLOCK, MAX_BODY, MAX_LINE, MAX_PATH, OPEN, cut_block};

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What is asked for, such as `FETCH`.
    pub verb: String,
    /// The path, decoded, beginning with `/`.
    pub path: String,
    /// What goes with it, `auth` for a token.
    pub metadata: Metadata,
    /// The body; empty for every verb of a reader.
    pub body: Vec<u8>,
}

/// Why bytes are no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Nothing was sent, or something is over its limit (`server-error`).
    #[error("could not read request")]
    Unreadable,
    /// The grammar is at fault (`bad-request`).
    #[error("bad request")]
    Malformed,
}

impl Request {
    /// A request with nothing but a verb and a decoded path.
    pub fn new(verb: impl Into<String>, path: impl Into<String>) -> Self {
        Self { verb: verb.into(), path: path.into(), metadata: Metadata::new(), body: Vec::new() }
    }

    /// The same request with one more metadata value.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.metadata.insert(key.to_owned(), value.into());
        self
    }

    /// The bytes to send, every metadata value in double quotes.
    ///
    /// # Errors
    /// [`RequestError::Malformed`] where verb or path cannot stand in a line, and
    /// [`RequestError::Unreadable`] where something is over its limit.
    pub fn encode(&self) -> Result<Vec<u8>, RequestError> {
        check_words(&self.verb, &self.path)?;
        let block = write_quoted(&self.metadata);
        let line = self.verb.len() + 1 + self.path.len();
        if line > MAX_LINE || block.len() > MAX_BLOCK || self.body.len() > MAX_BODY {
            return Err(RequestError::Unreadable);
        }
        let mut out = format!("{} {}\n", self.verb, self.path).into_bytes();
        if !block.is_empty() {
            out.extend_from_slice(OPEN);
            out.extend_from_slice(block.as_bytes());
            out.extend_from_slice(OPEN);
        } else if self.body.starts_with(OPEN) {
            // Else the body would be taken for the metadata.
            out.extend_from_slice(b"---\n\n---\n");
        }
        out.extend_from_slice(&self.body);
        Ok(out)
    }

    /// Reads all bytes of a request.
    ///
    /// # Errors
    /// Which answer the bytes deserve.
    pub fn parse(bytes: &[u8]) -> Result<Self, RequestError> {
        if bytes.is_empty() {
            return Err(RequestError::Unreadable);
        }
        let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
        if end > MAX_LINE {
            return Err(RequestError::Unreadable);
        }
        let rest = bytes.get(end + 1..).unwrap_or_default();
        let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
        let line = str::from_utf8(line).map_err(|_| RequestError::Malformed)?;
        let (verb, path) = line.split_once(' ').ok_or(RequestError::Malformed)?;
        check_words(verb, path)?;
        let (metadata, body) = match rest.strip_prefix(OPEN) {
            None => (Metadata::new(), rest),
            Some(rest) => {
                let (block, body) = cut_block(rest).ok_or(RequestError::Malformed)?;
                if block.len() > MAX_BLOCK {
                    return Err(RequestError::Unreadable);
                }
                let block = str::from_utf8(block).map_err(|_| RequestError::Malformed)?;
                (read_block(block).map_err(|_| RequestError::Malformed)?, body)
            }
        };
        if body.len() > MAX_BODY {
            return Err(RequestError::Unreadable);
        }
        Ok(Self { verb: verb.to_owned(), path: path.to_owned(), metadata, body: body.to_vec() })
    }
}

fn check_words(verb: &str, path: &str) -> Result<(), RequestError> {
    let verb_is_fine = !verb.is_empty() && verb.bytes().all(|byte| byte.is_ascii_uppercase());
    let path_is_fine = path.starts_with('/')
        && path.len() <= MAX_PATH
        && path.bytes().all(|byte| byte == b'\t' || (byte >= 0x20 && byte != 0x7f));
    if verb_is_fine && path_is_fine { Ok(()) } else { Err(RequestError::Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_hold_spaces_and_a_body_a_fence() {
        let mut request = Request::new("FETCH", "/a b c.md");
        request.body = b"---\nx: y\n---\n".to_vec();
        let bytes = request.encode().expect("bytes");
        assert_eq!(bytes, b"FETCH /a b c.md\n---\n\n---\n---\nx: y\n---\n");
        assert_eq!(Request::parse(&bytes), Ok(request));
    }

    #[test]
    fn no_line_can_be_smuggled_in() {
        for path in ["/a\nFETCH /b", "/a\r", "/a\0", "a", "", "/\u{7f}"] {
            assert_eq!(
                Request::new("FETCH", path).encode(),
                Err(RequestError::Malformed),
                "{path:?}"
            );
        }
        let request = Request::new("FETCH", "/a").with("auth", "x\n---\ninjected: y");
        let bytes = request.encode().expect("bytes");
        assert_eq!(Request::parse(&bytes), Ok(request));
    }

    #[test]
    fn limits() {
        let path = format!("/{}", "a".repeat(MAX_PATH - 1));
        assert!(Request::new("VERSIONS", path.clone()).encode().is_ok());
        assert_eq!(Request::new("FETCH", path + "a").encode(), Err(RequestError::Malformed));
        let long = Request::new("FETCH", "/a").with("k", "v".repeat(MAX_BLOCK));
        assert_eq!(long.encode(), Err(RequestError::Unreadable));
        let line = format!("FETCH /{}", "a".repeat(MAX_LINE));
        assert_eq!(Request::parse(line.as_bytes()), Err(RequestError::Unreadable));
    }
}
