//! The versions that a world keeps of one document.

use std::sync::Arc;

use ring::digest::{SHA256, digest};

use super::store::hexadecimal;
use crate::document::Document;

/// All versions of a document that are kept.
#[derive(Debug, Clone)]
pub struct Versions {
    /// Oldest first; they need not begin at 1.
    pub versions: Vec<KeptVersion>,
    /// Whether each version holds the hash of the one before it.
    pub is_valid: bool,
}

/// One version as it is stored.
#[derive(Debug, Clone)]
pub struct KeptVersion {
    /// Its number, from 1.
    pub number: u64,
    /// The document as it was.
    pub document: Arc<Document>,
    /// The hexadecimal SHA-256 of the stored bytes, front matter included: a
    /// server's etag.
    pub etag: String,
}

impl KeptVersion {
    pub(super) fn new(number: u64, document: Document, stored: &[u8]) -> Self {
        Self { number, document: Arc::new(document), etag: etag(stored) }
    }
}

/// The etag of stored bytes.
pub(super) fn etag(stored: &[u8]) -> String {
    hexadecimal(digest(&SHA256, stored).as_ref())
}
