//! `sweep`, `replay` and `compare` from outside: files, formats, exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use markscope::tune::{Report, SweepReport};
use serde_json::{Value, json};
use tempfile::TempDir;

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.args(args).output().expect("it runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

fn refusal(args: &[&str]) -> String {
    refused(&run(args))
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    assert_eq!(output.stdout, b"", "{}", stderr(output));
    stderr(output)
}

const LOOKUPS: &str = "examples/lookups/music.jsonl";

struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("text").to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("a file");
        self.name(name)
    }

    fn replay(&self, name: &str, more: &[&str]) -> String {
        let file = self.name(name);
        let mut args = vec!["replay", "bundled", "--lookups", LOOKUPS, "--out", &file];
        args.extend(more);
        stdout(&run(&args));
        file
    }
}

fn read(file: &str) -> Value {
    serde_json::from_slice(&fs::read(file).expect("a file")).expect("JSON")
}

fn change(file: &str, to: &Path, pointer: &str, value: Value) -> String {
    let mut json = read(file);
    *json.pointer_mut(pointer).expect("a key") = value;
    fs::write(to, json.to_string()).expect("a file");
    to.to_str().expect("text").to_owned()
}

#[test]
fn the_same_replay_twice_is_the_same_file() {
    let files = Files::new();
    let args = ["--engine", "selection", "--against", "rows", "--policy", "budget-first"];
    let (first, second) = (files.replay("1.json", &args), files.replay("2.json", &args));
    assert_eq!(fs::read(&first).expect("a file"), fs::read(&second).expect("a file"));
    let json = read(&first);
    assert_eq!(json["complete"], true);
    assert_eq!(json["lookups"], 12);
    assert_eq!(json["entries"].as_array().map(Vec::len), Some(12));
    let text = stdout(&run(&[
        "replay",
        "bundled",
        "--lookups",
        LOOKUPS,
        "--against",
        "rows",
        "--policy",
        "mixed",
        "--rules",
        &files.write("rules.toml", "default = \"budget-first\"\n"),
    ]));
    for told in [
        "12 lookups in music, rows to selection, the recorded budgets\n",
        "passages contained",
        "a model, not a reader",
        "verdict on hops: ",
        "a small sample: 12 lookups",
        "seed 20260914",
    ] {
        assert!(text.contains(told), "{told} in {text}");
    }
}

#[test]
fn engines_are_compared_and_nothing_else() {
    let files = Files::new();
    let rows = files.replay("rows.json", &["--engine", "rows"]);
    let selection = files.replay("selection.json", &[]);
    let both = files.replay("both.json", &["--against", "rows"]);
    let compared: Value =
        serde_json::from_str(&stdout(&run(&["compare", &rows, &selection, "--format", "json"])))
            .expect("JSON");
    // The comparison says what one replay of both engines says.
    let all = &read(&both)["all"];
    assert_eq!(compared["before"], all["against"]);
    assert_eq!(compared["after"], all["engine"]);
    assert_eq!(compared["change"], all["change"]);
    assert_eq!(compared["hops"], all["hops"]);
    let text = stdout(&run(&["compare", &rows, &selection]));
    assert!(text.starts_with("12 lookups, rows to selection\n"), "{text}");
    for (pointer, value, told) in [
        ("/hashes/world", json!("sha256-0"), "markscope: hashes.world: sha256-"),
        ("/hashes/lookups", json!("sha256-0"), "markscope: hashes.lookups: sha256-"),
        ("/options", json!({"budget": 900}), "markscope: options.budget: none and 900"),
        ("/program", json!("markscope 9"), "markscope: program: markscope 0"),
        ("/documents", json!(1), "markscope: documents: "),
        ("/entries/3/budget", json!(1), "markscope: entries: 12 lookups; 1 half-time"),
        ("/entries/3/name", json!("other"), "markscope: entries: 12 lookups; 1 half-time"),
    ] {
        let other = change(&selection, &files.path("other.json"), pointer, value);
        let said = refusal(&["compare", &rows, &other]);
        assert!(
            said.starts_with("markscope: the reports differ in more than the engine\n"),
            "{said}"
        );
        assert!(said.contains(told), "{said}");
    }
    let partial = change(&selection, &files.path("part.json"), "/complete", json!(false));
    assert!(refusal(&["compare", &rows, &partial]).contains("is not complete"));
    let format = change(&selection, &files.path("form.json"), "/format", json!("v0"));
    assert!(refusal(&["compare", &rows, &format]).contains("has the format v0"));
    let key = files.write(
        "key.json",
        &fs::read_to_string(&rows).expect("text").replace("\"stubs\"", "\"stub\""),
    );
    assert!(
        refusal(&["compare", &rows, &key])
            .contains("is no report of a replay: entries[0].engine.figures")
    );
    assert!(refusal(&["compare", &rows, &selection, "--policies"]).contains("has no policy"));
}

