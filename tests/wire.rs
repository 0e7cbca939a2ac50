//! The bytes of the protocol, against recorded exchanges and against chance.

mod support;

use std::collections::BTreeMap;

use markscope::mark::wire::{Metadata, Request, RequestError, Response, Status};
use proptest::prelude::*;

use support::{cases, text};

/// Every recorded response is read, has the status it says, and is written back
/// as the same bytes.
#[test]
fn responses_are_read_and_written_back() {
    for case in cases("wire.json") {
        let bytes = text(&case, "response").as_bytes();
        let response =
            Response::parse(bytes).unwrap_or_else(|error| panic!("{}: {error}", case["name"]));
        let line = text(&case, "response").lines().find_map(|line| line.strip_prefix("status: "));
        assert_eq!(Some(response.status.as_str()), line, "{}", case["name"]);
        assert_eq!(
            String::from_utf8_lossy(&response.encode()),
            String::from_utf8_lossy(bytes),
            "{}",
            case["name"]
        );
    }
}

/// What the names of the cases promise of a request.
#[test]
fn requests_are_read() {
    let mut written_back = 0;
    for case in cases("wire.json") {
        let name = text(&case, "name");
        let bytes = text(&case, "request").as_bytes();
        let want_error = match name {
            "empty-request" | "request-line-too-long" => Some(RequestError::Unreadable),
            "lowercase-verb"
            | "no-path"
            | "relative-path"
            | "metadata-unclosed"
            | "metadata-list-value"
            | "metadata-duplicate-key"
            | "path-too-long" => Some(RequestError::Malformed),
            _ => None,
        };
        match Request::parse(bytes) {
            Err(error) => assert_eq!(Some(error), want_error, "{name}"),
            Ok(request) => {
                assert_eq!(want_error, None, "{name}");
                let verb = text(&case, "request").split(' ').next();
                assert_eq!(Some(request.verb.as_str()), verb, "{name}");
                let encoded = request.encode().expect("bytes");
                assert_eq!(Request::parse(&encoded), Ok(request), "{name}");
                written_back += usize::from(encoded == bytes);
            }
        }
    }
    // The others spell the same in another way.
    assert!(written_back > 100, "only {written_back}");
}

#[test]
fn values_of_some_exchanges() {
    let all = cases("wire.json");
    let named = |name: &str| {
        let case = all.iter().find(|case| case["name"] == name);
        let case = case.unwrap_or_else(|| panic!("no exchange {name}"));
        let request = Request::parse(text(case, "request").as_bytes());
        (request, Response::parse(text(case, "response").as_bytes()).expect("a response"))
    };
    let (_, quoting) = named("fetch-quoting-metadata");
    for (key, value) in [
        ("a-true", "true"),
        ("c-colon", "key: value"),
        ("j-quote", "it's 'so'"),
        ("k-dquote", "\"so\" it is"),
        ("l-space", "  two  "),
        ("m-tab", "tab\there"),
        ("o-back", "C:\\dir"),
        ("p-empty", ""),
        ("s-int", "007"),
    ] {
        assert_eq!(quoting.get(key), Some(value), "{key}");
    }
    assert_eq!(named("fetch-emoji-metadata").1.get("title"), Some("Party 🎉 time"));
    assert_eq!(named("fetch-not-permitted").1.status, Status::NotPermitted);
    assert_eq!(named("fetch-not-permitted").1.message(), "insufficient permissions");
    assert_eq!(named("rate-limited").1.status, Status::RateLimited);
    assert_eq!(named("watch-foreign-cursor").1.status, Status::Other("resync".into()));
    let (_, fence) = named("fetch-body-begins-with-fence");
    assert!(fence.body.starts_with(b"---\ntitle: Body block\n"));
    assert_eq!(fence.get("rel-fake"), None);
    let (request, _) = named("lookup-escaped-query");
    assert_eq!(request.expect("a request").metadata["query"], "a_b [c] | \"d\"");
    let (request, _) = named("metadata-crlf-fences");
    let request = request.expect("a request");
    assert!(request.metadata.is_empty() && request.body.starts_with(b"---\r\n"));
    let (request, _) = named("fetch-name-with-space");
    assert_eq!(request.expect("a request").path, "/zoo/plain name (1).md");
}

fn metadata() -> impl Strategy<Value = Metadata> {
    let value = prop_oneof![
        any::<String>(),
        "[ -~\t\n]{0,12}",
        "[-+0-9.:eExX_ TZ]{0,12}",
        "[a-z#:, \n-]{0,10}",
        Just("\u{2028}".to_owned()),
        Just("\u{feff}a\u{85}".to_owned()),
    ];
    prop::collection::btree_map("[a-z0-9-]{1,8}|[ -~]{0,6}", value, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_bytes_make_reading_panic(bytes: Vec<u8>, fenced: bool) {
        let mut bytes = bytes;
        let _ = Request::parse(&bytes);
        if fenced {
            bytes.splice(0..0, *b"---\n");
            bytes.extend_from_slice(b"\n---\n");
        }
        let _ = Response::parse(&bytes);
    }

    #[test]
    fn no_text_make_reading_panic(block in "(\\PC|[\n:'\"|>&*\\[{ -]){0,60}") {
        let _ = Response::parse(format!("---\n{block}\n---\n").as_bytes());
    }

    #[test]
    fn a_request_comes_back(metadata in metadata(), path in "/[^\\x00-\\x1f\\x7f]{0,40}", body: Vec<u8>) {
        let request = Request { verb: "LOOKUP".into(), path, metadata, body };
        let bytes = request.encode().expect("bytes");
        prop_assert_eq!(Request::parse(&bytes), Ok(request));
    }

    #[test]
    fn a_response_comes_back(metadata in metadata(), status in "[a-z-]{0,12}", body: Vec<u8>) {
        let metadata: BTreeMap<String, String> =
            metadata.into_iter().filter(|(key, _)| key != "status").collect();
        let response = Response { status: Status::from(status.as_str()), metadata, body };
        let parsed = Response::parse(&response.encode());
        prop_assert_eq!(parsed, Ok(response));
    }
}
