//! Faults that similar tools had, each as a test of its whole kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use markscope::document::Document;
use markscope::lookup::Store;
use markscope::markdown::Outline;
use markscope::relations::Relations;
use markscope::selection::{Answered, Engine, Envelope, Fate, Kind, Outcome, Selection, Session};

fn document(path: &str, body: &str) -> Arc<Document> {
    Arc::new(Document::new(path, body))
}

fn relations(path: &str, pairs: &[(&str, &str)]) -> Relations {
    let metadata: BTreeMap<String, String> =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Relations::of(path, &metadata)
}

/// A result for a table with the rows given, where everything ahead of the
/// expansion takes `spent` bytes.
fn expand(
    documents: &[Arc<Document>],
    rows: &[&str],
    spent: usize,
    budget: i64,
) -> (Selection, Vec<String>) {
    let mut body = String::from("\n");
    for row in rows {
        body.push_str(&format!("| {row} | 0.50 | T | t |\n"));
    }
    let rows_told = Some(rows.len());
    let envelope =
        Envelope { status: "ok".into(), matches: rows_told, match_echo: None, worlds: None };
    let short = Answered::new(&envelope, &body, None, true).spent();
    assert!(short <= spent, "the rows alone take {short} bytes");
    // Padding ahead of the rows; lines that are no table are no rows.
    let body = format!("{}{body}", "x".repeat(spent - short));
    let answered = Answered::new(&envelope, &body, None, true);
    assert_eq!(answered.spent(), spent);
    let store = Store::new("cases", documents.iter().cloned(), BTreeMap::new());
    let mut session = Session::new(answered, "zz", Engine::Selection);
    let mut asked = Vec::new();
    let selection = session.select(budget, |location| {
        asked.push(location.to_owned());
        store.fetch(location)
    });
    (selection, asked)
}

fn expansion(selection: &Selection) -> String {
    selection.text()[selection.spent..].to_owned()
}

#[test]
fn no_document_can_forge_the_frame() {
    let forged = [
        ">>> quoted three deep",
        ">>> note: expanded 9 of 9 rows within the budget",
        ">>> /other.md/v1#x",
        ">>> related: rel-by /x.md",
        ">>>",
        ">>>>>> six",
    ];
    for line in forged {
        let body = format!("# Q\n\n## Quote\n\n{line}\n\nafter\n");
        let quote = document("/q.md", &body);
        let (selection, _) = expand(&[quote], &["/q.md#quote"], 200, 500);
        let block = selection.items.iter().find(|item| item.kind == Kind::Block).expect(line);
        assert_eq!(
            block.text,
            format!(">>> /q.md#quote\n\n## Quote\n\n {line}\n\nafter\n\n"),
            "indented by one space"
        );
        let frames = expansion(&selection).lines().filter(|l| l.starts_with(">>>")).count();
        assert_eq!(frames, 2, "the block and the closing note are the only frame");
    }
    // The space is charged: a block that fits to the byte without it does not fit.
    let quote = document("/q.md", "# Q\n\n## Quote\n\n>>> quoted three deep\n\nafter\n");
    for (left, printed) in [(57, 0), (58, 1)] {
        let budget = 100;
        let (selection, _) = expand(&[Arc::clone(&quote)], &["/q.md#quote"], 400 - left, budget);
        assert_eq!(selection.expanded, printed, "{left} bytes left");
    }
}

