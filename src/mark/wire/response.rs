//! One response: metadata with the status, and a body.

use super::block::{BlockError, Metadata, read_block, write_block};
use super::status::Status;
use super::{MAX_RESPONSE, MAX_RESPONSE_BLOCK, OPEN, cut_block};

const STATUS: &str = "status";

/// One response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// What became of the request; an empty word where there was no metadata.
    pub status: Status,
    /// All other keys.
    pub metadata: Metadata,
    /// The body as sent.
    pub body: Vec<u8>,
}

/// Why bytes are no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// There are more bytes than a client reads.
    #[error("it is larger than {} MiB, the most a client reads", MAX_RESPONSE >> 20)]
    TooLarge,
    /// The metadata begins but does not end.
    #[error("its metadata has no end")]
    Unclosed,
    /// The metadata is larger than a client reads.
    #[error("its metadata is larger than {} KiB", MAX_RESPONSE_BLOCK >> 10)]
    BlockTooLarge,
    /// The metadata is no mapping of texts.
    #[error("{0}")]
    Block(#[from] BlockError),
}

impl Response {
    /// A response without metadata and body.
    pub fn new(status: Status) -> Self {
        Self { status, metadata: Metadata::new(), body: Vec::new() }
    }

    /// An error with its message, in the body that servers generate for it.
    pub fn error(status: Status, message: &str) -> Self {
        let body = format!("\n# {}\n\n{message}\n", status.title()).into_bytes();
        Self { body, ..Self::new(status) }
    }

    /// The same response with one more metadata value.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.metadata.insert(key.to_owned(), value.into());
        self
    }

    /// The same response with a body.
    #[must_use]
    pub fn with_body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// One metadata value.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.metadata.get(key).map(String::as_str)
    }

    /// The message of an error's body: its first line that is neither empty nor a
    /// heading. Empty where there is none.
    pub fn message(&self) -> String {
        let body = String::from_utf8_lossy(&self.body);
        let line =
            body.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        line.unwrap_or_default().to_owned()
    }

    /// The bytes to send.
    pub fn encode(&self) -> Vec<u8> {
        let word = self.status.as_str();
        let mut out = Vec::with_capacity(self.body.len() + 512);
        if word.is_empty() && self.metadata.is_empty() {
            if self.body.starts_with(OPEN) {
                out.extend_from_slice(b"---\n\n---\n");
            }
        } else {
            let metadata = self.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            let status = (!word.is_empty()).then_some((STATUS, word));
            out.extend_from_slice(OPEN);
            out.extend_from_slice(write_block(metadata.chain(status)).as_bytes());
            out.extend_from_slice(OPEN);
        }
        out.extend_from_slice(&self.body);
        out
    }

    /// Reads all bytes of a response.
    ///
    /// # Errors
    /// What is wrong with the bytes, to stand behind "the answer is unusable:".
    pub fn parse(bytes: &[u8]) -> Result<Self, ResponseError> {
        if bytes.len() > MAX_RESPONSE {
            return Err(ResponseError::TooLarge);
        }
        let Some(rest) = bytes.strip_prefix(OPEN) else {
            return Ok(Self::new(Status::from("")).with_body(bytes));
        };
        let (block, body) = cut_block(rest).ok_or(ResponseError::Unclosed)?;
        if block.len() > MAX_RESPONSE_BLOCK {
            return Err(ResponseError::BlockTooLarge);
        }
        let block = str::from_utf8(block).map_err(|_| BlockError::NotUtf8)?;
        let mut metadata = read_block(block)?;
        let status = Status::from(metadata.remove(STATUS).unwrap_or_default().as_str());
        Ok(Self { status, metadata, body: body.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_without_metadata_are_a_body() {
        let bytes = b"# Just text\n---\n";
        let response = Response::parse(bytes).expect("a response");
        assert_eq!(response.status.as_str(), "");
        assert_eq!(response.body, bytes);
        assert_eq!(response.encode(), bytes);
    }

    #[test]
    fn a_block_must_end_and_may_end_with_the_bytes() {
        assert_eq!(Response::parse(b"---\nstatus: ok\n"), Err(ResponseError::Unclosed));
        let closed = Response::parse(b"---\nstatus: ok\n---").expect("a response");
        assert_eq!((closed.status, closed.body), (Status::Ok, Vec::new()));
        let blank = Response::parse(b"---\n\n---\nbody").expect("a response");
        assert_eq!((blank.status.as_str(), blank.body.as_slice()), ("", &b"body"[..]));
    }

    #[test]
    fn sizes_are_limited() {
        let long = format!("---\nstatus: ok\nk: {}\n---\n", "v".repeat(MAX_RESPONSE_BLOCK));
        assert_eq!(Response::parse(long.as_bytes()), Err(ResponseError::BlockTooLarge));
        assert_eq!(Response::parse(&vec![b'x'; MAX_RESPONSE + 1]), Err(ResponseError::TooLarge));
    }

    #[test]
    fn a_message_is_read_from_an_errors_body() {
        let error = Response::error(Status::NotFound, "/a not found");
        assert_eq!(error.body, b"\n# Not found\n\n/a not found\n");
        assert_eq!(error.message(), "/a not found");
        assert_eq!(Response::new(Status::RateLimited).message(), "");
    }
}
