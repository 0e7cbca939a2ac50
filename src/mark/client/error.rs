//! What can go wrong between a client and a server.

use std::time::Duration;

use crate::mark::wire::{MAX_RESPONSE, RequestError};

/// Why there is no answer. Each is one sentence with the server and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The certificates to trust cannot be used.
    #[error("{0}")]
    Trust(String),
    /// The request cannot be sent.
    #[error(
        "the request to {server} cannot be sent ({error}): a path begins with `/`, has no control \
         characters and at most 4087 bytes"
    )]
    Request {
        /// The server.
        server: String,
        /// What is wrong.
        error: RequestError,
    },
    /// The host has no address.
    #[error("the host of {server} was not found ({cause}); check its name and the network")]
    Name {
        /// The server.
        server: String,
        /// What the system said.
        cause: String,
    },
    /// Nobody answered.
    #[error(
        "no answer from {server} within {}; check that a server runs there, that the port is right, \
         and that UDP gets through",
        seconds(.wait)
    )]
    NoAnswer {
        /// The server.
        server: String,
        /// How long was waited.
        wait: Duration,
    },
    /// The certificate is not trusted.
    #[error("{0}")]
    Certificate(String),
    /// There is a QUIC server that speaks something else.
    #[error("{server} does not speak the Mark Protocol (ALPN `mark`); check the port")]
    OtherProtocol {
        /// The server.
        server: String,
    },
    /// The connection was refused or failed.
    #[error("{server} refused the connection ({cause}); check the host and the port")]
    Refused {
        /// The server.
        server: String,
        /// What was said.
        cause: String,
    },
    /// Nothing came for as long as is waited.
    #[error(
        "{server} was asked and said nothing for {}; try again, or wait longer with --timeout",
        seconds(.wait)
    )]
    Silent {
        /// The server.
        server: String,
        /// How long was waited.
        wait: Duration,
    },
    /// The connection ended.
    #[error(
        "the connection to {server} was lost before the answer was complete ({cause}); try again"
    )]
    Lost {
        /// The server.
        server: String,
        /// What was said.
        cause: String,
    },
    /// The server took the answer back.
    #[error("{server} broke off its answer; try again")]
    Aborted {
        /// The server.
        server: String,
    },
    /// The server ended the answer without a byte.
    #[error(
        "{server} gave an empty answer; it may not be a Mark server, or have failed: try again"
    )]
    Empty {
        /// The server.
        server: String,
    },
    /// The answer is larger than is read.
    #[error("the answer of {server} is larger than {} MiB and was not read", MAX_RESPONSE >> 20)]
    TooLarge {
        /// The server.
        server: String,
    },
    /// The answer is no response.
    #[error("the answer of {server} is unusable: {cause}; its administrator should know")]
    Malformed {
        /// The server.
        server: String,
        /// What is wrong with it.
        cause: String,
    },
    /// The body is not the one that the answer, or the request, names by its hash.
    #[error(
        "{server} gave a text for {} that does not have the content hash named for it: it was \
         damaged or altered; try again, and tell the server's administrator if it stays so",
        crate::text::visible_line(.path)
    )]
    Altered {
        /// The server.
        server: String,
        /// The path that was asked for.
        path: String,
    },
    /// This machine cannot open a socket.
    #[error("no connection can be made from here: {0}")]
    Local(String),
}

impl ClientError {
    /// Whether the server as a whole cannot be reached, rather than that one answer
    /// of it is unusable.
    pub fn is_cut_off(&self) -> bool {
        !matches!(
            self,
            Self::Request { .. }
                | Self::Aborted { .. }
                | Self::Empty { .. }
                | Self::TooLarge { .. }
                | Self::Malformed { .. }
                | Self::Altered { .. }
        )
    }
}

fn seconds(wait: &Duration) -> String {
    format!("{} s", wait.as_secs_f64())
}
