//! Stores as a server wrote them, the archive of a whole one, and their versions.
#![cfg(unix)]

mod support;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use markscope::catalog::Catalog;
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::world::{
    ARCHIVED, ChainReport, NOT_FOUND, Source, World, WorldError, verify_chains,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const STORES: [(&str, &str); 7] = [
    ("decisions-2026-03", "decisions"),
    ("decisions-2026-03-moved", "decisions"),
    ("decisions-2026-10", "decisions"),
    ("hostile-2026-10", "hostile"),
    ("music-2026-03", "music"),
    ("music-2026-10", "music"),
    ("odd-2026-10", "decisions"),
];

/// A copy of a store that a test may change.
fn unpacked(name: &str) -> TempDir {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/stores/{name}.tar.gz"));
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(file));
    archive.set_preserve_mtime(true);
    archive.unpack(dir.path()).expect("a store");
    dir
}

fn source(path: &Path) -> Source {
    Source::Path(path.to_owned())
}

fn open(path: &Path) -> Result<World, WorldError> {
    World::open(&source(path))
}

fn opened(path: &Path) -> World {
    open(path).unwrap_or_else(|error| panic!("{error}"))
}

fn as_of(path: &Path, time: &str) -> Result<World, WorldError> {
    World::open_as_of(&source(path), time.parse().expect("a time"))
}

fn paths(world: &World) -> Vec<&str> {
    world.documents().iter().map(|document| document.path()).collect()
}

fn archived(world: &World) -> Vec<&str> {
    assert!(world.errors().values().all(|error| error == ARCHIVED));
    world.errors().keys().map(String::as_str).collect()
}

/// What the documents are: path, version, metadata, body, time.
type Facts<'a> = (&'a str, Option<u64>, BTreeMap<String, String>, &'a str, Option<Timestamp>);

fn facts(world: &World) -> Vec<Facts<'_>> {
    world.documents().iter().map(|document| facts_of(document)).collect()
}

fn facts_of(document: &Document) -> Facts<'_> {
    let metadata = document.metadata().clone();
    (document.path(), document.version(), metadata, document.body(), document.modified())
}

fn broken(reports: &[ChainReport]) -> Vec<(&str, Option<u64>, &Path)> {
    let broken = |report: &'_ ChainReport| report.broken.is_some();
    let broken = reports.iter().filter(|report| broken(report));
    broken
        .map(|report| {
            let found = report.broken.as_ref().expect("a break");
            assert!(!found.message.contains(char::is_control), "{}", found.message);
            (report.path.as_str(), found.version, found.file.as_path())
        })
        .collect()
}

/// Every file of a folder with its content, its link and its time.
fn state(dir: &Path) -> BTreeMap<PathBuf, (String, Option<SystemTime>)> {
    let mut state = BTreeMap::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let metadata = fs::symlink_metadata(&path).expect("metadata");
            let content = if metadata.is_symlink() {
                fs::read_link(&path).expect("a link").display().to_string()
            } else if metadata.is_dir() {
                pending.push(path.clone());
                String::new()
            } else {
                String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned()
            };
            state.insert(path, (content, metadata.modified().ok()));
        }
    }
    state
}

// ---------------------------------------------------------------- golden worlds

#[test]
fn every_store_is_its_golden_world() {
    for (name, golden) in STORES {
        let dir = unpacked(name);
        let before = state(dir.path());
        let world = opened(dir.path());
        let gone: &[&str] = match (golden, name.contains("2026-03")) {
            ("decisions", true) => &["/journal/2026-08-16.md", "/ops/weekly.md"],
            ("decisions", false) if name.starts_with("odd") => {
                &["/ops/weekly.md", "/zoo/gone/only.md"]
            }
            ("decisions", false) => &["/ops/weekly.md"],
            _ => &[],
        };
        assert_eq!(archived(&world), gone, "{name}");
        assert_eq!((world.problems(), world.left_out()), (&[][..], 0), "{name}");
        let mut wanted = Vec::new();
        for document in support::world(golden).documents {
            if gone.contains(&document.path()) {
                continue;
            }
            let mut metadata = document.metadata().clone();
            if name.contains("2026-10") {
                if metadata.contains_key("tags") {
                    let tags = document.tags().collect::<Vec<_>>().join(",");
                    metadata.insert("tags".into(), tags);
                }
                if !document.path().ends_with("/index.md") {
                    metadata.entry("type".into()).or_insert("Document".into());
                }
            }
            let version = document.version().map(|version| version.min(3));
            let time = document.modified().filter(|_| name.contains("2026-10"));
            wanted.push((
                document.path().to_owned(),
                version,
                metadata,
                document.body().to_owned(),
                time,
            ));
        }
        wanted.sort();
        let found: Vec<_> = facts(&world)
            .into_iter()
            .filter(|(path, ..)| !path.starts_with("/zoo/") && !path.starts_with("/."))
            .map(|(path, version, metadata, body, time)| {
                let time = time.filter(|_| name.contains("2026-10"));
                (path.to_owned(), version, metadata, body.to_owned(), time)
            })
            .collect();
        for (found, wanted) in found.iter().zip(&wanted) {
            assert_eq!(found, wanted, "{name}");
        }
        assert_eq!(found.len(), wanted.len(), "{name}");
        assert!(state(dir.path()) == before, "{name} was changed by reading it");
    }
}