const CHANGED: &str = "hashes.report: it was changed after it was written";

#[test]
fn a_report_that_was_changed_by_hand_is_not_compared() {
    let files = Files::new();
    let rows = files.replay("rows.json", &["--engine", "rows"]);
    let both = files.replay("both.json", &["--against", "rows"]);
    assert!(run(&["compare", &rows, &both]).status.success());
    let number =
        |pointer: &str| read(&both).pointer(pointer).expect(pointer).as_u64().expect("one");
    let more = |pointer: &str| json!(number(pointer) + 4);
    for (pointer, value, told) in [
        ("/all/engine/figures/tokens", json!(1), "all: it is not the sum of the entries"),
        ("/all/change/contained/p", json!(0.01), "all: it is not the sum of the entries"),
        ("/categories", json!({}), "categories: they are not the sums of the entries"),
        (
            "/entries/2/engine/figures/bytes",
            more("/entries/2/engine/figures/bytes"),
            "entries[2].engine.figures.tokens: ",
        ),
        (
            "/entries/0/against/figures/contained",
            more("/entries/0/against/figures/contained"),
            "entries[0].against.figures.contained: it is ",
        ),
        (
            "/entries/0/engine/figures/citable",
            more("/entries/0/engine/figures/citable"),
            "entries[0].engine.figures.citable: it is ",
        ),
        (
            "/entries/1/engine/figures/expanded",
            json!(900),
            "entries[1].engine.figures.expanded: 900 of ",
        ),
        ("/entries/0/engine/passages", json!([]), "entries[0].engine.passages: there are 0, and "),
        (
            "/entries/4/differences",
            json!([{ "what": "lost", "location": "/x.md" }]),
            "entries[4].differences: they are not those",
        ),
        ("/entries/1/lookup", json!(1), "entries[1].lookup: places rise"),
        ("/entries/1/lookup", json!(13), "entries[1].lookup: a place is a number from 1 to 12"),
        ("/lookups", json!(13), "complete: it has 12 of 13 lookups"),
        ("/world", json!("other"), CHANGED),
        ("/entries/1/status", json!("ok "), "all: it is not the sum of the entries"),
        ("/hashes/options", json!("sha256-1"), CHANGED),
        ("/hashes/report", json!(""), CHANGED),
    ] {
        let other = change(&both, &files.path("other.json"), pointer, value);
        let said = refusal(&["compare", &rows, &other]);
        let told = format!("other.json is not as a replay writes it: {told}");
        assert!(said.contains(&told), "{told}\n{said}");
    }
}

#[test]
fn a_lookup_that_was_refused_is_in_no_pair() {
    let files = Files::new();
    let lookups = files.write(
        "lookups.jsonl",
        "{\"query\":\"doom\"}\n{\"query\":\"doom\",\"scope\":\"/nowhere\"}\n{\"query\":\"sludge\"}\n",
    );
    let replayed = |more: &[&str]| {
        let args = ["replay", "bundled", "--lookups", &lookups];
        stdout(&run(&[&args[..], more].concat()))
    };
    let report: Value =
        serde_json::from_str(&replayed(&["--against", "rows", "--format", "json"])).expect("JSON");
    assert_ne!(report["entries"][1]["status"], "ok");
    assert_eq!((&report["all"]["lookups"], &report["all"]["refused"]), (&json!(3), &json!(1)));
    assert_eq!(report["all"]["change"]["tokens"]["pairs"], 2);
    let text = replayed(&["--against", "rows"]);
    assert!(text.contains("1 lookup refused, in no pair\na small sample: 2 lookups\n"), "{text}");
    let (one, other) = (files.name("one.json"), files.name("other.json"));
    replayed(&["--out", &other]);
    replayed(&["--engine", "rows", "--out", &one]);
    let text = stdout(&run(&["compare", &one, &other]));
    assert!(text.contains("1 lookup refused, in no pair\na small sample: 2 lookups\n"), "{text}");
}

