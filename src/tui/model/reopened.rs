//! A world that was read again, since it changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Model, Problems};
use crate::catalog::Catalog;
use crate::document::Document;
use crate::lookup::Store;
use crate::tui::Opened;
use crate::world::Reader;

impl Model {
    /// The world has changed: takes it in place of the one before. What is on the
    /// screen stays until the new answer is there.
    pub fn reopened(&mut self, opened: Opened) {
        if let Some(before) = self.before.take() {
            self.first.get_or_insert(before);
        }
        let changes = |before: Option<&Reader>| match (before, &opened.reader) {
            (Some(Reader::Store(before)), Reader::Store(now)) => changes(before, now),
            _ => BTreeSet::new(),
        };
        self.changed_last = changes(self.reader.as_ref());
        self.changed = changes(self.first.as_ref().or(self.reader.as_ref()));
        self.before = self.reader.take();
        self.problems = Problems::default();
        let label = std::mem::take(&mut self.label);
        let scope = std::mem::take(&mut self.question.request.scope);
        self.opened(opened);
        self.label = label;
        self.question.request.scope = scope;
        self.is_quiet = self.outcome.is_some();
    }
}

/// The paths of documents that are not the same in two worlds.
fn changes(before: &Store, now: &Store) -> BTreeSet<String> {
    let (before, now) = (before.catalog(), now.catalog());
    // Documents that were known before are the very same.
    let is_same =
        |one: &Arc<Document>, other: &Arc<Document>| Arc::ptr_eq(one, other) || one.is_same(other);
    let other = |of: &Catalog, document: &Arc<Document>| {
        of.document(document.path()).is_none_or(|other| !is_same(other, document))
    };
    let changed = now.documents().iter().filter(|document| other(before, document));
    let gone = before.documents().iter().filter(|document| now.document(document.path()).is_none());
    changed.chain(gone).map(|document| document.path().to_owned()).collect()
}
