//! LOOKUP: the catalog's answer, without the rows that may not be read.

use super::{Asking, Library};
use crate::catalog::{Answer, DEFAULT_LIMIT, MAX_LIMIT, Match, Refusal, Request};
use crate::mark::wire::{Response, Status};

impl Library {
    pub(super) fn lookup(&self, asking: &Asking<'_>) -> Response {
        match self.looked_up(asking) {
            Ok(answer) => {
                let mut response = Response::new(Status::Ok)
                    .with("matches", answer.rows.len().to_string())
                    .with_body(answer.body);
                if let Some(echo) = answer.match_echo {
                    response = response.with("match", echo.name());
                }
                response
            }
            Err(refusal) => Response::new(Status::from(refusal.status())).with_body(refusal.body()),
        }
    }

    fn looked_up(&self, asking: &Asking<'_>) -> Result<Answer, Refusal> {
        let value = |key: &str| asking.get(key).unwrap_or_default().to_owned();
        let matched = asking.get("match").map(str::parse::<Match>).transpose();
        let request = Request {
            query: value("query"),
            scope: asking.path.clone(),
            filter: value("filter"),
            match_sent: matched.as_ref().ok().copied().flatten(),
            limit: Some(limit(&value("limit"))),
        };
        let answer =
            self.store.catalog().lookup_readable(&request, &|path| asking.may_read(path).is_ok());
        match (answer, matched) {
            // The match is looked at after all else in the request, and before the scope.
            (Err(refusal @ Refusal::BadRequest(_)), _) => Err(refusal),
            (_, Err(refusal)) => Err(refusal),
            (answer, Ok(_)) => answer,
        }
    }
}

/// The limit of a request; 0, which is refused, where it is no limit.
fn limit(text: &str) -> usize {
    if text.is_empty() {
        return DEFAULT_LIMIT;
    }
    let number: i64 = text.parse().unwrap_or(0);
    usize::try_from(number).unwrap_or(0).min(MAX_LIMIT)
}
