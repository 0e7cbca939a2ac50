//! Recorded lookups out of what others keep: every format with all that comes of it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use markscope::tune::{ImportFile, Source, import, write_lookups};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &Value)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        for (name, value) in files {
            fs::write(folder.path(name), value.to_string()).expect("a file");
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
        command.current_dir(self.0.path()).stdin(Stdio::null()).args(args);
        command.output().expect("it runs")
    }

    /// Standard output, standard error and the exit code.
    fn told(&self, args: &[&str]) -> (String, String, Option<i32>) {
        let Output { stdout, stderr, status } = self.run(args);
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (text(stdout), text(stderr), status.code())
    }
}

fn tasks() -> Value {
    json!([
        { "id": "t1", "category": "decision", "question": "How long are raw readings kept?",
          "fields": { "months": "number" }, "scope": "/adr" },
        { "id": "t2", "category": "history", "question": "What did version 1 say?",
          "fields": { "text": "string" }, "scope": "/" },
        { "id": "t3", "category": "absence", "question": "Which licence?",
          "fields": { "licence": "string" }, "scope": "/" },
        { "id": "t4", "category": "decision", "question": "Held partition?",
          "fields": { "a": "string", "b": "string" }, "scope": "/" }
    ])
}

fn rubric() -> Value {
    let step = |step: &str, url: &str, query: &str| {
        json!({ "step": step, "tool": "mark_lookup", "url": url, "query": query,
                "match": "body", "status": "ok", "complete": true })
    };
    let path = "/adr/0007-retain-raw-readings-25-months.md";
    let passage = |version: u64, anchor: &str, quote: &str| json!({ "path": path, "version": version, "anchor": anchor, "quote": quote });
    let holds = passage(2, "holds", "The job that drops partitions skips a held month");
    json!({
        "t1": { "answer": { "months": 25 },
                "evidence": { "months": [passage(2, "decision", "Raw values are kept for 25 months")] },
                "abstain": false, "outcome": "answered",
                "completion": [step("retention search", "/adr", "retention months")] },
        "t2": { "answer": { "text": "x" },
                "evidence": { "text": [passage(1, "status", "Accepted")] },
                "abstain": false, "outcome": "answered",
                "completion": [step("first", "/", "retention"), step("second", "mark://kb.example/adr", "months")] },
        "t3": { "answer": {}, "evidence": {}, "abstain": false, "outcome": "not-found",
                "completion": [step("search", "/", "licence")] },
        "t4": { "answer": { "a": "x", "b": "y" },
                "evidence": { "a": [holds], "b": [holds] },
                "supplemental": { "a": [passage(2, "retention", "25 months")] },
                "abstain": false, "outcome": "answered" }
    })
}

const REQUIRED_T1: &str = r#"[{"path":"/adr/0007-retain-raw-readings-25-months.md","version":2,"anchor":"decision","quote":"Raw values are kept for 25 months"}]"#;
const REQUIRED_T2: &str = r#"[{"path":"/adr/0007-retain-raw-readings-25-months.md","version":1,"anchor":"status","quote":"Accepted"}]"#;
const REQUIRED_T4: &str = r#"[{"path":"/adr/0007-retain-raw-readings-25-months.md","version":2,"anchor":"holds","quote":"The job that drops partitions skips a held month"}]"#;

fn imported_tasks() -> String {
    [
        format!(
            r#"{{"id":"t1","query":"retention months","scope":"/adr","match":"body","category":"decision","question":"How long are raw readings kept?","required":{REQUIRED_T1}}}"#
        ),
        format!(
            r#"{{"id":"t2/first","query":"retention","match":"body","category":"history","question":"What did version 1 say?","required":{REQUIRED_T2}}}"#
        ),
        format!(
            r#"{{"id":"t2/second","query":"months","scope":"/adr","match":"body","category":"history","question":"What did version 1 say?","required":{REQUIRED_T2}}}"#
        ),
        r#"{"id":"t3","query":"licence","match":"body","category":"absence","question":"Which licence?"}"#.to_owned(),
        format!(
            r#"{{"id":"t4","query":"Held partition?","match":"body","category":"decision","question":"Held partition?","required":{REQUIRED_T4}}}"#
        ),
    ]
    .map(|line| line + "\n")
    .concat()
}