#[test]
fn policies_are_compared_under_one_engine() {
    let files = Files::new();
    let section = files.replay("section.json", &["--policy", "section-first"]);
    let budget = files.replay("budget.json", &["--policy", "budget-first"]);
    let compared: Value = serde_json::from_str(&stdout(&run(&[
        "compare",
        &section,
        &budget,
        "--policies",
        "--format",
        "json",
    ])))
    .expect("JSON");
    assert_eq!(compared["between"], "policies");
    let turns = |arm: &str| compared[arm]["turns"].as_u64().expect("turns");
    // Ten lookups require a passage that is measured: 17 passages in all.
    let required = compared["required"].as_u64().expect("a number");
    let judged = compared["judged"].as_u64().expect("a number");
    assert_eq!(turns("before"), 2 * judged + required);
    let contained = compared["after"]["figures"]["contained"].as_u64().expect("a number");
    assert_eq!(turns("after"), 2 * judged + required - contained);
    let text = stdout(&run(&["compare", &section, &budget, "--policies"]));
    assert!(text.contains("turns: a model, not a reader"), "{text}");
    assert!(text.ends_with("  a small sample: 10 questions\n"), "{text}");
    assert!(
        refusal(&["compare", &section, &budget])
            .contains("options.policy.name: section-first and budget-first")
    );
    let dear = files.replay("dear.json", &["--policy", "budget-first", "--turn-tokens", "9000"]);
    let said = refusal(&["compare", &section, &dear, "--policies"]);
    assert!(said.contains("options.policy.cost.turn_tokens: 1590 and 9000"), "{said}");
    for (args, told) in [
        (vec!["--policy", "mixed"], "--policy mixed needs --rules FILE"),
        (
            vec!["--policy", "mixed", "--rules", &files.write("r.toml", "default = 1\n")],
            "r.toml:1: ",
        ),
        (vec!["--policy", "budget-first", "--rules", LOOKUPS], "--rules goes with --policy mixed"),
    ] {
        let mut all = vec!["replay", "bundled", "--lookups", LOOKUPS];
        all.extend(args);
        assert!(refusal(&all).contains(told), "{told}");
    }
}

#[test]
fn a_partial_report_is_resumed_to_the_whole_one() {
    let files = Files::new();
    let whole = files.replay("whole.json", &["--against", "rows"]);
    let mut part = read(&whole);
    part["complete"] = json!(false);
    let entries = part["entries"].as_array_mut().expect("entries");
    entries.remove(7);
    entries.truncate(9);
    let report: Report = serde_json::from_value(part.clone()).expect("a report");
    let unsealed = files.write("unsealed.json", &part.to_string());
    let part = serde_json::to_string(&report.sealed()).expect("JSON");
    let part = files.write("part.json", &part);
    let said = refusal(&[
        "replay",
        "bundled",
        "--lookups",
        LOOKUPS,
        "--against",
        "rows",
        "--resume",
        &unsealed,
    ]);
    assert!(said.contains("hashes.report: it was changed after it was written"), "{said}");
    let resumed =
        ["replay", "bundled", "--lookups", LOOKUPS, "--against", "rows", "--resume", &part];
    stdout(&run(&resumed));
    assert_eq!(fs::read(&part).expect("a file"), fs::read(&whole).expect("a file"));
    let other = change(&whole, &files.path("other.json"), "/hashes/options", json!("sha256-1"));
    let said = refusal(&[
        "replay",
        "bundled",
        "--lookups",
        LOOKUPS,
        "--against",
        "rows",
        "--resume",
        &other,
    ]);
    assert!(
        said.contains("cannot be resumed: hashes.options is sha256-1 there and sha256-"),
        "{said}"
    );
    let said = refusal(&["replay", "bundled", "--lookups", LOOKUPS, "--resume", &whole]);
    assert!(said.contains("against is rows there and none now"), "{said}");
}