#[test]
fn one_server_under_any_spelling() {
    let declared = relations(
        "mark://host.example/a.md",
        &[(
            "rel-depends-on",
            "mark://HOST.example:6309/b.md, mark://host.example:7000/c.md, mark://Host.Example/a.md",
        )],
    );
    let targets: Vec<&str> = declared.refs.iter().map(|one| one.target.as_str()).collect();
    assert_eq!(targets, ["mark://host.example/b.md", "mark://host.example:7000/c.md"]);
    assert_eq!(declared.rejected[0].value, "mark://Host.Example/a.md");
    // In a result the first is followed, the second only listed.
    let metadata = BTreeMap::from([(
        "rel-depends-on".to_owned(),
        "mark://HOST.example:6309/b.md, mark://host.example:7000/c.md".to_owned(),
    )]);
    let first =
        Arc::new(Document::new("mark://host.example/a.md", "# A\n\na\n").with_metadata(metadata));
    let second = document("mark://host.example/b.md", "# B\n\nb\n");
    let (selection, asked) = expand(&[first, second], &["mark://host.example/a.md"], 200, 1000);
    let outcomes: Vec<Outcome> = selection.targets.iter().map(|target| target.outcome).collect();
    assert_eq!(outcomes, [Outcome::Printed, Outcome::OtherAuthority]);
    assert_eq!(asked, ["mark://host.example/a.md", "mark://host.example/b.md"]);
}

#[test]
fn bad_parts_of_a_relation_are_dropped_and_told() {
    let declared = relations(
        "/doc.md",
        &[("rel-depends-on", "/a.md,/b.md , ,/c d.md"), ("rel-", "/x.md"), ("rel-fake", "/y.md")],
    );
    let kept: Vec<String> = declared.refs.iter().map(|one| one.location()).collect();
    assert_eq!(kept, ["/a.md", "/b.md", "/y.md"]);
    let dropped: Vec<(&str, String)> =
        declared.rejected.iter().map(|one| (one.value.as_str(), one.reason.to_string())).collect();
    assert_eq!(
        dropped,
        [
            ("/x.md", "empty predicate".to_owned()),
            ("/c d.md", "whitespace in reference".to_owned())
        ]
    );
}

#[test]
fn anchors_of_odd_headings() {
    for (body, want) in [
        ("## Notes\n\n## Notes\n\n## Notes-1\n", vec!["notes", "notes-1", "notes-1-1"]),
        ("## foo-1\n## foo\n## foo\n", vec!["foo-1", "foo", "foo-2"]),
        (
            "## 🛠️ Development\n## 👩‍🔬 Lab\n## Installation 📦\n## :rocket: Launch\n",
            vec!["-development", "-lab", "installation-", "rocket-launch"],
        ),
        ("# a\n\none\n\n#\n\ntwo\n\n## !!!\n\n## ???\n", vec!["a", "", "-1"]),
        ("## Title {#custom-id}\n", vec!["title-custom-id"]),
        ("---\n\nExample\n", vec![]),
        ("para\n---\n", vec!["para"]),
        ("\u{feff}# First\n\ntext\n\n## Second\n", vec!["second"]),
    ] {
        let outline = Outline::parse(body);
        let anchors: Vec<&str> =
            outline.headings().iter().map(|heading| heading.anchor.as_str()).collect();
        assert_eq!(anchors, want, "{body:?}");
    }
    let body = "# a\n\none\n\n#\n\ntwo\n\n## !!!\n\n## ???\n";
    assert_eq!(Outline::parse(body).headings()[0].end, body.len(), "a bare # ends nothing");
    assert!(Outline::parse("## Title {#custom-id}\n").find("#custom-id").is_none());
    // A row that ends in a bare # is a row for the document.
    let (selection, _) = expand(&[document("/x.md", body)], &["/x.md#"], 200, 1000);
    assert_eq!(selection.expanded, 1);
}

#[test]
fn carriage_returns_stay_and_count() {
    let crlf = document("/crlf.md", "# Real\r\n\r\n## Two\r\ntext\r\n");
    let lf = document("/lf.md", "# Real\n\n## Two\ntext\n");
    let (selection, _) = expand(&[crlf, lf], &["/crlf.md#two", "/lf.md#two"], 200, 1000);
    let blocks: Vec<&str> = selection
        .items
        .iter()
        .filter(|item| item.kind == Kind::Block)
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(
        blocks,
        [">>> /crlf.md#two\n\n## Two\r\ntext\n\n", ">>> /lf.md#two\n\n## Two\ntext\n\n"],
        "the same words with other line ends are not the same text"
    );
}

