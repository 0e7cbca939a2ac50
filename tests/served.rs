//! What a server answers, without a network: the recorded exchanges of
//! `tests/golden/wire.json` over the same documents.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{Span, Timestamp};
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::mark::wire::{Request, Response, Status};
use markscope::serve::{Access, History, Library, Version};
use markscope::world::{Source, World};
use proptest::prelude::*;

use support::{cases, golden, text, world};

/// What the read-only server does not offer, or offers in another way.
const SKIPPED: [(&str, &str); 8] = [
    ("fetch-directory-versions", "a store's own directory, which is no part of a world"),
    ("watch-foreign-cursor", "nothing changes here, so there is nothing to watch"),
    ("watch-bad-cursor", "as above"),
    ("watch-unauthorized", "as above"),
    ("watch-stream", "as above"),
    ("publish-conflict", "no token may write here"),
    ("publish-not-markdown", "as above"),
    ("rate-limited", "there is no limit"),
];

const TIME: &str = "2026-10-01T00:00:00Z";

/// Path, time, metadata and body.
type Unseen = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

/// Documents of `/zoo` that no exchange shows whole, from the store itself; their
/// times are chosen to give the order that the exchanges have.
const UNSEEN: [Unseen; 4] = [
    (
        "/zoo/append.md",
        "2026-09-30T08:05:00Z",
        &[("importance", "0.4"), ("tags", "log")],
        "# Log\n\nfirst\nsecond\n",
    ),
    (
        "/zoo/two.md",
        "2026-09-30T08:17:00Z",
        &[("importance", "0.9"), ("tags", "twin")],
        "# Same\n\nThe same text twice.\n",
    ),
    (
        "/zoo/under_score*star.md",
        "2026-09-30T08:18:00Z",
        &[("tags", "name")],
        "# Under score\n\nA name with marks.\n",
    ),
    (
        "/zoo/sub/deep.md",
        "2026-09-30T08:03:00Z",
        &[("tags", "deep")],
        "# Deep\n\nBelow a directory.\n",
    ),
];

