//! What a server answered to a LOOKUP.

use crate::lookup::{Asked, Question};
use crate::mark::client::Client;
use crate::mark::wire::{Response, Status};
use crate::selection::{Answered, Envelope};
use crate::text::visible_line;

/// An answer as a reader gets it, with remarks on what is odd about it.
pub(super) fn asked(
    client: &Client,
    scope: &str,
    question: &Question,
    response: &Response,
) -> Asked {
    let server = client.address().identity();
    let matches = matches(response);
    let envelope = Envelope {
        status: status_word(response),
        matches,
        match_echo: response.get("match").and_then(|echo| echo.parse().ok()),
        worlds: None,
    };
    let body = String::from_utf8_lossy(&response.body);
    let answered = Answered::new(&envelope, &body, question.request.match_sent, question.verbose);
    let mut remarks = Vec::new();
    let is_ok = response.status == Status::Ok;
    if is_ok && answered.note().is_some() {
        remarks.push(format!(
            "{server} cannot match the text of sections; these rows match titles and tags"
        ));
    }
    let rows = answered.rows().len();
    if is_ok && let Some(matches) = matches.filter(|matches| *matches != rows) {
        remarks
            .push(format!("{server} tells of {matches} rows, but {rows} can be read in its table"));
    }
    if !is_ok {
        remarks.push(refused_lookup(client, scope, response));
    }
    let refusal = (!is_ok).then(|| response.message());
    Asked::new(answered, question, refusal).with_remarks(remarks)
}

/// The status in an answer, `(none)` where it has none.
pub(super) fn status_word(response: &Response) -> String {
    match response.status.as_str() {
        "" => "(none)".to_owned(),
        word => visible_line(word),
    }
}

/// The number of rows that an answer tells of.
pub(super) fn matches(response: &Response) -> Option<usize> {
    response.get("matches").and_then(|matches| matches.parse().ok())
}

/// A refusal in a sentence; `path` is what was asked for.
pub(super) fn refused(client: &Client, path: &str, response: &Response) -> String {
    client.refusal(path, &response.status, &response.message())
}

/// A refusal of LOOKUP: a server that is older than the verb says no more of it than
/// that the request is bad.
fn refused_lookup(client: &Client, scope: &str, response: &Response) -> String {
    if response.status == Status::BadRequest && response.message() == "bad request" {
        return format!(
            "{} does not know LOOKUP; it may be older than that. With --crawl its documents are \
             read one by one and asked here",
            client.address().identity()
        );
    }
    refused(client, scope, response)
}
