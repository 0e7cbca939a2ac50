//! markscope shows what a reader gets from one budgeted lookup over a demarkus
//! world, and why.
//!
//! The modules, from the ground up; arrows only ever point upwards in this list:
//!
//! - [`text`]: the character rules every other module shares (case, letters, trimming)
//! - [`home`]: file names that begin with `~`
//! - [`log`]: what was done and how long it took, for whoever asks
//! - [`markdown`]: headings, anchors, sections, and a section's plain text
//! - [`document`]: one document as a reader may hold it
//! - [`mark`]: locations, and the bytes of the Mark Protocol
//! - [`table`]: the grammar of a lookup's ranked table, written and read
//! - [`relations`]: what a document declares in its `rel-*` metadata
//! - [`catalog`]: the index that answers LOOKUP
//! - [`selection`]: the budget engine: items, outcomes, breakpoints
//! - [`lookup`]: one question put to a world, from request to reader's text
//! - [`check`]: what an author should know before publishing
//! - [`tune`]: what a budget buys, measured over recorded lookups
//! - [`world`]: documents from a folder, a store, an archive, the binary itself, or a server
//! - [`serve`]: a world served over the Mark Protocol, for development
//! - [`tui`] and [`cli`]: the explorer and the commands; neither knows the other
//!
//! Everything down to [`tune`] is pure, but for [`log`] and [`mark::client`]: no
//! file, no clock, no screen.
//! [`world`] does all reading of documents.

pub mod catalog;
pub mod check;
pub mod cli;
pub mod document;
pub mod home;
pub mod log;
pub mod lookup;
pub mod mark;
pub mod markdown;
pub mod relations;
pub mod selection;
pub mod serve;
pub mod table;
pub mod text;
pub mod tui;
pub mod tune;
pub mod world;
