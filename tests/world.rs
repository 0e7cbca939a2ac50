//! Worlds as they are opened: folders, archives, and the one in the binary.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use markscope::document::Document;
use markscope::world::{MAX_DOCUMENT, NOT_FOUND, Problem, Source, World, WorldError};
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

fn open(path: &Path) -> Result<World, WorldError> {
    World::open(&Source::Path(path.to_owned()))
}

/// A folder with these files, and the world in it.
fn folder<B: AsRef<[u8]>>(files: &[(&str, B)]) -> (TempDir, World) {
    let dir = written(files);
    let world = open(dir.path()).unwrap_or_else(|error| panic!("{error}"));
    (dir, world)
}

fn written<B: AsRef<[u8]>>(files: &[(&str, B)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
    dir
}

fn archive(name: &str, bytes: impl AsRef<[u8]>) -> Result<World, WorldError> {
    let dir = written(&[(name, bytes)]);
    open(&dir.path().join(name))
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn paths(world: &World) -> Vec<&str> {
    world.documents().iter().map(|document| document.path()).collect()
}

fn metadata(document: &Document) -> Vec<(&str, &str)> {
    document.metadata().iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

/// The problems without the folder they are in: file, line, key, left out.
fn places<'a>(
    dir: &TempDir,
    world: &'a World,
) -> Vec<(String, Option<usize>, Option<&'a str>, bool)> {
    let place = |problem: &'a Problem| {
        let file = problem.file.strip_prefix(dir.path()).expect("a file of the folder");
        let file = file.to_string_lossy().into_owned();
        (file, problem.line, problem.key.as_deref(), problem.left_out)
    };
    world.problems().iter().map(place).collect()
}

/// The only problem of a world, which has to say all of these words.
fn only<'a>(world: &'a World, words: &[&str]) -> &'a Problem {
    let [problem] = world.problems() else { panic!("{:#?}", world.problems()) };
    let said = problem.to_string();
    for word in words {
        assert!(said.contains(word), "no {word:?} in {said:?}");
    }
    assert!(!said.chars().any(char::is_control), "{said:?}");
    problem
}

// ---------------------------------------------------------------- folders

#[test]
fn a_folder_gives_its_documents_by_path() {
    let (dir, world) = folder(&[
        ("b/c.md", "C\n"),
        ("a.md", "---\ntitle: A\ntags: [x, y]\nversion: 3\nrel-genre: /b/c.md\n---\n# H\n"),
        ("b.md", "B"),
        ("A.md", ""),
        ("b/deep/er/d.md", "\r\n\0D"),
    ]);
    assert_eq!(paths(&world), ["/A.md", "/a.md", "/b.md", "/b/c.md", "/b/deep/er/d.md"]);
    assert_eq!(world.name(), dir.path().file_name().expect("a name").to_str().expect("UTF-8"));
    assert_eq!(world.source(), Some(&Source::Path(dir.path().to_owned())));
    let a = world.fetch("/a.md").expect("a document");
    assert_eq!(metadata(&a), [("rel-genre", "/b/c.md"), ("tags", "x, y"), ("title", "A")]);
    assert_eq!(a.tags().collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!((a.version(), a.body()), (Some(3), "# H\n"));
    assert_eq!(world.fetch("/b/deep/er/d.md").expect("a document").body(), "\r\n\0D");
    assert_eq!((world.problems(), world.left_out()), (&[][..], 0));
}

#[test]
fn a_fetch_takes_the_path_as_it_is() {
    let (_dir, world) = folder(&[("the brief.md", "x"), ("a/b.md", "x"), ("50%25.md", "x")]);
    assert_eq!(world.fetch("/the brief.md").expect("a document").path(), "/the brief.md");
    assert!(world.fetch("/50%25.md").is_ok());
    for path in [
        "the brief.md",
        "/the%20brief.md",
        "/a/../a/b.md",
        "//a/b.md",
        "/a/b.md ",
        "/a",
        "/50%.md",
        "",
    ] {
        assert_eq!(world.fetch(path).expect_err(path), NOT_FOUND);
    }
}

#[test]
fn the_time_of_a_file_is_in_whole_seconds() {
    let dir = written(&[("a.md", "x")]);
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_987);
    let file = fs::File::options().write(true).open(dir.path().join("a.md")).expect("a file");
    file.set_modified(time).expect("a time");
    let world = open(dir.path()).expect("a world");
    let modified = world.documents()[0].modified().expect("a time");
    assert_eq!(modified.to_string(), "2023-11-14T22:13:20Z");
}

#[test]
fn only_md_files_that_are_not_hidden_are_documents() {
    let (_dir, world) = folder(&[
        ("a.md", "x"),
        ("b.MD", "x"),
        ("c.markdown", "x"),
        ("d.md.txt", "x"),
        ("e.png", "\u{89}PNG"),
        (".hidden.md", "x"),
        (".md", "x"),
        (".git/f.md", "x"),
        ("g/.h/i.md", "x"),
        ("folder.md/j.md", "x"),
    ]);
    assert_eq!(paths(&world), ["/a.md", "/folder.md/j.md"]);
    assert_eq!(world.problems(), []);
}

