//! A deployed tool asked in place of the world, with a stub in its place; and recorded
//! results, from outside.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.args(args).arg("--no-config");
    command
}

fn run(args: &[&str]) -> Output {
    command(args).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The bytes, standard error and the exit code.
fn ended(output: &Output) -> (String, String, Option<i32>) {
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// A program that speaks as an MCP server does and gives one text for each lookup.
struct Stub(TempDir);

const SCRIPT: &str = r#"
[ -z "$2" ] || { sleep 300 & echo $! > "$1/child"; }
[ "$2" != never ] || { echo never > "$1/asked"; sleep 300; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}}}\n' "$id" ;;
    *'"tools/call"'*)
      printf '%s\n' "$line" >> "$1/asked"
      printf '{"jsonrpc":"2.0","id":%s,"result":' "$id"
      cat "$1/answer"
      printf '}\n' ;;
  esac
done
"#;

impl Stub {
    fn new(answer: &Value) -> Self {
        let stub = Self(tempfile::tempdir().expect("a folder"));
        fs::write(stub.path("stub.sh"), SCRIPT).expect("a script");
        fs::write(stub.path("answer"), answer.to_string()).expect("an answer");
        stub
    }

    fn answering(text: &str) -> Self {
        Self::new(&json!({ "content": [{ "type": "text", "text": text }] }))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self) -> String {
        format!("sh {} {}", self.path("stub.sh").display(), self.0.path().display())
    }

    /// The arguments of each call.
    fn asked(&self) -> Vec<Value> {
        let lines = fs::read_to_string(self.path("asked")).unwrap_or_default();
        let calls = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        calls.map(|call| json!([call["params"]["name"], call["params"]["arguments"]])).collect()
    }
}

const LOOKUP: [&str; 6] = ["lookup", "bundled", "drone", "--budget", "900", "--match=body"];

fn own() -> String {
    let output = run(&LOOKUP);
    assert_eq!(output.status.code(), Some(0));
    text(&output.stdout)
}

#[test]
fn the_tool_is_asked_in_place_of_the_world() {
    let stub = Stub::answering(&own());
    let output = run(&[&LOOKUP[..], &["--mcp", &stub.command()]].concat());
    assert_eq!(ended(&output), (own(), String::new(), Some(0)));
    let arguments = json!({ "url": "/", "query": "drone", "match": "body", "budget": 900 });
    assert_eq!(stub.asked(), [json!(["mark_lookup", arguments])]);
}

#[test]
fn what_does_not_reach_a_tool_is_told() {
    let stub = Stub::answering(&own());
    let with =
        |more: &[&str]| ended(&run(&[&LOOKUP[..], &["--mcp", &stub.command()], more].concat()));
    let words = "markscope: --engine, --as-of do not reach the tool, which has its own \
                 engine and world\n";
    let more = ["--engine", "rows", "--as-of", "2026-10-01"];
    assert_eq!(with(&more), (own(), words.to_owned(), Some(0)));
    let (out, words, code) = with(&["--also", "bundled"]);
    assert_eq!((out.as_str(), code), ("", Some(2)));
    assert!(words.contains("'--mcp <COMMAND>' cannot be used with '--also <WORLD>'"), "{words}");
    let (_, words, code) = ended(&run(&[&LOOKUP[..], &["--mcp", " "]].concat()));
    assert_eq!(code, Some(2));
    assert!(words.contains("a tool is a command line, such as 'TOOL --stdio'"), "{words}");
}