#[test]
fn lookups_through_a_store_are_the_golden_ones() {
    let mut run = 0;
    let worlds: BTreeMap<&str, (TempDir, Catalog)> = ["music", "decisions", "hostile"]
        .into_iter()
        .map(|name| {
            let dir = unpacked(&format!("{name}-2026-10"));
            let catalog = Catalog::new(opened(dir.path()).documents().iter().cloned());
            (name, (dir, catalog))
        })
        .collect();
    for case in support::cases("lookup.json") {
        let rows = case["rows"].as_array().expect("rows");
        if support::text(&case, "world") == "decisions" {
            let is_gone = |row: &Value| row["path"] == "/ops/weekly.md";
            if rows.iter().any(is_gone) {
                continue;
            }
        }
        run += 1;
        let (_, catalog) = &worlds[support::text(&case, "world")];
        let (found, body, error) = match catalog.lookup(&support::request(&case)) {
            Ok(answer) => {
                let rows = serde_json::to_value(&answer.rows).expect("rows serialise");
                (rows, answer.body, Value::Null)
            }
            Err(refusal) => (json!([]), String::new(), json!(refusal.message())),
        };
        let mut want = case["rows"].clone();
        for row in want.as_array_mut().expect("rows") {
            row["importance"] = json!(row["importance"].as_f64());
        }
        assert_eq!(
            (&found, body.as_str()),
            (&want, support::text(&case, "body")),
            "{}",
            case["name"]
        );
        assert_eq!(error, case["error"], "{}", case["name"]);
    }
    assert!(run > 100, "{run}");
}

#[test]
fn odd_documents_are_read_as_they_are_served() {
    let dir = unpacked("odd-2026-10");
    let world = opened(dir.path());
    assert_eq!(world.documents().len(), 33);
    let served = |path: &str| {
        let document = world.fetch(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let body = document.body().to_owned();
        (document.version(), document.metadata().clone(), body)
    };
    let (_, metadata, _) = served("/zoo/quoting.md");
    let wanted: BTreeMap<String, String> = [
        ("a-true", "true"),
        ("b-date", "2026-10-10"),
        ("c-colon", "key: value"),
        ("d-hash", "#first"),
        ("e-hash", "mid #dle"),
        ("f-tilde", "~"),
        ("g-float", "0.70"),
        ("h-sixty", "1:30"),
        ("i-list", "[a, b]"),
        ("importance", "1"),
        ("j-quote", "it's 'so'"),
        ("k-dquote", "\"so\" it is"),
        ("l-space", "  two  "),
        ("m-tab", "tab\there"),
        ("n-dash", "- item"),
        ("o-back", "C:\\dir"),
        ("p-empty", ""),
        ("q-star", "*star"),
        ("r-at", "@home"),
        ("rel-a10", "/zoo/one.md"),
        ("rel-a2", "/zoo/two.md"),
        ("rel-see-also", "/zoo/one.md#part, /zoo/two.md"),
        ("s-int", "007"),
        ("t-url", "https://example.com/a?b=c#d"),
        ("tags", "one,two words,three"),
        ("title", "Quoting: the hard way"),
        ("type", "Document"),
        ("u-end", "ends with:"),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .collect();
    assert_eq!(metadata, wanted);
    let (_, metadata, body) = served("/zoo/fence.md");
    assert!(body.starts_with("---\ntitle: Body block\nrel-fake: /zoo/one.md\n---\n# Fence\n"));
    assert!(!metadata.contains_key("rel-fake") && !metadata.contains_key("title"));
    assert!(served("/zoo/crlf.md").2.contains("\r\n"));
    assert!(served("/zoo/no-newline.md").2.ends_with("ends here"));
    assert_eq!(served("/zoo/pruned.md").0, Some(4));
    assert_eq!(served("/zoo/append.md").2, "# Log\n\nfirst\nsecond\n");
    for path in [
        "/.well-known/agent-manifest.md",
        "/zoo/größe.md",
        "/zoo/plain name (1).md",
        "/zoo/under_score*star.md",
        "/zoo/sub/deep.md",
    ] {
        assert_eq!(served(path).0, Some(1), "{path}");
    }
    for path in [
        "/zoo/versions/one.md/v1",
        "/zoo/versions/one.md",
        "/versions",
        "/zoo",
        "/ops/versions/weekly.md/archive-state",
    ] {
        assert_eq!(world.fetch(path).expect_err(path), NOT_FOUND, "{path}");
    }
}

#[test]
fn archived_documents_answer_so_and_are_not_looked_up() {
    let dir = unpacked("decisions-2026-10");
    let world = opened(dir.path());
    assert_eq!(world.fetch("/ops/weekly.md").expect_err("archived"), ARCHIVED);
    assert!(!paths(&world).contains(&"/ops/weekly.md"));
    assert!(paths(&world).contains(&"/notes/glossary.md"));
    let old = world.fetch("/ops/weekly.md/v1").expect("a version");
    assert!(old.body().ends_with("(draft 1)\n"));
}

// ---------------------------------------------------------------- versions

#[test]
fn versions_are_fetched_by_their_number() {
    for name in ["decisions-2026-10", "decisions-2026-03", "decisions-2026-03-moved"] {
        let dir = unpacked(name);
        let world = opened(dir.path());
        let path = "/adr/0003-queue.md";
        let current = world.fetch(path).expect("a document");
        let first = world.version(path, 1).expect("a version");
        assert_eq!((first.version(), first.path()), (Some(1), path));
        assert!(first.body().ends_with("(draft 1)\n") && !current.body().contains("draft"));
        assert_eq!(first.metadata(), current.metadata());
        for (asked, number) in [("v1", 1), ("v01", 1), ("v0001", 1), ("v2", 2), ("v02", 2)] {
            let found = world.fetch(&format!("{path}/{asked}")).expect(asked);
            assert_eq!(found.version(), Some(number), "{asked}");
        }
        for asked in
            ["v0", "v00", "v3", "v", "v-1", "v+1", "V1", "v1/", "v1/v1", "v99999999999999999999"]
        {
            let error = world.fetch(&format!("{path}/{asked}")).expect_err(asked);
            assert_eq!(error, NOT_FOUND, "{asked}");
        }
        for path in
            ["/adr/v1", "/v1", "v1", "", "/", "/no/such.md/v1", "/adr/../adr/0003-queue.md/v1"]
        {
            assert_eq!(world.fetch(path).expect_err(path), NOT_FOUND);
        }
        for path in ["/../x.md", "//adr/0003-queue.md", "/adr/versions", "/adr/.", "/adr\0/x.md"] {
            assert_eq!(world.version(path, 1).expect_err(path), NOT_FOUND);
        }
    }
}

#[test]
fn a_result_never_asks_for_a_version() {
    let dir = unpacked("decisions-2026-10");
    let world = opened(dir.path());
    let documents = world.documents().iter().cloned();
    let store = Store::new(world.name(), documents, world.errors().clone());
    assert!(world.fetch("/adr/0003-queue.md/v1").is_ok());
    assert_eq!(store.fetch("/adr/0003-queue.md/v1").expect_err("as it is"), NOT_FOUND);
    assert_eq!(store.fetch("/ops/weekly.md").expect_err("archived"), ARCHIVED);
}

#[test]
fn a_history_that_starts_late_has_no_earlier_version() {
    let dir = unpacked("odd-2026-10");
    let world = opened(dir.path());
    for (number, there) in [(1, false), (2, false), (3, true), (4, true), (5, false)] {
        assert_eq!(world.version("/zoo/pruned.md", number).is_ok(), there, "{number}");
    }
    assert!(world.fetch("/zoo/gone/only.md/v1").is_ok());
}

#[test]
fn a_folder_has_the_version_that_its_files_say() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(dir.path().join("api")).expect("a folder");
    fs::write(dir.path().join("a.md"), "---\nversion: 3\n---\nx").expect("a file");
    fs::write(dir.path().join("api/b.md"), "x").expect("a file");
    let world = opened(dir.path());
    assert_eq!(world.fetch("/a.md/v3").expect("a version").path(), "/a.md");
    for path in ["/a.md/v2", "/api/v2", "/api/b.md/v1"] {
        assert_eq!(world.fetch(path).expect_err(path), NOT_FOUND);
    }
}

// ---------------------------------------------------------------- what is a store

/// A store with one document of two versions, and what else is asked for.
fn small() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    publish(dir.path(), "a.md", 1, "one");
    publish(dir.path(), "a.md", 2, "two");
    dir
}

