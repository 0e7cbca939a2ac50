//! The rule that turns a heading's text into its anchor.

use std::collections::{HashMap, HashSet};

use crate::text::{is_letter_or_number, lower};

/// The anchor of a heading's text, before repeats are numbered: lowercased code
/// point by code point; letters, numbers, `_` and `-` stay; each white space
/// character gives `-`; everything else goes, combining marks too.
pub fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = lower(c);
        if c == '_' || c == '-' || is_letter_or_number(c) {
            out.push(c);
        } else if c.is_whitespace() {
            out.push('-');
        }
    }
    out
}

/// Makes anchors unique within one document, in document order.
#[derive(Default)]
pub(super) struct Anchors {
    taken: HashSet<String>,
    // The first number not yet tried for a base. Anchors are only ever added, so
    // a number that was taken once stays taken.
    next: HashMap<String, usize>,
}

impl Anchors {
    /// The anchor for a heading's text: its slug, or the slug with the first free
    /// `-1`, `-2` … where it is taken, by a heading's own or by a numbered one.
    pub(super) fn take(&mut self, text: &str) -> String {
        let base = slug(text);
        if self.taken.insert(base.clone()) {
            return base;
        }
        let next = self.next.entry(base.clone()).or_insert(1);
        loop {
            let numbered = format!("{base}-{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}
