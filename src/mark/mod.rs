//! The Mark Protocol: its locations, its bytes, and a client.
//!
//! - `location`, `url`: where a document is, and how a target resolves
//! - `address`: the server and the path of a location, to call it
//! - [`wire`]: requests and responses as bytes
//! - [`client`]: a client of one server, the only part that is not pure

mod address;
pub mod client;
mod location;
mod url;
pub mod wire;

pub use address::{Address, AddressError};
pub use location::{Authority, canonical, location_of, resolve};
pub use url::{decoded_path, decoded_segment};
