//! Questions with the place of their answer: a document, or a section of it.

use serde::Deserialize;

use super::{File, ImportError, Imported};
use crate::catalog::Match;
use crate::tune::recorded::{RecordedLookup, RequiredPassage};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Questions {
    #[serde(default)]
    scope: Option<String>,
    questions: Vec<Question>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    category: String,
    query: String,
    question: String,
    expected_path: String,
    #[serde(default)]
    expected_anchor: Option<String>,
}

pub(super) fn import(file: &File, out: &mut Imported) -> Result<(), ImportError> {
    let all: Questions = file.json()?;
    for (at, question) in all.questions.into_iter().enumerate() {
        if !question.expected_path.starts_with('/') {
            let key = format!("questions[{at}].expected_path");
            return Err(file.error(key, "a path begins with `/`, the root of the world"));
        }
        out.lookups.push(RecordedLookup {
            id: Some(question.id),
            scope: all.scope.clone().unwrap_or_else(|| "/".into()),
            // Of the others the words stand in titles and tags.
            match_sent: (question.category == "body").then_some(Match::Body),
            category: Some(question.category),
            question: Some(question.question),
            required: vec![RequiredPassage {
                path: question.expected_path,
                version: None,
                anchor: question.expected_anchor.filter(|anchor| !anchor.trim().is_empty()),
                quote: None,
            }],
            ..RecordedLookup::new(question.query)
        });
    }
    Ok(())
}