fn version_file(dir: &Path, name: &str, number: u64) -> PathBuf {
    dir.join("versions").join(name).join(format!("v{number}"))
}

/// Publishes as a server does: the file first, then the pointer over the old one.
fn publish(dir: &Path, name: &str, number: u64, body: &str) {
    let history = dir.join("versions").join(name);
    fs::create_dir_all(&history).expect("a folder");
    let previous = match number {
        1 => String::new(),
        _ => {
            let before = fs::read(version_file(dir, name, number - 1)).expect("a version");
            format!("previous-hash: sha256-{}\n", sha256(&before))
        }
    };
    let text =
        format!("---\nversion: {number}\narchived: false\n{previous}tags: [x, y]\n---\n{body}");
    fs::write(history.join(format!("v{number}")), text).expect("a version");
    let temporary = dir.join(format!("{name}.tmp"));
    symlink(format!("versions/{name}/v{number}"), &temporary).expect("a link");
    fs::rename(temporary, dir.join(name)).expect("a pointer");
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_plain_folder_is_never_a_store() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path();
    fs::create_dir_all(root.join("versions/b.md")).expect("a folder");
    fs::create_dir_all(root.join("lost/versions/z.md")).expect("a folder");
    fs::write(root.join("a.md"), "A").expect("a file");
    fs::write(root.join("versions/2.md"), "2").expect("a file");
    fs::write(root.join("versions/b.md/v1"), "not it").expect("a file");
    fs::write(root.join("versions/b.md/v1.md"), "V").expect("a file");
    // Links, but to no version of the same name, or to one that is not there.
    symlink("versions/2.md", root.join("latest.md")).expect("a link");
    symlink("versions/b.md/v1", root.join("c.md")).expect("a link");
    symlink("versions/gone.md/v1", root.join("gone.md")).expect("a link");
    let world = opened(root);
    assert_eq!(
        paths(&world),
        ["/a.md", "/c.md", "/latest.md", "/versions/2.md", "/versions/b.md/v1.md"]
    );
    let error = verify_chains(root).expect_err("no history");
    assert!(matches!(error, WorldError::NoHistory { .. }), "{error}");
}

#[test]
fn a_store_may_be_opened_by_a_link_or_a_folder_in_it() {
    let dir = unpacked("music-2026-10");
    let outside = tempfile::tempdir().expect("a temporary folder");
    let link = outside.path().join("link");
    symlink(dir.path(), &link).expect("a link");
    let world = opened(&link);
    assert_eq!(facts(&world), facts(&opened(dir.path())));
    assert!(world.version("/albums/the-slack.md", 1).is_ok());
    let albums = opened(&dir.path().join("albums"));
    assert_eq!(albums.fetch("/the-slack.md/v2").expect("a version").version(), Some(2));
    // A folder of histories is not one of documents.
    let error = open(&dir.path().join("albums/versions")).expect_err("no document");
    assert!(matches!(error, WorldError::Empty { .. }), "{error}");
}

