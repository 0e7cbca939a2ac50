//! The server and the path of a `mark://` location, as a client needs them.

use std::fmt;
use std::net::Ipv6Addr;

use super::url::decode;

const SCHEME: &str = "mark://";
const DEFAULT_PORT: u16 = 6309;

/// A server to call: its host, without brackets and in lowercase, and its port.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    host: String,
    port: u16,
}

/// Why a text names no server, in a sentence that tells what to write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It does not begin with `mark://`.
    #[error("a server's location begins with mark://, such as mark://localhost/")]
    Scheme,
    /// There is no host.
    #[error("the location names no host; write it as mark://host/ or mark://host:port/")]
    NoHost,
    /// An IPv6 address without brackets.
    #[error("an IPv6 address stands in brackets: mark://[::1]/ or mark://[::1]:6309/")]
    BareIpv6,
    /// An IPv6 address with a zone.
    #[error("an address with a zone (`%…`) cannot be called; use a name or an address without one")]
    Zone,
    /// What is in the brackets is no address.
    #[error("what stands in the brackets is no IPv6 address; write it as mark://[::1]/")]
    BadIpv6,
    /// The host has characters that no host has.
    #[error("the host has a character that no host name has; write a name or an address")]
    BadHost,
    /// The port is none.
    #[error("a port is a number from 1 to 65535; without one it is {DEFAULT_PORT}")]
    BadPort,
    /// The path is not encoded as it must be.
    #[error("the path is not UTF-8 in percent-encoding; write a `%` itself as %25")]
    BadPath,
}

impl Address {
    /// Whether a text is meant as a location on a server.
    pub fn is_meant(text: &str) -> bool {
        text.get(..SCHEME.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
    }

    /// The server and the decoded path of a location. User information, query and
    /// fragment are dropped.
    ///
    /// # Errors
    /// What is wrong with the location.
    pub fn parse(location: &str) -> Result<(Self, String), AddressError> {
        if !Self::is_meant(location) {
            return Err(AddressError::Scheme);
        }
        let rest = &location[SCHEME.len()..];
        let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let path = decode(if path.is_empty() { "/" } else { path })
            .and_then(|path| String::from_utf8(path).ok())
            .ok_or(AddressError::BadPath)?;
        Ok((Self::of_authority(authority)?, path))
    }

    /// The server of `host`, `host:port`, `[address]` or `[address]:port`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_authority(authority: &str) -> Result<Self, AddressError> {
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']').ok_or(AddressError::BadIpv6)?;
                if host.contains('%') {
                    return Err(AddressError::Zone);
                }
                let address: Ipv6Addr = host.parse().map_err(|_| AddressError::BadIpv6)?;
                (address.to_string(), port)
            }
            None => {
                if authority.matches(':').count() > 1 {
                    return Err(AddressError::BareIpv6);
                }
                let (host, port) =
                    authority.split_at(authority.find(':').unwrap_or(authority.len()));
                let is_fine =
                    |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "-._~".contains(c);
                if host.is_empty() {
                    return Err(AddressError::NoHost);
                }
                if !host.chars().all(is_fine) {
                    return Err(AddressError::BadHost);
                }
                (host.to_lowercase(), port)
            }
        };
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => DEFAULT_PORT,
            Some("") => DEFAULT_PORT,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().ok().filter(|port| *port > 0).ok_or(AddressError::BadPort)?
            }
            _ => return Err(AddressError::BadPort),
        };
        Ok(Self { host, port })
    }

    /// The host without brackets: the name that a certificate must carry.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `mark://` with the host and, unless it is the default, the port.
    pub fn identity(&self) -> String {
        let host = self.bracketed();
        match self.port {
            DEFAULT_PORT => format!("{SCHEME}{host}"),
            port => format!("{SCHEME}{host}:{port}"),
        }
    }

    fn bracketed(&self) -> String {
        if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() }
    }
}

/// The form that tokens are kept under: the host and always the port.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.bracketed(), self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_named_in_many_ways() {
        for (location, dial, identity, path) in [
            ("mark://Host.Example/a.md", "host.example:6309", "mark://host.example", "/a.md"),
            ("MARK://h:7000", "h:7000", "mark://h:7000", "/"),
            ("mark://u:p@h:6309/a%20b?q#f", "h:6309", "mark://h", "/a b"),
            ("mark://[::1]:6309/", "[::1]:6309", "mark://[::1]", "/"),
            ("mark://[0:0::1]/x", "[::1]:6309", "mark://[::1]", "/x"),
            ("mark://127.0.0.1:1/", "127.0.0.1:1", "mark://127.0.0.1:1", "/"),
        ] {
            let (address, got) = Address::parse(location).expect(location);
            assert_eq!((address.to_string().as_str(), got.as_str()), (dial, path), "{location}");
            assert_eq!(address.identity(), identity);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        use AddressError::*;
        for (location, want) in [
            ("https://h/", Scheme),
            ("/a", Scheme),
            ("mark:///a", NoHost),
            ("mark://:80/a", NoHost),
            ("mark://::1/", BareIpv6),
            ("mark://[fe80::1%25eth0]/", Zone),
            ("mark://[h]/", BadIpv6),
            ("mark://[::1/", BadIpv6),
            ("mark://[::1]x/", BadPort),
            ("mark://h:0/", BadPort),
            ("mark://h:65536/", BadPort),
            ("mark://h:+1/", BadPort),
            ("mark://a b/", BadHost),
            ("mark://h/%zz", BadPath),
            ("mark://h/%ff", BadPath),
        ] {
            assert_eq!(Address::parse(location), Err(want), "{location}");
        }
    }
}