#[test]
fn tasks_and_rubric_are_read_together_in_any_order_or_out_of_a_folder() {
    let files = Files::new(&[("tasks.json", &tasks()), ("rubric.json", &rubric())]);
    let told = "markscope: t3: nothing is to be found, so no passage is measured\n\
                markscope: t4: no lookup is recorded for it; its whole question is the query, \
                which finds little: all words must match\n";
    let want = (imported_tasks(), told.to_owned(), Some(0));
    assert_eq!(files.told(&["import", "tasks.json", "rubric.json"]), want);
    assert_eq!(files.told(&["import", "rubric.json", "tasks.json"]), want);
    assert_eq!(files.told(&["import", "."]), want);
}

#[test]
fn a_rubric_that_could_not_be_measured_is_refused_with_the_place() {
    let changed = |pointer: &str, value: Value| {
        let mut rubric = rubric();
        *rubric.pointer_mut(pointer).expect(pointer) = value;
        let files = Files::new(&[("tasks.json", &tasks()), ("rubric.json", &rubric)]);
        let (out, told, code) = files.told(&["import", "tasks.json", "rubric.json"]);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{told}");
        let told = told.strip_prefix("markscope: rubric.json:").expect(&told);
        told.split_once(' ').expect(told).1.trim_end().to_owned()
    };
    assert_eq!(
        changed("/t1/evidence/months/0/version", json!(0)),
        "t1.evidence.months[0].version: versions are counted from 1"
    );
    assert_eq!(
        changed("/t2/completion/1/query", json!(" ")),
        "t2.completion[1].query: a query is not empty; `*` lists everything"
    );
    assert_eq!(
        changed("/t3/outcome", json!("maybe")),
        "t3.outcome: this is `maybe`; there are `answered`, `not-found`, `incomplete`"
    );
    let twice = r#"{"t1":{"evidence":{}},"t1":{"evidence":{}}}"#;
    let files = Files::new(&[("tasks.json", &tasks())]);
    fs::write(files.path("rubric.json"), twice).expect("a file");
    let (_, told, code) = files.told(&["import", "tasks.json", "rubric.json"]);
    assert_eq!(code, Some(2));
    assert_eq!(told, "markscope: rubric.json:1: the key `t1` stands here twice\n");
}

#[test]
fn what_does_not_belong_together_is_told() {
    let mut tasks = tasks();
    tasks[1].as_object_mut().expect("a task").remove("scope");
    tasks[3]["scope"] = json!("/bands");
    tasks[2]["scope"] = json!("adr/");
    let mut rubric = rubric();
    rubric["t1"]["completion"][0]["tool"] = json!("mark_fetch");
    let dataset = json!({ "format": "demarkus-answer-dataset-v1", "tasks_sha256": "00" });
    let files =
        Files::new(&[("tasks.json", &tasks), ("rubric.json", &rubric), ("dataset.json", &dataset)]);
    let (_, told, code) = files.told(&["import", "."]);
    assert_eq!(code, Some(0), "{told}");
    let path = "/adr/0007-retain-raw-readings-25-months.md";
    for words in [
        "tasks.json is not the file that ./dataset.json names: its tasks_sha256 is 00, and this \
         file has ",
        "3 of 4 tasks have a scope: a file has it on all of them or on none\n",
        &format!("t4: {path}/v2#holds lies outside its scope /bands\n"),
        "t3: its scope is `adr/`; a scope is a clean path such as `/` or `/bread`\n",
        "t1: its step `retention search` is left out: mark_fetch is no mark_lookup\n",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
}

#[test]
fn passages_of_old_versions_are_told_and_left_out_of_the_measure() {
    let files = Files::new(&[("tasks.json", &tasks()), ("rubric.json", &rubric())]);
    let world = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/decisions");
    let args = ["import", ".", "--world", world, "--out", "lookups.jsonl"];
    let (out, told, code) = files.told(&args);
    assert_eq!((out.as_str(), code), ("", Some(0)), "{told}");
    let path = "/adr/0007-retain-raw-readings-25-months.md";
    for name in ["t2/first", "t2/second"] {
        let words = format!(
            "markscope: {name}: {path}/v1#status is left out: the current version of {path} is 2\n"
        );
        assert!(told.contains(&words), "{told}");
    }
    assert!(told.ends_with("markscope: 5 lookups written\n"), "{told}");
    assert_eq!(fs::read_to_string(files.path("lookups.jsonl")).expect("it"), imported_tasks());
    // And so to figures, for both engines.
    let args = ["replay", world, "--lookups", "lookups.jsonl", "--against", "rows", "--format"];
    let (report, _, code) = files.told(&[&args[..], &["json", "--budget", "900"]].concat());
    assert_eq!(code, Some(0));
    let report: Value = serde_json::from_str(&report).expect("a report");
    let entries: Vec<Value> = report["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| {
            let contained = &entry["engine"]["figures"]["contained"];
            json!([entry["name"], entry["required"], entry["left_out"], contained])
        })
        .collect();
    let at = |version: u64, anchor: &str| format!("{path}/v{version}#{anchor}");
    assert_eq!(
        entries,
        [
            json!(["t1", [at(2, "decision")], null, 1]),
            json!(["t2/first", [], [at(1, "status")], 0]),
            json!(["t2/second", [], [at(1, "status")], 0]),
            json!(["t3", [], null, 0]),
            json!(["t4", [at(2, "holds")], null, 0]),
        ]
    );
}

