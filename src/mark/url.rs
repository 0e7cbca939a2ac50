//! URL references by the rules that demarkus stores and clients follow.
//!
//! They are RFC 3986 with the choices of Go's `net/url`: which characters a path
//! must encode, which strings do not parse at all, and that a path with nothing
//! to encode is kept as it was written. A general URL library normalises more
//! than that, and a target that reads differently is another document.

/// A parsed URL reference without its fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reference<'a> {
    /// Lowercased; empty where there is none.
    pub(super) scheme: String,
    /// What follows the scheme where no slash does (`mailto:x@y`).
    pub(super) opaque: Option<&'a str>,
    /// The host and port as written, user information cut off; `None` where the
    /// reference has no authority.
    pub(super) host: Option<&'a str>,
    user: Option<&'a str>,
    /// The path, percent-encoded where it must be.
    pub(super) path: String,
    query: Option<&'a str>,
}

impl<'a> Reference<'a> {
    /// Parses a reference; `None` where it is no URL.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        if text.bytes().any(|byte| byte < 0x20 || byte == 0x7f) {
            return None;
        }
        let (scheme, rest) = split_scheme(text)?;
        let mut reference = Self { scheme: scheme.to_ascii_lowercase(), ..Self::default() };
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        reference.query = query;
        if !rest.starts_with('/') {
            if !reference.scheme.is_empty() {
                reference.opaque = Some(rest);
                return Some(reference);
            }
            // A colon in the first segment would read as a scheme.
            if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
                return None;
            }
        }
        let path = match rest.strip_prefix("//") {
            Some(behind) if !rest.starts_with("///") || !reference.scheme.is_empty() => {
                let end = behind.find('/').unwrap_or(behind.len());
                let authority = &behind[..end];
                let (user, host) = match authority.rsplit_once('@') {
                    Some((user, host)) => (Some(user), host),
                    None => (None, authority),
                };
                if !is_host(host) {
                    return None;
                }
                reference.user = user;
                reference.host = Some(host);
                &behind[end..]
            }
            _ => rest,
        };
        reference.path = encoded_path(path)?;
        Some(reference)
    }

    /// Resolves another reference against this one, as RFC 3986 section 5.2 does.
    pub(super) fn resolve(&self, reference: &Self) -> Self {
        let mut out = reference.clone();
        let has_authority = reference.host.is_some_and(|host| !host.is_empty());
        if !reference.scheme.is_empty() || has_authority || reference.user.is_some() {
            if out.scheme.is_empty() {
                out.scheme.clone_from(&self.scheme);
            }
            out.path = without_dots(&reference.path, "");
            return out;
        }
        out.scheme.clone_from(&self.scheme);
        if reference.path.is_empty() && reference.query.is_none() {
            out.query = self.query;
            if self.opaque.is_some() {
                out.opaque = self.opaque;
                return out;
            }
        }
        out.host = self.host;
        out.user = self.user;
        out.path = without_dots(&self.path, &reference.path);
        out
    }
}

impl std::fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if let Some(opaque) = self.opaque {
            f.write_str(opaque)?;
        } else {
            if let Some(host) = self.host {
                f.write_str("//")?;
                if let Some(user) = self.user {
                    write!(f, "{user}@")?;
                }
                for byte in decode(host).unwrap_or_default() {
                    if byte.is_ascii() {
                        write!(f, "{}", byte as char)?;
                    } else {
                        write!(f, "%{byte:02X}")?;
                    }
                }
                if !self.path.is_empty() && !self.path.starts_with('/') {
                    f.write_str("/")?;
                }
            }
            f.write_str(&self.path)?;
        }
        match self.query {
            Some(query) => write!(f, "?{query}"),
            None => Ok(()),
        }
    }
}

/// The name that an encoded path segment of a listing stands for; `None` where it
/// is no name of one.
pub fn decoded_segment(segment: &str) -> Option<String> {
    let name = String::from_utf8(decode(segment)?).ok()?;
    let is_control = |c: char| (c < ' ' && c != '\t') || c == '\u{7f}';
    let is_name = !matches!(name.as_str(), "" | "." | "..") && !name.contains('/');
    (is_name && !name.contains(is_control)).then_some(name)
}

/// The path that an encoded one stands for; `None` where it stands for no text.
pub fn decoded_path(path: &str) -> Option<String> {
    String::from_utf8(decode(path)?).ok()
}

/// A path with the characters encoded that mean something in a location.
pub(super) fn marked_path(path: &str) -> String {
    let path = path.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    encoded_path(&path).unwrap_or(path)
}

/// The scheme and what is behind its colon. `None` where a colon stands first.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return None,
            b':' => return Some((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Some(("", text))
}

fn is_host(host: &str) -> bool {
    let (name, port) = if host.starts_with('[') {
        let Some(close) = host.rfind(']') else { return false };
        (&host[..close], &host[close + 1..])
    } else {
        let colon = host.rfind(':').unwrap_or(host.len());
        (&host[..colon], &host[colon..])
    };
    let port_is_fine = match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => port.is_empty(),
    };
    // Only bytes beyond ASCII may be encoded in a name.
    let encoded_ascii = |after: &str| after.starts_with(|c: char| c < '8');
    let encoding_is_fine = decode(name).is_some() && !name.split('%').skip(1).any(encoded_ascii);
    port_is_fine
        && encoding_is_fine
        && name.bytes().all(|byte| {
            !byte.is_ascii()
                || byte.is_ascii_alphanumeric()
                || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&byte)
        })
}

/// A path as it is written where that is a valid encoding, else decoded and
/// encoded anew. `None` where a `%` is not followed by two hexadecimal digits.
pub(super) fn encoded_path(path: &str) -> Option<String> {
    let decoded = decode(path)?;
    if path.bytes().all(is_encoded_byte) {
        return Some(path.to_owned());
    }
    let mut out = String::with_capacity(decoded.len() * 3);
    for byte in decoded {
        if byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte) {
            out.push(byte as char);
        } else {
            // Writing to a String cannot fail.
            let _ = std::fmt::Write::write_fmt(&mut out, format_args!("%{byte:02X}"));
        }
    }
    Some(out)
}

fn is_encoded_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:@/[]%".contains(&byte)
}

pub(super) fn decode(path: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(path.len());
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            out.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            out.push(byte);
        }
    }
    Some(out)
}

/// Joins a path to a base path and takes `.` and `..` segments out. Runs of
/// slashes inside stay. Both are in encoded form.
fn without_dots(base: &str, path: &str) -> String {
    let full = match path {
        "" => base.to_owned(),
        path if path.starts_with('/') => path.to_owned(),
        path => format!("{}{path}", &base[..base.rfind('/').map_or(0, |at| at + 1)]),
    };
    if full.is_empty() {
        return full;
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut last = "";
    for segment in full.split('/') {
        last = segment;
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    if last == "." || last == ".." {
        kept.push("");
    }
    let joined = kept.join("/");
    if joined.starts_with('/') { joined } else { format!("/{joined}") }
}
