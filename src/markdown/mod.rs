//! Headings, anchors, sections, and a section's plain text.
//!
//! A store, a client and a reader must agree on where a section begins and what
//! it is called, so the rules are exact. Offsets are bytes into the body.

mod anchor;
mod outline;
mod plain;
mod scan;
mod source;

pub use anchor::slug;
pub use outline::{Heading, Outline};
pub use plain::{plain_lines, push_plain_lines};
pub use scan::Link;
