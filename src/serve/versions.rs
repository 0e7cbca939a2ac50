//! VERSIONS: the history of a document, newest first.

use std::fmt::Write as _;

use super::{Asking, Library, encoded_segment, not_found, time};
use crate::mark::wire::{Response, Status};
use crate::table::escape;

impl Library {
    pub(super) fn versions(&self, asking: &Asking<'_>) -> Result<Response, Response> {
        let path = asking.path.as_str();
        asking.may_read(path)?;
        let history = self.history(path).ok_or_else(|| not_found(path))?;
        let mut body = format!("\n# Version History: {}\n\n", escape(path));
        for version in history.versions.iter().rev() {
            let number = version.number;
            // Writing to a String cannot fail.
            let _ = write!(body, "- [v{number}]({}/v{number})", encoded_segment(path));
            if let Some(modified) = version.document.modified() {
                let _ = write!(body, " - {}", time(modified));
            }
            body.push('\n');
        }
        let mut response = Response::new(Status::Ok)
            .with("total", history.versions.len().to_string())
            .with_body(body);
        if let Some(current) = history.versions.last() {
            response = response.with("current", current.number.to_string());
        }
        if let Some(valid) = history.chain_valid {
            response = response.with("chain-valid", valid.to_string());
            if !valid {
                response = response.with("chain-error", "chain integrity check failed");
            }
        }
        Ok(response)
    }
}
