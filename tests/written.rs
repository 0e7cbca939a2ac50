//! What the commands write to files, and over what they never do.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    /// A folder with a world, an archive of it, lookups, rules and a transcript.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir(folder.path("world")).expect("a folder");
        let call = json!({ "name": "mark_lookup", "input": { "query": "rye" } });
        for (name, text) in [
            ("world/rye.md", "# Rye\n\nIt rests for 14 hours.\n"),
            ("lookups.jsonl", "{\"query\":\"rye\"}\n"),
            ("rules.toml", "default = \"budget-first\"\n"),
            ("transcript.jsonl", &call.to_string()),
        ] {
            fs::write(folder.path(name), text).expect("a file");
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
        command.current_dir(self.0.path()).stdin(Stdio::null()).arg("--no-config");
        command.args(line.split(' ')).output().expect("it runs")
    }

    /// Every file of it with its bytes.
    fn all(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut out = Vec::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).expect("a file");
                    out.push((path, bytes));
                }
            }
        }
        out.sort();
        out
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn nothing_that_a_command_reads_is_written_over() {
    let folder = Folder::new();
    let before = folder.all();
    let read = "is read here and would be written over; name another file with";
    let of_world = "would be a file of the world; name another file with";
    for (line, why) in [
        ("replay world --lookups lookups.jsonl --out lookups.jsonl", read),
        (
            "replay world --lookups lookups.jsonl --policy mixed --rules rules.toml --out rules.toml",
            read,
        ),
        ("replay world --lookups lookups.jsonl --out world/rye.md", of_world),
        ("sweep world --lookups lookups.jsonl --out world/other.md", of_world),
        ("sweep world --lookups lookups.jsonl --out world/.markscope.toml", of_world),
        ("import transcript.jsonl --out transcript.jsonl", read),
        ("import transcript.jsonl --world world --out world/rye.md", of_world),
        ("lookup world rye --record world/rye.md", of_world),
        ("lookup world rye --record rules.toml", "holds something else than recorded lookups"),
        ("world rye --record world/rye.md --print", of_world),
        ("world rye --against world --record rules.toml --print", "holds something else"),
        ("lookup bundled rye --also world --record world/rye.md", of_world),
        ("lookup world rye --record none/x.jsonl", "none/x.jsonl cannot be written: "),
    ] {
        let output = folder.run(line);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert_eq!(text(&output.stdout), "", "{line}");
        assert!(said.contains(why) && said.lines().count() == 1, "{line}: {said}");
        assert!(folder.all() == before, "{line} changed a file");
    }
}

/// `/dev/stdout` is what the shell made it: nothing takes its place.
#[cfg(target_os = "linux")]
#[test]
fn a_report_to_stdout_goes_where_stdout_goes() {
    let folder = Folder::new();
    let out = fs::File::create(folder.path("all.txt")).expect("a file");
    let status = Command::new(env!("CARGO_BIN_EXE_markscope"))
        .current_dir(folder.0.path())
        .args(["replay", "world", "--lookups", "lookups.jsonl", "--out", "/dev/stdout"])
        .stdout(out)
        .status();
    assert!(status.expect("it runs").success());
    let written = fs::read_to_string(folder.path("all.txt")).expect("text");
    assert!(written.contains("1 lookup in world, selection, the recorded budgets\n"), "{written}");
}

#[test]
fn what_no_result_can_hold_is_told_with_the_counts() {
    let folder = Folder::new();
    let required = json!([
        { "path": "/rye.md", "quote": "14 hours" },
        { "path": "/rye.md", "quote": "15 hours" },
        { "path": "/wheat.md" },
    ]);
    let lookup = json!({ "query": "rye", "match": "body", "required": required });
    fs::write(folder.path("l.jsonl"), format!("{lookup}\n")).expect("a file");
    let words =
        "\n2 of 3 (67%) required passages do not stand in the world: no result can hold them\n";
    for command in ["replay", "sweep"] {
        let output = folder.run(&format!("{command} world --lookups l.jsonl"));
        assert!(text(&output.stdout).contains(words), "{}", text(&output.stdout));
    }
    let output = folder.run("replay world --lookups l.jsonl --format json");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["all"]["absent"], 2);
    assert_eq!(report["entries"][0]["absent"], json!(["/rye.md", "/wheat.md"]));
}

/// A run in which no lookup was answered measured nothing.
#[test]
fn a_replay_of_refused_lookups_alone_has_no_match() {
    let folder = Folder::new();
    let nowhere = json!({ "query": "rye", "scope": "/nowhere" });
    fs::write(folder.path("l.jsonl"), format!("{nowhere}\n{nowhere}\n")).expect("a file");
    let output = folder.run("replay world --lookups l.jsonl --format json");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["all"]["refused"], 2);
}