#[test]
fn front_matter_may_have_a_byte_order_mark_and_crlf() {
    let (_dir, world) = folder(&[
        ("bom.md", "\u{feff}---\ntitle: A\ntags: [x]\n---\n# Real\n"),
        ("bare.md", "\u{feff}# First\n\ntext\n\n## Second\n"),
        (
            "crlf.md",
            "---\r\ntitle: A\r\nrel-genre: /g.md\r\n---\r\n# Real\r\n\r\n## Two\r\ntext\r\n",
        ),
        ("second.md", "---\na: b\n---\n---\nc: d\n---\n"),
        ("setext.md", "para\n---\n"),
    ]);
    let body = |path| world.fetch(path).expect(path).body().to_owned();
    let of = |path| {
        let document = world.fetch(path).expect(path);
        let pairs = metadata(&document).into_iter();
        pairs.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
    };
    assert_eq!(body("/bom.md"), "# Real\n");
    assert_eq!(of("/bom.md"), ["tags=x", "title=A"]);
    assert_eq!(body("/bare.md"), "# First\n\ntext\n\n## Second\n");
    assert_eq!(world.fetch("/bare.md").expect("a document").title(), "First");
    assert_eq!(body("/crlf.md"), "# Real\r\n\r\n## Two\r\ntext\r\n");
    assert_eq!(of("/crlf.md"), ["rel-genre=/g.md", "title=A"]);
    assert_eq!(body("/second.md"), "---\nc: d\n---\n");
    assert_eq!(of("/second.md"), ["a=b"]);
    assert_eq!(body("/setext.md"), "para\n---\n");
    assert_eq!(world.problems(), []);
}

#[test]
fn unclosed_front_matter_is_text_and_said() {
    for text in ["---\n\nExample\n", "---\ntitle: A\n# Body\n", "---"] {
        let (dir, world) = folder(&[("a.md", text)]);
        assert_eq!(world.documents()[0].body(), text);
        assert!(world.documents()[0].metadata().is_empty());
        assert_eq!(places(&dir, &world), [("a.md".to_owned(), Some(1), None, false)]);
        only(&world, &["a.md:1: ", "nothing closes", "`---`"]);
        assert_eq!(world.left_out(), 0);
    }
}

#[test]
fn broken_front_matter_costs_its_own_file_only() {
    let mut files: Vec<(String, String)> = (0..20)
        .map(|number| (format!("good{number:02}.md"), format!("---\ntitle: T{number}\n---\n# G\n")))
        .collect();
    let broken = [
        ("colon.md", "---\ntype: mail\ntitle: Re: budget\nrel-answers: /q.md\n---\nBody\n"),
        ("twice.md", "---\ntitle: A\ntags: x\ntags: y\nrel-genre: /g.md\n---\n# A\n"),
        ("bomb.md", "---\na: &a [l, l]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n"),
        ("list.md", "---\r\n- a\r\n---\r\n"),
    ];
    files.extend(broken.map(|(name, text)| (name.to_owned(), text.to_owned())));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text)).collect();
    let (dir, world) = folder(&files);
    assert_eq!(world.documents().len(), 20);
    assert!(world.documents().iter().all(|document| document.title().starts_with('T')));
    assert_eq!(
        places(&dir, &world),
        [
            ("bomb.md".to_owned(), Some(2), None, true),
            ("colon.md".to_owned(), Some(3), Some("title"), true),
            ("list.md".to_owned(), Some(2), None, true),
            ("twice.md".to_owned(), Some(4), Some("tags"), true),
        ]
    );
    assert_eq!(world.left_out(), 4);
    let said = world.problems()[1].to_string();
    assert!(said.contains("colon.md:3: a value holds `: `"), "{said}");
    assert!(said.contains("(left out)") && said.ends_with("title: \"Re: budget\""), "{said}");
    assert_eq!(world.fetch("/twice.md").expect_err("left out"), NOT_FOUND);
}

#[test]
fn what_front_matter_cannot_hold_costs_the_key_only() {
    let (dir, world) = folder(&[(
        "a.md",
        "---\ngenerated:\n  by: x\ntitle: T\nversion: two\nsources:\n  - id: 1\n---\nBody\n",
    )]);
    let document = &world.documents()[0];
    assert_eq!(metadata(document), [("title", "T")]);
    assert_eq!((document.version(), document.body()), (None, "Body\n"));
    assert_eq!(
        places(&dir, &world),
        [
            ("a.md".to_owned(), Some(2), Some("generated"), false),
            ("a.md".to_owned(), Some(5), Some("version"), false),
            ("a.md".to_owned(), Some(6), Some("sources"), false),
        ]
    );
    assert_eq!(world.left_out(), 0);
}