/// Whether a process runs; one that has ended may wait for its parent to ask.
#[cfg(target_os = "linux")]
fn runs(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

/// A script around a server, and what a server starts, end with it: also where the
/// lookup is ended while it waits.
#[cfg(target_os = "linux")]
#[test]
fn no_process_of_a_tool_outlives_the_lookup() {
    use std::time::{Duration, Instant};

    let dead = |stub: &Stub| {
        let child = fs::read_to_string(stub.path("child")).expect("it was started");
        let until = Instant::now() + Duration::from_secs(10);
        while runs(&child) {
            assert!(Instant::now() < until, "{child} runs on");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let stub = Stub::answering(&own());
    let around = |last: &str| format!("sh -c '{} {last}; true'", stub.command());
    let output = run(&[&LOOKUP[..], &["--mcp", &around("child")]].concat());
    assert_eq!(ended(&output), (own(), String::new(), Some(0)));
    dead(&stub);
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let _ = fs::remove_file(stub.path("asked"));
        let tool = around("never");
        let args = [&LOOKUP[..], &["--mcp", &tool]].concat();
        let mut lookup = command(&args).stderr(Stdio::null()).spawn().expect("it runs");
        while !stub.path("asked").exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let id = lookup.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("it runs").success());
        assert_eq!(lookup.wait().expect("it ends").code(), Some(code), "{signal}");
        dead(&stub);
    }
}

#[test]
fn parity_is_told_with_the_first_difference() {
    let same = Stub::answering(&own());
    let verdict = |stub: &Stub, more: &[&str]| {
        ended(&run(&[&LOOKUP[..], &["--mcp", &stub.command(), "--parity"], more].concat()))
    };
    let bytes = own().len();
    let words = format!("The tool's text is markscope's own: {bytes} bytes.\n");
    assert_eq!(verdict(&same, &[]), (words, String::new(), Some(0)));
    // A tool that fills the budget by other rules: the last block is not there.
    let cut = own().rfind("\n>>> ").map(|at| own()[..=at].to_owned()).expect("a frame");
    let other = Stub::answering(&format!("{cut}>>> note: nothing more\n"));
    let note = own()[cut.len()..].trim_end().to_owned();
    let line = 1 + cut.matches('\n').count();
    let at = cut.len() + ">>> note: ".len();
    let words = format!(
        "The tool's text is not markscope's own: they part at byte {at}, line {line} \
         ({bytes} bytes here, {} there).\nhere:  {note}\nthere: >>> note: nothing more\n",
        cut.len() + ">>> note: nothing more\n".len(),
    );
    assert_eq!(verdict(&other, &[]), (words, String::new(), Some(1)));
    let (object, _, code) = verdict(&other, &["--format", "json"]);
    let object: Value = serde_json::from_str(&object).expect("JSON");
    assert_eq!((&object["byte"], &object["same"], code), (&json!(at), &json!(false), Some(1)));
}

#[test]
fn a_tool_that_fails_is_told_in_one_sentence() {
    let failed = |command: &str| {
        let more = ["--mcp", command, "--timeout", "2"];
        let (out, words, code) = ended(&run(&[&LOOKUP[..], &more].concat()));
        assert_eq!((out.as_str(), code), ("", Some(3)), "{command}");
        assert_eq!(words.lines().count(), 1, "{words}");
        words
    };
    let ended = "it ended before it answered the first message of MCP";
    let way_out = "; a tool is a command that speaks MCP on its stdin and stdout\n";
    let words = failed("no-such-program-here");
    let begin =
        format!("markscope: the tool `no-such-program-here` cannot be asked: {ended}; it says: ");
    assert!(words.starts_with(&begin) && words.ends_with(way_out), "{words}");
    let silent = failed("false");
    assert_eq!(silent, format!("markscope: the tool `false` cannot be asked: {ended}{way_out}"));
    let words = failed("sh -c 'echo out of order >&2; exit 4'");
    assert!(words.ends_with(&format!("{ended}; it says: out of order{way_out}")), "{words}");
    let words = failed("sleep 30");
    assert!(words.contains(": within 2 s it did not answer the first message"), "{words}");
    let refusal = r#"read line; echo "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-1,\"message\":\"no way\"}}"; sleep 9"#;
    let words = failed(&format!("sh -c '{refusal}'"));
    assert!(words.contains(": it refuses the first message of MCP: no way; a tool"), "{words}");
    let flood = "sh -c 'head -c 9000 /dev/zero | tr \"\\0\" x >&2; exit 4'";
    let words = failed(flood);
    assert!(words.contains(&format!("it says: {}…; a tool", "x".repeat(200))), "{words}");
    let empty = Stub::new(&json!({ "content": [], "isError": true }));
    let words = failed(&empty.command());
    assert!(
        words.contains("gives no result: it calls the lookup an error, without a reason"),
        "{words}"
    );
    let refuses = Stub::new(&json!({
        "content": [{ "type": "text", "text": "lookup failed: no\u{1b}[31m world" }], "isError": true
    }));
    let words = failed(&refuses.command());
    assert!(words.contains("gives no result: lookup failed: no␛[31m world"), "{words}");
    let garbled = Stub::answering("# no result\n");
    let words = failed(&garbled.command());
    assert!(words.contains("line 1: a result begins with `status: ok`"), "{words}");
}

#[test]
fn a_second_result_behind_the_first_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two.txt");
    let lookup = |query: &str| ended(&run(&["lookup", "bundled", query, "--budget", "300"])).0;
    let first = lookup("doom metal");
    std::fs::write(&file, first.clone() + &lookup("sludge")).expect("a file");
    let name = file.to_str().expect("text");
    let (_, words, _) = ended(&run(&["view", name, "--format", "text"]));
    let line = first.lines().count() + 1;
    let told = format!("markscope: line {line} begins as another result does: if the file holds");
    assert!(words.starts_with(&told), "{words}");
    std::fs::write(&file, first).expect("a file");
    let (_, words, _) = ended(&run(&["view", name, "--format", "text"]));
    assert!(!words.contains("another result"), "{words}");
}