/// The store that the exchanges were recorded from, put together from the golden
/// world, from what the exchanges themselves show, and from [`UNSEEN`]. Etags are
/// those of the exchanges: they are hashes of stored files, which are not here. So
/// this says nothing of etags, and of the fetched documents of `/zoo` no more than
/// that they are sent as they were.
fn odd() -> Library {
    let mut etags: BTreeMap<(String, u64), String> = BTreeMap::new();
    let mut shown: BTreeMap<String, Arc<Document>> = BTreeMap::new();
    for case in cases("wire.json") {
        let Ok(request) = Request::parse(text(&case, "request").as_bytes()) else { continue };
        let response = Response::parse(text(&case, "response").as_bytes()).expect("a response");
        let path = request.path.trim_end_matches('/').replace("//zoo/.", "/zoo");
        let path = path.rsplit_once("/v").map_or(path.as_str(), |(base, _)| base).to_owned();
        let (Some(etag), Some(version)) = (response.get("etag"), response.get("version")) else {
            continue;
        };
        if request.verb != "FETCH" || path.starts_with("/sha256-") {
            continue;
        }
        let path = if path == "/adr" { "/adr/index.md".to_owned() } else { path };
        let version: u64 = version.parse().expect("a version");
        etags.insert((path.clone(), version), etag.to_owned());
        if path.starts_with("/zoo") || path.starts_with("/.well-known") {
            let server = ["etag", "version", "content-hash", "modified", "current-version"];
            let metadata = response.metadata.clone().into_iter();
            let metadata = metadata.filter(|(key, _)| !server.contains(&key.as_str()));
            let modified = response.get("modified").map(|time| time.parse().expect("a time"));
            let document =
                Document::new(path.clone(), String::from_utf8(response.body).expect("text"))
                    .with_version(Some(version))
                    .with_modified(modified)
                    .with_metadata(metadata.collect());
            shown.insert(path, Arc::new(document));
        }
    }
    let mut histories: BTreeMap<String, Vec<Version>> = BTreeMap::new();
    let mut add = |number: u64, document: Arc<Document>| {
        let etag = etags.get(&(document.path().to_owned(), number)).cloned();
        let versions = histories.entry(document.path().to_owned()).or_default();
        versions.push(Version { number, document, etag });
    };
    for document in world("decisions").documents {
        let last = document.version().unwrap_or(1).min(3);
        for number in 1..=last {
            let body = match number == last {
                true => document.body().to_owned(),
                false => format!("{}\n\n(draft {number})\n", document.body()),
            };
            let days = i64::try_from(last - number).expect("few") * 3;
            let modified = document.modified().map(|at| at - Span::new().hours(24 * days));
            let mut metadata = document.metadata().clone();
            if !document.path().ends_with("/index.md") {
                metadata.entry("type".into()).or_insert_with(|| "Document".into());
            }
            let version = Document::new(document.path(), body)
                .with_version(Some(number))
                .with_modified(modified)
                .with_metadata(metadata);
            add(number, Arc::new(version));
        }
    }
    for (_, document) in shown {
        add(document.version().unwrap_or(1), document);
    }
    for (path, modified, metadata, body) in UNSEEN {
        let metadata = metadata.iter().map(|(key, value)| ((*key).into(), (*value).into()));
        let document = Document::new(path, body)
            .with_version(Some(1))
            .with_modified(Some(modified.parse().expect("a time")))
            .with_metadata(metadata.chain([("type".into(), "Document".into())]).collect());
        add(1, Arc::new(document));
    }
    for (number, modified) in [(3, "2026-09-30T08:13:00Z"), (4, "2026-09-30T08:14:00Z")] {
        let document = Document::new("/zoo/pruned.md", format!("# Pruned\n\nEdition {number}.\n"))
            .with_version(Some(number))
            .with_modified(Some(modified.parse().expect("a time")))
            .with_metadata(BTreeMap::from([("tags".into(), "pruned".into())]));
        add(number, Arc::new(document));
    }
    let archived = ["/ops/weekly.md", "/zoo/gone/only.md"];
    let errors = archived.map(|path| (path.to_owned(), "archived".to_owned()));
    let current = histories.iter().filter(|(path, _)| !archived.contains(&path.as_str()));
    let current = current.filter_map(|(_, versions)| versions.last());
    let current: Vec<_> = current.map(|version| Arc::clone(&version.document)).collect();
    let library = Library::new(Store::new("odd", current, errors.into()));
    histories.into_iter().fold(library, |library, (path, versions)| {
        library.with_history(path, History { versions, chain_valid: Some(true) })
    })
}

fn access() -> Access {
    let text = std::fs::read_to_string(golden("tokens.toml")).expect("a tokens file");
    Access::parse(&text).expect("tokens")
}

fn answer(library: &Library, request: &[u8]) -> Response {
    library.answer(&access(), TIME.parse().expect("a time"), request)
}

fn compare(library: &Library, skipped: &[(&str, &str)]) {
    let mut failed = Vec::new();
    let mut compared = 0;
    for case in cases("wire.json") {
        let name = text(&case, "name");
        if skipped.iter().any(|(skipped, _)| *skipped == name) {
            continue;
        }
        compared += 1;
        let got = answer(library, text(&case, "request").as_bytes()).encode();
        let got = String::from_utf8_lossy(&got);
        if got != text(&case, "response") {
            failed.push(format!("{name}\n--- want\n{}\n--- got\n{got}", text(&case, "response")));
        }
    }
    let count = failed.len();
    failed.truncate(8);
    assert!(count == 0, "{count} of {compared} differ:\n{}", failed.join("\n\n"));
    assert_eq!(compared + skipped.len(), cases("wire.json").len());
}

#[test]
fn exchanges() {
    compare(&odd(), &SKIPPED);
}

/// The store itself, unpacked.
fn unpacked(name: &str) -> (tempfile::TempDir, World) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let archive = archive.join("tests/stores").join(format!("{name}.tar.gz"));
    let archive = std::fs::File::open(archive).expect("an archive");
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    archive.set_preserve_mtime(true);
    archive.unpack(folder.path()).expect("unpacked");
    let world = World::open(&Source::Path(folder.path().to_owned())).expect("a store");
    (folder, world)
}

fn library(world: World) -> Library {
    let documents = world.documents().iter().cloned();
    let store = Store::new(world.name(), documents, world.errors().clone());
    Library::new(store).with_histories(world)
}