#[test]
fn a_store_shows_nothing_but_its_documents() {
    let dir = small();
    let root = dir.path();
    let outside = tempfile::tempdir().expect("a temporary folder");
    fs::write(outside.path().join("secret.md"), "secret").expect("a file");
    for (name, text) in [
        ("README.md", "not published"),
        ("tokens.toml", "[tokens.x]"),
        (".changes", "status: ok"),
        (".git/config.md", "x"),
        ("notes/plain.md", "not published either"),
        ("versions/a.md/.archive-state-1", "true\n"),
        ("versions/a.md/v3", "---\nversion: 3\n---\nhalf"),
        ("versions/a.md/v02", "stray"),
        ("versions/a.md.v1.tmp", "old"),
        ("versions/lonely.md/v1", "no pointer"),
    ] {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    symlink("versions/a.md/v1", root.join("b.md.tmp")).expect("a link");
    symlink(outside.path(), root.join("elsewhere")).expect("a link");
    let world = opened(root);
    assert_eq!(paths(&world), ["/a.md"]);
    assert_eq!(world.fetch("/a.md").expect("a document").body(), "two");
    let [problem] = world.problems() else { panic!("{:#?}", world.problems()) };
    assert!(
        problem.message.contains("no history") && problem.message.contains("1 more"),
        "{problem}"
    );
    assert_eq!(world.left_out(), 0);
    // A file above the pointer may still be being written.
    assert_eq!(world.fetch("/a.md/v3").expect_err("in flight"), NOT_FOUND);
    assert_eq!(broken(&verify_chains(root).expect("chains")), []);
    for name in ["b.md", "lonely.md", "elsewhere/secret.md", "a.md/v02/v1"] {
        assert_eq!(world.fetch(&format!("/{name}")).expect_err(name), NOT_FOUND);
    }
}

#[test]
fn links_out_of_a_store_are_problems() {
    let outside = small();
    fs::write(outside.path().join("secret.md"), "secret").expect("a file");
    let dir = small();
    let root = dir.path();
    symlink(outside.path().join("secret.md"), root.join("absolute.md")).expect("a link");
    symlink("../secret.md", root.join("up.md")).expect("a link");
    symlink("versions/a.md/v1", root.join("other.md")).expect("a link");
    symlink("versions/gone.md/v1", root.join("gone.md")).expect("a link");
    // The pointers are fine, what they lead to is not.
    let versions = outside.path().join("versions");
    symlink(versions.join("a.md"), root.join("versions/b.md")).expect("a link");
    symlink("versions/b.md/v1", root.join("b.md")).expect("a link");
    fs::create_dir_all(root.join("sub")).expect("a folder");
    symlink(&versions, root.join("sub/versions")).expect("a link");
    symlink("versions/a.md/v1", root.join("sub/a.md")).expect("a link");
    fs::create_dir_all(root.join("versions/c.md")).expect("a folder");
    symlink(versions.join("a.md/v1"), root.join("versions/c.md/v1")).expect("a link");
    symlink("versions/c.md/v1", root.join("c.md")).expect("a link");
    let world = opened(root);
    assert_eq!(paths(&world), ["/a.md"]);
    let mut files: Vec<_> =
        world.problems().iter().map(|p| p.file.strip_prefix(root).expect("inside")).collect();
    files.sort();
    let wanted =
        ["absolute.md", "b.md", "gone.md", "other.md", "sub/versions", "up.md", "versions/c.md/v1"];
    assert_eq!(files, wanted.map(Path::new));
    assert_eq!(world.left_out(), 7);
    for path in ["/b.md", "/sub/a.md", "/c.md"] {
        assert!(world.version(path, 1).is_err(), "{path}");
    }
    let reports = verify_chains(root).expect("chains");
    let lost: Vec<_> = broken(&reports).into_iter().map(|(path, ..)| path).collect();
    assert_eq!(lost, ["/b.md", "/c.md", "/gone.md", "/sub/versions"]);
}

// ---------------------------------------------------------------- faults

/// Opens a store in which one version was changed, and gives what is said of it.
fn with_fault(change: impl FnOnce(&Path)) -> (World, Vec<String>, TempDir) {
    let dir = small();
    publish(dir.path(), "sound.md", 1, "sound");
    change(dir.path());
    let world = opened(dir.path());
    assert!(world.fetch("/sound.md").is_ok(), "the rest is there");
    let said = world.problems().iter().map(ToString::to_string).collect();
    (world, said, dir)
}

#[test]
fn faults_of_one_document_are_problems_of_it() {
    let current = |root: &Path| version_file(root, "a.md", 2);
    let (world, said, _dir) = with_fault(|root| fs::write(current(root), "").expect("a file"));
    assert!(said[0].contains("versions/a.md/v2:1: the version file is empty"), "{said:?}");
    assert_eq!(world.fetch("/a.md").expect("as a server has it").body(), "");
    let (world, said, _dir) =
        with_fault(|root| fs::write(current(root), "---\nversion: 2\nar").expect("f"));
    assert!(said[0].contains("no block that ends"), "{said:?}");
    assert_eq!(world.fetch("/a.md").expect("a document").metadata().len(), 0);
    let (_, said, _dir) =
        with_fault(|root| fs::write(current(root), "---\nversion: 7\n---\nx").expect("a file"));
    assert!(said[0].contains("does not say that it is version 2"), "{said:?}");
    let huge = format!("---\nversion: 2\nmeta.a: {}\n---\nx", "y".repeat(9_000));
    let (world, said, _dir) = with_fault(|root| fs::write(current(root), huge).expect("a file"));
    assert!(said[0].contains("the block takes 90"), "{said:?}");
    assert_eq!((said.len(), world.left_out()), (1, 0));
    let (world, said, _dir) = with_fault(|root| {
        fs::write(current(root), vec![b'x'; 1_050_625]).expect("a file");
    });
    assert!(said[0].contains("larger than 1050624 bytes (left out)"), "{said:?}");
    assert_eq!(world.fetch("/a.md").expect_err("too large"), NOT_FOUND);
    let (world, said, _dir) = with_fault(|root| {
        fs::write(current(root), b"---\nversion: 2\n---\nab\xffcd").expect("a file");
    });
    assert!(said[0].contains("v2:4: the version is not UTF-8 at offset 21 (left out)"), "{said:?}");
    assert_eq!(world.left_out(), 1);
    let (world, said, _dir) = with_fault(|root| fs::remove_file(current(root)).expect("a file"));
    assert!(said[0].contains("version 2, which the link points to, is not there"), "{said:?}");
    assert_eq!(world.left_out(), 1);
    assert_eq!(world.version("/a.md", 1).expect("a version").body(), "one");
    let (_, said, _dir) = with_fault(|root| {
        fs::remove_file(current(root)).expect("a file");
        fs::create_dir(current(root)).expect("a folder");
    });
    assert!(said[0].contains("no regular file") || said[0].contains("no file"), "{said:?}");
    for text in ["", "true", "yes\n", "true\n\n", &"true\n".repeat(9)] {
        let (_, said, _dir) = with_fault(|root| {
            fs::write(root.join("versions/a.md/archive-state"), text).expect("a file");
        });
        assert!(said[0].contains("neither `true` nor `false` (left out)"), "{text:?}: {said:?}");
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let dir = small();
    publish(dir.path(), "sound.md", 1, "sound");
    let file = version_file(dir.path(), "a.md", 2);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).expect("a mode");
    // Nothing is hidden from root.
    if File::open(&file).is_ok() {
        return;
    }
    let world = opened(dir.path());
    assert_eq!(paths(&world), ["/sound.md"]);
    assert_eq!(world.left_out(), 1);
    assert_eq!(world.version("/a.md", 2).expect_err("unreadable"), markscope::world::UNREADABLE);
    assert_eq!(broken(&verify_chains(dir.path()).expect("chains")).len(), 1);
}

#[test]
fn an_old_mark_of_the_archived_state_is_overridden_by_the_file() {
    let marked = "---\nversion: 2\nmeta.a: b\narchived: true\n---\nx";
    for (state, gone) in [(None, true), (Some("false\n"), false), (Some("true\n"), true)] {
        let (world, said, _dir) = with_fault(|root| {
            fs::write(version_file(root, "a.md", 2), marked).expect("a file");
            if let Some(state) = state {
                fs::write(root.join("versions/a.md/archive-state"), state).expect("a file");
            }
        });
        assert_eq!(said, [""; 0]);
        assert_eq!(!archived(&world).is_empty(), gone, "{state:?}");
    }
}

#[test]
fn histories_in_both_layouts_are_one() {
    let dir = small();
    let root = dir.path();
    // The move was interrupted: the pointer is of the old form, one version is moved.
    fs::rename(version_file(root, "a.md", 1), root.join("versions/a.md.v1")).expect("a file");
    fs::remove_file(root.join("a.md")).expect("a link");
    symlink("versions/a.md.v2", root.join("a.md")).expect("a link");
    let world = opened(root);
    assert_eq!(world.fetch("/a.md").expect("a document").body(), "two");
    assert_eq!(world.fetch("/a.md/v1").expect("a version").body(), "one");
    let reports = verify_chains(root).expect("chains");
    assert_eq!((broken(&reports), &reports[0].versions), (vec![], &vec![1, 2]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Whatever is cut off, put in or flipped in one version, the store opens, its
    /// other documents are there, and a change of a version that another one
    /// vouches for is found.
    #[test]
    fn no_damage_stops_a_store(
        number in 1u64..3,
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let dir = small();
        publish(dir.path(), "sound.md", 1, "sound");
        let file = version_file(dir.path(), "a.md", number);
        let whole = fs::read(&file).expect("a version");
        let mut bytes = whole.clone();
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        fs::write(&file, &bytes).expect("a version");
        let world = opened(dir.path());
        prop_assert!(world.fetch("/sound.md").is_ok());
        let reports = verify_chains(dir.path()).expect("chains");
        let found = broken(&reports);
        prop_assert!(found.len() <= 1);
        if number == 1 && bytes != whole {
            prop_assert_eq!(found, vec![("/a.md", Some(1), file.as_path())]);
        }
        let _ = World::open_as_of(&source(dir.path()), Timestamp::UNIX_EPOCH);
    }
}

// ---------------------------------------------------------------- chains

#[test]
fn the_chains_of_every_store_hold() {
    for (name, _) in STORES {
        let dir = unpacked(name);
        let reports = verify_chains(dir.path()).expect(name);
        assert_eq!(broken(&reports), [], "{name}");
        let world = opened(dir.path());
        assert_eq!(reports.len(), world.documents().len() + world.errors().len(), "{name}");
        let is_long = |report: &ChainReport| report.versions.len() > 2;
        assert_eq!(reports.iter().any(is_long), !name.starts_with("hostile"), "{name}");
    }
}

#[test]
fn a_changed_version_is_found_in_both_layouts() {
    for (name, file) in [
        ("music-2026-10", "albums/versions/the-slack.md/v2"),
        ("decisions-2026-03", "specs/versions/intake.md.v2"),
    ] {
        let dir = unpacked(name);
        let file = dir.path().join(file);
        let mut bytes = fs::read(&file).expect("a version");
        let last = bytes.len() - 3;
        bytes[last] ^= 1;
        fs::write(&file, bytes).expect("a version");
        let reports = verify_chains(dir.path()).expect(name);
        let found = broken(&reports);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].1, found[0].2), (Some(2), file.as_path()));
        // The document is served all the same.
        assert_eq!(opened(dir.path()).problems(), []);
    }
}