#[test]
fn what_is_not_utf_8_is_left_out() {
    let utf16: Vec<u8> = "\u{feff}# Hi\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (dir, world) = folder(&[
        ("good.md", b"x".to_vec()),
        ("latin.md", b"# Caf\xc3\xa9\n\ncaf\xe9\n".to_vec()),
        ("png.md", b"\x89PNG\r\n\x1a\n\0".to_vec()),
        ("utf16.md", utf16),
        ("cut.md", b"a\xe7\x8c".to_vec()),
    ]);
    assert_eq!(paths(&world), ["/good.md"]);
    let place = |name: &str, line| (name.to_owned(), Some(line), None, true);
    assert_eq!(
        places(&dir, &world),
        [place("cut.md", 1), place("latin.md", 3), place("png.md", 1), place("utf16.md", 1)]
    );
    let said: Vec<_> = world.problems().iter().map(Problem::to_string).collect();
    assert!(said[0].contains("0xE7 at offset 1"), "{}", said[0]);
    assert!(
        said[1].contains("latin.md:3: ") && said[1].contains("0xE9 at offset 12"),
        "{}",
        said[1]
    );
    assert!(said[2].contains("0x89 at offset 0"), "{}", said[2]);
    assert!(said[3].contains("UTF-16"), "{}", said[3]);
}

#[test]
fn a_document_over_the_limit_is_left_out_unread() {
    let dir = written(&[("good.md", "x")]);
    fs::write(dir.path().join("edge.md"), vec![b'x'; MAX_DOCUMENT]).expect("a file");
    fs::write(dir.path().join("over.md"), vec![b'x'; MAX_DOCUMENT + 1]).expect("a file");
    // A hole of a terabyte: reading it would never end.
    let hole = fs::File::create(dir.path().join("hole.md")).expect("a file");
    let hole_made = hole.set_len(1 << 40).is_ok();
    let world = open(dir.path()).expect("a world");
    assert_eq!(paths(&world), ["/edge.md", "/good.md"].as_slice().to_vec());
    assert_eq!(world.documents()[0].body().len(), MAX_DOCUMENT);
    let mut want = vec![("over.md".to_owned(), None, None, true)];
    if hole_made {
        want.insert(0, ("hole.md".to_owned(), None, None, true));
    }
    assert_eq!(places(&dir, &world), want);
    assert!(world.problems()[0].to_string().contains("larger than 10 MiB"));
}

