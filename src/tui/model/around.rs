//! What is selected, what belongs to it, and what lies around it.

use std::sync::Arc;

use super::Model;
use crate::document::Document;
use crate::lookup::Fetched;
use crate::selection::{Item, Outcome as Fate};
use crate::tui::find;
use crate::tui::incoming::{Incoming, Pointers};
use crate::tui::layout::Pane;
use crate::tui::outcome::Outcome;
use crate::tui::page::Part;

impl Model {
    /// The location of what is selected, and the fragment.
    pub fn subject(&self) -> Option<(String, String)> {
        let outcome = self.outcome.as_ref()?;
        match self.origin() {
            (Some(row), _) => {
                let row = outcome.rows().get(row)?;
                Some((row.path.clone(), row.anchor.clone()))
            }
            (None, Some(target)) => match outcome.selection.targets.get(target) {
                Some(report) => {
                    let relation = &report.relation;
                    Some((relation.target.clone(), relation.fragment.clone()))
                }
                None => Some((self.incoming_at(target)?.source.clone(), String::new())),
            },
            (None, None) => None,
        }
    }

    pub(super) fn outline_wanted(&self) -> Option<(String, Arc<Document>)> {
        if !self.is_shown(Pane::Outline) {
            return None;
        }
        let (path, _) = self.subject()?;
        let held = self.outcome.as_ref()?.asked.session().document(&path).cloned();
        let document = held.or_else(|| match self.reader.as_ref()?.at_hand(&path)? {
            Fetched::Document(document) => Some(document),
            Fetched::Error(_) | Fetched::Failed(_) => None,
        })?;
        Some((path, document))
    }

    /// Looks through the world for what points to what, once.
    pub(super) fn point(&mut self) {
        if self.pointers.is_none() {
            self.pointers = self.reader.as_ref().and_then(Pointers::of_reader);
        }
    }

    /// What points to a document.
    pub fn incoming(&self, path: &str) -> &[Incoming] {
        self.pointers.as_ref().map(|pointers| pointers.to(path)).unwrap_or_default()
    }

    /// What points to the strongest match.
    pub fn incoming_here(&self) -> &[Incoming] {
        let strongest = self.outcome.as_ref().and_then(|found| found.selection.strongest.as_ref());
        strongest.map(|path| self.incoming(path)).unwrap_or_default()
    }

    /// What points to the strongest match, at a place of the list of relations.
    pub fn incoming_at(&self, at: usize) -> Option<&Incoming> {
        let at = at.checked_sub(self.outcome.as_ref()?.relations())?;
        self.incoming_here().get(at)
    }

    /// The entries of the list of relations.
    pub fn relation_count(&self) -> usize {
        let own = self.outcome.as_ref().map_or(0, Outcome::relations);
        own + self.incoming_here().len()
    }

    /// The rows of the table that the sieve lets through.
    pub fn rows_shown(&self) -> Vec<usize> {
        let rows = self.outcome.as_ref().map_or(0, |outcome| outcome.rows().len());
        (0..rows).filter(|row| self.sieve.is_empty() || find::passes(self, *row)).collect()
    }

    /// What the page marks: the parts that belong to what is selected.
    pub fn is_marked(&self, part: Part) -> bool {
        let Some(outcome) = &self.outcome else { return false };
        if let Some(pointed) = self.pointed()
            && self.focus == Pane::Evidence
        {
            return part == pointed;
        }
        let (row, target) = self.origin();
        let belongs = |to_row: Option<usize>, to_target: Option<usize>| {
            (row.is_some() && to_row == row) || (target.is_some() && to_target == target)
        };
        match part {
            Part::Item(index) => {
                if self.focus == Pane::Stubs
                    && let Some(repeat) = outcome.repeats.get(self.chosen.repeat)
                {
                    let item = outcome.selection.items.get(*repeat);
                    let of = item.and_then(|item| item.refers_to);
                    return index == *repeat || of == Some(index);
                }
                outcome.selection.items.get(index).is_some_and(|item| {
                    belongs(item.row, item.target) || self.is_target_in_table(item)
                })
            }
            Part::Omission(index) => {
                let omission = outcome.omissions.get(index);
                omission.is_some_and(|omission| belongs(omission.row, omission.target))
            }
            Part::Fold => false,
        }
    }