/// What `view` shows of a text is what the lookup showed, but for what no text says.
#[test]
fn viewing_what_lookup_printed_shows_the_same_items() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("result.txt");
    fs::write(&file, own()).expect("a file");
    let file = file.to_str().expect("text");
    let object =
        |output: &Output| -> Value { serde_json::from_slice(&output.stdout).expect("an object") };
    let printed = object(&run(&[&LOOKUP[..], &["--format", "json"]].concat()));
    let viewed = run(&["view", file, "--format", "json", "--budget", "900"]);
    assert_eq!(
        text(&viewed.stderr),
        "markscope: not in the text: what became of 9 rows and relations\n\
         markscope: not in the text: which 9 more pieces did not fit\n\
         markscope: not in the text: whether the strongest match declares relations: its \
         relation line is not there\n"
    );
    let viewed = object(&viewed);
    let items = |object: &Value| -> Vec<Value> {
        let items = object["items"].as_array().expect("items").iter();
        let known = ["kind", "text", "location", "path", "row", "target", "refers_to", "charged"];
        items.map(|item| json!(known.map(|key| item[key].clone()))).collect()
    };
    assert_eq!(items(&printed), items(&viewed));
    assert_eq!(printed["result"], {
        // No text says which documents were fetched in vain.
        let mut result = viewed["result"].clone();
        result["fetched"] = printed["result"]["fetched"].clone();
        result
    });
    let again = run(&["view", file, "--format", "text"]);
    assert_eq!(text(&again.stdout), own());
    let first = text(&again.stderr).lines().next().map(str::to_owned);
    let words = "markscope: not in the text: the budget, and what was left of it";
    assert_eq!(first.as_deref(), Some(words));
}

#[test]
fn results_are_found_in_a_transcript() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("transcript.jsonl");
    let call = |query: &str, text: &str| json!({ "name": "mark_lookup", "input": { "query": query, "budget": 900 }, "output": text });
    let empty = "status: ok\nmatches: 0\n\n\n# Lookup matches for \"x\" in /\n";
    let lines = format!("{}\n{}\n", call("x", empty), call("drone", &own()));
    fs::write(&file, lines).expect("a file");
    let file = file.to_str().expect("text");
    let (out, words, code) = ended(&run(&["view", file, "--format", "text", "--number", "2"]));
    let told = Some("markscope: result 2 of 2; --number takes another");
    assert_eq!((out, words.lines().next(), code), (own(), told, Some(0)));
    assert!(!words.contains("the budget"), "{words}");
    let (_, words, code) = ended(&run(&["view", file, "--number", "3"]));
    let told = format!("markscope: {file} holds 2 results; --number is 1 to 2\n");
    assert_eq!((words, code), (told, Some(2)));
    let (out, _, code) = ended(&run(&["view", file, "--print", "--size", "100x30"]));
    assert!(out.contains("query ▏x"), "{out}");
    assert_eq!(code, Some(1));
    let (out, _, _) = ended(&run(&["view", file, "--number", "2", "--plain"]));
    let head: Vec<&str> = out.lines().take(5).collect();
    let bytes = own().len();
    assert_eq!(head[0], "Recorded result: transcript.jsonl");
    assert_eq!(head[1..3], ["Query: drone", "Scope: /."]);
    assert_eq!(
        head[4],
        format!("Budget: 900 tokens. The text has {} tokens, {bytes} bytes.", bytes / 4)
    );
}