#[test]
fn odd_names_are_paths_like_any_other() {
    let names = [
        "a\nb.md",
        "t\tb.md",
        "x\u{1b}]0;pwn\u{7}.md",
        "|pipe|.md",
        "#hash.md",
        "-rf.md",
        "the brief.md",
        "back\\slash.md",
        "\u{202e}rtl.md",
        "日本/石.md",
    ];
    if cfg!(windows) {
        return;
    }
    let (_dir, world) = folder(&names.map(|name| (name, "x")));
    assert_eq!(world.documents().len(), names.len());
    for name in names {
        let path = format!("/{name}");
        assert_eq!(world.fetch(&path).expect(name).path(), path);
    }
    let (_dir, world) =
        folder(&[("x\u{1b}]0;pwn\u{7}\n\u{202e}.md", "---\n- a\n---\n"), ("a.md", "")]);
    only(&world, &["x␛]0;pwn␇␊⟦U+202E⟧.md:2: "]);
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_name_that_is_not_utf_8_is_left_out_with_its_lossy_name() {
        let dir = written(&[("good.md", "x")]);
        let name = OsStr::from_bytes(b"caf\xe9.md");
        if fs::write(dir.path().join(name), "x").is_err() {
            return; // a file system that has no such names
        }
        let inner = dir.path().join(OsStr::from_bytes(b"d\xff"));
        fs::create_dir(&inner).expect("a folder");
        fs::write(inner.join("in.md"), "x").expect("a file");
        fs::write(inner.join("in.txt"), "x").expect("a file");
        let world = open(dir.path()).expect("a world");
        assert_eq!(paths(&world), ["/good.md"]);
        assert_eq!(world.left_out(), 2);
        let said: Vec<_> = world.problems().iter().map(Problem::to_string).collect();
        assert!(said[0].contains("caf\u{fffd}.md: ") && said[0].contains("not UTF-8"), "{said:?}");
        assert!(said[1].contains("d\u{fffd}/in.md: ") && said[1].contains("rename"), "{said:?}");
    }

    #[test]
    fn what_may_not_be_read_is_left_out() {
        let dir = written(&[("good.md", "x"), ("no.md", "x"), ("closed/in.md", "x")]);
        let lock = |name: &str, mode| {
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(dir.path().join(name), permissions).expect("permissions");
        };
        lock("no.md", 0o000);
        lock("closed", 0o000);
        let may_read_anything = fs::read(dir.path().join("no.md")).is_ok();
        let world = open(dir.path());
        lock("closed", 0o700);
        if may_read_anything {
            return;
        }
        let world = world.expect("a world");
        assert_eq!(paths(&world), ["/good.md"]);
        assert_eq!(
            places(&dir, &world),
            [("closed".to_owned(), None, None, true), ("no.md".to_owned(), None, None, true)]
        );
        assert!(world.problems()[0].message.contains("the folder cannot be read"));
        assert!(world.problems()[1].message.contains("the file cannot be read"));
    }

    #[test]
    fn a_link_inside_the_folder_is_followed() {
        let dir = written(&[("real/a.md", "A"), ("notes.txt", "N")]);
        symlink("real", dir.path().join("current")).expect("a link");
        symlink("real/a.md", dir.path().join("link.md")).expect("a link");
        symlink(dir.path().join("notes.txt"), dir.path().join("notes.md")).expect("a link");
        symlink("../real/a.md", dir.path().join("real/again.md")).expect("a link");
        let world = open(dir.path()).expect("a world");
        assert_eq!(
            paths(&world),
            [
                "/current/a.md",
                "/current/again.md",
                "/link.md",
                "/notes.md",
                "/real/a.md",
                "/real/again.md"
            ]
        );
        assert_eq!(world.fetch("/current/again.md").expect("a document").body(), "A");
        assert_eq!(world.fetch("/notes.md").expect("a document").body(), "N");
        assert_eq!(world.problems(), []);
    }

    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let outside = written(&[("secret.md", "S"), ("d/e.md", "E")]);
        let dir = written(&[("world/a.md", "A"), ("world2/b.md", "B")]);
        let root = dir.path().join("world");
        symlink(outside.path().join("secret.md"), root.join("secret.md")).expect("a link");
        symlink(outside.path().join("d"), root.join("d")).expect("a link");
        // A folder beside it whose name begins with that of the world.
        symlink("../world2", root.join("beside")).expect("a link");
        symlink("nowhere", root.join("dangling.md")).expect("a link");
        symlink("self.md", root.join("self.md")).expect("a link");
        symlink("/", root.join("picture")).expect("a link");
        symlink("nowhere", root.join("picture.png")).expect("a link");
        let world = open(&root).expect("a world");
        assert_eq!(paths(&world), ["/a.md"]);
        let said: Vec<_> = world
            .problems()
            .iter()
            .map(|problem| {
                assert!(problem.left_out);
                let name = problem.file.file_name().expect("a name").to_string_lossy().into_owned();
                (name, problem.message.split(':').next().unwrap_or("").to_owned())
            })
            .collect();
        let out = "the link leads out of the world";
        let nowhere = "the link leads nowhere";
        let want = [
            ("beside", out),
            ("d", out),
            ("dangling.md", nowhere),
            ("picture", out),
            ("secret.md", out),
            ("self.md", nowhere),
        ];
        assert_eq!(said, want.map(|(name, what)| (name.to_owned(), what.to_owned())));
    }

    #[test]
    fn loops_end() {
        let dir = written(&[("a/b/c.md", "C"), ("d/e.md", "E")]);
        symlink("..", dir.path().join("a/up")).expect("a link");
        symlink(dir.path().join("a/b"), dir.path().join("a/b/self")).expect("a link");
        symlink("../../d", dir.path().join("a/b/d")).expect("a link");
        symlink("../a", dir.path().join("d/a")).expect("a link");
        let world = open(dir.path()).expect("a world");
        assert_eq!(world.fetch("/a/b/c.md").expect("a document").body(), "C");
        assert_eq!(world.fetch("/a/b/d/e.md").expect("a document").body(), "E");
        assert_eq!(world.fetch("/d/a/b/c.md").expect("a document").body(), "C");
        assert_eq!(world.documents().len(), 4);
        assert!(world.left_out() >= 4, "{:#?}", world.problems());
        for problem in world.problems() {
            assert!(problem.message.contains("without end"), "{problem}");
        }
    }

    #[test]
    fn links_that_double_at_every_level_end() {
        // Thirty folders, each with two links to the next: 2^30 paths.
        let dir = written(&[("29/a.md", "A")]);
        for level in 0..29 {
            let folder = dir.path().join(format!("{level:02}"));
            fs::create_dir(&folder).expect("a folder");
            for name in ["x", "y"] {
                symlink(format!("../{:02}", level + 1), folder.join(name)).expect("a link");
            }
        }
        let world = open(dir.path()).expect("a world");
        assert!(world.fetch("/29/a.md").is_ok());
        let said = world.problems().iter().filter(|problem| problem.message.contains("1000 links"));
        assert_eq!(said.count(), 1);
    }

    #[test]
    fn a_pipe_is_not_opened() {
        let dir = written(&[("good.md", "x")]);
        let made = std::process::Command::new("mkfifo").arg(dir.path().join("pipe.md")).status();
        if !made.is_ok_and(|status| status.success()) {
            return;
        }
        let world = open(dir.path()).expect("a world");
        assert_eq!(paths(&world), ["/good.md"]);
        assert!(only(&world, &["pipe.md: ", "a pipe"]).left_out);
        let error = open(&dir.path().join("pipe.md")).expect_err("no world");
        assert!(matches!(error, WorldError::NotAWorld { .. }), "{error}");
    }

    #[test]
    fn the_folder_itself_may_be_a_link() {
        let dir = written(&[("real/a.md", "A")]);
        symlink("real", dir.path().join("link")).expect("a link");
        let world = open(&dir.path().join("link")).expect("a world");
        assert_eq!((world.name(), paths(&world)), ("real", vec!["/a.md"]));
    }
}

