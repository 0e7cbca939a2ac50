//! A world, served over the Mark Protocol, read-only and for development.
//!
//! - [`Library`]: what is served: a world, and the older versions it knows
//! - [`Access`]: who may read what, from a server's tokens file
//! - `fetch`, `list`, `lookup`, `versions`: one verb each
//! - `cursor`: where a page of a listing goes on
//! - [`Server`]: the same over QUIC
//!
//! [`Library::answer`] is pure: bytes of a request and a time in, a response out.

mod access;
mod cursor;
mod fetch;
mod library;
mod list;
mod lookup;
mod server;
mod versions;

pub use access::{Access, AccessError};
pub use library::{Histories, History, Library, Version};
pub use server::{Identity, ServeError, Server};

use jiff::Timestamp;

use crate::catalog::canonical_path;
use crate::mark::wire::{Request, RequestError, Response, Status};

/// The longest name that a store can hold, in bytes.
const MAX_NAME: usize = 255;
/// The most entries of a listing's page.
const MAX_PAGE: usize = 1000;

/// A request that is well formed, with who asks.
struct Asking<'a> {
    request: &'a Request,
    /// The path in its canonical form.
    path: String,
    access: &'a Access,
    now: Timestamp,
}

impl Asking<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.request.metadata.get(key).map(String::as_str)
    }

    /// Whether a path may be read, else the answer that says why not.
    fn may_read(&self, path: &str) -> Result<(), Response> {
        self.access.may_read(path, self.get("auth"), self.now).map_err(denied)
    }
}

impl Library {
    /// The answer to the bytes of a request that comes in at a time.
    pub fn answer(&self, access: &Access, now: Timestamp, bytes: &[u8]) -> Response {
        let request = match Request::parse(bytes) {
            Ok(request) => request,
            Err(error @ RequestError::Unreadable) => {
                return Response::error(Status::ServerError, &error.to_string());
            }
            Err(error @ RequestError::Malformed) => {
                return Response::error(Status::BadRequest, &error.to_string());
            }
        };
        let Some(path) = canonical_path(&request.path) else {
            return not_found(&request.path);
        };
        if path.split('/').any(|name| name.len() > MAX_NAME) {
            return Response::error(Status::ServerError, "internal error");
        }
        let asking = Asking { request: &request, path, access, now };
        let answered = match request.verb.as_str() {
            "FETCH" => self.fetch(&asking),
            "LIST" => self.list(&asking),
            "VERSIONS" => self.versions(&asking),
            "LOOKUP" => Ok(self.lookup(&asking)),
            "PUBLISH" | "APPEND" | "ARCHIVE" => Err(refuse_write(&asking)),
            _ => Err(Response::error(Status::BadRequest, "bad request")),
        };
        answered.unwrap_or_else(|refusal| refusal)
    }
}

fn refuse_write(asking: &Asking<'_>) -> Response {
    if asking.access.knows(asking.get("auth"), asking.now) {
        denied(Status::NotPermitted)
    } else {
        denied(Status::Unauthorized)
    }
}

fn denied(status: Status) -> Response {
    let message = match status {
        Status::Unauthorized => "authentication required",
        _ => "insufficient permissions",
    };
    Response::error(status, message)
}

fn not_found(path: &str) -> Response {
    Response::error(Status::NotFound, &format!("{path} not found"))
}

fn hash(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A name as one segment of a link.
fn encoded_segment(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~&=+$@:".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
