//! The bytes of the Mark Protocol: one request and one response on one stream.
//! Pure: nothing here opens a connection.
//!
//! - `scalar`: how one metadata value is written
//! - `block`: the metadata block, read and written
//! - `request`, `response`: the two directions
//! - `status`: the status words that a reader meets

mod block;
mod request;
mod response;
mod scalar;
mod status;

pub use block::{BlockError, Metadata, read_block, write_block};
pub use request::{Request, RequestError};
pub use response::{Response, ResponseError};
pub use status::Status;

/// The ALPN name of the protocol.
pub const ALPN: &[u8] = b"mark";
/// The most bytes of a request's first line, its line feed not counted.
pub const MAX_LINE: usize = 4096;
/// The most bytes of a path: the line less the longest verb of a reader and a space.
pub const MAX_PATH: usize = 4087;
/// The most bytes of a request's metadata block, fences not counted.
pub const MAX_BLOCK: usize = 65_536;
/// The most bytes of a request's body.
pub const MAX_BODY: usize = 1_048_576;
/// The most bytes of a whole response that a client reads.
pub const MAX_RESPONSE: usize = 4_194_304;
/// The most bytes of a response's metadata block that a client reads: what a
/// publisher may declare, and as much again for what the server adds.
pub const MAX_RESPONSE_BLOCK: usize = 2 * MAX_BLOCK;

/// Keys of a response that the server owns: never a publisher's metadata.
pub const SERVER_KEYS: [&str; 16] = [
    "version",
    "modified",
    "etag",
    "content-hash",
    "current-version",
    "server-version",
    "your-version",
    "total",
    "current",
    "chain-valid",
    "chain-error",
    "archived",
    "entries",
    "matches",
    "match",
    "status",
];

const OPEN: &[u8] = b"---\n";

/// The block and what is behind it, of bytes that begin behind an opening fence:
/// cut at the first closing fence on a line of its own. `None` where there is none.
fn cut_block(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(at) = memchr::memmem::find(bytes, b"\n---\n") {
        return Some((&bytes[..at], &bytes[at + 5..]));
    }
    bytes.strip_suffix(b"\n---").map(|block| (block, &[][..]))
}