// ---------------------------------------------------------------- no world

#[test]
fn what_is_no_world_says_what_would_be() {
    let dir =
        written(&[("a.md", "x"), ("empty/readme.txt", "x"), ("broken/b.md", "---\n- a\n---\n")]);
    let missing = open(&dir.path().join("mis\u{1b}sing")).expect_err("missing");
    assert!(matches!(missing, WorldError::Missing { .. }));
    let said = missing.to_string();
    assert!(said.contains("mis␛sing does not exist") && said.contains(".jsonl.gz"), "{said}");

    let file = open(&dir.path().join("a.md")).expect_err("a document");
    assert!(matches!(file, WorldError::NotAWorld { .. }));
    assert!(file.to_string().contains("neither a folder nor an archive"), "{file}");

    let empty = open(&dir.path().join("empty")).expect_err("empty");
    let WorldError::Empty { looked_at, problems, .. } = &empty else { panic!("{empty}") };
    assert_eq!((*looked_at, problems.len()), (1, 0));
    let said = empty.to_string();
    assert!(said.contains("holds no document (1 looked at, 0 problems)"), "{said}");
    assert!(said.contains("a folder of .md files"), "{said}");

    let broken = open(&dir.path().join("broken")).expect_err("broken");
    let said = broken.to_string();
    assert!(said.contains("(1 looked at, 1 problem)") && said.contains("b.md:2: "), "{said}");
    let WorldError::Empty { problems, .. } = broken else { panic!("{said}") };
    assert_eq!(problems[0].line, Some(2));
}

// ---------------------------------------------------------------- archives

#[test]
fn the_golden_worlds_are_read_whole() {
    for name in ["music", "decisions", "hostile"] {
        let golden = support::world(name);
        let world = open(&support::golden("worlds").join(format!("{name}.json"))).expect(name);
        assert_eq!((world.name(), world.problems()), (name, &[][..]));
        assert_eq!(world.errors(), &golden.errors);
        assert_eq!(world.documents().len(), golden.documents.len());
        for want in &golden.documents {
            let mut documents = world.documents().iter();
            let got = documents.find(|got| got.path() == want.path()).expect("a document");
            assert_same(got, want);
            match golden.errors.get(want.path()) {
                Some(error) => assert_eq!(world.fetch(want.path()).expect_err(error), *error),
                None => assert_same(&world.fetch(want.path()).expect("a document"), want),
            }
        }
    }
}

fn assert_same(got: &Document, want: &Document) {
    assert_eq!(got.path(), want.path());
    assert_eq!(got.version(), want.version(), "{}", want.path());
    assert_eq!(got.modified(), want.modified(), "{}", want.path());
    assert_eq!(got.metadata(), want.metadata(), "{}", want.path());
    assert_eq!(got.body(), want.body(), "{}", want.path());
}

const LINES: &str = concat!(
    "\u{feff}{\"name\": \"shelf\", \"errors\": {\"/gone.md\": \"archived\"}}\r\n",
    "\r\n",
    "{\"path\": \"/b.md\", \"body\": \"---\\na: b\\n---\\n\\ufeffB\\u0000\", \"version\": 2}\n",
    "   \n",
    "{\"path\": \"a.md\", \"body\": \"\", \"modified\": \"2026-01-31T08:00:00+01:00\", \"x\": {}}\n",
    "{\"path\": \"/shut.md\", \"error\": \"not-permitted\"}\n",
    "{\"path\": \"/both.md\", \"error\": \"not-permitted\", \"body\": \"seen\"}",
);