/// The same exchanges, answered from the store on disk: etags, versions, hashes.
#[test]
fn exchanges_of_the_store_itself() {
    let (_folder, world) = unpacked("odd-2026-10");
    compare(&library(world), &SKIPPED);
}

/// A document asked of a store by its path is the one that a server of the store
/// gives: body, version, time, or the reason why there is none.
#[test]
fn a_store_gives_what_its_server_gives() {
    for name in ["odd-2026-10", "music-2026-10", "decisions-2026-03-moved"] {
        let (folder, world) = unpacked(name);
        let served = World::open(&Source::Path(folder.path().to_owned())).expect("a store");
        let library = library(served);
        let known = world.documents().iter().map(|document| document.path().to_owned());
        let mut asked: Vec<String> =
            known.flat_map(|path| [format!("{path}/v1"), format!("{path}/v9"), path]).collect();
        asked.extend(
            [
                "/",
                "/adr",
                "/bands",
                "/index.md",
                "/adr/v1",
                "/adr/index.md/v2",
                "/adr/index.md/v02",
                "/adr/index.md/v0",
                "/nowhere",
                "/nowhere.md",
                "/nowhere.md/v1",
                "/ops/weekly.md",
                "/ops/weekly.md/v1",
                "/zoo",
                "/zoo/gone",
                "/zoo/gone/only.md",
                "/zoo/gone/only.md/v1",
                "/zoo/pruned.md/v2",
                "/zoo/pruned.md/v3",
                "/adr/../adr/index.md",
            ]
            .map(str::to_owned),
        );
        for path in asked {
            let request = Request::new("FETCH", path.as_str()).encode().expect("bytes");
            let answer =
                library.answer(&Access::default(), TIME.parse().expect("a time"), &request);
            // A list that the server makes is no document.
            let is_list = answer.get("entries").is_some();
            let got = world.fetch(&path).map(|document| {
                let version = document.version().map(|version| version.to_string());
                let modified = document.modified().map(|time| time.as_second());
                (document.body().to_owned(), version, modified)
            });
            let want = match answer.status {
                Status::Ok if !is_list => Ok((
                    String::from_utf8(answer.body.clone()).expect("text"),
                    answer.get("version").map(str::to_owned),
                    answer
                        .get("modified")
                        .map(|time| time.parse::<Timestamp>().expect("a time").as_second()),
                )),
                Status::Ok => Err("not-found".to_owned()),
                status => Err(status.to_string()),
            };
            assert_eq!(got, want, "{name} {path}");
        }
    }
}

/// What each token sees of the stores.
#[test]
fn tokens_see_what_they_may() {
    for (store, at) in [("music-2026-10", 0), ("decisions-2026-10", 1), ("odd-2026-10", 2)] {
        let (_folder, world) = unpacked(store);
        let library = library(world);
        for (token, journal, specs, counts) in [
            ("", "unauthorized", "unauthorized", [37, 15, 29]),
            ("tok-nobody", "unauthorized", "unauthorized", [37, 15, 29]),
            ("tok-expired-0f48", "unauthorized", "unauthorized", [37, 15, 29]),
            ("tok-writer-5b0c", "not-permitted", "not-permitted", [37, 15, 29]),
            ("tok-journal-91ae", "", "not-permitted", [40, 17, 31]),
            ("tok-part-3d77", "not-permitted", "", [40, 17, 31]),
            ("tok-all-e602", "", "", [43, 19, 33]),
        ] {
            let ask = |verb: &str, path: &str| {
                let mut request = Request::new(verb, path);
                if !token.is_empty() {
                    request = request.with("auth", token);
                }
                if verb == "LOOKUP" {
                    request = request.with("query", "*").with("limit", "1000");
                }
                answer(&library, &request.encode().expect("bytes"))
            };
            let rows = ask("LOOKUP", "/");
            assert_eq!(
                rows.get("matches"),
                Some(counts[at].to_string().as_str()),
                "{store} {token}"
            );
            for (directory, want) in [("/journal", journal), ("/specs", specs), ("/labels", specs)]
            {
                for verb in ["FETCH", "LIST", "VERSIONS"] {
                    let status = ask(verb, &format!("{directory}/nothing.md")).status;
                    let want = if want.is_empty() { "not-found" } else { want };
                    assert_eq!(status.as_str(), want, "{store} {token} {verb} {directory}");
                }
            }
            let root = String::from_utf8(ask("LIST", "/").body).expect("text");
            let is_listed = root.contains("- [journal/](journal/)");
            assert_eq!(is_listed, journal.is_empty(), "{store} {token}\n{root}");
        }
    }
}

