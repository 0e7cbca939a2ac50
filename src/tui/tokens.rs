//! The true count of tokens, beside the estimate of four bytes each that budgets use.

use std::fmt;
use std::sync::Arc;

/// Counts the tokens of a text as a model does. Slow at first.
#[derive(Clone)]
pub struct Tokenizer {
    /// Its name.
    pub name: &'static str,
    /// Counts.
    pub count: Arc<dyn Fn(&str) -> usize + Send + Sync>,
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tokenizer").field(&self.name).finish()
    }
}
