//! What stands where on a frame, for the mouse.

use ratatui::layout::Position;

use super::layout::Pane;
use super::paint::Rows;

/// What a list on the screen is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The entries of a pane.
    Pane(Pane),
    /// The entries of a list to pick from.
    Picker,
    /// What leads on from a document opened whole.
    Leads,
}

/// The lists of a frame, those in front last.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    lists: Vec<(Spot, Rows)>,
}

impl Hits {
    /// Takes up a list.
    pub fn push(&mut self, spot: Spot, rows: Rows) {
        self.lists.push((spot, rows));
    }

    /// The entry of a list at a place.
    pub fn at(&self, spot: Spot, place: Position) -> Option<usize> {
        let (_, rows) = self.lists.iter().rev().find(|(other, _)| *other == spot)?;
        rows.at(place)
    }
}