#[test]
fn a_removed_or_swapped_version_is_found() {
    let dir = unpacked("music-2026-10");
    let history = dir.path().join("albums/versions/the-slack.md");
    fs::remove_file(history.join("v2")).expect("a version");
    let reports = verify_chains(dir.path()).expect("chains");
    assert_eq!(broken(&reports), [("/albums/the-slack.md", Some(3), &*history.join("v3"))]);
    fs::remove_file(history.join("v3")).expect("a version");
    let reports = verify_chains(dir.path()).expect("chains");
    let found = broken(&reports);
    assert_eq!((found[0].0, found.len()), ("/albums/the-slack.md", 1));
}

// ---------------------------------------------------------------- as of

#[test]
fn a_world_as_it_stood() {
    let dir = unpacked("decisions-2026-10");
    let at = |time: &str| as_of(dir.path(), time).unwrap_or_else(|error| panic!("{error}"));
    // Published on 17 and on 20 June, at ten.
    let path = "/adr/0003-queue.md";
    for (time, want) in [
        ("2026-06-17T09:59:59Z", None),
        ("2026-06-17T10:00:00Z", Some(1)),
        ("2026-06-17T12:00:00+02:00", Some(1)),
        ("2026-06-20T09:59:59Z", Some(1)),
        ("2026-06-20T10:00:00Z", Some(2)),
        ("2027-01-01T00:00:00Z", Some(2)),
    ] {
        let world = at(time);
        let version = world.fetch(path).ok().and_then(|document| document.version());
        assert_eq!(version, want, "{time}");
        assert_eq!(world.version(path, 2).is_ok(), want == Some(2), "{time}");
    }
    let now = opened(dir.path());
    let later = at("2027-01-01T00:00:00Z");
    assert_eq!(facts(&later), facts(&now));
    assert_eq!(later.errors(), now.errors());
    let error = as_of(dir.path(), "2020-01-01T00:00:00Z").expect_err("too early");
    assert!(matches!(error, WorldError::NothingYet { .. }), "{error}");
    assert!(error.to_string().contains("held no document at 2020-01-01T00:00:00Z"), "{error}");
}