#[test]
fn a_world_that_differs_has_another_hash() {
    let files = Files::new();
    fs::create_dir(files.path("world")).expect("a folder");
    let world = files.name("world");
    let lookups = files.write("l.jsonl", "{\"query\":\"plum\",\"match\":\"body\"}\n");
    let hash = |text: &str| {
        files.write("world/a.md", text);
        let output = run(&["replay", &world, "--lookups", &lookups, "--format", "json"]);
        let json: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        json["hashes"]["world"].as_str().expect("a hash").to_owned()
    };
    let first = hash("---\ntags: x\n---\n# A\n\nPlum.\n");
    assert_ne!(hash("---\ntags: y\n---\n# A\n\nPlum.\n"), first);
    assert_ne!(hash("---\ntags: x\n---\n# A\n\nPlums.\n"), first);
    // A copy made at another time is the same world.
    assert_eq!(hash("---\ntags: x\n---\n# A\n\nPlum.\n"), first);
}

#[test]
fn a_sweep_is_a_table_a_chart_csv_and_json() {
    let sweep = |format: &str| {
        stdout(&run(&["sweep", "bundled", "--lookups", LOOKUPS, "--to", "900", "--format", format]))
    };
    let json: Value = serde_json::from_str(&sweep("json")).expect("JSON");
    let points = |curve: &Value| curve["points"].as_array().expect("points").clone();
    let csv = sweep("csv");
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let mut want = Vec::new();
    let curves = json["lookups"].as_array().expect("lookups");
    for (number, curve) in curves.iter().chain([&json["all"]]).enumerate() {
        for point in points(curve) {
            let cell = |key: &&str| match *key {
                "lookup" if number == curves.len() => "all".to_owned(),
                "lookup" => (number + 1).to_string(),
                "name" => curve["name"].as_str().expect("a name").to_owned(),
                "required" => curve["required"].to_string(),
                key => point[key].to_string(),
            };
            want.push(head.iter().map(cell).collect::<Vec<_>>().join(","));
        }
    }
    assert_eq!(lines.collect::<Vec<_>>(), want);
    let table = sweep("table");
    assert!(
        table.starts_with("12 lookups in music, 0 to 900 tokens, engine selection\n"),
        "{table}"
    );
    assert!(sweep("svg").starts_with("<svg "));
    let said = refusal(&["sweep", "bundled", "--lookups", LOOKUPS, "--from", "9", "--to", "8"]);
    assert!(said.contains("--from 9 is more than --to 8"), "{said}");
    let files = Files::new();
    let bad = files.write("bad.jsonl", "{\"query\":\"ab\"}\n{\"query\":\"ab\",\"budgets\":1}\n");
    let said = refusal(&["sweep", "bundled", "--lookups", &bad]);
    assert!(said.contains("bad.jsonl:2: budgets: there is no such key; there are `id`"), "{said}");
}

/// Runs to the moment at which something is done, lets `end` end it, and gives its
/// exit code and what it told. On a terminal, since the line that tells how far it is
/// stands there alone: once it stands, there is something to end.
#[cfg(unix)]
fn ended_midway(args: &[&str], end: impl FnOnce(&mut dyn std::io::Write, u32)) -> (u32, String) {
    use std::io::Read as _;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    let size = PtySize { rows: 24, cols: 100, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_markscope"));
    command.args(args);
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    let mut child = pair.slave.spawn_command(command).expect("it starts");
    let id = child.process_id().expect("it runs");
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().expect("a reader");
    let mut keys = pair.master.take_writer().expect("a writer");
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    let mut end = Some(end);
    // The end of the program ends the reading with an error on Linux.
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        seen.extend_from_slice(&buffer[..count]);
        if String::from_utf8_lossy(&seen).contains(" left; Ctrl-C ends")
            && let Some(end) = end.take()
        {
            end(&mut keys, id);
        }
    }
    let told = String::from_utf8_lossy(&seen).into_owned();
    (child.wait().expect("it ends").exit_code(), told)
}

#[cfg(unix)]
fn ctrl_c(keys: &mut dyn std::io::Write, _: u32) {
    keys.write_all(b"\x03").expect("it reads");
    keys.flush().expect("it reads");
}

