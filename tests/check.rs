//! Every rule of `check` once with a fault and once without, at the right line.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use assert_cmd::Command;
use markscope::check::{Place, RULES, Settings, check};
use markscope::document::Document;
use markscope::lookup::Store;
use serde_json::Value;
use tempfile::TempDir;

/// A world of files, whose text follows lines `=== path`.
fn world(text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for part in text.split("=== ").skip(1) {
        let (path, body) = part.split_once('\n').expect("a path");
        let file = folder.path().join(path.trim());
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, body).expect("written");
    }
    folder
}

fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("markscope").expect("the program");
    let output = command.current_dir(folder).args(args).output().expect("it ran");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

/// `CODE severity file:line:column message; help` of each finding.
fn findings(folder: &Path, more: &[&str]) -> Vec<String> {
    let args = [&["check", ".", "--format", "json"], more].concat();
    let (_, stdout, _) = run(folder, &args);
    let line = |line: &str| {
        let found: Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        format!(
            "{} {} {}:{}:{} {}; {}",
            text("code"),
            text("severity"),
            text("file").trim_start_matches("./"),
            found["line"],
            found["column"],
            text("message"),
            text("help")
        )
    };
    stdout.lines().map(line).collect()
}

/// A clean world: nothing at all is told of it.
const CLEAN: &str = "\
=== a.md
---
title: Alpha stone
tags: [quarry]
importance: 0.8
rel-supersedes: /b.md#facts
---
# Alpha stone