fn graph() -> Value {
    json!([
        { "name": "direct", "query": "How long does the dough rest?", "budget_bytes": 600,
          "rows": ["/rye.md#day-one"],
          "docs": { "/rye.md": "# Rye\n\n## Day one\n\nrests for 14 hours\n" },
          "expected": [{ "path": "/rye.md", "text": "rests for 14 hours" }] },
        { "name": "not-there-first", "query": "How long?", "budget_bytes": 600,
          "rows": ["/gone.md#x", "/rye.md#day-one"],
          "docs": { "/rye.md": "# Rye\n\n## Day one\n\nrests for 18 hours\n" },
          "expected": [{ "path": "/rye.md", "text": "rests for 18 hours" }] }
    ])
}

#[test]
fn fixed_rows_bring_their_own_documents() {
    let files = Files::new(&[("graph.json", &graph())]);
    let (out, told, code) = files.told(&["import", "graph.json", "--out", "g.jsonl"]);
    assert_eq!((out.as_str(), code), ("", Some(0)));
    assert_eq!(
        told,
        "markscope: direct: its 600 bytes are for the evidence alone; with the table that is a \
         budget of 202 tokens; rows, whose table is free, then has 51 more for evidence\n\
         markscope: not-there-first: its 600 bytes are for the evidence alone; with the table \
         that is a budget of 206 tokens; rows, whose table is free, then has 55 more for evidence\n\
         markscope: 2 lookups written\n"
    );
    let lines = fs::read_to_string(files.path("g.jsonl")).expect("a file");
    assert_eq!(
        lines.lines().next(),
        Some(
            r##"{"id":"direct","query":"How long does the dough rest?","budget":202,"rows":["/rye.md#day-one"],"docs":{"/rye.md":"# Rye\n\n## Day one\n\nrests for 14 hours\n"},"required":[{"path":"/rye.md","quote":"rests for 14 hours"}]}"##
        )
    );
    // The world is not looked at: two cases have different documents at one path.
    let args = ["sweep", "bundled", "--lookups", "g.jsonl", "--format", "json"];
    let (out, _, code) = files.told(&args);
    assert_eq!(code, Some(0));
    let sweep: Value = serde_json::from_str(&out).expect("a sweep");
    for curve in sweep["lookups"].as_array().expect("curves") {
        let last = curve["points"].as_array().and_then(|points| points.last()).expect("a point");
        assert_eq!(last["contained"], 1, "{}", curve["name"]);
        let from = curve["reached"][0]["contained"].as_u64().expect("a budget");
        assert!(from <= 206, "{from}");
    }
}

