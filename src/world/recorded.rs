//! A result that was recorded, in place of a world: it answers what it answered.

use std::sync::Arc;

use crate::selection::ReadBack;

/// A recorded result.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// What to call it: the file's name.
    pub name: String,
    /// The query that it answers, where that is known.
    pub query: Option<String>,
    /// The result.
    pub back: Arc<ReadBack>,
}
