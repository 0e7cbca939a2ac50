//! The Mark Protocol's locations.

mod location;
mod url;

pub use location::{Authority, canonical, resolve};