#[cfg(unix)]
fn killed(signal: &str, id: u32) {
    let killed = Command::new("kill").args([signal, &id.to_string()]).status();
    assert!(killed.expect("it runs").success());
}

#[cfg(unix)]
#[test]
fn an_ended_run_leaves_a_report_that_can_be_resumed() {
    let files = Files::new();
    let lookups = fs::read_to_string(LOOKUPS).expect("lookups");
    let replayed = files.write("replayed.jsonl", &lookups.repeat(60));
    let swept = files.write("swept.jsonl", &lookups.repeat(30));
    type End = fn(&mut dyn std::io::Write, u32);
    let ends: [(&str, u32, End); 3] = [
        ("Ctrl-C", 130, ctrl_c),
        ("SIGTERM", 143, |_, id| killed("-TERM", id)),
        ("SIGHUP", 129, |_, id| killed("-HUP", id)),
    ];
    for (command, lookups, keys, ends) in [
        (
            vec!["replay", "bundled", "--lookups", &replayed],
            720,
            ["lookups", "entries"],
            &ends[..2],
        ),
        (
            vec!["sweep", "bundled", "--lookups", &swept, "--from", "300", "--to", "700"],
            360,
            ["asked", "lookups"],
            &ends[1..],
        ),
    ] {
        let whole = files.name("whole.json");
        stdout(&run(&[command.as_slice(), &["--out", &whole]].concat()));
        for &(name, code, end) in ends {
            let out = files.name("out.json");
            let (ended, told) = ended_midway(&[command.as_slice(), &["--out", &out]].concat(), end);
            assert_eq!(ended, code, "{command:?}: {told}");
            let part = read(&out);
            assert_eq!(part["complete"], json!(false));
            assert_eq!(part[keys[0]], json!(lookups));
            let done = part[keys[1]].as_array().expect("what is done").len();
            assert!((1..lookups).contains(&done), "{done}");
            let said = format!("ended by {name} after {done} of {lookups} lookups; --resume ");
            assert!(told.contains(&said), "{said} in {told}");
            let said = format!("NOT COMPLETE: {done} of {lookups} (");
            assert!(told.contains(&said), "{said} in {told}");
            // What is left is done, and what was done is kept.
            stdout(&run(&[command.as_slice(), &["--resume", &out]].concat()));
            assert!(fs::read(&out).expect("a file") == fs::read(&whole).expect("a file"));
        }
    }
}

