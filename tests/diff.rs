//! What differs between two worlds: whole values over small ones, and the command
//! over folders, git revisions, stores and a server.

#[path = "support/servers.rs"]
#[allow(dead_code)]
mod servers;
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::Store;
use markscope::selection::Engine;
use markscope::serve::Access;
use markscope::tune::{
    Pair, RecordedLookup, ResultDiff, Side, Unread, Why, diff, documents, level, titles_and_tags,
};
use serde_json::{Value, json};
use servers::Served;

/// Path, metadata and body.
type Written<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

fn document((path, metadata, body): &Written<'_>) -> Document {
    let metadata = metadata.iter().map(|(key, value)| ((*key).into(), (*value).into()));
    Document::new(*path, *body).with_metadata(metadata.collect())
}

fn side(written: &[Written<'_>]) -> Side {
    Side {
        name: "small".into(),
        documents: written.iter().map(|one| Arc::new(document(one))).collect(),
        errors: BTreeMap::new(),
        has_times_of_files: false,
        unread: Unread::default(),
    }
}

fn asked(
    (before, after): &(Store, Store),
    query: &str,
    matched: Option<Match>,
    budget: u64,
) -> Option<ResultDiff> {
    let lookup = RecordedLookup { match_sent: matched, ..RecordedLookup::new(query) };
    diff(&Why::Given, &lookup, Pair { before, after }, Engine::Selection, budget)
}

fn value(diff: Option<ResultDiff>) -> Value {
    serde_json::to_value(diff).expect("JSON")
}

const BEFORE: [Written<'_>; 4] = [
    ("/a.md", &[("importance", "0.9"), ("rel-by", "/b.md")], "# A\n\nPlum and pear.\n"),
    ("/b.md", &[("importance", "0.5")], "# B\n\nPear alone.\n"),
    ("/c.md", &[("importance", "0.4"), ("tags", "x")], "# C\n\nFig.\n"),
    ("/same.md", &[("tags", "x")], "# Same\n\nKiwi.\n"),
];

const AFTER: [Written<'_>; 4] = [
    ("/a.md", &[("importance", "0.9"), ("rel-by", "/b.md")], "# A\n\nPlum and a fig.\n"),
    ("/c.md", &[("importance", "0.4"), ("tags", "y")], "# C\n\nFig.\n"),
    ("/d.md", &[], "# D\n\nKiwi, too.\n"),
    ("/same.md", &[("tags", "x")], "# Same\n\nKiwi.\n"),
];

#[test]
fn an_edit_is_told_in_rows_blocks_hops_omissions_and_tokens() {
    let stores = level(side(&BEFORE), side(&AFTER));
    let text = |store: &Store| {
        let lookup =
            RecordedLookup { match_sent: Some(Match::Body), ..RecordedLookup::new("plum") };
        lookup.ask(store, Engine::Selection, false).select(store, 500).text()
    };
    let (before, after) = (text(&stores.0), text(&stores.1));
    assert_eq!(
        value(asked(&stores, "plum", Some(Match::Body), 500)),
        json!({
            "name": "plum",
            "query": "plum",
            "why": "given",
            "budget": 500,
            "bytes": {"before": before.len(), "after": after.len()},
            "tokens": {"before": before.len() / 4, "after": after.len() / 4},
            "rows": [{
                "what": "changed",
                "location": "/a.md#a",
                "place": {"before": 1, "after": 1},
                "cells": ["snippet"],
            }],
            "blocks": [
                {
                    "what": "changed",
                    "kind": "block",
                    "location": "/a.md#a",
                    "bytes": {"before": 34, "after": 35},
                },
                {
                    "what": "gone",
                    "kind": "block",
                    "location": "/b.md#b",
                    "bytes": {"before": 31, "after": null},
                },
            ],
            "hops": [{"what": "gone", "rel": "by", "location": "/b.md"}],
            "omissions": [{
                "what": "new",
                "kind": "block",
                "location": "/b.md",
                "outcome": "failed",
                "reason": "there is no such document (not-found)",
                "target": 0,
            }],
            "notes": [
                {"what": "new", "text": "/b.md: not-found"},
                {"what": "new", "text": "expanded 1 of 1 rows within the budget"},
                {
                    "what": "gone",
                    "text": "expanded 1 of 1 rows and 1 related documents within the budget",
                },
            ],
        })
    );
    // A result that is the same is not told.
    assert_eq!(asked(&stores, "fig", None, 500), None);
    assert_eq!(asked(&stores, "c.md", Some(Match::Body), 500), None);
}

#[test]
fn documents_are_new_changed_gone_or_differ_in_metadata() {
    let (mut before, mut after) = (side(&BEFORE), side(&AFTER));
    before.errors.insert("/same.md".into(), "not-permitted".into());
    after.errors.insert("/d.md".into(), "not-permitted".into());
    let (before, after) = level(before, after);
    let none = json!({"before": null, "after": null});
    assert_eq!(
        serde_json::to_value(documents(&before, &after)).expect("JSON"),
        json!([
            {"path": "/a.md", "what": "changed", "bytes": {"before": 20, "after": 21}, "version": none},
            {"path": "/b.md", "what": "gone", "bytes": {"before": 17, "after": null}, "version": none},
            {
                "path": "/c.md", "what": "metadata", "keys": ["tags"],
                "bytes": {"before": 10, "after": 10}, "version": none,
            },
            {
                "path": "/d.md", "what": "new", "bytes": {"before": null, "after": 16}, "version": none,
                "error": {"before": null, "after": "not-permitted"},
            },
            {
                "path": "/same.md", "what": "access", "bytes": {"before": 14, "after": 14},
                "version": none, "error": {"before": "not-permitted", "after": null},
            },
        ])
    );
}

#[test]
fn the_row_that_passes_others_has_moved_and_no_other() {
    let importance = |first: &'static str| {
        let one = |path, importance: &'static str| {
            let metadata = [("importance", importance), ("tags", "plum")];
            let metadata = metadata.iter().map(|(key, value)| ((*key).into(), (*value).into()));
            Arc::new(Document::new(path, "").with_metadata(metadata.collect()))
        };
        let documents = vec![
            one("/a.md", first),
            one("/b.md", "0.8"),
            one("/c.md", "0.7"),
            one("/d.md", "0.6"),
        ];
        Side { documents, ..side(&[]) }
    };
    let stores = level(importance("0.9"), importance("0.1"));
    let found = value(asked(&stores, "plum", None, 0));
    assert_eq!(
        found["rows"],
        json!([{
            "what": "moved",
            "location": "/a.md",
            "place": {"before": 1, "after": 4},
            "cells": ["importance"],
        }])
    );
    // One that comes in above the others moves none of them.
    let mut with_one_more = importance("0.9");
    let first = document(&("/0.md", &[("importance", "1"), ("tags", "plum")], ""));
    with_one_more.documents.push(Arc::new(first));
    let stores = level(importance("0.9"), with_one_more);
    let found = value(asked(&stores, "plum", None, 0));
    let want = json!([{"what": "new", "location": "/0.md", "place": {"before": null, "after": 1}}]);
    assert_eq!(found["rows"], want);
}

