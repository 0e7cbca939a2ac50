//! What publishing a folder would change, as `preview` tells it: over a server of the
//! same folder, and over one that differs in one thing.

#[path = "support/servers.rs"]
#[allow(dead_code)]
mod servers;
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use markscope::document::Document;
use markscope::lookup::Store;
use markscope::serve::Access;
use markscope::tune::{Side, Unread, documents, level, unread};
use markscope::world::{Source, World};
use serde_json::{Value, json};
use servers::Served;

fn served(folder: &Path) -> Served {
    let world = World::open(&Source::Path(folder.to_owned())).expect("a world");
    let documents = world.documents().iter().cloned();
    Served::new(Store::new("kb", documents, world.errors().clone()), Access::default())
}

fn preview(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command.env("HOME", folder).env_remove("DEMARKUS_AUTH").arg("preview").arg(folder);
    command.args(args).arg("--insecure").output().expect("it runs")
}

fn text(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn differing(output: &Output) -> Value {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let documents = json["documents"].as_array().expect("documents").iter();
    documents.map(|one| json!([one["path"], one["what"], one["keys"]])).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("a kind").is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("a copy")),
        }
    }
}

#[test]
fn a_folder_differs_from_a_server_of_it_in_nothing() {
    for name in ["music", "decisions"] {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join(name);
        copy(&example, &root);
        let odd = "---\nAuthor: A\nokf_version: 1\netag: x\nkeywords: [a, b]\n\
                   tags: [tin, zinc]\nrel-by: [/index.md, /odd.md]\ndescription: >\n  one\n  two\n\
                   empty:\n---\n# Odd\n";
        fs::write(root.join("odd.md"), odd).expect("a file");
        let served = served(&root);
        let location = served.location.as_str();
        let same = format!("{location} to {}: no document differs\n", root.display());
        assert_eq!(text(&preview(&root, &[location])), (Some(0), same), "{name}");
        // One tag, then one relation, that is another.
        let json = [location, "--format", "json"];
        fs::write(root.join("odd.md"), odd.replace("zinc", "lead")).expect("a file");
        assert_eq!(
            differing(&preview(&root, &json)),
            json!([["/odd.md", "metadata", ["tags"]]]),
            "{name}"
        );
        fs::write(root.join("odd.md"), odd.replace("/odd.md", "/new.md")).expect("a file");
        let told = preview(&root, &json);
        assert_eq!(differing(&told), json!([["/odd.md", "metadata", ["rel-by"]]]), "{name}");
        assert_eq!(told.status.code(), Some(1));
    }
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

#[test]
fn what_was_not_read_is_neither_new_nor_gone() {
    let names = ["a.md", "b.md", "c.md", "d.md", "e.md"];
    let files: Vec<_> = names.iter().map(|name| (*name, "# Plum\n")).collect();
    let folder = folder(&files);
    let served = served(folder.path());
    fs::write(folder.path().join("a.md"), "# Pear\n").expect("a file");
    let args = [served.location.as_str(), "--max-documents", "3"];
    let told = preview(folder.path(), &[&args[..], &["plum", "--format", "json"]].concat());
    assert_eq!(
        differing(&told),
        json!([
            ["/a.md", "changed", null],
            ["/d.md", "not-read", null],
            ["/e.md", "not-read", null]
        ])
    );
    let json: Value = serde_json::from_slice(&told.stdout).expect("JSON");
    assert_eq!(json["complete"], false);
    // Of both worlds the three that were read are asked.
    assert_eq!((&json["before"]["documents"], &json["after"]["documents"]), (&json!(3), &json!(3)));
    let (code, shown) = text(&preview(folder.path(), &args));
    assert_eq!(code, Some(1));
    let [first, second, rest] =
        shown.splitn(3, '\n').collect::<Vec<_>>().try_into().expect("three parts");
    assert!(
        first.contains(": not complete: ") && first.ends_with("--max-documents takes more"),
        "{shown}"
    );
    assert!(second.ends_with(": documents: 1 changed, 2 not read"), "{shown}");
    assert_eq!(rest, "  changed   /a.md  (7 to 7 bytes)\n  not read  /d.md\n  not read  /e.md\n\n");
    let whole = preview(folder.path(), &[served.location.as_str(), "--format", "json"]);
    let json: Value = serde_json::from_slice(&whole.stdout).expect("JSON");
    assert_eq!(json["complete"], true);
    assert_eq!(differing(&whole), json!([["/a.md", "changed", null]]));
}

#[test]
fn a_document_that_a_server_does_not_give_is_not_read() {
    let folder = folder(&[("a.md", "# A\n"), ("b.md", "# B\n"), ("c.md", "# C\n")]);
    let documents = ["/a.md", "/b.md", "/z.md"]
        .map(|path| Arc::new(Document::new(path, format!("# {}\n", &path[1..2].to_uppercase()))));
    let errors =
        ["/b.md", "/z.md"].map(|path| (path.to_owned(), "not-permitted".to_owned())).into();
    let served = Served::new(Store::new("kb", documents, errors), Access::default());
    let told = preview(folder.path(), &[&served.location, "--format", "json"]);
    assert_eq!(
        differing(&told),
        json!([["/b.md", "not-read", null], ["/c.md", "new", null], ["/z.md", "not-read", null]])
    );
}

#[test]
fn a_document_that_is_archived_on_the_server_is_told_as_archived() {
    let folder = folder(&[("a.md", "# A\n"), ("b.md", "# B\n"), ("c.md", "# C\n")]);
    let live = Arc::new(Document::new("/a.md", "# A\n"));
    let errors = BTreeMap::from([("/b.md".to_owned(), "archived".to_owned())]);
    let served = Served::new(Store::new("kb", [live], errors), Access::default());
    let location = served.location.as_str();
    let told = preview(folder.path(), &[location]);
    let want = format!(
        "{location} to {}: documents: 2 new\n  new  /b.md  (archived to readable)\n  new  /c.md\n\n",
        folder.path().display()
    );
    assert_eq!(text(&told), (Some(1), want));
}

#[test]
fn a_folder_that_is_not_there_is_told_before_the_server_is_read() {
    // Nobody answers at this place.
    let folder = tempfile::tempdir().expect("a folder");
    let told = preview(&folder.path().join("nope"), &["mark://127.0.0.1:9", "--timeout", "30"]);
    assert_eq!(told.status.code(), Some(3));
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(said.contains("nope does not exist"), "{said}");
}

fn side(documents: Vec<Document>, has_times_of_files: bool) -> Side {
    Side {
        name: "small".into(),
        documents: documents.into_iter().map(Arc::new).collect(),
        errors: BTreeMap::new(),
        has_times_of_files,
        unread: Unread::default(),
    }
}

#[test]
fn versions_are_levelled_document_by_document() {
    let typed = || BTreeMap::from([("type".to_owned(), "Document".to_owned())]);
    let stored = |path: &str, number| {
        Document::new(path, "# T\n").with_version(Some(number)).with_metadata(typed())
    };
    let store = side(vec![stored("/a.md", 3), stored("/b.md", 2)], false);
    // One of the files says its version, the other does not.
    let files = vec![
        Document::new("/a.md", "# T\n").with_version(Some(1)),
        Document::new("/b.md", "# T\n"),
    ];
    let (before, after) = level(store, side(files, true));
    assert_eq!(documents(&before, &after), []);
    let version = |store: &Store, path| store.catalog().document(path).expect("it").version();
    assert_eq!((version(&before, "/b.md"), version(&after, "/b.md")), (None, None));
    assert_eq!((version(&before, "/a.md"), version(&after, "/a.md")), (Some(3), Some(1)));
}

#[test]
fn a_part_that_was_not_read_is_told_by_its_folder() {
    let one = |path: &str| Document::new(path, "# T\n");
    let before = Side {
        unread: Unread::new(["/sub/".to_owned(), "/x.md".to_owned()]),
        ..side(vec![one("/a.md"), one("/sub/b.md")], false)
    };
    let after = side(vec![one("/a.md"), one("/sub/b.md"), one("/sub/c.md"), one("/subc.md")], true);
    let paths: Vec<String> = unread(&before, &after).into_iter().map(|it| it.path).collect();
    assert_eq!(paths, ["/sub/c.md", "/x.md"]);
    let (before, after) = level(before, after);
    let told: Vec<String> = documents(&before, &after).into_iter().map(|it| it.path).collect();
    assert_eq!(told, ["/subc.md"]);
}