#[test]
fn questions_have_the_place_of_their_answer() {
    let questions = json!({ "scope": "/notes", "questions": [
        { "id": "v1", "category": "vocabulary", "query": "clock drift", "question": "How much?",
          "expected_path": "/notes/clock-drift.md", "expected_anchor": "figures" },
        { "id": "b1", "category": "body", "query": "ntp", "question": "Which?",
          "expected_path": "/notes/clock-drift.md" }
    ]});
    let files = Files::new(&[("q.json", &questions)]);
    let (out, told, code) = files.told(&["import", "q.json"]);
    assert_eq!((told.as_str(), code), ("", Some(0)));
    assert_eq!(
        out,
        concat!(
            r#"{"id":"v1","query":"clock drift","scope":"/notes","category":"vocabulary","question":"How much?","required":[{"path":"/notes/clock-drift.md","anchor":"figures"}]}"#,
            "\n",
            r#"{"id":"b1","query":"ntp","scope":"/notes","match":"body","category":"body","question":"Which?","required":[{"path":"/notes/clock-drift.md"}]}"#,
            "\n",
        )
    );
}

fn attempt(task: &str, repeat: u64, calls: &Value) -> Value {
    json!({ "task": task, "category": "decision", "repeat": repeat, "elapsed_ms": 1.5,
            "trace": { "session": "", "turns": 3, "calls": calls, "final": "" },
            "score": { "correct": true } })
}

#[test]
fn the_first_lookup_of_each_attempt_is_taken_with_the_passages_of_its_task() {
    let lookup = |query: &str| {
        json!({ "name": "fixture_mark_lookup", "output": "status: ok\n",
                "input": { "url": "/adr", "query": query, "match": "body", "budget": 1200.0, "limit": 0 } })
    };
    let fetch = json!({ "name": "fixture_mark_fetch", "input": { "url": "/x" }, "output": "" });
    let report = json!({ "format": "demarkus-answer-report-v2", "spec": {}, "attempts": [
        attempt("t1", 1, &json!([fetch, lookup("raw months"), lookup("again")])),
        attempt("t1", 2, &json!([fetch])),
    ]});
    let files =
        Files::new(&[("r.json", &report), ("tasks.json", &tasks()), ("rubric.json", &rubric())]);
    let (out, told, code) = files.told(&["import", "r.json", "tasks.json", "rubric.json"]);
    assert_eq!(
        (told.as_str(), code),
        ("markscope: t1/2 is left out: it made no lookup\n", Some(0))
    );
    let line = format!(
        r#"{{"id":"t1/1","query":"raw months","scope":"/adr","match":"body","budget":1200,"category":"decision","question":"How long are raw readings kept?","required":{REQUIRED_T1}}}"#
    );
    assert_eq!(out, line + "\n");
    // What is published of most reports has no inputs.
    let empty = json!([{ "name": "fixture_mark_lookup", "input": null, "output": "" }]);
    let figures = json!({ "attempts": [attempt("t1", 1, &empty)] });
    let files = Files::new(&[("r.json", &figures)]);
    let why = "markscope: r.json: this is an export of figures alone: its calls have no inputs; \
               import the full report\n";
    assert_eq!(files.told(&["import", "r.json"]), (String::new(), why.to_owned(), Some(2)));
}