#[test]
fn passages_and_versions_are_told() {
    let version = |number, body: &str| Side {
        documents: vec![Arc::new(
            Document::new("/a.md", format!("# A\n\n## One\n\nPlum.\n\n## Two\n\n{body}\n"))
                .with_version(Some(number)),
        )],
        ..side(&[])
    };
    let stores = level(version(3, "Pear."), version(4, "Fig."));
    let mut lookup = RecordedLookup::new("*");
    lookup.rows = vec!["/a.md#one".into(), "/a.md#two".into()];
    let required =
        [("/a.md", Some("two"), "Pear."), ("/a.md", None, "Fig."), ("/a.md", Some("one"), "Plum.")];
    let required = required
        .map(|(path, anchor, quote)| json!({"path": path, "anchor": anchor, "quote": quote}));
    lookup.required = serde_json::from_value(json!(required)).expect("passages");
    let worlds = Pair { before: &stores.0, after: &stores.1 };
    let found = diff(&Why::Recorded, &lookup, worlds, Engine::Selection, 500);
    let found = value(found);
    assert_eq!(
        found["blocks"],
        json!([
            {
                "what": "version", "kind": "block", "location": "/a.md/v4#one",
                "bytes": {"before": 33, "after": 33},
            },
            {
                "what": "changed", "kind": "block", "location": "/a.md/v4#two",
                "bytes": {"before": 33, "after": 32},
            },
        ])
    );
    assert_eq!(
        found["passages"],
        json!([
            {"what": "lost", "location": "/a.md#two"},
            {"what": "contained", "location": "/a.md"},
        ])
    );
}