See [the facts](b.md#facts) and [below](#more).

## More

Something.
=== b.md
---
title: Beta stone
tags: [quarry]
importance: 0.4
rel-superseded-by: /a.md
---
# Beta stone

## Facts

Other things.
";

#[test]
fn a_clean_world_is_clean() {
    let folder = world(CLEAN);
    assert_eq!(findings(folder.path(), &[]), [""; 0]);
    let (code, stdout, stderr) = run(folder.path(), &["check", "."]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert_eq!(stderr, "markscope: nothing wrong in 2 documents\n");
}

/// Each case: a change to the clean world, and all that is found then.
#[test]
fn every_rule_finds_its_fault() {
    let large = "word ".repeat(1700);
    let long = "x".repeat(1100);
    let keys: String = (0..51).map(|at| format!("k{at}: v\n")).collect();
    let section = "The same words, in the same order, in two documents of one world.";
    let many: String = (0..4).map(|at| format!("=== d{at}.md\n# D{at}\n\nText {at}.\n")).collect();
    let targets: Vec<String> = (0..29).map(|at| format!("mark://other.example/d{at}.md")).collect();
    let targets = targets.join(", ");
    let cases: Vec<(String, Vec<&str>)> = vec![
        (
            "=== c.md\nText first.\n\n# C\n".into(),
            vec!["C001 note c.md:1:1 text stands before the first heading, so the document is cited without an anchor; put the H1 first"],
        ),
        (
            "=== c.md\n# C\n\n# D\n".into(),
            vec!["C001 note c.md:3:1 a second H1 ends the first one's section, so the document is cited without an anchor; make it an H2"],
        ),
        (
            format!("=== c.md\n# C\n\n{large}\n"),
            vec!["C002 warning c.md:1:1 the document has 8506 bytes and no H2; divide it with H2 headings: a reader gets single sections of it, or an outline"],
        ),
        (
            "=== c.md\n# C\n\n[x](#%C3%BCber)\n\n## One\n\n## One!\n\n## Über\n".into(),
            vec!["C003 note c.md:7:1 a heading before has #one, so the anchor of this one is #one-1; give it a text of its own: the number moves when another one is put in between"],
        ),
        (
            "=== c.md\n# C\n\n## !\n\n## ?\n".into(),
            vec!["C003 note c.md:5:1 this heading has no letter and no digit, and it is not the first such, so the anchor of this one is #-1; give it a text of its own: the number moves when another one is put in between"],
        ),
        (
            format!("=== p.md\n---\ntitle: Pebble\n---\n{section}\n=== q.md\n---\ntitle: Quartz\nimportance: 0.9\n---\n{section}\n=== c.md\n# C\n\n## One\n\n{section}\n=== d.md\n# D\n\n## One\n\n{section}\n"),
            vec![
                "C001 note p.md:1:1 the document has no heading, so it is cited without an anchor; begin it with a line `# Title`",
                "C001 note q.md:1:1 the document has no heading, so it is cited without an anchor; begin it with a line `# Title`",
                "C004 note c.md:3:1 section #one is in /d.md too, byte for byte; keep one and link to it; where both match alike, this copy is printed, the other is a stub",
                "C004 note d.md:3:1 section #one is in /c.md too, byte for byte; keep one and link to it; where both match alike, the other is printed, this copy is a stub",
                "C004 note p.md:1:1 the text is in /q.md too, byte for byte; keep one and link to it; where both match alike, the other is printed, this copy is a stub",
                "C004 note q.md:1:1 the text is in /p.md too, byte for byte; keep one and link to it; where both match alike, this copy is printed, the other is a stub",
            ],
        ),
        (
            "=== c.md\n# C\n\n##\n\nText.\n".into(),
            vec!["C005 warning c.md:3:1 this heading has no text, so it opens no section; write its text, or remove it"],
        ),
        (
            "=== c.md\n# C\n\nSee [a](a.md#moore) and [n](/nowhere.md), not <http://x> or ![i](i.png).\n".into(),
            vec![
                "C006 warning c.md:3:5 /a.md has no section #moore; there is #more",
                "C006 warning c.md:3:25 there is no document /nowhere.md; correct the path, or remove the link",
            ],
        ),
        (
            "=== c.md\n---\nimportance: high\n---\n# C\n=== d.md\n---\nimportance: 1.5\n---\n# D\n".into(),
            vec![
                "M001 error c.md:2:13 `high` is no decimal number, so the importance is 0.5; write a number from 0 to 1, such as 0.8",
                "M001 error d.md:2:13 `1.5` is not between 0 and 1, so the importance is 0.5; write a number from 0 to 1, such as 0.8",
            ],
        ),
        (
            "=== c.md\n---\ntags: [Quarry, x]\n---\n# C\n".into(),
            vec!["M002 warning c.md:2:8 the tag `Quarry` is written `quarry` elsewhere; choose one spelling"],
        ),
        (
            "=== c.md\n---\ntags: [Quarry, x, Quarry]\n---\n# C\n=== d.md\n---\ntags: quarry\n---\n# D\n".into(),
            vec![
                "M002 warning c.md:2:19 the tag `Quarry` is written `quarry` elsewhere; choose one spelling",
                "M002 warning c.md:2:8 the tag `Quarry` is written `quarry` elsewhere; choose one spelling",
            ],
        ),
        (
            "=== c.md\nJust text.\n".into(),
            vec![
                "C001 note c.md:1:1 the document has no heading, so it is cited without an anchor; begin it with a line `# Title`",
                "M003 warning c.md:1:1 there is no title, so the table shows `c.md`; declare `title:`, or begin the text with a line `# Title`",
            ],
        ),
        (
            "=== c.md\n---\nOwner Name: x\nstatus: y\nauth: z\nnote: |\n  a\n  b\n---\n# C\n".into(),
            vec![
                "M004 warning c.md:4:1 `auth` is a key of the server's own, so it is dropped; give it another name",
                "M004 warning c.md:5:1 the value of `note` has a line break, which a store does not keep; write it on one line",
                "M004 warning c.md:2:1 `Owner Name` is renamed or dropped when the document is published; write `owner-name`",
                "M004 warning c.md:3:1 `status` is a key of the server's own, so it is dropped; give it another name",
            ],
        ),
        (
            format!("=== c.md\n---\n{keys}---\n# C\n"),
            vec!["M005 error c.md:1:1 51 metadata keys; a store takes 50; join or remove some"],
        ),
        (
            format!("=== c.md\n---\nsummary: {long}\n---\n# C\n"),
            vec!["M006 error c.md:2:1 1107 bytes of metadata; a store takes 1024; shorten this value, which is the longest, or move some of it into the body"],
        ),
        (
            format!("=== c.md\n# C\n\n## D\n\n{}\n", "y".repeat(1_048_576)),
            vec!["M007 error c.md:1:1 the body has 1048588 bytes; a store takes 1048576; divide the document"],
        ),
        (
            "=== ä.md\n# Ä\n=== c.md\n---\nrel-by: ä.md\n---\n# C\n".into(),
            vec!["P001 error c.md:2:9 /ä.md is there, but a reader asks for /%C3%A4.md, which is not; give the document a path of letters, digits, dashes and dots"],
        ),
        (
            "=== c#1.md\n# C\n=== sub/d.md\n---\nrel-by: /c#1.md, /sub\n---\n# Delta\n".into(),
            vec![
                "R001 error sub/d.md:2:9 /c#1.md is there, but a reader takes what follows the # for an anchor and asks for /c; rename that document so that its path has no #",
                "R001 error sub/d.md:2:18 /sub is a folder and no document; name a document in it, such as /sub/index.md","P002 warning c#1.md:1:1 a reader asks for /c instead of /c#1.md; rename the file so that its path has no #"],
        ),
        (
            "=== c\u{1}d\u{7f}.md\n# C\n".into(),
            vec!["P007 warning c\u{1}d\u{7f}.md:1:1 the path has a control character in it, so nobody can type it; rename the file so that its path has none"],
        ),
        (
            "=== c.md\n---\ntitle: Stone\n---\n# C\n=== d.md\n---\ntitle: alpha Stone\nimportance: 0.1\n---\n# D\n".into(),
            vec![
                "P003 note c.md:2:1 a lookup by this title shows /a.md first, which holds all words of the title; make the title more telling, or change the importance of one of them",
                "P003 warning d.md:2:1 a lookup by this title shows /a.md first, which has the same title; make the title more telling, or change the importance of one of them",
            ],
        ),
        (
            "=== c.md\n---\ntitle: Zinc\nimportance: -0\n---\n# C\n=== d.md\n---\ntitle: Zinc\nimportance: 0\n---\n# D\n".into(),
            vec!["P003 warning d.md:2:1 a lookup by this title shows /c.md first, which has the same title; make the title more telling, or change the importance of one of them"],
        ),
        (
            format!("{many}=== c.md\n---\nrel-related: /d0.md, /d1.md, /d2.md\nrel-depends-on: /d3.md\n---\n# C\n"),
            vec!["P004 note c.md:2:1 1 of 4 relations come after the third, from related /d2.md on; a reader is given at most 3, first of all depends-on /d3.md, then related /d0.md, then related /d1.md"],
        ),
        (
            format!("=== c.md\n---\nrel-by: {targets}\n---\n# C\n\n{}\n", "word ".repeat(1050)),
            vec!["P005 warning c.md:2:1 the relation line takes 212 tokens and is 69 short at a budget of 1500, even where this document is the only row; declare fewer relations, or divide the document: none of them is followed"],
        ),
        (
            format!("=== c.md\n# C\n\nShort.\n\n## D\n\n{large}\n## Metal\n\nOf that.\n=== d.md\n---\nrel-by: c.md, c.md#d, c.md#metal\n---\n# Delta\n=== e.md\n---\nrel-by: c.md\n---\n# Metal\n"),
            vec![
                "P006 note d.md:2:9 /c.md has 2134 tokens and is not printed whole at a budget of 1500; for a lookup of this title a reader gets an outline of it; name a smaller section, as path#anchor",
                "P006 note d.md:2:15 /c.md#d has 2126 tokens and is not printed whole at a budget of 1500; for a lookup of this title nothing of it fits; name a smaller section, as path#anchor",
                "P006 note e.md:2:9 /c.md has 2134 tokens and is not printed whole at a budget of 1500; for a lookup of this title a reader gets of it #metal; name a smaller section, as path#anchor",
            ],
        ),
        (
            format!("=== c.md\n# C\n\n{}\n=== d.md\n---\nrel-by: c.md\n---\n# D\n", "word ".repeat(1500)),
            vec!["P006 note d.md:2:9 /c.md has 1876 tokens and is not printed whole at a budget of 1500; for a lookup of this title nothing of it fits; name a smaller section, as path#anchor"],
        ),
        (
            "=== c.md\n---\nrel-by: /aa.md, /x/b.md\n---\n# C\n".into(),
            vec![
                "R001 error c.md:2:9 there is no document /aa.md; there is /a.md",
                "R001 error c.md:2:17 there is no document /x/b.md; there is /b.md",
            ],
        ),
        (
            "=== c.md\n---\nrel-by: mark://other.example/x.md\n---\n# C\n".into(),
            vec!["R003 note c.md:2:9 mark://other.example/x.md is on another authority: it is named and not followed; nothing, if that is meant"],
        ),
        (
            "=== c.md\n---\nrel-by: /b.md#fact, b.md#none-like-it\n---\n# C\n".into(),
            vec![
                "R004 error c.md:2:9 /b.md has no section #fact; there is #facts",
                "R004 error c.md:2:21 /b.md has no section #none-like-it; its sections are #beta-stone, #facts",
            ],
        ),
        (
            "=== c.md\n---\nrel-by: c.md#x\n---\n# C\n".into(),
            vec!["R005 error c.md:2:9 the target is the document itself, so it is dropped; name the document that is meant, or remove the target"],
        ),
        (
            "=== c.md\n---\nrel-by: /a.md /b.md\nrel-for: b.md x/y.md\nrel-of: see b.md\n---\n# C\n=== d e.md\n# D\n=== f.md\n---\nrel-by: d e.md\n---\n# F\n".into(),
            vec![
                "R006 error c.md:2:9 `/a.md /b.md` has white space in it, so it is dropped; put a comma between them: `/a.md, /b.md`",
                "R006 error c.md:3:10 `b.md x/y.md` has white space in it, so it is dropped; put a comma between them: `b.md, x/y.md`",
                "R006 error c.md:4:9 `see b.md` has white space in it, so it is dropped; name one document; a target cannot have white space",
                "R006 error f.md:2:9 `d e.md` has white space in it, so it is dropped; rename that document: no target can have white space, and a reader asks for %20 as it stands",
            ],
        ),
        (
            "=== c.md\n---\nrel-: /a.md\n---\n# C\n".into(),
            vec!["R007 error c.md:2:7 `rel-` has no predicate, so /a.md is dropped; say which relation it is, such as `rel-related`"],
        ),
        (
            "=== c.md\n---\nrel:by: /a.md\nRel-For: /b.md\nrel_of: /a.md\n---\n# C\n".into(),
            vec![
                "R008 error c.md:2:1 `rel:by` is no relation for a reader; write `rel-by`",
                "R008 error c.md:3:1 `Rel-For` is no relation for a reader; write `rel-for`",
                "R008 error c.md:4:1 `rel_of` is no relation for a reader; write `rel-of`",
            ],
        ),
        (
            "=== c.md\n---\nrel: a.md, /b.md#facts\nRel: x\n---\n# C\n=== d.md\n---\nrel: next of kin\n---\n# Delta\n".into(),
            vec![
                "R008 error c.md:2:1 `rel` is no relation for a reader; say which relation it is, such as `rel-related`",
                "R008 error c.md:3:1 `Rel` is no relation for a reader; say which relation it is, such as `rel-related`",
            ],
        ),
        (
            "=== c.md\n---\nrel-by: /a.md, a.md\n---\n# C\n".into(),
            vec!["R009 warning c.md:2:16 /a.md is declared twice as by; remove one of the two"],
        ),
        (
            "=== c.md\n---\nrel-dependson: /a.md\n---\n# C\n".into(),
            vec!["R010 warning c.md:2:1 `dependson` may be a misspelt `depends-on`; write `rel-depends-on`, or set `vocabulary` in .markscope.toml"],
        ),
        (
            "=== c.md\n---\nrel-supersedes: /d.md\n---\n# C\n=== d.md\n# D\n".into(),
            vec!["R011 warning c.md:2:17 /d.md does not name this document under `rel-superseded-by`; declare `rel-superseded-by: /c.md` there"],
        ),
        (
            "=== c.md\n---\nrel-supersedes: /d.md\nrel-superseded-by: /d.md\n---\n# C\n=== d.md\n---\nrel-supersedes: /c.md\nrel-superseded-by: /c.md\n---\n# D\n".into(),
            vec![
                "R012 error c.md:2:1 /c.md and /d.md supersede each other in a circle; remove the relation that is wrong",
                "R012 error d.md:2:1 /d.md and /c.md supersede each other in a circle; remove the relation that is wrong",
            ],
        ),
        (
            "=== c.md\n---\ntitle: Retention of readings\nimportance: 0.2\nrel-supersedes: /d.md\n---\n# C\n=== d.md\n---\ntitle: Retention of raw readings\nimportance: 0.9\nrel-superseded-by: /c.md\n---\n# D\n".into(),
            vec![
                "P003 note c.md:2:1 a lookup by this title shows /d.md first, which holds all words of the title; make the title more telling, or change the importance of one of them",
                "R013 warning c.md:3:1 a lookup of `retention readings` shows /d.md, which this supersedes, at place 1, and this document at 2; its importance is 0.20, the other's 0.90: raise this one or lower that one",
            ],
        ),
        (
            "=== c.md\n---\na: b: c\n---\n# C\n".into(),
            vec!["W001 error c.md:2:5 a value holds `: `, which begins another key; put the value in quotes: a: \"b: c\""],
        ),
        (
            "=== c.md\n---\ntitle: C\n# C\n".into(),
            vec![
                "W002 warning c.md:1:1 the first line opens front matter that nothing closes, so all of it is text; end the front matter with a line `---`; if a rule is meant, write `***`",
                "C001 note c.md:1:1 text stands before the first heading, so the document is cited without an anchor; put the H1 first",
            ],
        ),
    ];
    let mut seen: Vec<String> = Vec::new();
    let mut failed: Vec<String> = Vec::new();
    for (change, want) in cases {
        let folder = world(&format!("{CLEAN}{change}"));
        let mut found = findings(folder.path(), &[]);
        // The order is that of the lines; here the code's is plainer.
        found.sort();
        let mut wanted = want.clone();
        wanted.sort_unstable();
        // Other authorities are only there to make a line long, but for their own case.
        if !want.iter().any(|want| want.starts_with("R003")) {
            found.retain(|line| !line.starts_with("R003"));
        }
        let is_same = found.len() == wanted.len()
            && found.iter().zip(&wanted).all(|(found, want)| found == want);
        if !is_same {
            let shown: String = change.chars().take(200).collect();
            failed.push(format!("{shown}\n got {found:#?}\nwant {wanted:#?}"));
        }
        seen.extend(found.iter().map(|found| found[..4].to_owned()));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    // Archived documents are only in stores: see `an_archived_target_is_found`.
    let unseen: Vec<&str> = RULES
        .iter()
        .map(|rule| rule.code)
        .filter(|code| *code != "R002" && !seen.iter().any(|seen| seen == code))
        .collect();
    assert_eq!(unseen, [""; 0]);
}

/// The numbers of P005 are those of a lookup that has the document alone.
#[test]
fn a_line_that_does_not_fit_is_short_by_what_is_said() {
    let targets: Vec<String> = (0..29).map(|at| format!("/d{at}/of-some-name.md")).collect();
    let targets = targets.join(", ");
    let body = "word ".repeat(1050);
    let folder =
        world(&format!("{CLEAN}=== c.md\n---\nrel-by: {targets}\n---\n# Casing\n\n{body}\n"));
    let found = findings(folder.path(), &["--allow", "R001"]);
    let [told] = found.as_slice() else { panic!("{found:#?}") };
    let short: u64 = told
        .split(" and is ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| panic!("{told}"));
    let has_line = |budget: u64| {
        let budget = budget.to_string();
        let (_, text, _) = run(folder.path(), &["lookup", ".", "Casing", "--budget", &budget]);
        assert!(text.contains("matches: 1\n") && text.contains(">>> /c.md"), "{text}");
        text.contains(">>> related: ")
    };
    assert!(!has_line(1500) && !has_line(1500 + short - 1), "{told}");
    assert!(has_line(1500 + short), "{told}");
}

/// Line ends and a byte order mark take no column; wide characters take one each.
#[test]
fn marks_end_where_the_line_does() {
    let text = "漢字 first.\r\n\r\n# C\r\n\r\n漢字 [x](/no.md)\r\n\r\n##\r\n";
    for mark in ["", "\u{feff}"] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("c.md"), format!("{mark}{text}")).expect("written");
        let (_, stdout, _) = run(folder.path(), &["check", ".", "--format", "json"]);
        let place = |line: &str| {
            let found: Value = serde_json::from_str(line).expect("JSON");
            let number = |key: &str| found[key].as_u64().expect("a number");
            let code = found["code"].as_str().expect("a code").to_owned();
            (code, number("line"), number("column"), number("end_line"), number("end_column"))
        };
        let found: Vec<_> = stdout.lines().map(place).collect();
        let want = [("C001", 1, 1, 1, 10), ("C006", 5, 4, 5, 15), ("C005", 7, 1, 7, 3)];
        assert_eq!(found, want.map(|(code, a, b, c, d)| (code.to_owned(), a, b, c, d)), "{mark:?}");
    }
}

/// What decides about the end: errors, and warnings where they are denied.
#[test]
fn ends_and_settings() {
    let warned = world(&format!("{CLEAN}=== c.md\n---\nstatus: x\n---\n# C\n"));
    let run = |args: &[&str]| run(warned.path(), &[&["check", "."], args].concat());
    let (code, stdout, stderr) = run(&[]);
    assert_eq!(code, 0);
    assert_eq!(
        stdout,
        "warning[M004]: `status` is a key of the server's own, so it is dropped\n --> ./c.md:2:1\n  |\n\
         2 | status: x\n  | ^^^^^^\n  |\n  = help: give it another name\n\n"
    );
    assert_eq!(stderr, "markscope: 1 warning in 3 documents\n");
    assert_eq!(run(&["--deny", "warnings"]).0, 1);
    assert_eq!(run(&["--deny", "warnings", "--allow", "M004"]).0, 0);
    assert_eq!(run(&["--allow", "refused-key"]).1, "");
    assert_eq!(run(&["/a.md"]).1, "", "another document's finding");
    assert_eq!(run(&["c.md", "--deny", "warnings"]).0, 1);
    let (code, _, stderr) = run(&["--allow", "M04"]);
    assert_eq!((code, stderr.as_str()), (2, "markscope: there is no rule M04; there is M004\n"));
    assert_eq!(run(&["/nowhere.md"]).0, 1);
    let settings = |text: &str| {
        fs::write(warned.path().join(".markscope.toml"), text).expect("written");
    };
    settings("[severity]\nM004 = \"error\"\n");
    assert_eq!(run(&[]).0, 1);
    settings("[severity]\nM004 = \"allow\"\n");
    assert_eq!(run(&["--deny", "warnings"]).0, 0);
    settings("vocabulary = [\"supersedes\"]\n[severity]\nM004 = \"note\"\n");
    let (code, stdout, stderr) = run(&[]);
    assert_eq!(code, 0);
    assert!(stdout.contains("warning[R010]: `superseded-by` is not in the vocabulary"), "{stdout}");
    assert_eq!(stderr, "markscope: 1 warning in 3 documents; --notes tells one note more\n");
    settings("vocabulery = []\n");
    let (code, _, stderr) = run(&[]);
    assert_eq!(code, 2);
    assert!(
        stderr.starts_with("markscope: ./.markscope.toml:1: unknown field `vocabulery`"),
        "{stderr}"
    );
}

#[test]
fn rules_are_explained() {
    let folder = world(CLEAN);
    let (code, stdout, _) = run(folder.path(), &["check", "--explain", "R006"]);
    assert_eq!(code, 0);
    assert_eq!(
        stdout,
        "R006 white-space (error)\nwhite space inside a relation target\n\n\
         A target with white space in it is dropped without a word. Mostly a comma is\n\
         missing between two targets.\n"
    );
    let (code, _, stderr) = run(folder.path(), &["check", "--explain", "R06"]);
    assert_eq!((code, stderr.as_str()), (2, "markscope: there is no rule R06; there is R006\n"));
    let (_, stdout, _) = run(folder.path(), &["check", "--list"]);
    assert_eq!(stdout.lines().count(), RULES.len());
}

/// SARIF 2.1.0: what the schema requires of each part that is written, and nothing
/// that it does not know.
#[test]
fn sarif_is_as_its_schema_has_it() {
    let folder = world(&format!("{CLEAN}=== sub dir/c.md\n---\nrel-by: /ä.md\n---\n# C\n"));
    let (code, stdout, _) = run(folder.path(), &["check", ".", "--format", "sarif"]);
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&stdout).expect("JSON");
    let keys = |value: &Value| -> Vec<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(keys(&log), ["$schema", "runs", "version"]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(keys(run), ["columnKind", "results", "tool"]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(keys(driver), ["name", "rules", "version"]);
    for rule in driver["rules"].as_array().expect("rules") {
        assert_eq!(
            keys(rule),
            ["defaultConfiguration", "fullDescription", "help", "id", "name", "shortDescription"]
        );
        let level = rule["defaultConfiguration"]["level"].as_str().expect("a level");
        assert!(["error", "warning", "note"].contains(&level));
    }
    // The schema wants every rule once, and texts that are not empty.
    let rules: Vec<&str> = driver["rules"]
        .as_array()
        .expect("rules")
        .iter()
        .filter_map(|rule| rule["id"].as_str())
        .collect();
    assert_eq!(rules, RULES.iter().map(|rule| rule.code).collect::<Vec<_>>());
    let index = |code: &str| rules.iter().position(|rule| *rule == code);
    assert_eq!(
        run["results"],
        serde_json::json!([{
            "ruleId": "R001",
            "ruleIndex": index("R001"),
            "level": "error",
            "message": { "text": "there is no document /%C3%A4.md; correct the path, or remove the relation" },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": "sub%20dir/c.md" },
                "region": { "startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 14 },
            } }],
        }])
    );
    // A file that is left out has a place; an archive has none.
    let archive =
        r##"{"documents":[{"path":"/a.md","body":"# A","metadata":{"importance":"9"}}]}"##;
    let other = world("=== c.md\n---\na: b: c\n---\n# C\n=== d.md\n# D\n");
    fs::write(other.path().join("w.json"), archive).expect("written");
    let mut locations = Vec::new();
    for name in [".", "w.json"] {
        let (_, stdout, _) = self::run(other.path(), &["check", name, "--format", "sarif"]);
        let log: Value = serde_json::from_str(&stdout).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        for result in results {
            assert_eq!(keys(result), ["level", "locations", "message", "ruleId", "ruleIndex"]);
            locations.push(result["locations"].clone());
        }
    }
    assert_eq!(
        locations,
        [
            serde_json::json!([{ "physicalLocation": {
                "artifactLocation": { "uri": "c.md" },
                "region": { "startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 6 },
            } }]),
            serde_json::json!([{ "physicalLocation": { "artifactLocation": { "uri": "a.md" } } }]),
        ]
    );
}

/// Of a store the version file has the line, and an archived target is found.
#[test]
fn stores_are_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores/decisions-2026-10.tar.gz");
    let archive = fs::File::open(archive).expect("an archive");
    tar::Archive::new(flate2::read::GzDecoder::new(archive))
        .unpack(folder.path())
        .expect("unpacked");
    let found = findings(folder.path(), &["--allow", "C004", "--allow", "P004", "--allow", "R003"]);
    assert_eq!(
        found,
        [
            "R001 error adr/versions/0004-time-source.md/v1:5:19 there is no document /adr/0009-missing.md; correct the path, or remove the relation",
            "R004 error adr/versions/0005-schema-changes.md/v2:7:22 /adr/0004-time-source.md has no section #none-such; its sections are #adr-4-time-source, #status, #review",
            "R011 warning adr/versions/0005-schema-changes.md/v2:7:22 /adr/0004-time-source.md does not name this document under `rel-superseded-by`; declare `rel-superseded-by: /adr/0005-schema-changes.md` there",
            "R007 error adr/versions/0008-access-control.md/v3:6:12 `rel-` has no predicate, so /adr/0002-identifier-format.md is dropped; say which relation it is, such as `rel-related`",
            "R005 error adr/versions/0008-access-control.md/v3:8:19 the target is the document itself, so it is dropped; name the document that is meant, or remove the target",
            "R006 error adr/versions/0008-access-control.md/v3:8:48 `/adr/with space.md` has white space in it, so it is dropped; name one document; a target cannot have white space",
        ]
    );
}

#[test]
fn an_archived_target_is_found() {
    let relation = |path: &str, target: &str| {
        let metadata = [("rel-by".to_owned(), target.to_owned())];
        let document = Document::new(path, format!("# {path}\n"));
        Arc::new(document.with_metadata(metadata.into()))
    };
    let errors = [("/old.md".to_owned(), "archived".to_owned())];
    let store =
        Store::new("w", [relation("/a.md", "/old.md"), relation("/b.md", "/a.md")], errors.into());
    let found = check(&store, &Settings::default());
    let told: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|found| (found.rule.code, found.path.as_str(), found.message.as_str()))
        .collect();
    assert_eq!(told, [("R002", "/a.md", "/old.md is archived, so a fetch of it fails")]);
    assert_eq!(found[0].place, Place::Value("rel-by".into(), "/old.md".into(), 0));
    let link = Arc::new(Document::new("/a.md", "# A\n\n[x](old.md)\n"));
    let errors = [("/old.md".to_owned(), "archived".to_owned())];
    let found = check(&Store::new("w", [link], errors.into()), &Settings::default());
    let told: Vec<(&str, &str)> =
        found.iter().map(|found| (found.rule.code, found.message.as_str())).collect();
    assert_eq!(told, [("C006", "/old.md is archived, so a fetch of it fails")]);
}

/// What documents hold reaches no terminal as it is.
#[test]
fn hostile_text_is_harmless() {
    let folder = world(
        "=== c.md\n---\nrel-by: \"/\\e]0;x\\a\u{202e}.md\"\n---\n# C\u{1b}[2J\n\n[x](\u{1b}.md)\n",
    );
    for args in [&["check", "."][..], &["check", ".", "--color", "never", "--notes"]] {
        let (_, stdout, stderr) = run(folder.path(), args);
        let is_harmless = |text: &str| !text.contains(['\u{1b}', '\u{7}', '\u{202e}']);
        assert!(is_harmless(&stdout) && is_harmless(&stderr), "{stdout}{stderr}");
        assert!(stdout.contains("R001"), "{stdout}");
    }
}