#[test]
fn a_partial_sweep_is_resumed_to_the_whole_one() {
    let files = Files::new();
    let whole = files.name("whole.json");
    let sweep = |more: &[&str]| {
        let args = ["sweep", "bundled", "--lookups", LOOKUPS, "--to", "900"];
        run(&[args.as_slice(), more].concat())
    };
    let table = stdout(&sweep(&["--out", &whole]));
    let json = read(&whole);
    assert_eq!(stdout(&sweep(&["--format", "json"])), fs::read_to_string(&whole).expect("it"));
    assert_eq!(
        (&json["format"], &json["complete"], &json["asked"], &json["from"], &json["to"]),
        (&json!("markscope-sweep-v1"), &json!(true), &json!(12), &json!(0), &json!(900))
    );
    let mut part = json;
    part["complete"] = json!(false);
    let curves = part["lookups"].as_array_mut().expect("curves");
    // One from within, and the order is lost: the places tell.
    curves.remove(7);
    curves.swap(0, 3);
    curves.truncate(9);
    let sealed = |report: Value| {
        let report: SweepReport = serde_json::from_value(report).expect("a report");
        serde_json::to_string(&report.sealed()).expect("JSON")
    };
    let part = files.write("part.json", &sealed(part));
    assert_eq!(stdout(&sweep(&["--resume", &part])), table);
    assert_eq!(fs::read(&part).expect("a file"), fs::read(&whole).expect("a file"));
    for (pointer, value, told) in [
        ("/hashes/world", json!("sha256-1"), "cannot be resumed: hashes.world is sha256-1 there"),
        ("/from", json!(1), "lookups[0].points: budgets rise from 1 to 900 at most"),
        ("/to", json!(901), "cannot be resumed: to is 901 there and 900 now"),
        ("/asked", json!(13), "cannot be resumed: asked is 13 there and 12 now"),
        ("/engine", json!("rows"), "cannot be resumed: engine is rows there and selection now"),
        ("/format", json!("v0"), "has the format v0; this program reads markscope-sweep-v1"),
        ("/lookups/2/lookup", json!(13), "lookups[2].lookup: a place is a number from 1 to 12"),
        ("/lookups/2/lookup", json!(null), "lookups[2].lookup: a place is a number from 1 to 12"),
        ("/lookups/2/points", json!([]), "lookups[2].points: budgets rise from 0 to 900 at most"),
        (
            "/lookups/2/points/1/budget",
            json!(0),
            "lookups[2].points: budgets rise from 0 to 900 at most",
        ),
        (
            "/lookups/2/required",
            json!("x"),
            "lookups[2].required: this is the text \"x\"; it takes",
        ),
    ] {
        let other = change(&whole, &files.path("other.json"), pointer, value);
        let said = refused(&sweep(&["--resume", &other]));
        assert!(said.contains(told), "{told} in {said}");
    }
    // Known before the run, and not behind it.
    fs::create_dir(files.path("folder")).expect("a folder");
    for (out, why) in [("folder", "directory"), ("none/out.json", "No such file")] {
        let said = refused(&sweep(&["--out", &files.name(out)]));
        assert!(said.contains(&format!("/{out} cannot be written: ")), "{said}");
        assert!(said.contains(why) && said.ends_with("; name another file with --out\n"), "{said}");
    }
    let names = fs::read_dir(files.0.path()).expect("a folder").filter_map(Result::ok);
    let mut parts = names.filter(|name| name.path().extension().is_some_and(|it| it == "part"));
    assert!(parts.next().is_none());
    // Figures that somebody made up are told, and end nothing where they cannot be.
    let large = json!(u64::MAX);
    let other = change(&whole, &files.path("large.json"), "/lookups/2/points/1/tokens", large);
    let said = refused(&sweep(&["--resume", &other]));
    assert!(said.contains("hashes.report: it was changed after it was written"), "{said}");
    let other = files.write("large.json", &sealed(read(&other)));
    stdout(&sweep(&["--resume", &other]));
    let replay = files.replay("replay.json", &[]);
    let said = refused(&sweep(&["--resume", &replay]));
    assert!(said.contains("is no report of a sweep: "), "{said}");
    let other = change(&replay, &files.path("place.json"), "/entries/2/lookup", json!(0));
    let resumed = ["replay", "bundled", "--lookups", LOOKUPS, "--resume", &other];
    assert!(refusal(&resumed).contains("entries[2].lookup: a place is a number from 1 to 12"));
}

/// What a report is made of is not written over, and what it is written to stays what
/// it was: a link, a file for nobody else, a pipe.
#[cfg(unix)]
#[test]
fn a_report_takes_the_place_of_a_report_alone() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

    let files = Files::new();
    let lookups = fs::read_to_string(LOOKUPS).expect("lookups");
    let own = files.write("own.jsonl", &lookups);
    let whole = read(&files.replay("whole.json", &[]));
    for command in ["replay", "sweep"] {
        let said = refusal(&[command, "bundled", "--lookups", &own, "--out", &own]);
        assert!(said.contains("own.jsonl is read here and would be written over"), "{said}");
        assert_eq!(fs::read_to_string(&own).expect("it stays"), lookups);
    }
    let kept = files.write("kept.json", "{}");
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o600)).expect("it is ours");
    symlink(&kept, files.path("link.json")).expect("a link");
    files.replay("link.json", &[]);
    assert!(files.path("link.json").is_symlink());
    assert_eq!(read(&kept), whole);
    assert_eq!(fs::metadata(&kept).expect("it is there").permissions().mode() & 0o777, 0o600);
    let pipe = files.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("it runs").success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read(pipe).expect("what was written"))
    };
    files.replay("pipe", &[]);
    let told: Value = serde_json::from_slice(&reader.join().expect("it ends")).expect("JSON");
    assert_eq!(told, whole);
    assert!(fs::metadata(&pipe).expect("it is there").file_type().is_fifo());
}

