//! FETCH: a document, a version of it, a directory's index, or a body by its hash.

use jiff::Timestamp;

use super::library::etag_of;
use super::list::Listing;
use super::{Asking, Library, MAX_PAGE, denied, hash, not_found, time};
use crate::document::Document;
use crate::mark::wire::{Response, SERVER_KEYS, Status};

const INDEX: &str = "index.md";

impl Library {
    pub(super) fn fetch(&self, asking: &Asking<'_>) -> Result<Response, Response> {
        let path = asking.path.as_str();
        if path == "/health" {
            let body = "# Health Check\n\nServer is healthy.\n";
            return Ok(Response::new(Status::Ok).with_body(body));
        }
        if let Some(hex) = hash_of(path) {
            return self.fetch_hash(asking, hex);
        }
        if let Some((base, number)) = version_of(path).filter(|(base, _)| !self.is_directory(base))
        {
            return self.fetch_version(asking, base, number);
        }
        asking.may_read(path)?;
        if self.store.catalog().document(path).is_none() && self.is_directory(path) {
            return self.fetch_directory(asking);
        }
        self.fetch_document(asking, path)
    }

    fn fetch_document(&self, asking: &Asking<'_>, path: &str) -> Result<Response, Response> {
        match self.current(path) {
            Ok((document, etag)) => Ok(unless_known(asking, &document, &etag, None)),
            Err(error) => Err(failed(path, &error)),
        }
    }

    fn fetch_version(
        &self,
        asking: &Asking<'_>,
        base: &str,
        number: u64,
    ) -> Result<Response, Response> {
        asking.may_read(base)?;
        let history = self.history(base).unwrap_or_default();
        let current = history.versions.last().map(|version| version.number);
        let version = history.versions.iter().find(|version| version.number == number);
        match (version, current, self.store.fetch(base)) {
            // What may not be read now may not be read as it was.
            (Some(_), _, Err(error)) if error != "archived" => Err(failed(base, &error)),
            (Some(version), Some(current), _) => {
                let etag = version.etag.clone().unwrap_or_else(|| etag_of(&version.document));
                Ok(unless_known(asking, &version.document, &etag, Some(current)))
            }
            _ => Err(not_found(&asking.path)),
        }
    }

    fn fetch_directory(&self, asking: &Asking<'_>) -> Result<Response, Response> {
        let index = format!("{}/{INDEX}", asking.path.trim_end_matches('/'));
        if !matches!(self.current(&index).err().as_deref(), Some("archived" | "not-found")) {
            asking.may_read(&index)?;
            return self.fetch_document(asking, &index);
        }
        let listing = Listing::new(self, asking, false);
        let page = listing.page(None, MAX_PAGE);
        let etag = hash(page.body.as_bytes());
        if asking.get("if-none-match") == Some(&etag) {
            return Ok(Response::new(Status::NotModified));
        }
        Ok(Response::new(Status::Ok)
            .with("content-hash", format!("sha256-{etag}"))
            .with("entries", page.entries.to_string())
            .with("etag", etag)
            .with_body(page.body))
    }

    fn fetch_hash(&self, asking: &Asking<'_>, hex: &str) -> Result<Response, Response> {
        let Some(path) = self.path_of_hash(hex) else {
            let message = format!("content not found for hash sha256-{hex}");
            return Err(Response::error(Status::NotFound, &message));
        };
        asking.may_read(path)?;
        self.fetch_document(asking, path)
    }
}

/// The answer for a path whose fetch gives an error text.
fn failed(path: &str, error: &str) -> Response {
    match Status::from(error) {
        Status::NotFound => not_found(path),
        Status::Archived => Response::error(Status::Archived, &format!("{path} is archived")),
        status @ (Status::Unauthorized | Status::NotPermitted) => denied(status),
        Status::Other(_) => Response::error(Status::ServerError, error),
        status => Response::error(status, error),
    }
}

/// The document, or that the client's copy of it is current.
fn unless_known(
    asking: &Asking<'_>,
    document: &Document,
    etag: &str,
    current: Option<u64>,
) -> Response {
    let since = asking.get("if-modified-since").and_then(|since| since.parse::<Timestamp>().ok());
    let unchanged = document
        .modified()
        .zip(since)
        .is_some_and(|(modified, since)| modified.as_second() <= since.as_second());
    if asking.get("if-none-match") == Some(etag) || unchanged {
        return Response::new(Status::NotModified);
    }
    let mut response = Response::new(Status::Ok)
        .with("etag", etag)
        .with("content-hash", format!("sha256-{}", hash(document.body().as_bytes())))
        .with_body(document.body());
    for (key, value) in document.metadata().iter().filter(|(key, value)| is_sent(key, value)) {
        response = response.with(key, value);
    }
    let tags: Vec<&str> = document.tags().collect();
    if !tags.is_empty() {
        response = response.with("tags", tags.join(","));
    }
    let numbers = [("version", document.version()), ("current-version", current)];
    for (key, number) in numbers.into_iter().filter_map(|(key, number)| Some((key, number?))) {
        response = response.with(key, number.to_string());
    }
    if let Some(modified) = document.modified() {
        response = response.with("modified", time(modified));
    }
    response
}

fn is_sent(key: &str, value: &str) -> bool {
    !key.is_empty()
        && key.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        && !value.contains(['\n', '\r'])
        && !SERVER_KEYS.contains(&key)
}

/// The hash of a content address.
fn hash_of(path: &str) -> Option<&str> {
    path.strip_prefix("/sha256-").filter(|hex| {
        hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Path and number of `/doc.md/vN`. Leading zeros do not matter; there is no 0.
fn version_of(path: &str) -> Option<(&str, u64)> {
    let (base, last) = path.rsplit_once('/')?;
    let digits = last.strip_prefix('v')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|number| is_number && *number > 0)?;
    (!base.is_empty()).then_some((base, number))
}