#[test]
fn lookups_are_found_in_transcripts_of_any_shape() {
    let lines = [
        json!({ "type": "tool_use", "name": "mcp__demarkus__mark_lookup",
                "input": { "url": "mark://kb.example/adr", "query": "a", "budget": "800" } }),
        json!({ "role": "assistant", "content": [
            { "type": "text", "text": "I look." },
            { "type": "tool_use", "name": "mark_lookup", "input": { "url": "/", "query": "b", "filter": "tag=x" } },
            { "type": "tool_use", "name": "mark_fetch", "input": { "url": "/", "query": "not this" } } ] }),
        json!({ "tool_calls": [{ "function": { "name": "mark_lookup",
                "arguments": "{\"query\":\"c\",\"match\":\"catalog\",\"limit\":3}" } }] }),
        json!({ "tool": "mark_lookup", "arguments": { "query": "d", "match": "" }, "result": "status: ok\n" }),
        json!({ "tool": "mark_lookup", "arguments": { "query": "d", "match": "" }, "result": "status: ok\n" }),
        // Another call is another lookup, though it asks the same; its answer is none.
        json!({ "id": "1", "name": "mark_lookup", "input": { "query": "e" } }),
        json!({ "tool_use_id": "1", "name": "mark_lookup", "input": { "query": "e" } }),
        json!({ "id": "2", "name": "mark_lookup", "input": { "query": "e" } }),
        json!({ "id": "3", "name": "mark_lookup", "input": "e" }),
        json!({ "id": "4", "name": "mark_lookup", "input": null }),
        // The tool as a model is told of it.
        json!({ "name": "mark_lookup", "parameters": { "type": "object", "properties": { "query": {} } } }),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let files = Files::new(&[]);
    fs::write(files.path("t.jsonl"), text).expect("a file");
    let (out, told, code) = files.told(&["import", "t.jsonl"]);
    let none = "input: the arguments of a lookup are an object, and this is none; it is left out";
    let same = "1 call is the same as the one before, and no id tells them apart: taken for it";
    let words = format!(
        "markscope: t.jsonl: [8].{none}\nmarkscope: t.jsonl: [9].{none}\n\
         markscope: t.jsonl: {same}\n"
    );
    assert_eq!((told, code), (words, Some(0)));
    assert_eq!(
        out,
        concat!(
            "{\"query\":\"a\",\"scope\":\"/adr\",\"budget\":800}\n",
            "{\"query\":\"b\",\"filter\":\"tag=x\",\"budget\":0}\n",
            "{\"query\":\"c\",\"match\":\"catalog\",\"limit\":3,\"budget\":0}\n",
            "{\"query\":\"d\",\"budget\":0}\n",
            "{\"query\":\"e\",\"budget\":0}\n",
            "{\"query\":\"e\",\"budget\":0}\n",
        )
    );
}

/// A reader that asked in a wrong way is no reason to lose what the others asked.
#[test]
fn a_call_at_fault_is_left_out_and_told() {
    let call = |input: Value| json!([{ "name": "x_mark_lookup", "input": input }]);
    let report = json!({ "attempts": [
        attempt("a", 1, &call(json!({ "url": "/", "query": " " }))),
        attempt("b", 1, &call(json!("{\"query\":\"rye\",\"budget\":800}"))),
        attempt("c", 1, &call(Value::Null)),
        attempt("d", 1, &call(json!({ "query": "sour", "budget": 1_000_001 }))),
    ] });
    let files = Files::new(&[("r.json", &report)]);
    let (out, told, code) = files.told(&["import", "r.json"]);
    let line = r#"{"id":"b/1","query":"rye","budget":800,"category":"decision"}"#.to_owned() + "\n";
    assert_eq!((out, code), (line, Some(0)));
    let left_out: Vec<&str> = told.lines().take(3).collect();
    assert_eq!(
        left_out,
        [
            "markscope: a/1 is left out: attempts[0].trace.calls[0].input.query: a lookup has a query",
            "markscope: c/1 is left out: attempts[2].trace.calls[0].input is no object with a query",
            "markscope: d/1 is left out: attempts[3].trace.calls[0].input.budget: this is more than \
             1,000,000 tokens, the most there is",
        ]
    );
    let lines = [
        r#"{"name":"mark_lookup","input":{"query":""}}"#,
        r#"{"name":"mark_lookup","input":{"query":"rye"}}"#,
    ];
    fs::write(files.path("t.jsonl"), lines.join("\n")).expect("a file");
    let (out, told, code) = files.told(&["import", "t.jsonl"]);
    assert_eq!((out.as_str(), code), ("{\"query\":\"rye\",\"budget\":0}\n", Some(0)));
    let why = "markscope: t.jsonl: [0].input.query: a lookup has a query; it is left out\n";
    assert_eq!(told, why);
}

#[test]
fn faults_have_a_place_and_a_way_out() {
    let told = |text: &str, source: Source| {
        let file = ImportFile { name: "f".into(), text: text.into(), source };
        import(&[file]).expect_err("a fault").to_string()
    };
    let task = r#"[{"id":"a","question":"q"},
{"id":"a","question":"q"}]"#;
    assert_eq!(told(task, Source::Tasks), "f: [1].id: another task has the id a");
    let typo = "[\n{\"id\":\"a\",\"questoin\":\"q\"}]";
    assert_eq!(
        told(typo, Source::Tasks),
        "f:2: [0].questoin: there is no such key; there are `id`, `category`, `question`, \
         `fields`, `scope`"
    );
    let passage = |passage: &str| format!("{{\"a\":{{\"evidence\":{{\"x\":[{passage}]}}}}}}");
    assert_eq!(
        told(&passage(r#"{"path":"a.md","anchor":"x","quote":"y"}"#), Source::Rubric),
        "f: a.evidence.x[0].path: a path begins with `/`, the root of the world"
    );
    assert_eq!(
        told(&passage(r#"{"path":"/a.md","anchor":" ","quote":"y"}"#), Source::Rubric),
        "f: a.evidence.x[0].anchor: a passage lies in a section: its anchor is not empty"
    );
    assert_eq!(
        told(r#"[{"name":"n","query":"q","budget_bytes":1,"rows":[],"docs":{}}]"#, Source::Graph),
        "f: [0].rows: there is no row to expand"
    );
    let call = |arguments: &str| format!("\n{{\"tool\":\"mark_lookup\",\"input\":{arguments}}}");
    assert_eq!(
        told(&call(r#"{"query":"q","match":"title"}"#), Source::Transcript),
        "f: [0].input.match: this is `catalog` or `body`"
    );
    assert_eq!(
        told(&call(r#"{"query":"q","limit":2.5}"#), Source::Transcript),
        "f: [0].input.limit: this is a whole number"
    );
    assert_eq!(told(&call("{}"), Source::Transcript), "f: [0].input.query: a lookup has a query");
    assert_eq!(told("{\"a\":\n[1,}", Source::Transcript), "f:2: this is not JSON: expected value");
    assert_eq!(
        told("{}", Source::Transcript),
        "f: there is no lookup in it: no call of mark_lookup with a query; --kind names what a \
         file holds"
    );
    let two = ["a", "b"].map(|name| ImportFile {
        name: name.into(),
        text: "[]".into(),
        source: Source::Tasks,
    });
    assert_eq!(
        import(&two).expect_err("a fault").to_string(),
        "b: there is one tasks already; import one after the other"
    );
}

#[test]
fn what_a_file_holds_is_seen_by_its_shape() {
    let of = |value: &Value| Source::of(&value.to_string());
    assert_eq!(of(&tasks()), Source::Tasks);
    assert_eq!(of(&rubric()), Source::Rubric);
    assert_eq!(of(&graph()), Source::Graph);
    assert_eq!(of(&json!({ "questions": [] })), Source::Questions);
    assert_eq!(of(&json!({ "attempts": [] })), Source::Report);
    assert_eq!(of(&json!({ "tasks_sha256": "x", "id": "y" })), Source::Dataset);
    assert_eq!(Source::of("{}\n{}\n"), Source::Transcript);
    let nothing = import(&[]).expect("nothing");
    assert_eq!(write_lookups(&nothing.lookups), "");
}

#[test]
fn what_is_no_json_is_told_with_what_import_reads() {
    let folder = Files::new(&[]);
    let reads = "import reads tasks, rubrics, graphs, questions, reports and transcripts of tool \
                 calls, all of them JSON or JSON lines";
    for (text, what) in [
        ("# Garden\n\nPeas.\n", "this is neither an object nor a list"),
        ("null\n\"x\"\n", "this is neither an object nor a list"),
        ("12 peas\n", "this is neither an object nor a list"),
        ("", "this is empty"),
        (
            "status: ok\nmatches: 0\n\n",
            "this is the text of a result, which `markscope view` opens",
        ),
    ] {
        fs::write(folder.path("it.md"), text).expect("a file");
        for kind in [&[][..], &["--kind", "tasks"]] {
            let (out, told, code) = folder.told(&[&["import", "it.md"], kind].concat());
            assert_eq!((out.as_str(), code), ("", Some(2)));
            assert_eq!(told, format!("markscope: it.md: {what}; {reads}\n"));
        }
    }
}
