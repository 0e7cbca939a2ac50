//! The Mark Protocol: its locations and its bytes.
//!
//! - `location`, `url`: where a document is, and how a target resolves
//! - [`wire`]: requests and responses as bytes

mod location;
mod url;
pub mod wire;

pub use location::{Authority, canonical, resolve};
