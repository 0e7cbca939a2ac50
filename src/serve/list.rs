//! LIST: what is in a directory, page by page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Asking, Library, MAX_PAGE, cursor, encoded_segment, not_found};
use crate::mark::wire::{Response, Status};
use crate::table::escape;

/// A page ends before its body has this many bytes.
const MAX_BODY: usize = 1 << 20;
const TRUNCATED: &str = "\n*...truncated, too many entries*\n";

impl Library {
    pub(super) fn list(&self, asking: &Asking<'_>) -> Result<Response, Response> {
        let size = match asking.get("page-size").filter(|size| !size.is_empty()) {
            None => MAX_PAGE,
            Some(size) => size
                .parse()
                .ok()
                .filter(|size| (1..=MAX_PAGE).contains(size))
                .ok_or_else(|| bad("page-size must be between 1 and 1000"))?,
        };
        let archived = match asking.get("include-archived") {
            None | Some("" | "false") => false,
            Some("true") => true,
            Some(_) => return Err(bad("include-archived must be true or false")),
        };
        let path = asking.path.as_str();
        let behind = match asking.get("cursor").filter(|cursor| !cursor.is_empty()) {
            None => None,
            Some(text) => Some(cursor::read(text, path, archived).map_err(bad)?),
        };
        asking.may_read(path)?;
        if self.store.catalog().document(path).is_some() || !self.is_directory(path) {
            return Err(not_found(path));
        }
        let page = Listing::new(self, asking, archived).page(behind.as_deref(), size);
        let mut response = Response::new(Status::Ok)
            .with("entries", page.entries.to_string())
            .with("complete", page.next.is_none().to_string())
            .with_body(page.body);
        if let Some(last) = page.next {
            response = response.with("next-cursor", cursor::write(path, archived, &last));
        }
        Ok(response)
    }
}

fn bad(message: &str) -> Response {
    Response::error(Status::BadRequest, message)
}

/// The names in a directory that the one who asks may see, in byte order.
pub(super) struct Listing<'a> {
    path: &'a str,
    /// Whether each is a directory.
    names: BTreeMap<&'a str, bool>,
}

/// A part of a listing.
pub(super) struct Page {
    pub(super) body: String,
    pub(super) entries: usize,
    /// The last name of a page that is not the last.
    pub(super) next: Option<String>,
}

impl<'a> Listing<'a> {
    pub(super) fn new(library: &'a Library, asking: &'a Asking<'_>, archived: bool) -> Self {
        let path = asking.path.as_str();
        let below = format!("{}/", path.trim_end_matches('/'));
        let mut names = BTreeMap::new();
        for (known, is_archived) in library.paths() {
            let Some(rest) = known.strip_prefix(&below) else { continue };
            let (name, is_directory) = match rest.split_once('/') {
                Some((name, _)) => (name, true),
                None => (rest, false),
            };
            let is_shown = !name.starts_with('.') && (archived || !is_archived);
            if is_shown
                && !names.contains_key(name)
                && asking.may_read(&format!("{below}{name}")).is_ok()
            {
                names.insert(name, is_directory);
            }
        }
        Self { path, names }
    }

    /// At most `size` names behind one, or from the first.
    pub(super) fn page(&self, behind: Option<&str>, size: usize) -> Page {
        let directory = format!("{}/", self.path.trim_end_matches('/'));
        let mut body = format!("\n# Index of {}\n\n", escape(&directory));
        let left =
            self.names.iter().filter(|(name, _)| behind.is_none_or(|behind| **name > behind));
        let mut entries = 0;
        let mut last = "";
        for (name, is_directory) in left {
            let slash = if *is_directory { "/" } else { "" };
            let line = format!("- [{}{slash}]({}{slash})\n", escape(name), encoded_segment(name));
            let is_full = entries > 0 && body.len() + line.len() + TRUNCATED.len() > MAX_BODY;
            if entries == size || is_full {
                // Writing to a String cannot fail.
                let _ = write!(body, "{TRUNCATED}");
                return Page { body, entries, next: Some(last.to_owned()) };
            }
            body.push_str(&line);
            entries += 1;
            last = name;
        }
        Page { body, entries, next: None }
    }
}