/// What a command says of what is on its stdin.
fn piped(args: &[&str], text: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, text).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn lookups_come_from_stdin_too() {
    let text = "{\"query\":\"doom\",\"budget\":800}\n";
    let files = Files::new();
    let file = files.write("one.jsonl", text);
    for command in ["sweep", "replay"] {
        let same = stdout(&run(&[command, "bundled", "--lookups", &file]));
        assert_eq!(stdout(&piped(&[command, "bundled", "--lookups", "-"], text.as_bytes())), same);
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        assert_eq!(stdout(&piped(&[command, "bundled", "--lookups", "-"], &marked)), same);
        assert_eq!(
            refused(&piped(&[command, "bundled", "--lookups", "-"], b"{\"query\":5}\n")),
            "markscope: stdin:1: query: this is the number 5; it takes a text\n"
        );
        assert_eq!(
            refused(&piped(&[command, "bundled", "--lookups", "-"], b"\n\n{\"query\":\"\xff\"}\n")),
            "markscope: stdin:3: this is no text in UTF-8: save the file as UTF-8\n"
        );
    }
    let call = r#"{"name":"mark_lookup","arguments":{"query":"doom","budget":800,"verbose":true}}"#;
    let lookup = "{\"query\":\"doom\",\"verbose\":true,\"budget\":800}\n";
    for mark in ["", "\u{feff}"] {
        let told = piped(&["import", "-"], format!("{mark}{call}\n").as_bytes());
        assert_eq!(stdout(&told), lookup);
    }
    let twice = refused(&piped(&["import", "-", "-"], call.as_bytes()));
    assert!(twice.ends_with("it can be read once: name a file for the other\n"), "{twice}");
}

#[test]
fn what_is_recorded_gives_the_same_text_again() {
    let files = Files::new();
    for (at, options) in [
        &["--verbose"][..],
        &[],
        &["--match", "body", "--verbose", "--limit", "3", "--scope", "/bands"],
    ]
    .iter()
    .enumerate()
    {
        let file = files.name(&format!("{at}.jsonl"));
        let asked = ["lookup", "bundled", "doom", "--budget", "900", "--record", &file];
        let text = stdout(&run(&[&asked[..], options].concat()));
        let line = fs::read_to_string(&file).expect("lookups");
        let recorded = markscope::tune::read_lookups(&line, &file).expect("lookups");
        let report = files.name(&format!("{at}.json"));
        let replayed = ["replay", "bundled", "--lookups", &file, "--out", &report];
        stdout(&run(&replayed));
        let report: Value =
            serde_json::from_str(&fs::read_to_string(&report).expect("a report")).expect("JSON");
        assert_eq!(recorded[0].verbose, options.contains(&"--verbose"));
        let bytes = &report["entries"][0]["engine"]["figures"]["bytes"];
        assert_eq!(*bytes, text.len(), "{options:?}");
    }
}

#[test]
fn a_lookup_is_recorded_behind_those_in_the_file() {
    let files = Files::new();
    let path = files.0.path().join("lookups.jsonl");
    let file = path.to_str().expect("a path");
    run(&["lookup", "bundled", "doom metal", "--record", file]);
    // Somebody's editor leaves the last line without its end.
    let first = fs::read_to_string(&path).expect("the file");
    fs::write(&path, first.trim_end()).expect("written");
    let args = ["--match", "body", "--scope", "/genres", "--limit", "3", "--budget", "900"];
    run(&[&["lookup", "bundled", "sludge", "--record", file], args.as_slice()].concat());
    let text = fs::read_to_string(&path).expect("the file");
    let recorded = markscope::tune::read_lookups(&text, file).expect("lookups");
    let told: Vec<Value> =
        recorded.iter().map(|one| serde_json::to_value(one).expect("JSON")).collect();
    assert_eq!(
        told,
        [
            json!({"query": "doom metal", "budget": 1500}),
            json!({"query": "sludge", "scope": "/genres", "match": "body", "limit": 3, "budget": 900}),
        ]
    );
    let output = run(&["lookup", "bundled", "doom metal", "--record", "/nowhere/x.jsonl"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));
    let said = stderr(&output);
    assert!(said.contains("/nowhere/x.jsonl cannot be written"), "{said}");
    assert!(said.ends_with("; name another file with --record\n"), "{said}");
}