#[test]
fn lines_are_documents() {
    for (name, bytes) in
        [("w.jsonl", LINES.as_bytes().to_vec()), ("W.JSONL.GZ", gz(LINES.as_bytes()))]
    {
        let world = archive(name, bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(world.name(), "shelf");
        assert_eq!(world.problems(), []);
        assert_eq!(paths(&world), ["/a.md", "/b.md", "/both.md"]);
        let b = world.fetch("/b.md").expect("a document");
        assert_eq!(
            (b.body(), b.version(), b.modified()),
            ("---\na: b\n---\n\u{feff}B\0", Some(2), None)
        );
        let a = world.fetch("/a.md").expect("a document");
        assert_eq!(a.modified().expect("a time").to_string(), "2026-01-31T07:00:00Z");
        assert_eq!((a.body(), a.version(), a.metadata().len()), ("", None, 0));
        assert_eq!(world.fetch("/gone.md").expect_err("an error"), "archived");
        assert_eq!(world.fetch("/shut.md").expect_err("an error"), "not-permitted");
        assert_eq!(world.fetch("/both.md").expect_err("an error"), "not-permitted");
        assert_eq!(world.documents()[2].body(), "seen");
        assert_eq!(world.fetch("/no.md").expect_err("nothing"), NOT_FOUND);
    }
    // Several compressed pieces, one after another, are one text.
    let (first, second) = LINES.as_bytes().split_at(LINES.len() / 2);
    let world = archive("w.jsonl.gz", [gz(first), gz(second)].concat()).expect("a world");
    assert_eq!(world.documents().len(), 3);
}

#[test]
fn an_archive_without_a_name_is_called_by_its_file() {
    let line = "{\"path\": \"/a\", \"body\": \"\"}";
    let whole = format!("{{\"name\": 7, \"documents\": [{line}], \"errors\": null}}");
    for (name, text) in [("one.two.jsonl", line), ("one.two.json", &whole)] {
        assert_eq!(archive(name, text).expect(name).name(), "one.two");
    }
    let world = archive("x.json", &whole).expect("a world");
    assert!(!only(&world, &["x.json:1: ", "name"]).left_out);
}

#[test]
fn metadata_becomes_text_as_it_is_written() {
    let text = "{\"documents\": [\n{\"path\": \"/a.md\", \"body\": \"b\", \"metadata\": {\"n\": 0.50, \
                \"e\": 1e3, \"big\": 123456789012345678901234567890, \"t\": true, \"f\": false, \
                \"none\": null, \"s\": \" x \", \"list\": [\"a\", 1, null, true, \"b c\"], \"l0\": [], \
                \"u\": \"\\u77f3\"},\n \"version\": null, \"modified\": null}\n]}";
    let world = archive("w.json", text).expect("a world");
    assert_eq!(world.problems(), []);
    assert_eq!(
        metadata(&world.documents()[0]),
        [
            ("big", "123456789012345678901234567890"),
            ("e", "1e3"),
            ("f", "false"),
            ("l0", ""),
            ("list", "a, 1, true, b c"),
            ("n", "0.50"),
            ("none", ""),
            ("s", " x "),
            ("t", "true"),
            ("u", "石"),
        ]
    );
}

#[test]
fn a_bad_record_is_left_out_with_its_line() {
    let records: &[(&str, Option<&str>, &str)] = &[
        (r#"{"path": "/x.md"}"#, None, "no `body`"),
        (r#"{"body": "x"}"#, None, "no `path`"),
        (r#"{"path": "", "body": "x"}"#, None, "no `path`"),
        (r#"{"path": null, "body": "x"}"#, None, "no `path`"),
        (r#"{"path": 7, "body": "x"}"#, Some("path"), "`path` of a document is 7"),
        (r#"{"path": "/x.md", "body": ["x"]}"#, Some("body"), "`body`"),
        (r#"{"path": "/x.md", "body": "\ud800"}"#, Some("body"), "`body`"),
        (r#"{"path": "/../x.md", "body": "x"}"#, None, "climbs"),
        (r#"{"path": "a/..", "body": "x"}"#, None, "climbs"),
        (r#"{"path": "/good.md", "body": "other"}"#, None, "there already"),
        (r#"{"path": "good.md", "body": "other"}"#, None, "there already"),
        (r#"{"path": "/x.md", "body": "x", "version": 0}"#, Some("version"), "whole number"),
        (r#"{"path": "/x.md", "body": "x", "version": 1.5}"#, Some("version"), "whole number"),
        (r#"{"path": "/x.md", "body": "x", "version": "1"}"#, Some("version"), "whole number"),
        (r#"{"path": "/x.md", "body": "x", "modified": "May"}"#, Some("modified"), "a time"),
        (r#"{"path": "/x.md", "body": "x", "modified": 1}"#, Some("modified"), "a time"),
        (r#"{"path": "/x.md", "body": "x", "metadata": []}"#, Some("metadata"), "object"),
        (r#"{"path": "/x.md", "body": "x", "error": 1}"#, Some("error"), "a text"),
        (r#"{"path": "/x.md", "body": "x", "body": "y"}"#, Some("body"), "second time"),
        (
            r#"{"path": "/x.md", "body": "x", "metadata": {"k": "a", "k": "b"}}"#,
            Some("k"),
            "second time",
        ),
        (r#"["/x.md", "x"]"#, None, "expected an object"),
        ("7", None, "expected an object"),
    ];
    let good = r#"{"path": "/good.md", "body": "good"}"#;
    for (record, key, words) in records {
        let lines = format!("\n{good}\n{record}\n{{\"path\": \"/last.md\", \"body\": \"\"}}\n");
        let whole = format!(
            "{{\"documents\": [\n {good},\n {record},\n {{\"path\": \"/last.md\", \"body\": \"\"}}]}}"
        );
        for (name, text) in [("w.jsonl", lines), ("w.json", whole)] {
            let world = archive(name, &text).unwrap_or_else(|error| panic!("{record}: {error}"));
            assert_eq!(paths(&world), ["/good.md", "/last.md"], "{record}");
            assert_eq!(world.documents()[0].body(), "good");
            let problem = only(&world, &[&format!("{name}:3: "), words]);
            assert_eq!((problem.line, problem.key.as_deref()), (Some(3), *key), "{record}");
            assert!(problem.left_out);
        }
    }
}

#[test]
fn a_metadata_object_costs_its_key_only() {
    let text =
        "{\"path\": \"/a\", \"body\": \"\", \"metadata\": {\"k\": {}, \"l\": [[1]], \"m\": \"x\"}}";
    let world = archive("w.jsonl", text).expect("a world");
    assert_eq!(metadata(&world.documents()[0]), [("m", "x")]);
    let keys: Vec<_> = world.problems().iter().map(|problem| problem.key.as_deref()).collect();
    assert_eq!((keys, world.left_out()), (vec![Some("k"), Some("l")], 0));
}

#[test]
fn broken_json_costs_a_line_or_the_whole_file() {
    let text = "{\"path\": \"/a.md\", \"body\": \"\"}\n{\"path\": \"/b.md\", \n\u{0}\n";
    let world = archive("w.jsonl", text).expect("a world");
    assert_eq!(paths(&world), ["/a.md"]);
    let lines: Vec<_> = world.problems().iter().map(|problem| problem.line).collect();
    assert_eq!((lines, world.left_out()), (vec![Some(2), Some(3)], 2));

    let world =
        archive("w.jsonl", b"{\"path\": \"/a\", \"body\": \"\"}\n{\"path\": \"caf\xe9\"}\n");
    let world = world.expect("a world");
    assert!(only(&world, &["w.jsonl:2: ", "not UTF-8 at byte 13"]).left_out);

    for (text, line, words) in [
        ("{\"documents\": [\n{\"path\": }]}", Some(2), "not JSON: expected value"),
        ("{\"documents\": [\n", Some(2), "not JSON"),
        ("[]", Some(1), "expected an object"),
        ("", Some(1), "not JSON"),
        ("{\"documents\": []} x", Some(1), "not JSON: trailing characters"),
        ("{\n\"documents\": {}}", Some(2), "`documents` is no list"),
        ("{}", None, "no `documents`"),
    ] {
        let error = archive("w.json", text).expect_err(text);
        let WorldError::Broken { line: got, message, .. } = &error else { panic!("{error}") };
        assert_eq!(*got, line, "{text:?}: {error}");
        assert!(message.contains(words), "{text:?}: {error}");
    }
    let error = archive("w.json", b"{\n\"\xff").expect_err("Latin-1");
    assert!(error.to_string().contains("w.json:2:1: the archive is not UTF-8"), "{error}");
}

#[test]
fn a_broken_compression_says_so() {
    let whole = gz(LINES.as_bytes());
    let cut = whole[..whole.len() - 12].to_vec();
    let mut flipped = whole;
    let checksum = flipped.len() - 6;
    flipped[checksum] ^= 0xff;
    for bytes in [cut, flipped, LINES.as_bytes().to_vec()] {
        let error = archive("w.jsonl.gz", bytes).expect_err("broken");
        assert!(matches!(error, WorldError::Broken { .. }), "{error}");
        assert!(error.to_string().contains("cannot be read further"), "{error}");
    }
    let error = archive("w.jsonl.gz", gz(b"")).expect_err("nothing");
    assert!(matches!(error, WorldError::Empty { looked_at: 0, .. }), "{error}");
}

#[test]
fn an_archive_of_nothing_but_errors_is_no_world() {
    let error =
        archive("w.json", "{\"documents\": [{\"path\": \"/a\"}], \"errors\": {\"/a\": \"x\"}}");
    let error = error.expect_err("no document");
    let WorldError::Empty { looked_at, problems, .. } = &error else { panic!("{error}") };
    assert_eq!((*looked_at, problems.len()), (1, 1));
    assert!(error.to_string().contains("no `body`"), "{error}");
}

#[test]
fn errors_that_are_no_texts_are_skipped() {
    let text = "{\"documents\": [{\"path\": \"/a\", \"body\": \"\"}],\n\"errors\": {\"/b\": 1, \"c\": \"gone\"}}";
    let world = archive("w.json", text).expect("a world");
    assert_eq!(world.errors(), &BTreeMap::from([("/c".to_owned(), "gone".to_owned())]));
    assert!(!only(&world, &["w.json:2: ", "`/b`"]).left_out);
    let text = "{\"documents\": [{\"path\": \"/a\", \"body\": \"\"}],\n\"errors\": []}";
    assert!(
        !only(&archive("w.json", text).expect("a world"), &["w.json:2: ", "`errors`"]).left_out
    );
}

#[test]
fn a_record_over_the_limit_is_left_out() {
    let body = "x".repeat(MAX_DOCUMENT);
    let text = format!(
        "{{\"path\": \"/edge\", \"body\": \"{body}\"}}\n{{\"path\": \"/over\", \"body\": \"{body}x\"}}\n"
    );
    let world = archive("w.jsonl", text).expect("a world");
    assert_eq!(paths(&world), ["/edge"]);
    assert!(only(&world, &["w.jsonl:2: ", "larger than 10 MiB"]).left_out);
}

#[test]
fn a_line_over_the_limit_is_left_out() {
    // 65 MiB of blanks, which compress to next to nothing.
    let mut text = b"{\"path\": \"/a\", \"body\": \"\"}\n".to_vec();
    text.resize(text.len() + (65 << 20), b' ');
    text.extend_from_slice(b"\n{\"path\": \"/b\", \"body\": \"\"}\n");
    let world = archive("w.jsonl.gz", gz(&text)).expect("a world");
    assert_eq!(paths(&world), ["/a", "/b"]);
    assert!(only(&world, &["w.jsonl.gz:2: ", "longer than"]).left_out);
}

// ---------------------------------------------------------------- bundled

#[test]
fn the_bundled_world_is_the_folder_it_was_made_of() {
    let world = World::open(&Source::Bundled).expect("a world");
    let folder = open(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/music"));
    let folder = folder.expect("a world");
    assert_eq!((world.name(), folder.name()), ("music", "music"));
    assert_eq!(world.source(), Some(&Source::Bundled));
    assert_eq!(world.problems(), []);
    assert_eq!(paths(&world), paths(&folder));
    assert!(world.documents().len() > 50);
    for (bundled, file) in world.documents().iter().zip(folder.documents()) {
        assert_eq!(bundled.metadata(), file.metadata(), "{}", file.path());
        assert_eq!(bundled.version(), file.version(), "{}", file.path());
        assert_eq!(bundled.body(), file.body(), "{}", file.path());
        let declared = bundled.metadata().get("timestamp").and_then(|text| text.parse().ok());
        let modified = bundled.modified().expect("a time");
        assert_eq!(modified, declared.unwrap_or("2026-01-01T00:00:00Z".parse().expect("a time")));
    }
}

#[test]
fn the_decisions_open_without_a_problem() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/decisions");
    let world = open(&path).expect("a world");
    assert_eq!(world.problems(), []);
    assert!(world.fetch("/index.md").is_ok());
}

// ---------------------------------------------------------------- in memory

#[test]
fn a_world_in_memory_keeps_the_first_of_a_path() {
    let documents = ["/b", "/a", "/b"].map(|path| Document::new(path, ""));
    let [one, two, three] = documents;
    let errors = BTreeMap::from([("/a".to_owned(), "archived".to_owned())]);
    let documents = [one.with_version(Some(1)), two, three.with_version(Some(2))];
    let world = World::from_documents("w", documents, errors);
    assert_eq!((world.name(), world.source()), ("w", None));
    assert_eq!(paths(&world), ["/a", "/b"]);
    assert_eq!(world.fetch("/b").expect("a document").version(), Some(1));
    assert_eq!(world.fetch("/a").expect_err("an error"), "archived");
}

// ---------------------------------------------------------------- anything

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes_are_a_document_or_a_problem(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "(\u{feff})?---\r?\n([a-z]{1,3}: ?[-a-z:\\[\\]{}\"'#&*!|> ]{0,8}\r?\n){0,5}(---\r?\n)?(\\PC|\n){0,20}"
                .prop_map(String::into_bytes),
        ]
    ) {
        let (_dir, world) = folder(&[("good.md", b"".to_vec()), ("a.md", bytes.clone())]);
        match world.fetch("/a.md") {
            Ok(document) => {
                prop_assert!(bytes.ends_with(document.body().as_bytes()));
                prop_assert_eq!(world.left_out(), 0);
            }
            Err(_) => {
                prop_assert_eq!(world.left_out(), 1);
                let lines = 1 + bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
                let problem = world.problems().iter().find(|problem| problem.left_out);
                let problem = problem.expect("a problem");
                prop_assert!(problem.line.is_some_and(|line| (1..=lines).contains(&line)));
                prop_assert!(!problem.to_string().chars().any(char::is_control));
            }
        }
    }

    #[test]
    fn any_line_is_a_document_or_a_problem(line in "[^\r\n]{0,80}|\\{(\"(path|body|x)\": ?[\"a\\[\\]{}0:,\\\\]{0,6},? ?){0,4}\\}") {
        let text = format!("{{\"path\": \"/good.md\", \"body\": \"\"}}\n{line}\n");
        let world = archive("w.jsonl", text).expect("a world");
        prop_assert!(world.fetch("/good.md").is_ok());
        prop_assert!(world.documents().len() + world.left_out() <= 2);
    }
}

#[test]
fn a_path_that_no_request_has_room_for_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("w.jsonl");
    let long = format!("/{}x.md", "a/".repeat(50_000));
    let lines = format!(
        "{}\n{}\n",
        json!({"path": long, "body": "x"}),
        json!({"path": "/a.md", "body": "x"})
    );
    std::fs::write(&file, lines).expect("a file");
    let world = World::open(&Source::Path(file)).expect("a world");
    assert_eq!(world.documents().len(), 1);
    assert_eq!(world.problems()[0].line, Some(1));
    assert!(world.problems()[0].message.contains("100005 bytes"), "{}", world.problems()[0]);
}
