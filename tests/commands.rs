//! The commands from outside: streams, exit codes, and what they refuse.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("XDG_CONFIG_HOME", "/nowhere")
        .stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    command().args(args).output().expect("it runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

fn world(folder: &Path, files: &[(&str, &str)]) -> String {
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder.to_str().expect("a path").to_owned()
}

#[test]
fn the_json_object_explains_the_text() {
    let text = stdout(&run(&["lookup", "bundled", "stoner rock", "--match", "body"]));
    let args = ["lookup", "bundled", "stoner rock", "--match", "body", "--format", "json"];
    let json: Value = serde_json::from_slice(&run(&args).stdout).expect("JSON");
    let result = &json["result"];
    assert_eq!(result["text"], text.as_str());
    assert_eq!(result["bytes"], text.len());
    let items = json["items"].as_array().expect("items");
    let joined: String = items.iter().map(|item| item["text"].as_str().expect("text")).collect();
    assert_eq!(joined, text);
    let charged: i64 = items.iter().map(|item| item["charged"].as_i64().expect("charged")).sum();
    assert_eq!(result["used"], charged);
    assert_eq!(result["remaining"], result["budget"].as_i64().expect("budget") - charged);
    assert_eq!(json["rows"].as_array().expect("rows").len(), 3);
    // The breakpoint is one: the text at it differs, the one below it does not.
    let up = json["breakpoints"]["up"]["tokens"].as_u64().expect("a budget");
    let at = |budget: u64| {
        let budget = budget.to_string();
        stdout(&run(&["lookup", "bundled", "stoner rock", "--match", "body", "--budget", &budget]))
    };
    assert_eq!(at(up - 1), text);
    assert_ne!(at(up), text);
}

#[test]
fn exit_codes_and_streams() {
    for (args, code, told) in [
        (vec!["lookup", "bundled", "sludge"], 0, ""),
        (vec!["lookup", "bundled", "zzz-nothing"], 1, ""),
        (vec!["lookup", "bundled", "sludge", "--scope", "/nowhere"], 1, ""),
        (vec!["lookup", "bundled", "a"], 2, ""),
        (vec!["lookup", "bundled", "  "], 2, "requires a non-empty query"),
        (vec!["lookup", "bundled", "sludge", "--filter", "tag"], 2, ""),
        (
            vec!["lookup", "bundled", "sludge", "--limit", "0"],
            2,
            "a whole number of rows, 1 or more",
        ),
        (vec!["lookup", "no/such/world", "x"], 3, "no/such/world does not exist"),
        (vec!["outline", "bundled", "/no/such.md"], 1, "no document /no/such.md"),
        (vec!["relations", "bundled", "bands/melvin.md"], 1, "there is /bands/melvins.md"),
        (vec!["relations", "bundled", "bands/melvins.md"], 0, ""),
        (vec!["bundled", "two", "words"], 2, "goes in quotes: \"two words\""),
        (vec!["bundled", "--print", "--size", "0x0"], 2, "WIDTHxHEIGHT"),
        (vec!["bundled", "--print", "--theme", "nope"], 2, "nope"),
        (vec!["--no-such-option"], 2, "--no-such-option"),
        (vec!["--version"], 0, ""),
    ] {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{args:?} says {:?}", stderr(&output));
        if told.is_empty() {
            assert_eq!(stderr(&output), "", "{args:?}");
            assert!(!output.stdout.is_empty(), "{args:?}");
        }
    }
}

#[test]
fn budgets_are_within_the_range() {
    for budget in ["-5", "x", "", "1.5", "1000001", "99999999999999999999999"] {
        for args in [vec!["lookup", "bundled", "sludge"], vec!["bundled", "sludge", "--print"]] {
            let output = run(&[args, vec!["--budget", budget]].concat());
            assert_eq!(output.status.code(), Some(2), "{budget}");
            assert!(stderr(&output).contains("from 0 to 1000000"), "{}", stderr(&output));
        }
    }
    let none = stdout(&run(&["lookup", "bundled", "sludge", "--budget", "0"]));
    assert!(none.ends_with("|\n"), "the table alone");
}

#[test]
fn refusals_are_what_a_reader_gets() {
    let output = run(&["lookup", "bundled", "a"]);
    assert_eq!(
        stdout(&output),
        "status: bad-request\n\n\n# Bad request\n\nquery must be at least 2 characters\n"
    );
    let output = run(&["lookup", "bundled", "sludge", "--scope", "/a/../b"]);
    assert!(stdout(&output).starts_with("status: not-found\n"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_the_end_and_a_full_disk_is_not_success() {
    let script = |script: &str| {
        Command::new("sh")
            .args(["-c", script, "sh", env!("CARGO_BIN_EXE_markscope")])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("a shell")
    };
    let piped = script("\"$1\" relations bundled | head -1; :");
    assert_eq!(stderr(&piped), "");
    assert_eq!(stdout(&piped).lines().count(), 1);
    if Path::new("/dev/full").exists() {
        let full = script("\"$1\" relations bundled > /dev/full");
        assert_eq!(full.status.code(), Some(3));
        assert!(stderr(&full).starts_with("markscope: could not write the result:"));
    }
    let closed = script("\"$1\" lookup bundled sludge >&- 2>&-");
    assert!(closed.status.code().is_some(), "no panic, no signal");
    assert_ne!(closed.status.code(), Some(101));
}

#[cfg(unix)]
#[test]
fn names_that_mean_something_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["a\nb.md", "t\tb.md", "x\u{1b}]0;pwn\u{7}.md", "|pipe|.md", "#hash.md", "-rf.md"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "# Odd name\n")).collect();
    let world = world(folder.path(), &files);
    let output = run(&["lookup", &world, "odd", "--budget", "0"]);
    let rows = stdout(&output).lines().filter(|line| line.starts_with("| /")).count();
    assert_eq!(rows, names.len(), "one row each");
    for name in names {
        let path = format!("/{name}");
        let output = run(&["outline", &world, "--format", "json", "--", &path]);
        assert_eq!(output.status.code(), Some(0), "{name:?}: {}", stderr(&output));
        let shown = stdout(&run(&["outline", &world, "--", &path]));
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\t']), "{shown:?}");
    }
    // A document whose path begins with a hash is asked for without it.
    let json: Value = serde_json::from_slice(
        &run(&["lookup", &world, "odd", "--format", "json", "--budget", "3000"]).stdout,
    )
    .expect("JSON");
    let row =
        json["rows"].as_array().expect("rows").iter().find(|row| row["declared"] == "/#hash.md");
    assert_eq!(row.expect("a row")["path"], "/");
    assert_eq!(row.expect("a row")["anchor"], "hash.md");
}

#[test]
fn what_is_left_out_is_told_and_the_rest_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = world(
        folder.path(),
        &[
            ("good.md", "---\ntags: [x]\n---\n# Good\n"),
            ("twice.md", "---\ntitle: A\ntags: x\ntags: y\n---\n# A\n"),
            ("colon.md", "---\ntype: mail\ntitle: Re: budget\n---\nBody\n"),
        ],
    );
    let output = run(&["lookup", &world, "good"]);
    assert_eq!(output.status.code(), Some(0));
    let told = stderr(&output);
    assert!(told.contains("twice.md:4") && told.contains("tags"), "{told}");
    assert!(told.contains("colon.md:3"), "{told}");
    assert!(told.contains("2 documents left out"), "{told}");
}

#[test]
fn one_frame_where_there_is_no_terminal() {
    let output = run(&["bundled", "sludge"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("no terminal"));
    let frame = stdout(&output);
    assert_eq!(frame.lines().count(), 40);
    assert!(!frame.contains('\u{1b}'), "text alone");
    let asked = run(&["bundled", "sludge", "--print", "--size", "80x24"]);
    assert_eq!(stderr(&asked), "");
    assert_eq!(stdout(&asked).lines().count(), 24);
}