#[test]
fn the_archived_state_as_it_stood() {
    let dir = small();
    let root = dir.path();
    publish(root, "b.md", 1, "b");
    let set = |path: PathBuf, seconds: u64| {
        let file = File::options().write(true).open(path).expect("a file");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time");
    };
    set(version_file(root, "b.md", 1), 10);
    set(version_file(root, "a.md", 1), 100);
    set(version_file(root, "a.md", 2), 200);
    fs::write(root.join("versions/a.md/archive-state"), "true\n").expect("a file");
    set(root.join("versions/a.md/archive-state"), 300);
    for (seconds, want) in [(50, "none"), (150, "v1"), (250, "v2"), (300, ARCHIVED)] {
        let time = Timestamp::from_second(seconds).expect("a time");
        let world = World::open_as_of(&source(root), time).expect("a world");
        let found = match world.fetch("/a.md") {
            Ok(document) => format!("v{}", document.version().expect("a version")),
            Err(error) if error == NOT_FOUND => "none".to_owned(),
            Err(error) => error,
        };
        assert_eq!(found, want, "{seconds}");
    }
}

#[test]
fn a_plain_folder_keeps_what_has_not_changed_since() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (name, seconds) in [("old.md", 100), ("new.md", 200)] {
        fs::write(dir.path().join(name), "x").expect("a file");
        let file = File::options().write(true).open(dir.path().join(name)).expect("a file");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time");
    }
    let at = |time: i64| {
        World::open_as_of(&source(dir.path()), Timestamp::from_second(time).expect("a time"))
    };
    assert_eq!(paths(&at(150).expect("a world")), ["/old.md"]);
    assert_eq!(paths(&at(200).expect("a world")), ["/new.md", "/old.md"]);
    assert!(matches!(at(99), Err(WorldError::NothingYet { .. })));
    let early = World::open_as_of(&Source::Bundled, Timestamp::UNIX_EPOCH);
    assert!(matches!(early, Err(WorldError::NothingYet { .. })));
}

// ---------------------------------------------------------------- while a server writes

#[test]
fn a_server_may_write_meanwhile() {
    const DOCUMENTS: u64 = 12;
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().to_owned();
    let name = |index: u64| format!("d{index}.md");
    let body =
        |index: u64, number: u64| format!("# D{index}\n\n{}", format!("{number} ").repeat(2_000));
    for index in 0..DOCUMENTS {
        publish(&root, &name(index), 1, &body(index, 1));
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut number = 1;
            while !done.load(Ordering::Relaxed) && number < 400 {
                number += 1;
                let history = root.join("versions").join(name(0));
                let state = if number % 2 == 0 { "true\n" } else { "false\n" };
                fs::write(history.join(".archive-state-1"), state).expect("a file");
                fs::rename(history.join(".archive-state-1"), history.join("archive-state"))
                    .expect("a state");
                for index in 0..DOCUMENTS {
                    publish(&root, &name(index), number, &body(index, number));
                    // Only two versions are kept.
                    if number > 2 {
                        fs::remove_file(version_file(&root, &name(index), number - 2))
                            .expect("old");
                    }
                }
            }
            number
        });
        for _ in 0..25 {
            let world = opened(&root);
            assert_eq!(world.problems(), []);
            let all = world.documents().len() + world.errors().len();
            assert_eq!(all as u64, DOCUMENTS);
            for index in 0..DOCUMENTS {
                let document = match world.fetch(&format!("/{}", name(index))) {
                    Ok(document) => document,
                    Err(error) => {
                        assert_eq!((index, error.as_str()), (0, ARCHIVED));
                        continue;
                    }
                };
                let number = document.version().expect("a version");
                assert_eq!(document.body(), body(index, number));
            }
            assert_eq!(broken(&verify_chains(&root).expect("chains")), []);
        }
        done.store(true, Ordering::Relaxed);
        assert!(writer.join().expect("the writer") > 2);
    });
}

#[test]
fn a_version_that_is_half_there_is_read_again() {
    let dir = small();
    let file = version_file(dir.path(), "a.md", 2);
    let whole = fs::read(&file).expect("a version");
    for _ in 0..20 {
        fs::write(&file, &whole[..20]).expect("a version");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(2));
                fs::write(&file, &whole).expect("a version");
            });
            let world = opened(dir.path());
            assert_eq!(world.problems(), []);
            assert_eq!(world.fetch("/a.md").expect("a document").body(), "two");
        });
        fs::remove_file(&file).expect("a version");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(2));
                fs::write(&file, &whole).expect("a version");
            });
            assert_eq!(opened(dir.path()).problems(), []);
        });
    }
}

// ---------------------------------------------------------------- corpora

