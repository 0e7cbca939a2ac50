//! Where a document is: a bare path of the world at hand, or `mark://host/path`.

use super::url::{Reference, encoded_path, marked_path};

const DEFAULT_PORT: u16 = 6309;
const SCHEME: &str = "mark://";

/// Whose world a location is in. Two locations are in the same world exactly if
/// their authorities are equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Authority {
    /// The world at hand: a bare path.
    Bare,
    /// A server, by lowercased host and port; no port is 6309.
    Server(String, u16),
    /// Anything else, such as a web address: never in a lookup's world.
    Other(String),
}

impl Authority {
    /// The authority of a location.
    pub fn of(location: &str) -> Self {
        if is_plain(location) {
            return Self::Bare;
        }
        if let Some((host, port, _)) = server_parts(location) {
            return Self::Server(host, port);
        }
        let is_path = !location.starts_with("//")
            && Reference::parse(location).is_none_or(|reference| reference.scheme.is_empty());
        if is_path && !location.contains("://") {
            return Self::Bare;
        }
        Self::Other(location.to_owned())
    }
}

/// The one spelling of a location: for `mark://` locations the host lowercased,
/// the default port left out, user information, query and fragment dropped, the
/// path encoded and never empty. Anything else, and a `mark://` location that
/// does not parse, stays as it is.
pub fn canonical(location: &str) -> String {
    match server_parts(location) {
        Some((host, DEFAULT_PORT, path)) => format!("{SCHEME}{host}{path}"),
        Some((host, port, path)) => format!("{SCHEME}{host}:{port}{path}"),
        None => location.to_owned(),
    }
}

/// The location of a path, which is not encoded, in a world of a name.
pub fn location_of(world: &str, path: &str) -> String {
    canonical(&format!("{SCHEME}{world}{}", marked_path(path)))
}

/// The location that a link or a relation's target names, seen from a document.
/// The target's fragment must have been cut off. Where the target is no URL
/// reference at all, it is its own location.
pub fn resolve(document: &str, target: &str) -> String {
    if is_plain(document) && is_plain(target) {
        return target.to_owned();
    }
    resolve_reference(document, target)
}

/// Whether a location is a path that means itself wherever it is named in its world:
/// rooted, nothing in it to encode, and no dots to take away. Nearly all are.
fn is_plain(location: &str) -> bool {
    let bytes = location.as_bytes();
    bytes.first() == Some(&b'/')
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte))
        && bytes.windows(2).all(|pair| pair[0] != b'/' || !matches!(pair[1], b'/' | b'.'))
}

/// [`resolve`] by the rules of URL references.
fn resolve_reference(document: &str, target: &str) -> String {
    if target.contains("://") {
        return canonical(target);
    }
    if document.is_empty() {
        return target.to_owned();
    }
    match (Reference::parse(document), Reference::parse(target)) {
        (Some(base), Some(reference)) => canonical(&base.resolve(&reference).to_string()),
        _ => target.to_owned(),
    }
}

/// Host (lowercased), port and encoded path of a `mark://` location.
fn server_parts(location: &str) -> Option<(String, u16, String)> {
    if !location.get(..SCHEME.len())?.eq_ignore_ascii_case(SCHEME) {
        return None;
    }
    let location = location.split('#').next()?;
    let reference = Reference::parse(location)?;
    let authority = reference.host.filter(|host| !host.is_empty())?;
    let colon = match authority.rfind(']') {
        Some(close) => close + 1,
        None => authority.rfind(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(colon);
    if host.is_empty() {
        return None;
    }
    let port = match port.strip_prefix(':') {
        None | Some("") => DEFAULT_PORT,
        Some(digits) => digits.parse().ok().filter(|port| *port > 0)?,
    };
    let path = match reference.path.as_str() {
        "" => "/".to_owned(),
        path => encoded_path(path)?,
    };
    Some((host.to_lowercase(), port, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_has_one_spelling() {
        for same in [
            "mark://Host/x.md",
            "mark://host:6309/x.md",
            "MARK://host/x.md",
            "mark://u:p@host/x.md?q#f",
        ] {
            assert_eq!(canonical(same), "mark://host/x.md");
        }
        assert_eq!(canonical("mark://Host/X.md"), "mark://host/X.md");
        assert_eq!(canonical("mark://[::1]:6309"), "mark://[::1]/");
        assert_eq!(canonical("mark://[::1]:7000/a"), "mark://[::1]:7000/a");
        for kept in
            ["/a b.md", "mark://", "mark://h:0/x", "mark://h:65536/x", "mark:///x", "https://H/x"]
        {
            assert_eq!(canonical(kept), kept);
        }
    }

    #[test]
    fn targets_resolve_as_references() {
        for (base, target, want) in [
            ("mark://h/docs/a.md", "b.md", "mark://h/docs/b.md"),
            ("mark://h/docs/a.md", "/b.md", "mark://h/b.md"),
            ("mark://h/docs/a.md", "../../b.md", "mark://h/b.md"),
            ("mark://H:6309/docs/a.md", "b.md", "mark://h/docs/b.md"),
            ("/docs/a.md", "b.md", "/docs/b.md"),
            ("/docs/a.md", "../b.md", "/b.md"),
            ("/docs/a.md", "b c.md", "/docs/b%20c.md"),
            ("/docs/a.md", "mark://g:6309/x.md", "mark://g/x.md"),
            ("mark://h/docs/a.md", "mailto:x@y", "mailto:x@y"),
            ("mark://h/docs/a.md", "//g/x.md", "mark://g/x.md"),
            ("/docs/a.md", "//g/x.md", "//g/x.md"),
            ("mark://h/docs", "b.md", "mark://h/b.md"),
            ("/a.md", "/%zz.md", "/%zz.md"),
            ("/%zz.md", "b.md", "b.md"),
            ("", "b.md", "b.md"),
            ("/a.md", "x:/y/../z.md", "x:/z.md"),
            ("/a.md", "1:2.md", "1:2.md"),
        ] {
            assert_eq!(resolve(base, target), want, "{target} from {base}");
        }
    }

    /// The short way and the long way of all paths of a few characters agree.
    #[test]
    fn plain_paths_resolve_to_themselves() {
        let mut paths = vec![String::new()];
        for length in 0..5 {
            let longer: Vec<String> = paths
                .iter()
                .filter(|path| path.len() == length)
                .flat_map(|path| "/.a~-_%: é".chars().map(move |c| format!("{path}{c}")))
                .collect();
            paths.extend(longer);
        }
        let mut plain = 0;
        for path in paths.iter().filter(|path| is_plain(path)) {
            plain += 1;
            for document in ["/a.md", "/docs/deep/a.md", path] {
                assert_eq!(resolve_reference(document, path), *path, "from {document}");
            }
            assert_eq!(canonical(path), *path);
        }
        assert!(plain > 400, "{plain}");
    }

    #[test]
    fn authorities_compare_by_host_and_port() {
        assert_eq!(Authority::of("mark://A/x"), Authority::of("mark://a:6309/y"));
        assert_ne!(Authority::of("mark://a/x"), Authority::of("mark://a:7000/x"));
        assert_eq!(Authority::of("/a.md"), Authority::of("/%C3%A9.md"));
        for other in ["https://example.org/x", "mailto:x@y", "//host/x.md", "mark://h:0/x"] {
            assert!(matches!(Authority::of(other), Authority::Other(_)), "{other}");
        }
    }
}