#[test]
fn times_of_copies_and_versions_of_one_side_are_no_difference() {
    let at = |time: &str| Some(time.parse().expect("a time"));
    let pair = |first: &str, second: &str, adds: bool, version: Option<u64>| {
        let one = |path: &str, time: &str| {
            let mut metadata = BTreeMap::from([("tags".to_owned(), "plum".to_owned())]);
            if adds && path != "/index.md" {
                metadata.insert("type".into(), "Document".into());
            }
            let document = Document::new(path, "Plum.\n").with_modified(at(time));
            Arc::new(document.with_version(version).with_metadata(metadata))
        };
        let documents = vec![one("/a.md", first), one("/b.md", second), one("/index.md", first)];
        Side { documents, has_times_of_files: version.is_none(), ..side(&[]) }
    };
    let (early, late) = ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z");
    // A copy whose files were written in another order.
    let stores = level(pair(early, late, false, None), pair(late, early, false, None));
    assert_eq!(asked(&stores, "plum", None, 500), None);
    // What a store would have made of it.
    let stores = level(pair(early, late, true, Some(2)), pair(late, early, false, None));
    assert_eq!(documents(&stores.0, &stores.1), []);
    assert_eq!(asked(&stores, "plum", None, 500), None);
    // Of two stores the times are their own.
    let stores = level(pair(early, late, true, Some(2)), pair(late, early, true, Some(2)));
    assert!(asked(&stores, "plum", None, 500).is_some());
}

#[test]
fn titles_and_tags_of_both_worlds_are_asked_once() {
    let (before, after) = level(
        side(&[
            ("/a.md", &[("tags", "plum, pear")], "# One\n"),
            ("/b.md", &[("tags", "q")], "# Two\n"),
        ]),
        side(&[
            ("/a.md", &[("tags", "plum, One")], "# One\n"),
            ("/c.md", &[], "# One\n"),
            ("/d.md", &[("title", "X")], ""),
        ]),
    );
    let asked: Vec<(Why, String)> =
        titles_and_tags(&before, &after).into_iter().map(|(why, l)| (why, l.query)).collect();
    let title = |path: &str| Why::Title(path.into());
    assert_eq!(
        asked,
        [
            (title("/a.md"), "One".to_owned()),
            (title("/b.md"), "Two".into()),
            (Why::Tag, "pear".into()),
            (Why::Tag, "plum".into()),
        ]
    );
}

fn run_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command.current_dir(folder).stdin(Stdio::null()).args(args).output().expect("it runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

fn write(root: &Path, name: &str, text: &str) {
    let file = root.join(name);
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(file, text).expect("a file");
}

/// A folder `notes` in a repository with one commit, named `first`; none where there
/// is no git.
fn repository() -> Option<tempfile::TempDir> {
    Command::new("git").arg("--version").output().ok()?;
    let folder = tempfile::tempdir().expect("a folder");
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(folder.path()).args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b.example",
        ]);
        let output = command.args(args).output().expect("git runs");
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    };
    write(folder.path(), "outside.md", "# Outside\n");
    write(folder.path(), "notes/a.md", "---\nrel-by: /sub/b.md\n---\n# Alpha\n\nPlum and pear.\n");
    write(folder.path(), "notes/sub/b.md", "# Beta\n\nPear alone.\n");
    write(folder.path(), "notes/.hidden/c.md", "# Hidden\n");
    write(folder.path(), "notes/c.txt", "# No document\n");
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "one"]);
    git(&["tag", "first"]);
    Some(folder)
}

