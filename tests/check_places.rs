//! Where `check` says that its findings are: the same place in each form, and the one
//! that is meant.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn world(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
    }
    folder
}

fn run(folder: &Path, args: &[&str]) -> (String, String) {
    let mut command = Command::cargo_bin("markscope").expect("the program");
    let output = command.current_dir(folder).args(args).output().expect("it ran");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr))
}

fn json(folder: &Path, name: &str) -> Vec<Value> {
    let (stdout, _) = run(folder, &["check", name, "--format", "json"]);
    stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Code, file, line and column of each finding; 0 for what is not told.
type Place = (String, String, u64, u64);

fn of_json(folder: &Path, name: &str) -> Vec<Place> {
    let place = |found: &Value| {
        let text = |key: &str| found[key].as_str().expect("a text").to_owned();
        let number = |key: &str| found[key].as_u64().unwrap_or(0);
        (text("code"), text("file"), number("line"), number("column"))
    };
    json(folder, name).iter().map(place).collect()
}

fn of_sarif(folder: &Path, name: &str) -> Vec<Place> {
    let (stdout, _) = run(folder, &["check", name, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let place = |result: &Value| {
        let location = &result["locations"][0]["physicalLocation"];
        let number = |key: &str| location["region"][key].as_u64().unwrap_or(0);
        let file = location["artifactLocation"]["uri"].as_str().expect("a file").to_owned();
        let code = result["ruleId"].as_str().expect("a code").to_owned();
        (code, file, number("startLine"), number("startColumn"))
    };
    results.iter().map(place).collect()
}

fn of_text(folder: &Path, name: &str, color: &str) -> Vec<Place> {
    let (stdout, _) = run(folder, &["check", name, "--notes", "--color", color]);
    // Colours are taken off again.
    let mut plain = String::new();
    for (at, part) in stdout.split("\u{1b}[").enumerate() {
        let part = if at == 0 { part } else { part.split_once('m').expect("a colour").1 };
        plain.push_str(part);
    }
    let lines: Vec<&str> = plain.lines().collect();
    let mut places = Vec::new();
    for pair in lines.windows(2) {
        let code = pair[0].split_once('[').and_then(|(_, rest)| rest.split_once("]: "));
        let Some(origin) = pair[1].trim_start().strip_prefix("--> ") else { continue };
        let mut parts = origin.rsplitn(3, ':');
        let numbers: Vec<u64> = parts.by_ref().take(2).filter_map(|it| it.parse().ok()).collect();
        let place = match (numbers.as_slice(), parts.next()) {
            ([column, line], Some(file)) => (file.to_owned(), *line, *column),
            _ => (origin.to_owned(), 0, 0),
        };
        let code = code.expect("a code").0.to_owned();
        places.push((code, place.0, place.1, place.2));
    }
    places
}

#[test]
fn all_forms_tell_the_same_places() {
    let long = "word ".repeat(40);
    let far = format!("# C\n\n{long}[x](/no.md) {long}[漢字](/no.md)\r\n");
    let tabs = "# C\n\n\ta\n\n-\t[x](/no.md)\n\n\t\t[x](/no.md)\n\ntext\t[x](/no.md)\n";
    let wide = "---\ntitle: 漢字 漢字\ntags: [漢字, Q]\nrel-by: 漢字.md, /no.md\n---\n漢字漢字 [x](/no.md)\n";
    let marked = "\u{feff}[x](/no.md) [y](/no.md)\n";
    let broken = format!("---\ntitle: {long}: {long}\n---\n# C\n");
    let folder = world(&[
        ("far.md", &far),
        ("tabs.md", tabs),
        ("wide.md", wide),
        ("bom.md", marked),
        ("bomyaml.md", "\u{feff}---\ntitle: 漢字: b\n---\n"),
        ("broken.md", &broken),
        ("key.md", "---\nsome: {a: b}\n---\n# K\n"),
        ("open.md", "---\ntitle: x\n# K\n"),
        ("tab.md", "---\ntags:\n\t- x\n---\n# K\n"),
        ("q.md", "---\ntags: q\n---\n# Q\n"),
    ]);
    fs::write(folder.path().join("bytes.md"), b"# A\n\nB \xc3\xa4 \xff c\n").expect("written");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for (folder, name) in
        [(folder.path(), "."), (examples.as_path(), "decisions"), (examples.as_path(), "music")]
    {
        let mut told = of_json(folder, name);
        assert!(told.len() > 2, "{name}: {told:?}");
        assert_eq!(of_text(folder, name, "never"), told, "{name}");
        assert_eq!(of_text(folder, name, "always"), told, "{name}");
        for place in &mut told {
            place.1 = place.1.trim_start_matches("./").to_owned();
        }
        assert_eq!(of_sarif(folder, name), told, "{name}");
    }
}

/// A finding about bytes of a file marks them, also where the file is left out.
#[test]
fn what_is_marked_is_what_stands_there() {
    let folder = world(&[
        ("a.md", "---\nkey: b: c\n---\n"),
        ("b.md", "---\nsome: {a: b}\n---\n# B\n"),
        ("c.md", "---\nx: y\n# C\n"),
        ("d.md", "\u{feff}---\ntitle: 漢字: b\n---\n"),
    ]);
    fs::write(folder.path().join("e.md"), b"\xef\xbb\xbfB \xc3\xa4 \xff c\n").expect("written");
    let marks: Vec<(String, u64, u64, u64)> = json(folder.path(), ".")
        .iter()
        .filter(|found| found["code"].as_str().expect("a code").starts_with('W'))
        .map(|found| {
            let number = |key: &str| found[key].as_u64().expect("a number");
            assert_eq!(number("line"), number("end_line"));
            let file = found["file"].as_str().expect("a file").to_owned();
            (file, number("line"), number("column"), number("end_column"))
        })
        .collect();
    let want = [("a", 2, 7, 8), ("b", 2, 1, 5), ("c", 1, 1, 4), ("d", 2, 10, 11), ("e", 1, 5, 6)];
    assert_eq!(marks, want.map(|(name, a, b, c)| (format!("./{name}.md"), a, b, c)));
}

/// Each value has its own place, however it is written, and whatever stands before it.
#[test]
fn a_value_is_told_where_it_stands() {
    for (head, want) in [
        ("rel-by: a.md /no.md, /no.md", vec![("R006", 2, 9), ("R001", 2, 22)]),
        ("rel-by:\n  - a.md /no.md\n  - /no.md", vec![("R006", 3, 5), ("R001", 4, 5)]),
        ("  description: \"x, rel-by: /no.md\"\n  rel-by: /no.md", vec![("R001", 3, 11)]),
        ("{description: \"x, rel-by: /no.md\", rel-by: /no.md}", vec![("R001", 2, 44)]),
        ("tags: [Big ALPHA, ALPHA]", vec![("M002", 2, 19)]),
        ("tags: ['it''s', \"\\x41LPHA\"]", vec![("M002", 2, 18)]),
        ("rel-by: [c.md, c.md]", vec![("R005", 2, 10), ("R005", 2, 16)]),
        ("rel-by: [a.md a.md, a.md a.md]", vec![("R006", 2, 10), ("R006", 2, 21)]),
        ("rel-by: >-\n  a.md\n  b.md", vec![("R006", 3, 3)]),
        ("rel-by: |-\n  a.md b.md", vec![("R006", 3, 3)]),
        ("rel-by: a.md\n  b.md", vec![("R006", 2, 9)]),
        ("importance: '0,5'", vec![("M001", 2, 14)]),
        ("importance: 0,5", vec![("M001", 2, 13)]),
    ] {
        let text = format!("---\n{head}\n---\n# Gamma\n");
        let folder = world(&[
            ("a.md", "---\ntags: alpha\n---\n# A\n"),
            ("b.md", "---\ntags: alpha\n---\n# B\n"),
            ("c.md", &text),
        ]);
        let told: Vec<(String, u64, u64)> = of_json(folder.path(), ".")
            .into_iter()
            .filter(|place| place.1 == "./c.md")
            .map(|(code, _, line, column)| (code, line, column))
            .collect();
        let want: Vec<_> = want.into_iter().map(|(code, a, b)| (code.to_owned(), a, b)).collect();
        assert_eq!(told, want, "{head}");
    }
}

/// A file that could not be read can be asked for, and a revision has its own settings,
/// files and lines.
#[test]
fn files_are_asked_for_wherever_they_are() {
    let folder = world(&[
        ("w/a.md", "---\nrel-by: /no.md\n---\n# A\n"),
        ("w/sub/bad.md", "---\nkey: b: c\n---\n"),
        ("w/.markscope.toml", "[severity]\nR001 = \"note\"\n"),
    ]);
    let (stdout, stderr) = run(folder.path(), &["check", "w", "sub/bad.md"]);
    assert!(stdout.contains(" --> w/sub/bad.md:2:7\n"), "{stdout}");
    assert_eq!(stderr, "markscope: 1 error in 1 document\n");
    let (stdout, stderr) = run(folder.path(), &["check", "w", "/none.md"]);
    let none = "markscope: there is no document and no folder /none.md in this world\n";
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", none));
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        let known = ["-c", "user.name=a", "-c", "user.email=a@b.example"];
        command.arg("-C").arg(folder.path()).args(known).args(args);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        assert!(command.output().expect("git").status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-f", "."]);
    git(&["commit", "-q", "-m", "one"]);
    fs::write(folder.path().join("w/.markscope.toml"), "").expect("written");
    fs::write(folder.path().join("w/a.md"), "\n\n# A\n").expect("written");
    let text = of_text(folder.path(), "w@HEAD", "never");
    let want = [("W001", "w@HEAD/sub/bad.md", 2, 7), ("R001", "w@HEAD/a.md", 2, 9)];
    let want = want.map(|(code, file, a, b)| (code.to_owned(), file.to_owned(), a, b));
    assert_eq!(text, want);
    assert_eq!(of_json(folder.path(), "w@HEAD"), want);
    let severities: Vec<Value> =
        json(folder.path(), "w@HEAD").iter().map(|found| found["severity"].clone()).collect();
    assert_eq!(severities, ["error", "note"]);
    let (stdout, _) = run(folder.path(), &["check", "w@HEAD", "a.md", "--format", "json"]);
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
}

/// Codes, files, lines and severities of what is told of some files.
fn told(files: &[(&str, &str)]) -> Vec<String> {
    let folder = world(files);
    let line = |found: &Value| {
        let text = |key: &str| found[key].as_str().expect("a text").to_owned();
        format!("{} {} {}:{}", text("code"), text("severity"), text("file"), found["line"])
    };
    json(folder.path(), ".").iter().map(line).collect()
}

#[test]
fn a_bundle_of_open_knowledge_is_as_its_format_has_it() {
    let index = "---\nokf_version: \"0.2\"\n---\n# I\n";
    let concept = "---\ntype: Note\ngenerated:\n  by: x\nsources:\n  - id: y\nstale_after: 2030\nstatus: z\n---\n# C\n";
    let nested = ["W002 note ./c.md:3", "W002 note ./c.md:5"];
    let notes = ["M004 note ./c.md:7", "M004 note ./c.md:8"];
    assert_eq!(told(&[("index.md", index), ("c.md", concept)]), [nested, notes].concat());
    let warnings = ["M004 warning ./c.md:7", "M004 warning ./c.md:8"];
    let elsewhere = told(&[("d.md", index), ("c.md", concept)]);
    assert_eq!(elsewhere, [&nested[..], &warnings, &["M004 warning ./d.md:2"]].concat());
}

#[test]
fn what_is_no_loss_is_not_told() {
    for (text, want) in [
        ("---\ndescription: >\n  one\n---\n# Cork\n", vec![]),
        ("---\ndescription: |\n  one\n---\n# Cork\n", vec![]),
        ("---\ndescription: |\n  one\n  two\n---\n# Cork\n", vec!["M004 warning ./c.md:2"]),
        // The second `a.md` is not tried again, so the three after it are.
        (
            "---\nrel-by: a.md#no, a.md, b.md, d.md, e.md\n---\n# Cork\n",
            vec!["R004 error ./c.md:2"],
        ),
        (
            "---\nrel-by: a.md#no, b.md, d.md, e.md, f.md\n---\n# Cork\n",
            vec!["P004 note ./c.md:2", "R004 error ./c.md:2"],
        ),
        ("---\nrel-By: a.md\n---\n# Cork\n", vec!["R008 error ./c.md:2"]),
        ("---\nrel-supersedes: a.md, a.md#axle\n---\n# Cork\n", vec!["R011 warning ./c.md:2"]),
        ("Text of c.\n", vec!["C001 note ./c.md:1", "M003 warning ./c.md:1"]),
    ] {
        let (a, other) = ("# Axle\n", "---\ntitle: c.md and more\nimportance: 1\n---\n# Fern\n");
        let files = [("a.md", a), ("b.md", "# Brook\n"), ("c.md", text), ("d.md", "# Dale\n")];
        let files = [&files[..], &[("e.md", "# Elm\n"), ("f.md", other)]].concat();
        assert_eq!(told(&files), want, "{text}");
    }
}

/// Of a chain whose titles share only short words, or no word but a tag.
#[test]
fn an_old_document_above_the_new_one_is_found() {
    for (old, new) in [
        ("title: Tax law 2023", "title: Tax law 2025"),
        ("title: 東京計画 一", "title: 東京計画 二"),
        ("title: Abacus\ntags: [zork]", "title: Frames\ntags: [zork]"),
    ] {
        let old = format!("---\n{old}\nimportance: 0.9\nrel-superseded-by: n.md\n---\n# O\n");
        let new = format!("---\n{new}\nimportance: 0.1\nrel-supersedes: o.md\n---\n# N\n");
        let found = told(&[("o.md", &old), ("n.md", &new)]);
        assert!(found.iter().any(|found| found.starts_with("R013 warning ./n.md")), "{found:?}");
    }
}
