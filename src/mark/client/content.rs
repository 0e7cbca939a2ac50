//! Whether the body of an answer is the one that its content hash is of.

use ring::digest::{SHA256, digest};

use crate::mark::wire::{Response, Status};

const FORM: &str = "sha256-";
const DIGITS: usize = 64;

/// Whether the body of an answer to a FETCH has the hash that the answer names, and
/// where it was asked for by its hash, that one. What names no hash of this form
/// cannot be held against it.
pub(super) fn is_as_named(path: &str, response: &Response) -> bool {
    if response.status != Status::Ok {
        return true;
    }
    let asked = path.strip_prefix('/').and_then(hex_of);
    let named = response.get("content-hash").and_then(hex_of);
    let mut wanted = asked.into_iter().chain(named).peekable();
    if wanted.peek().is_none() {
        return true;
    }
    let has: String =
        digest(&SHA256, &response.body).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    wanted.all(|hex| hex.eq_ignore_ascii_case(&has))
}

fn hex_of(hash: &str) -> Option<&str> {
    let hex = hash.strip_prefix(FORM)?;
    (hex.len() == DIGITS && hex.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_body_is_held_against_every_hash_that_is_named() {
        let other = "0".repeat(DIGITS);
        let by_hash = |hex: &str| format!("/sha256-{hex}");
        for (path, named, want) in [
            ("/a.md".to_owned(), None, true),
            ("/a.md".to_owned(), Some(format!("sha256-{ABC}")), true),
            ("/a.md".to_owned(), Some(format!("sha256-{}", ABC.to_uppercase())), true),
            ("/a.md".to_owned(), Some(format!("sha256-{other}")), false),
            ("/a.md".to_owned(), Some("md5-1".to_owned()), true),
            (by_hash(ABC), None, true),
            (by_hash(&other), None, false),
            (by_hash(&other), Some(format!("sha256-{ABC}")), false),
            (by_hash("12"), None, true),
        ] {
            let mut response = Response::new(Status::Ok).with_body("abc");
            if let Some(named) = &named {
                response = response.with("content-hash", named.as_str());
            }
            assert_eq!(is_as_named(&path, &response), want, "{path} {named:?}");
            let refused = Response { status: Status::NotFound, ..response };
            assert!(is_as_named(&path, &refused), "a refusal is no document");
        }
    }
}