#[test]
fn a_folder_is_held_against_a_revision_of_it() {
    let Some(folder) = repository() else { return };
    let root = folder.path();
    let run = |args: &[&str]| run_in(root, args);
    let same = run(&["diff", "notes@first", "notes"]);
    let told = "notes@first to notes: no result of 2 lookups differs\n";
    assert_eq!(
        (same.status.code(), String::from_utf8_lossy(&same.stdout).as_ref()),
        (Some(0), told),
        "{}",
        stderr(&same)
    );
    let tokens = || {
        let lookup = run(&["lookup", "notes", "plum", "--match", "body"]);
        assert_eq!(lookup.status.code(), Some(0), "{}", stderr(&lookup));
        lookup.stdout.len() / 4
    };
    let before = tokens();
    fs::remove_file(root.join("notes/sub/b.md")).expect("a file");
    write(root, "notes/d.md", "# D\n");
    let text = run(&["diff", "notes@HEAD", "notes", "plum", "--match", "body", "--documents"]);
    let after = tokens();
    let change = format!("{before} to {after} (-{})", before - after);
    let want = format!(
        "\
notes@HEAD to notes: documents: 1 new, 1 gone
  new   /d.md
  gone  /sub/b.md

notes@HEAD to notes: 1 of 1 lookups differ in their results

plum
  tokens      {change}, of a budget of 1500
  block     - /sub/b.md#beta, 10 tokens
  hop       - /sub/b.md (rel-by)
  left out  + /sub/b.md: there is no such document (not-found)
  note      + /sub/b.md: not-found
  note      + expanded 1 of 1 rows within the budget
  note      - expanded 1 of 1 rows and 1 related documents within the budget

                   results  parts
rows                     0      0
blocks                   1      1
hops                     1      1
omissions                1      1
required passages        0      0
tokens of these results: {change}
"
    );
    assert_eq!(String::from_utf8_lossy(&text.stdout), want, "{}", stderr(&text));
    assert_eq!(text.status.code(), Some(1));
    let json = run(&["diff", "notes@first", "notes", "--documents", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["lookups"], 0);
    assert_eq!(json["before"], json!({"world": "notes@first", "documents": 2}));
    // A revision is a world for every command.
    let lookup = run(&["lookup", "notes@first", "pear", "--match", "body", "--budget", "0"]);
    assert_eq!(lookup.status.code(), Some(0), "{}", stderr(&lookup));
    // A folder of that whole name comes first.
    write(root, "notes@first/only.md", "# Only\n");
    let outline = run(&["outline", "notes@first", "/only.md"]);
    assert_eq!(outline.status.code(), Some(0), "{}", stderr(&outline));
}

#[test]
fn a_revision_that_cannot_be_read_is_told_in_a_sentence() {
    let Some(folder) = repository() else { return };
    let root = folder.path();
    let told = |args: &[&str]| {
        let output = run_in(root, args);
        (output.status.code(), stderr(&output))
    };
    assert_eq!(
        told(&["diff", "notes@nope", "notes"]),
        (
            Some(3),
            "markscope: notes@nope: there is no such revision; `git log --oneline` lists them\n"
                .to_owned()
        )
    );
    let (code, said) = told(&["diff", "none@HEAD", "notes"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.starts_with("markscope: none@HEAD does not exist; "), "{said}");
    let (code, said) = told(&["diff", "notes@--output=x", "notes"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("there is no such revision") && !root.join("x").exists(), "{said}");
    let (code, said) = told(&["diff", "notes@HEAD", "notes", "--before-as-of", "2026-01-01"]);
    assert_eq!(code, Some(2), "{said}");
    // A folder that is in no repository, and a machine without git.
    let alone = tempfile::tempdir().expect("a folder");
    write(alone.path(), "notes/a.md", "# A\n");
    let output = Command::new(env!("CARGO_BIN_EXE_markscope"))
        .current_dir(alone.path())
        .env("GIT_CEILING_DIRECTORIES", alone.path().parent().expect("a folder"))
        .args(["diff", "notes@HEAD", "notes"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("notes@HEAD: git says: not a git repository"),
        "{}",
        stderr(&output)
    );
    let output = Command::new(env!("CARGO_BIN_EXE_markscope"))
        .current_dir(root)
        .env("PATH", alone.path())
        .args(["diff", "notes@HEAD", "notes"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    let want =
        "markscope: notes@HEAD: there is no `git` command here; install it, or name a folder\n";
    assert_eq!(stderr(&output), want);
}

#[test]
fn two_states_of_one_world_are_held_against_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = |path: &str, time: &str| {
        let body = "# Plum\n";
        json!({"path": path, "body": body, "modified": time}).to_string() + "\n"
    };
    let text = line("/a.md", "2026-01-01T00:00:00Z") + &line("/b.md", "2026-03-01T00:00:00Z");
    write(folder.path(), "w.jsonl", &text);
    let run = |args: &[&str]| {
        let mut all = vec!["diff", "w.jsonl", "w.jsonl"];
        all.extend(args);
        let output = run_in(folder.path(), &all);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = run(&["--before-as-of", "2026-02-01", "--documents"]);
    assert_eq!(
        (code, text.as_str()),
        (Some(1), "w.jsonl to w.jsonl: documents: 1 new\n  new  /b.md\n\n")
    );
    let (code, text) = run(&["--after-as-of", "2026-02-01", "--documents"]);
    assert_eq!(
        (code, text.as_str()),
        (Some(1), "w.jsonl to w.jsonl: documents: 1 gone\n  gone  /b.md\n\n")
    );
    let (code, text) = run(&["--documents"]);
    assert_eq!((code, text.as_str()), (Some(0), "w.jsonl to w.jsonl: no document differs\n"));
    let (code, text) = run(&["--before-as-of", "2026-02-01"]);
    assert_eq!(code, Some(1));
    assert!(
        text.contains("Plum  (title of /a.md)\n") && text.contains("row       + /b.md, now row "),
        "{text}"
    );
}

#[test]
fn a_folder_is_previewed_against_the_server_that_it_mirrors() {
    let published = |path: &str, tags: &str, body: &str| {
        let mut metadata = BTreeMap::from([("tags".to_owned(), tags.to_owned())]);
        metadata.insert("type".into(), "Document".into());
        let time = "2026-01-01T00:00:00Z".parse().expect("a time");
        let document = Document::new(path, body).with_version(Some(3)).with_modified(Some(time));
        Arc::new(document.with_metadata(metadata))
    };
    let store = Store::new(
        "kb",
        [
            published("/same.md", "fruit", "# Plum\n\nThe same.\n"),
            published("/text.md", "fruit", "# Plum tree\n\nOld.\n"),
            published("/meta.md", "tree", "# Pear\n"),
            published("/gone.md", "fruit", "# Fig\n"),
        ],
        BTreeMap::new(),
    );
    let served = Served::new(store, Access::default());
    let folder = tempfile::tempdir().expect("a folder");
    let tagged = |tags: &str, body: &str| format!("---\ntags: {tags}\n---\n{body}");
    write(folder.path(), "kb/same.md", &tagged("fruit", "# Plum\n\nThe same.\n"));
    write(folder.path(), "kb/text.md", &tagged("fruit", "# Plum tree\n\nNew.\n"));
    write(folder.path(), "kb/meta.md", &tagged("fruit", "# Pear\n"));
    write(folder.path(), "kb/new.md", &tagged("fruit", "# Kiwi\n"));
    write(folder.path(), "l.jsonl", "{\"query\":\"plum\"}\n{\"query\":\"pear\",\"budget\":0}\n");
    let location = served.location.as_str();
    let args = ["diff", location, "kb", "--documents", "--lookups", "l.jsonl", "--insecure"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command.current_dir(folder.path()).env("HOME", folder.path()).env_remove("DEMARKUS_AUTH");
    let output = command.args(args).args(["--format", "json"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let documents: Vec<Value> = json["documents"]
        .as_array()
        .expect("documents")
        .iter()
        .map(|one| json!([one["path"], one["what"], one["keys"]]))
        .collect();
    assert_eq!(
        documents,
        [
            json!(["/gone.md", "gone", null]),
            json!(["/meta.md", "metadata", ["tags"]]),
            json!(["/new.md", "new", null]),
            json!(["/text.md", "changed", null]),
        ]
    );
    let results: Vec<Value> = json["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|one| json!([one["query"], one["budget"], one["rows"], one["blocks"]]))
        .collect();
    let row = json!({
        "what": "changed", "location": "/meta.md", "place": {"before": 1, "after": 1}, "cells": ["tags"],
    });
    let block = json!({
        "what": "changed", "kind": "block", "location": "/text.md#plum-tree",
        "bytes": {"before": 43, "after": 43},
    });
    assert_eq!(results, [json!(["plum", 1500, [], [block]]), json!(["pear", 0, [row], []])]);
    // `preview` is the same from the author's side.
    let preview = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
        command.current_dir(folder.path()).env("HOME", folder.path()).env_remove("DEMARKUS_AUTH");
        command.arg("preview").args(args).args(["--insecure", "--format", "json"]);
        command.output().expect("it runs")
    };
    let same = preview(&["kb", location, "--lookups", "l.jsonl"]);
    assert_eq!((same.status.code(), &same.stdout), (Some(1), &output.stdout), "{}", stderr(&same));
    let turned = preview(&[location, "kb"]);
    assert_eq!(turned.status.code(), Some(2));
    assert!(stderr(&turned).contains("name the folder first, then the server"));
    // A directory of a server has other paths than a folder that mirrors it.
    let below = format!("{location}sub");
    let output = Command::new(env!("CARGO_BIN_EXE_markscope"))
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .args(["diff", &below, "kb", "--insecure"])
        .output()
        .expect("it runs");
    assert!(matches!(output.status.code(), Some(2 | 3)), "{}", stderr(&output));
}
