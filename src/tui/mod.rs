//! The explorer: what one budgeted lookup gives a reader, in panes.

pub mod prose;
pub mod theme;