#[test]
fn pages_of_a_listing_make_the_whole() {
    let library = odd();
    let whole = answer(&library, b"LIST /zoo\n");
    for size in 1..15 {
        let (mut lines, mut cursor) = (Vec::new(), String::new());
        loop {
            let request = Request::new("LIST", "/zoo")
                .with("page-size", size.to_string())
                .with("cursor", cursor.as_str());
            let page = answer(&library, &request.encode().expect("bytes"));
            let body = String::from_utf8(page.body.clone()).expect("text");
            lines.extend(body.lines().filter(|line| line.starts_with("- ")).map(str::to_owned));
            match page.get("next-cursor") {
                Some(next) => next.clone_into(&mut cursor),
                None => break,
            }
        }
        let body = String::from_utf8(whole.body.clone()).expect("text");
        let want: Vec<_> = body.lines().filter(|line| line.starts_with("- ")).collect();
        assert_eq!(lines, want, "pages of {size}");
    }
}

/// Documents in `LOOKUP / *` for each token.
#[test]
fn rows_that_may_not_be_read_are_left_out() {
    let library = odd();
    for (token, count) in [
        ("", 29),
        ("tok-writer-5b0c", 29),
        ("tok-expired-0f48", 29),
        ("tok-journal-91ae", 31),
        ("tok-part-3d77", 31),
        ("tok-all-e602", 33),
    ] {
        let request = Request::new("LOOKUP", "/")
            .with("query", "*")
            .with("limit", "1000")
            .with("auth", token);
        let answer = answer(&library, &request.encode().expect("bytes"));
        assert_eq!(answer.get("matches"), Some(count.to_string().as_str()), "{token}");
    }
}

/// A world without version numbers and times says nothing of either.
#[test]
fn a_world_without_versions() {
    let documents = [Arc::new(Document::new("/a.md", "# A\n"))];
    let library = Library::new(Store::new("plain", documents, BTreeMap::new()));
    let ask = |request: &str| {
        library.answer(&Access::default(), Timestamp::UNIX_EPOCH, request.as_bytes())
    };
    let fetched = ask("FETCH /a.md\n");
    assert_eq!(fetched.status, Status::Ok);
    assert_eq!(fetched.metadata.keys().collect::<Vec<_>>(), ["content-hash", "etag"]);
    assert_eq!(ask("FETCH /a.md/v1\n").status, Status::NotFound);
    assert_eq!(ask("VERSIONS /a.md\n").get("total"), Some("0"));
    assert_eq!(ask("PUBLISH /a.md\nx").status, Status::Unauthorized);
    assert_eq!(ask("WATCH /\n").status, Status::BadRequest);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// Whatever is asked, there is an answer that can be read.
    #[test]
    fn no_request_makes_the_server_panic(
        verb in "FETCH|LIST|LOOKUP|VERSIONS|PUBLISH|WATCH|[A-Z]{0,3}",
        path in "(/|adr|zoo|v[0-9]{1,3}|sha256-|\\.|\\.\\.|%|ß|index.md| ){0,6}",
        keys in prop::collection::btree_map(
            "query|limit|filter|match|cursor|page-size|include-archived|auth|if-none-match",
            "[ -~]{0,12}|AQAABC9hZHI.{0,4}|[0-9]{1,22}|ß*",
            0..4,
        ),
    ) {
        thread_local!(static ODD: Library = odd());
        let keys: String = keys.iter().map(|(key, value)| format!("{key}: {value:?}\n")).collect();
        let request = format!("{verb} /{path}\n---\n{keys}---\n");
        let bytes = ODD.with(|library| answer(library, request.as_bytes()).encode());
        let response = Response::parse(&bytes).expect("a response");
        prop_assert!(!response.status.as_str().is_empty());
    }
}