/// The archive of a store, as upstream packs it, and the JSON lines in it.
fn packed(store: &Path) -> (Vec<u8>, String) {
    let world = opened(store);
    let gone = world.errors().keys().map(String::as_str);
    let mut all: Vec<&str> = paths(&world).into_iter().chain(gone).collect();
    all.sort_unstable();
    let mut lines = String::new();
    for path in all {
        let (folder, name) = path.rsplit_once('/').expect("a path");
        let folder = store.join(folder.trim_start_matches('/'));
        let mut versions = Vec::new();
        for number in 1..10 {
            let file = version_file(&folder, name, number);
            let Ok(bytes) = fs::read(&file) else { continue };
            let time =
                fs::metadata(&file).and_then(|metadata| metadata.modified()).expect("a time");
            let time = Timestamp::try_from(time).expect("a time");
            versions.push(json!({
                "Version": number, "Stored": STANDARD.encode(bytes), "Modified": time.to_string(),
            }));
        }
        let archived = world.errors().contains_key(path);
        let line = json!({
            "Path": path, "Document": {"Versions": versions, "Archived": archived},
        });
        lines.push_str(&format!("{line}\n"));
    }
    (gz(lines.as_bytes()), lines)
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn manifest(archive: &[u8], lines: &str, world: &World) -> Value {
    let versions = lines.matches("\"Stored\"").count();
    let (live, gone) = (world.documents().len(), world.errors().len());
    json!({
        "format": "demarkus-corpus-jsonl-gzip-v1", "id": "odd-v1", "source": "mark://odd",
        "artifact": "corpus.jsonl.gz",
        "sha256": format!("sha256-{}", sha256(archive)),
        "corpus_sha256": format!("sha256-{}", sha256(lines.as_bytes())),
        "compressed_bytes": archive.len(), "uncompressed_bytes": lines.len(),
        "documents": live + gone, "active_documents": live, "versions": versions,
    })
}

#[test]
fn a_corpus_is_the_store_it_was_packed_from() {
    for name in ["odd-2026-10", "music-2026-10", "hostile-2026-10", "decisions-2026-03-moved"] {
        let store = unpacked(name);
        let wanted = opened(store.path());
        let (archive, lines) = packed(store.path());
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = dir.path().join("corpus.jsonl.gz");
        fs::write(&path, &archive).expect("a file");
        fs::write(dir.path().join("text.jsonl"), &lines).expect("a file");
        for with_manifest in [false, true] {
            if with_manifest {
                let manifest = manifest(&archive, &lines, &wanted).to_string();
                fs::write(dir.path().join("manifest.json"), manifest).expect("a file");
            }
            for path in [&path, &dir.path().join("text.jsonl")] {
                let world = opened(path);
                assert_eq!(facts(&world), facts(&wanted), "{name}");
                assert_eq!(world.errors(), wanted.errors(), "{name}");
                assert_eq!(world.problems(), [], "{name}");
                let reports = verify_chains(path).expect(name);
                assert_eq!(broken(&reports), [], "{name}");
                assert_eq!(reports, verify_chains(store.path()).expect(name));
                for report in &reports {
                    for number in 1..5 {
                        let found = world.version(&report.path, number);
                        let want = wanted.version(&report.path, number);
                        assert_eq!(found.is_ok(), report.versions.contains(&number));
                        let of = |v: &Result<_, String>| v.as_ref().ok().map(|d| format!("{d:?}"));
                        assert_eq!(of(&found), of(&want));
                    }
                }
            }
            let name = opened(&path).name().to_owned();
            assert_eq!(name, if with_manifest { "odd-v1" } else { "corpus" });
        }
        for time in ["2026-03-01T00:00:00Z", "2026-06-20T10:00:00Z", "2027-01-01T00:00:00Z"] {
            match (as_of(&path, time), as_of(store.path(), time)) {
                (Ok(found), Ok(wanted)) => assert_eq!(facts(&found), facts(&wanted), "{name}"),
                (found, wanted) => assert_eq!(found.is_ok(), wanted.is_ok(), "{name} {time}"),
            }
        }
    }
}

#[test]
fn a_manifest_that_disagrees_is_a_problem_for_each_fact() {
    let store = unpacked("odd-2026-10");
    let (archive, lines) = packed(store.path());
    let good = manifest(&archive, &lines, &opened(store.path()));
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("corpus.jsonl.gz");
    fs::write(&path, &archive).expect("a file");
    let said = |manifest: &str| {
        fs::write(dir.path().join("manifest.json"), manifest).expect("a file");
        let world = opened(&path);
        assert_eq!((world.documents().len(), world.left_out()), (33, 0));
        world.problems().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for key in [
        "sha256",
        "corpus_sha256",
        "compressed_bytes",
        "uncompressed_bytes",
        "documents",
        "active_documents",
        "versions",
    ] {
        let mut bad = good.clone();
        bad[key] = if good[key].is_string() { json!("sha256-00") } else { json!(1) };
        let said = said(&bad.to_string());
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].contains("corpus.jsonl.gz: ") && said[0].contains(&format!("`{key}` is ")),
            "{said:?}"
        );
    }
    assert!(said("{").len() == 1 && said("{\"format\": \"other\"}").is_empty());
    // It is about another file that is there.
    let mut other = good.clone();
    other["artifact"] = json!("other.jsonl.gz");
    other["versions"] = json!(1);
    assert_eq!(said(&other.to_string()).len(), 1);
    fs::write(dir.path().join("other.jsonl.gz"), "x").expect("a file");
    assert!(said(&other.to_string()).is_empty());
    // A damaged archive: what can be said of it is said in the error.
    fs::write(dir.path().join("manifest.json"), good.to_string()).expect("a file");
    fs::write(&path, &archive[..archive.len() / 2]).expect("a file");
    let error = open(&path).expect_err("cut").to_string();
    assert!(error.contains("corpus.jsonl.gz:") && error.contains("sha256 is not"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// A damaged archive never goes unnoticed beside its manifest.
    #[test]
    fn no_damage_of_a_corpus_is_silent(at in any::<prop::sample::Index>(), flip in 1u8..) {
        let store = small();
        let (mut archive, lines) = packed(store.path());
        let dir = tempfile::tempdir().expect("a temporary folder");
        let manifest = manifest(&archive, &lines, &opened(store.path())).to_string();
        fs::write(dir.path().join("manifest.json"), manifest).expect("a file");
        let at = at.index(archive.len());
        archive[at] ^= flip;
        let path = dir.path().join("corpus.jsonl.gz");
        fs::write(&path, archive).expect("a file");
        if let Ok(world) = open(&path) {
            prop_assert!(world.problems().iter().any(|p| p.key.as_deref() == Some("sha256")));
        }
        let _ = verify_chains(&path);
    }
}

#[test]
fn bad_records_of_a_corpus_are_problems() {
    let version = |number: u64| {
        let stored = format!("---\nversion: {number}\narchived: false\n---\nx{number}");
        json!({"Version": number, "Stored": STANDARD.encode(stored), "Modified": "2026-01-01T00:00:00Z"})
    };
    let line = |path: &str, versions: Value| {
        json!({"Path": path, "Document": {"Versions": versions, "Archived": false}}).to_string()
    };
    let stored =
        |text: &str| json!([{"Version": 1, "Stored": text, "Modified": "2026-01-01T00:00:00Z"}]);
    let lines = [
        line("/good.md", json!([version(1)])),
        line("/good.md", json!([version(1)])),
        line("/none.md", json!([])),
        line("/down.md", json!([version(2), version(1)])),
        line("/zero.md", json!([version(0)])),
        line("/../up.md", json!([version(1)])),
        line("plain.md", json!([version(1)])),
        line("/no64.md", stored("%%")),
        line("/large.md", stored(&STANDARD.encode(vec![b'x'; 1_050_625]))),
        line("/bytes.md", stored(&STANDARD.encode(b"---\nversion: 1\n---\n\xff"))),
        line("/time.md", json!([{"Version": 1, "Stored": "", "Modified": "yesterday"}])),
        "{\"Path\": \"/cut.md\"".to_owned(),
        String::new(),
        "[]".to_owned(),
    ]
    .join("\n");
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("c.jsonl");
    fs::write(&path, &lines).expect("a file");
    let world = opened(&path);
    assert_eq!(paths(&world), ["/good.md"]);
    assert_eq!((world.problems().len(), world.left_out()), (12, 12), "{:#?}", world.problems());
    // A changed version in it is found.
    let bad = line("/good.md", json!([version(1), version(2)]));
    fs::write(&path, bad).expect("a file");
    let reports = verify_chains(&path).expect("chains");
    let [(document, number, file)] = broken(&reports)[..] else { panic!("{reports:?}") };
    assert_eq!((document, number, file), ("/good.md", Some(2), path.as_path()));
    let said = &reports[0].broken.as_ref().expect("a break").message;
    assert!(said.contains("c.jsonl: /good.md: version 2 "), "{said}");
}

// ---------------------------------------------------------------- commands

fn markscope(args: &[&str]) -> (Option<i32>, String, String) {
    let output = assert_cmd::Command::cargo_bin("markscope")
        .expect("the binary")
        .args(args)
        .output()
        .expect("a run");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn commands_over_a_store() {
    let dir = unpacked("decisions-2026-10");
    let world = dir.path().to_str().expect("UTF-8");
    let (code, out, err) = markscope(&["outline", world, "/adr/0003-queue.md/v01"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("/adr/0003-queue.md/v1  "), "{out}");
    let (code, out, _) = markscope(&["relations", world, "adr/0003-queue.md/v1"]);
    assert!(code == Some(0) && out.contains("rel-depends-on"), "{out}");
    let (code, _, err) = markscope(&["outline", world, "/ops/weekly.md"]);
    assert!(code == Some(1) && err.contains("is archived"), "{err}");
    let (code, _, err) = markscope(&["outline", world, "/ops/weekly.md/v9"]);
    assert!(code == Some(1) && err.contains("no document"), "{err}");
    let (code, out, _) = markscope(&["lookup", world, "queue", "--as-of", "2026-06-17T09:00:00Z"]);
    assert!(!out.contains("0003-queue"), "{out}");
    assert_eq!(code, Some(1));
    let (code, out, _) = markscope(&["lookup", world, "queue", "--as-of", "2026-06-18", "--chain"]);
    assert!(code == Some(0) && out.contains("draft 1"), "{out}");
    for time in ["yesterday", "2026-13-01", "2026-06-18 10:00", ""] {
        let (code, _, err) = markscope(&["lookup", world, "queue", "--as-of", time]);
        assert!(code == Some(2) && err.contains("a time is RFC 3339"), "{err}");
    }
    let (code, _, err) = markscope(&["lookup", world, "queue", "--as-of", "2001-01-01"]);
    assert!(code == Some(3) && err.contains("held no document at"), "{err}");
    let (code, _, err) = markscope(&["lookup", "bundled", "drone", "--chain"]);
    assert!(code == Some(2) && err.contains("no history"), "{err}");
    let (code, _, err) = markscope(&["lookup", world, "queue", "--chain"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let file = dir.path().join("adr/versions/0003-queue.md/v1");
    let text = fs::read_to_string(&file).expect("a version").replace("Accepted", "Rejected");
    fs::write(&file, text).expect("a version");
    for args in [
        &["lookup", world, "queue", "--chain"][..],
        &["outline", world, "/adr/0003-queue.md", "--chain"],
        &["relations", world, "--chain"],
        &["--print", "--chain", world],
    ] {
        let (code, out, err) = markscope(args);
        assert!(code == Some(1) && !out.is_empty(), "{args:?}");
        assert!(
            err.starts_with("markscope: broken history: ")
                && err.contains("0003-queue.md/v1: version 1 "),
            "{err}"
        );
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}