#[test]
fn what_is_no_result_is_told_with_its_place() {
    let told = |bytes: &[u8]| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("r");
        fs::write(&file, bytes).expect("a file");
        let (out, words, code) = ended(&run(&["view", file.to_str().expect("text")]));
        assert_eq!((out.as_str(), code), ("", Some(2)));
        words.replace(&*file.display().to_string(), "FILE")
    };
    assert_eq!(
        told(b"# Notes\n"),
        "markscope: FILE:1: a result begins with `status: ok`, not with `# Notes`; give the \
         whole text as the tool returned it\n"
    );
    assert_eq!(
        told(b"status: ok\n\xff\n"),
        "markscope: FILE:2: this is not UTF-8; give the text as the tool gave it\n"
    );
    assert_eq!(
        told(b"{\"a\":1}"),
        "markscope: FILE: no text in this JSON begins with `status: `, as each result does\n"
    );
    let output = run(&["view", "/no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
}

/// The recorded result among the examples is what the lookup gives today.
#[test]
fn the_example_is_a_result_of_this_program() {
    let kept = include_str!("../examples/results/stoner-rock.txt");
    let output = run(&["lookup", "bundled", "stoner rock", "--match", "body"]);
    assert_eq!(text(&output.stdout), kept);
}

/// A text without its question: what it says is taken from it, the rest is null.
#[test]
fn what_a_recorded_text_does_not_say_is_null() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("result.txt");
    let head = "status: ok\nmatches: 1\nmatch: body\n\n";
    let table = "| Path | Importance | Title | Tags |\n|---|---|---|---|\n| /a.md | 0.50 | A | |\n";
    let block = "\n>>> /a.md/v3\n\n# A\n\n>>> note: expanded 1 of 1 rows within the budget\n";
    let object = |text: &str| -> Value {
        fs::write(&file, text).expect("a file");
        let output = run(&["view", file.to_str().expect("text"), "--format", "json"]);
        serde_json::from_slice(&output.stdout).expect("an object")
    };
    let asked = "# Lookup matches for \"stoner \\*rock\\*\" in /bands\n\n";
    let told = object(&format!("{head}{asked}{table}{block}"));
    let request = |query: Value, scope: Value| {
        json!({ "query": query, "scope": scope, "filter": null, "match": "body", "limit": null,
                "budget": null, "engine": null, "verbose": null })
    };
    assert_eq!(told["request"], request(json!("stoner *rock*"), json!("/bands")));
    assert_eq!([&told["result"]["budget"], &told["result"]["remaining"]], [&Value::Null; 2]);
    assert_eq!(told["result"]["used"], Value::Null);
    let piece = &told["rows"][0]["pieces"][0];
    assert_eq!(piece["not_told"], "whole or an outline: the text does not say");
    assert_eq!(piece.get("range"), None);
    // What only one engine prints says which it was.
    let line = "\n>>> related: rel-see /b.md\n";
    let told = object(&format!("{head}{asked}{table}{line}{block}"));
    assert_eq!(told["request"]["engine"], "selection");
    assert_eq!(told["result"]["used"], told["result"]["bytes"].as_u64().expect("a number") - 1);
    let told = object(&format!("{head}{table}{block}"));
    assert_eq!(told["request"], request(Value::Null, Value::Null));

    let file = file.to_str().expect("text");
    let (out, ..) = ended(&run(&["view", file, "--plain"]));
    assert!(out.contains("\nNot in the text: the query.\n"), "{out}");
    let words = ", 4 tokens, 19 bytes, whole or an outline: the text does not say.\n";
    assert!(out.contains(words), "{out}");
    let (_, told, _) = ended(&run(&["view", file, "--format", "text"]));
    assert!(told.starts_with("markscope: not in the text: the query\n"), "{told}");
    let text = format!("{}{table}{block}", head.replace("matches: 1", "matches: 9"));
    fs::write(file, text).expect("a file");
    let (_, told, _) = ended(&run(&["view", file, "--format", "text"]));
    assert!(told.contains("not in the text: 8 of the 9 rows that its envelope counts\n"), "{told}");
}
