//! How one run prints: blocks and stubs, notes, relation lines, each charged.

use std::sync::Arc;

use super::decisions::{Change, bytes};
use super::piece::Piece;
use super::report::{Fate, Item, Kind, LineReport, PieceReport};
use super::run::{Origin, Run, Unfit};
use super::{Engine, TOKEN};
use crate::relations::Relations;

impl Run<'_> {
    /// Prints one piece, or says why not: coalescing by range, then by text, then
    /// whether it fits.
    pub(super) fn print(&mut self, piece: &Piece, path: &str, origin: Origin) -> PieceReport {
        let report = |bytes: usize, fate| PieceReport {
            location: piece.location.clone(),
            range: piece.range.clone(),
            not_told: None,
            tokens: piece.text.len() / TOKEN,
            bytes,
            fate,
        };
        let coalesces = self.session.engine == Engine::Selection;
        if coalesces && let Some((of, within)) = self.overlap(piece, path) {
            let item = self.covered_note(piece, path, origin, of, within);
            let fate = if within { Fate::Within { item, of } } else { Fate::Encloses { item, of } };
            return report(0, fate);
        }
        let same = if coalesces { self.first_with_text.get(&piece.text).copied() } else { None };
        // The note of what did not fit counts the text that would have been printed.
        let (kind, text, tokens) = match same {
            Some(first) => {
                let first = self.items[first].location.as_deref().unwrap_or_default();
                let stub = format!("same text as {first}");
                let tokens = stub.len() / TOKEN;
                (Kind::Stub, format!(">>> {}\n\n{stub}\n\n", piece.location), tokens)
            }
            None => {
                let text = format!(">>> {}\n\n{}\n\n", piece.location, piece.framed());
                (Kind::Block, text, piece.text.len() / TOKEN)
            }
        };
        let size = text.len();
        let fits = || Change::Block(piece.location.clone());
        if !self.decisions.fits(size, self.remaining, fits) {
            self.unfit.push(Unfit { location: piece.location.clone(), tokens });
            return report(size, Fate::DidNotFit { left: self.remaining });
        }
        let at = self.push(Item {
            location: Some(piece.location.clone()),
            path: Some(path.to_owned()),
            range: piece.range.clone(),
            refers_to: same,
            charged: size,
            ..from(origin, item(kind, text))
        });
        if let Some(range) = &piece.range {
            self.printed.entry(path.to_owned()).or_default().push((range.clone(), at));
        }
        match same {
            Some(of) => report(size, Fate::SameText { item: at, of }),
            None => {
                self.first_with_text.insert(Arc::clone(&piece.text), at);
                report(size, Fate::Printed { item: at })
            }
        }
    }

    /// The first printed range of the path that the piece overlaps, and whether
    /// the piece lies within it.
    fn overlap(&self, piece: &Piece, path: &str) -> Option<(usize, bool)> {
        let range = piece.range.as_ref()?;
        let (printed, item) = self
            .printed
            .get(path)?
            .iter()
            .find(|(printed, _)| range.start < printed.end && printed.start < range.end)?;
        Some((*item, printed.start <= range.start && range.end <= printed.end))
    }

    fn covered_note(
        &mut self,
        piece: &Piece,
        path: &str,
        origin: Origin,
        of: usize,
        within: bool,
    ) -> usize {
        let earlier = self.items[of].location.clone().unwrap_or_default();
        let text = if within {
            format!(">>> note: {} is within {earlier} above\n", piece.location)
        } else {
            format!(">>> note: {} encloses {earlier} above; skipped\n", piece.location)
        };
        self.push(Item {
            location: Some(piece.location.clone()),
            path: Some(path.to_owned()),
            range: piece.range.clone(),
            refers_to: Some(of),
            charged: text.len(),
            ..from(origin, item(Kind::Covered, text))
        })
    }

    /// Prints the relation line of a path's document: one try, the first time that
    /// the path prints.
    pub(super) fn relation_line(&mut self, path: &str, origin: Origin) -> Option<LineReport> {
        if !self.line_tried.insert(path.to_owned()) {
            return None;
        }
        let line = self.relations(path).line()?;
        let text = format!(">>> related: {line}\n\n");
        let (size, left) = (text.len(), self.remaining);
        let fits = self.decisions.fits(size, left, || Change::RelationLine(path.to_owned()));
        let item = fits.then(|| {
            self.push(Item {
                location: Some(path.to_owned()),
                path: Some(path.to_owned()),
                charged: size,
                ..from(origin, item(Kind::RelationLine, text))
            })
        });
        Some(LineReport { path: path.to_owned(), bytes: size, item, left })
    }

    pub(super) fn relations(&mut self, path: &str) -> Arc<Relations> {
        let Some(held) = self.session.held.get_mut(path) else { return Arc::default() };
        let Ok(document) = &held.fetched else { return Arc::default() };
        let read = || Arc::new(Relations::of(path, document.metadata()));
        Arc::clone(held.relations.get_or_insert_with(read))
    }

    pub(super) fn note(&mut self, text: &str, origin: Option<Origin>) {
        let text = format!(">>> note: {text}\n");
        let charged = if self.session.engine == Engine::Rows { 0 } else { text.len() };
        let note = Item { charged, ..item(Kind::Note, text) };
        self.push(match origin {
            Some(origin) => from(origin, note),
            None => note,
        });
    }

    fn push(&mut self, item: Item) -> usize {
        self.remaining -= bytes(item.charged);
        self.items.push(item);
        self.items.len() - 1
    }
}

/// An item with nothing but its text; what else it has is added.
pub(super) fn item(kind: Kind, text: String) -> Item {
    Item {
        kind,
        text,
        location: None,
        path: None,
        range: None,
        row: None,
        target: None,
        refers_to: None,
        charged: 0,
    }
}

fn from(origin: Origin, item: Item) -> Item {
    match origin {
        Origin::Row(row) => Item { row: Some(row), ..item },
        Origin::Target(target) => Item { target: Some(target), ..item },
    }
}
