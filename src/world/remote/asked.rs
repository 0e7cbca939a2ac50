//! A question that a server answered, and what to fetch for it next.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::document::Document;
use crate::lookup::Question;
use crate::mark::Authority;
use crate::mark::wire::{Response, Status};
use crate::relations::Relations;
use crate::selection::{Answered, Documents, Envelope, FETCH_LIMIT, Session};
use crate::text::visible_line;

/// A question that a server answered.
pub struct RemoteAsked {
    pub(super) session: Session,
    status: Status,
    refusal: String,
    pub(super) known: HashMap<String, Result<Arc<Document>, String>>,
    /// What went wrong with documents, a sentence each.
    pub(super) failures: Vec<String>,
    /// Whether the network has failed, so that waiting again is of no use.
    pub(super) is_cut_off: bool,
    /// What to know about the answer, a sentence each.
    remarks: Vec<String>,
}

impl RemoteAsked {
    pub(super) fn new(server: &str, question: &Question, response: &Response) -> Self {
        let asked = question.request.match_sent;
        let status = response.status.clone();
        let word = match status.as_str() {
            "" => "(none)".to_owned(),
            word => visible_line(word),
        };
        let matches = response.get("matches").and_then(|matches| matches.parse().ok());
        let envelope = Envelope {
            status: word.clone(),
            matches,
            match_echo: response.get("match").and_then(|echo| echo.parse().ok()),
        };
        let body = String::from_utf8_lossy(&response.body);
        let answered = Answered::new(&envelope, &body, asked, question.verbose);
        let refusal = response.message();
        let mut remarks = Vec::new();
        match &status {
            Status::Ok => {
                if answered.note().is_some() {
                    remarks.push(format!(
                        "{server} cannot match the text of sections; these rows match titles and tags"
                    ));
                }
                let rows = answered.rows().len();
                if let Some(matches) = matches.filter(|matches| *matches != rows) {
                    remarks.push(format!(
                        "{server} tells of {matches} rows, but {rows} can be read in its table"
                    ));
                }
            }
            Status::BadRequest if refusal == "bad request" => remarks.push(format!(
                "{server} does not know LOOKUP; it may be older than that, and its documents can only \
                 be read one by one"
            )),
            _ => remarks.push(match refusal.as_str() {
                "" => format!("{server} answered {word}"),
                refusal => format!("{server} answered {word}: {refusal}"),
            }),
        }
        let session = Session::new(answered, &question.request.query, question.engine);
        Self {
            session,
            status,
            refusal,
            known: HashMap::new(),
            failures: Vec::new(),
            is_cut_off: false,
            remarks,
        }
    }

    /// The status of the answer.
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// The message of a refusal; empty where there is none.
    pub fn refusal(&self) -> &str {
        &self.refusal
    }

    /// The answer and the documents held.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What to know about the answer, a sentence each: that the server does not
    /// know what it was asked for, that rows are broken.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Documents that the network did not give, a sentence each.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }

    /// What to fetch where a location is missing: that one, and those that would be
    /// next, never more than ten in all ahead of need, since no result takes more.
    /// A run that has bytes left looks at nearly every row, be it only to say that
    /// it does not fit, so little is fetched in vain.
    pub(super) fn wanted(&self, missing: &str) -> Vec<String> {
        let rows = self.session.answered().rows();
        let room = FETCH_LIMIT.saturating_sub(self.known.len()).max(1);
        let next: Vec<String> = if rows.iter().any(|row| row.path == *missing) {
            rows.iter().map(|row| row.path.clone()).skip_while(|path| path != missing).collect()
        } else {
            self.targets_beside(missing)
        };
        let mut seen = HashSet::from([missing.to_owned()]);
        // What is in another world is not asked for at all.
        let world = Authority::of(missing);
        let next = next.into_iter().filter(|location| {
            Authority::of(location) == world
                && !self.known.contains_key(location)
                && seen.insert(location.clone())
        });
        std::iter::once(missing.to_owned()).chain(next).take(room).collect()
    }

    /// The relation targets of the document that one target comes from.
    fn targets_beside(&self, target: &str) -> Vec<String> {
        let rows = self.session.answered().rows().iter();
        rows.filter_map(|row| {
            let document = self.known.get(&row.path)?.as_ref().ok()?;
            let refs = Relations::of(&row.path, document.metadata()).refs;
            let targets: Vec<String> = refs.into_iter().map(|relation| relation.target).collect();
            targets.iter().any(|known| known == target).then_some(targets)
        })
        .next()
        .unwrap_or_default()
    }
}

/// The documents that are known so far.
pub(super) struct Known<'a>(pub(super) &'a HashMap<String, Result<Arc<Document>, String>>);

impl Documents for Known<'_> {
    fn fetch(&mut self, location: &str) -> Option<Result<Arc<Document>, String>> {
        self.0.get(location).cloned()
    }
}