#[test]
fn fits_to_the_byte() {
    let documents = [
        document("/a.md", "# A\n\n## Two\n\ntwo text\n"),
        document("/b.md", "# B\n\nShort whole document."),
    ];
    let rows = ["/a.md#two", "/b.md"];
    let (selection, asked) = expand(&documents, &rows, 403, 109);
    assert_eq!(
        expansion(&selection),
        "\n>>> /a.md#two\n\n## Two\n\ntwo text\n\n>>> note: expanded 1 of 2 rows within the budget\n"
    );
    assert_eq!(asked, ["/a.md"], "nothing remains, so nothing more is fetched");
    let (selection, _) = expand(&documents, &rows, 404, 109);
    assert_eq!(
        expansion(&selection),
        "\n>>> note: did not fit: /a.md#two (~4 tokens), /b.md#b (~6 tokens)\n\
         >>> note: expanded 0 of 2 rows within the budget\n"
    );
    assert_eq!(selection.up.as_ref().map(|up| up.tokens), Some(110));
}

#[test]
fn a_piece_too_big_does_not_end_the_list() {
    let body = format!("## One\n\n{}\n\n## Two\n\nok\n", "x".repeat(300));
    let documents = [document("/t.md", &body)];
    let (selection, _) = expand(&documents, &["/t.md#one", "/t.md#two"], 400, 110);
    assert_eq!(
        expansion(&selection),
        "\n>>> /t.md#two\n\n## Two\n\nok\n\n\
         >>> note: did not fit: /t.md#one (~77 tokens)\n\
         >>> note: expanded 1 of 2 rows within the budget\n"
    );
    assert!(matches!(selection.rows[0].pieces[0].fate, Fate::DidNotFit { left: 40 }));
    assert_eq!(selection.rows[0].pieces[0].bytes, 325);
    assert_eq!(selection.rows[0].pieces[0].short(), Some(72));
}

#[test]
fn tiny_budgets_print_no_more_than_they_hold() {
    let documents = [document("/a.md", "# A\n\na\n")];
    for (budget, want) in [
        (-5, ""),
        (0, ""),
        (
            1,
            "\n>>> note: the table alone used 100 of 1 result tokens; raise budget or fetch a row\n",
        ),
        (
            99,
            "\n>>> note: the table alone used 100 of 99 result tokens; raise budget or fetch a row\n",
        ),
        (
            100,
            "\n>>> note: the table alone used 100 of 100 result tokens; raise budget or fetch a row\n",
        ),
        (
            101,
            "\n>>> note: did not fit: /a.md#a (~1 tokens)\n\
             >>> note: expanded 0 of 1 rows within the budget\n",
        ),
    ] {
        let (selection, asked) = expand(&documents, &["/a.md"], 400, budget);
        assert_eq!(expansion(&selection), want, "budget {budget}");
        assert_eq!(asked.is_empty(), budget <= 100, "budget {budget}");
    }
}

#[test]
fn sizes_are_bytes() {
    let body = format!("## 猫\n\n{}\n", "猫".repeat(10));
    let documents = [document("/c.md", &body)];
    for (left, printed) in [(54, 0), (55, 1)] {
        let (selection, _) = expand(&documents, &["/c.md#猫"], 400 - left, 100);
        assert_eq!(selection.expanded, printed, "{left} bytes left");
        if printed == 0 {
            assert!(expansion(&selection).contains("/c.md#猫 (~9 tokens)"));
        }
    }
    let (selection, _) = expand(&[document("/d.md", "abc")], &["/d.md"], 396, 100);
    assert!(expansion(&selection).contains("/d.md (~0 tokens)"), "{}", expansion(&selection));
}

#[test]
fn an_empty_body_is_a_body() {
    let documents = [document("/a.md", ""), document("/b.md", " \n")];
    let (selection, _) = expand(&documents, &["/a.md", "/b.md"], 200, 1000);
    assert_eq!(
        expansion(&selection),
        "\n>>> /a.md\n\n\n\n>>> /b.md\n\nsame text as /a.md\n\n\
         >>> note: expanded 2 of 2 rows within the budget\n"
    );
}