    /// Keeps something marked in the evidence pane while that has the keys: what is
    /// marked is what they act on. Where the row's evidence is out of sight, the part
    /// at the top is taken.
    pub(super) fn settle(&mut self) {
        if self.focus != Pane::Evidence {
            return;
        }
        let Some(part) = self.looked_at().filter(|part| !self.is_marked(*part)) else { return };
        self.pointed = Some(part);
        self.follow(part);
    }

    /// Selects the row that a part of the page belongs to.
    pub fn follow(&mut self, part: Part) {
        if let (Some(row), _) = self.brought_by(part) {
            self.chosen.row = row;
        }
    }

    /// The row or relation target that a part of the page is of.
    fn brought_by(&self, part: Part) -> (Option<usize>, Option<usize>) {
        let Some(outcome) = &self.outcome else { return (None, None) };
        let of = match part {
            Part::Item(index) => {
                outcome.selection.items.get(index).map(|item| (item.row, item.target))
            }
            Part::Omission(index) => {
                outcome.omissions.get(index).map(|omission| (omission.row, omission.target))
            }
            Part::Fold => None,
        };
        of.unwrap_or_default()
    }

    /// The part that was gone to, or that is looked at.
    fn pointed(&self) -> Option<Part> {
        self.pointed.filter(|part| self.page.start(*part).is_some())
    }

    /// The part that the evidence pane is about: what is marked, as long as it is in
    /// view, else what stands at the top.
    pub fn looked_at(&self) -> Option<Part> {
        let end = self.page_top + self.page_rows().max(1);
        let first = self.page.at(self.page_top)?;
        let in_view = self.page.segments[first..].iter();
        let mut in_view = in_view.take_while(|part| part.start < end).map(|part| part.part);
        let marked = in_view.clone().find(|part| self.is_marked(*part));
        marked.or_else(|| in_view.next())
    }

    /// Whether an item is of the document that the selected relation names, where
    /// the table brought it already.
    fn is_target_in_table(&self, item: &Item) -> bool {
        let target = match &self.outcome {
            Some(outcome) if self.focus == Pane::Relations => {
                outcome.selection.targets.get(self.chosen.target)
            }
            _ => None,
        };
        target.is_some_and(|target| {
            target.outcome == Fate::InTable
                && item.path.as_deref() == Some(target.relation.target.as_str())
        })
    }

    /// The row or relation target that is selected, by the pane with the keys.
    pub fn origin(&self) -> (Option<usize>, Option<usize>) {
        let Some(outcome) = &self.outcome else { return (None, None) };
        match self.focus {
            Pane::Outline | Pane::Findings => self.subject,
            Pane::Evidence if let Some(part) = self.pointed() => self.brought_by(part),
            Pane::Table | Pane::Evidence => (Some(self.chosen.row), None),
            Pane::Relations => (None, Some(self.chosen.target)),
            Pane::Stubs => outcome
                .repeats
                .get(self.chosen.repeat)
                .and_then(|item| outcome.selection.items.get(*item))
                .map_or((None, None), |item| (item.row, item.target)),
            Pane::Omissions => outcome
                .omissions
                .get(self.chosen.omission)
                .map_or((None, None), |omission| (omission.row, omission.target)),
        }
    }

    /// The part of the page to scroll to for what is selected.
    pub fn destination(&self) -> Option<Part> {
        let outcome = self.outcome.as_ref()?;
        if self.focus == Pane::Omissions {
            let index = self.chosen.omission;
            return (index < outcome.omissions.len()).then_some(Part::Omission(index));
        }
        if self.focus == Pane::Stubs {
            return outcome.repeats.get(self.chosen.repeat).map(|item| Part::Item(*item));
        }
        let segments = &self.page.segments;
        segments.iter().map(|segment| segment.part).find(|part| self.is_marked(*part))
    }
}
