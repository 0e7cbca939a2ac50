//! A result read back out of its text shows what the engine that printed it showed.

mod support;

use markscope::selection::{Engine, Item, Kind, Outcome, Selection, read_back};
use serde_json::{Value, json};

use support::{expand, failures};

/// An item without what no text tells: the range, and which row a note of limits is
/// of.
fn told(item: &Item) -> Value {
    let is_limit = item.kind == Kind::Note
        && (item.text.starts_with(">>> note: fetch limit of ")
            || item.text.starts_with(">>> note: stopped: "));
    json!([
        item.kind,
        item.text,
        item.location,
        item.path,
        if is_limit { None } else { item.row },
        if is_limit { None } else { item.target },
        item.refers_to,
        item.charged,
    ])
}

/// Outcomes of rows and targets; where the text is silent the engine's own counts,
/// provided that it is one of which a text can be silent.
fn outcomes(of: &[Outcome], by: &[Outcome]) -> Vec<Outcome> {
    let silent = [
        Outcome::DidNotFit,
        Outcome::Stopped,
        Outcome::Failed,
        Outcome::FetchLimit,
        Outcome::Empty,
    ];
    of.iter()
        .zip(by)
        .map(|(of, by)| match of {
            Outcome::NotTold if silent.contains(by) => *by,
            of => *of,
        })
        .collect()
}

fn rows(selection: &Selection) -> Vec<Outcome> {
    selection.rows.iter().map(|row| row.outcome).collect()
}

fn compare(case: &Value, engine: Engine) -> (Value, Value) {
    let (answered, by) = expand(case, engine);
    let back = read_back(&by.text(), Some(by.budget)).expect("a result");
    let of = &back.selection;
    let targets = |selection: &Selection| -> Vec<Value> {
        let targets = selection.targets.iter();
        targets
            .map(|target| {
                json!([target.relation, target.relation_line.as_ref().and_then(|line| line.item)])
            })
            .collect()
    };
    let target_outcomes = |selection: &Selection| -> Vec<Outcome> {
        selection.targets.iter().map(|target| target.outcome).collect()
    };
    let line = |selection: &Selection| {
        selection
            .items
            .iter()
            .any(|item| item.kind == Kind::RelationLine && item.path == selection.strongest)
    };
    let all = |selection: &Selection, outcomes: Vec<Outcome>, hops: Vec<Outcome>| {
        let items: Vec<Value> = selection.items.iter().map(told).collect();
        // Without its relation line nobody knows what the strongest match declares.
        let targets = if line(selection) { targets(selection) } else { Vec::new() };
        let hops = if line(selection) { hops } else { Vec::new() };
        json!([
            selection.budget,
            selection.spent,
            selection.remaining,
            items,
            outcomes,
            targets,
            hops,
            selection.strongest,
            selection.expanded,
            selection.related,
        ])
    };
    let by_rows = rows(&by);
    let by_hops = target_outcomes(&by);
    let of_rows = outcomes(&rows(of), &by_rows);
    let of_hops = outcomes(&target_outcomes(of), &by_hops);
    let answered = json!([answered.rows(), answered.table(), answered.envelope()]);
    let read = json!([back.answered.rows(), back.answered.table(), back.answered.envelope()]);
    (json!([answered, all(&by, by_rows, by_hops)]), json!([read, all(of, of_rows, of_hops)]))
}

#[test]
fn results_of_the_engine_selection_come_back_as_they_were() {
    failures("expand.json", |case| compare(case, Engine::Selection));
}

/// What the engine `rows` prints has no mark of it, unless it is empty; so the text is
/// taken for the other's, and the items are the same but for what they cost.
#[test]
fn results_of_the_engine_rows_come_back_as_they_were() {
    failures("expand.json", |case| {
        let (_, by) = expand(case, Engine::Rows);
        let back = read_back(&by.text(), None).expect("a result");
        let free = |item: &Item| {
            let mut told = told(item);
            told[7] = Value::Null;
            told
        };
        let all = |selection: &Selection, rows: Vec<Outcome>| {
            let items: Vec<Value> = selection.items.iter().map(free).collect();
            json!([items, rows, selection.expanded, selection.related])
        };
        let by_rows = rows(&by);
        let of_rows = outcomes(&rows(&back.selection), &by_rows);
        (all(&by, by_rows), all(&back.selection, of_rows))
    });
}

fn unknown(text: &str, budget: Option<u64>) -> Vec<String> {
    read_back(text, budget).expect("a result").unknown
}

const TABLE: &str = "status: ok\nmatches: 2\n\n\
                     | Path | Importance | Title | Tags |\n|---|---|---|---|\n\
                     | /a.md | 0.50 | A | |\n| /b.md#x | 0.50 | B | |\n";

#[test]
fn what_a_text_does_not_say_is_told() {
    let nothing: Vec<String> = Vec::new();
    assert_eq!(unknown(TABLE, None), nothing);
    let back = read_back(TABLE, None).expect("a result");
    assert_eq!((back.budget, back.selection.rows[1].outcome), (Some(0), Outcome::NoBudget));
    let whole = format!(
        "{TABLE}\n>>> /a.md/v3#a\n\n# A\n\n>>> note: did not fit: /b.md/v1#x (~90 tokens) +2 more\n\
         >>> note: expanded 1 of 2 rows within the budget\n"
    );
    let back = read_back(&whole, None).expect("a result");
    assert_eq!(
        back.unknown,
        [
            "the budget, and what was left of it",
            "which 2 more pieces did not fit",
            "whether the strongest match declares relations: its relation line is not there",
        ]
    );
    let rows: Vec<(Outcome, &str)> =
        back.selection.rows.iter().map(|row| (row.outcome, row.reason.as_str())).collect();
    assert_eq!(
        rows,
        [
            (Outcome::Printed, "printed, 5 tokens"),
            (Outcome::DidNotFit, "did not fit: about 90 tokens; what was left is not told"),
        ]
    );
    let omissions = back.selection.omissions();
    assert_eq!(omissions.len(), 1);
    assert_eq!((omissions[0].location.as_str(), omissions[0].short), ("/b.md/v1#x", None));
}

#[test]
fn a_text_that_is_cut_off_is_read_as_far_as_it_goes() {
    let cut = format!("{TABLE}\n>>> /a.md/v3#a\n\n# A\n\nand so o");
    assert_eq!(
        unknown(&cut, Some(500)),
        [
            "which engine selected the evidence; taken for `selection`",
            "the end of the result: the text is cut off",
            "what became of 1 row or relation",
            "whether the strongest match declares relations: its relation line is not there",
        ]
    );
    let back = read_back(&cut, Some(500)).expect("a result");
    assert_eq!(back.selection.text(), cut);
    assert_eq!(back.selection.rows[1].reason, "not told: the text is cut off");
}

/// Wherever it is cut, no budget is made up, and that it is cut is told.
#[test]
fn a_text_that_is_cut_within_the_table_has_no_budget() {
    for end in 0..TABLE.len() - 1 {
        let Ok(back) = read_back(&TABLE[..end], None) else {
            assert!(end < "status: ".len(), "{end}");
            continue;
        };
        // The last row may lack its end, and is one all the same.
        if back.selection.rows.len() == 2 {
            continue;
        }
        assert_eq!(back.budget, None, "{end}");
        let cut = "the end of the result: the text is cut off".to_owned();
        assert!(back.unknown.contains(&cut), "{end}: {:?}", back.unknown);
    }
}

/// A transcript from another system.
#[test]
fn line_ends_of_another_system_are_read_and_told() {
    let whole = format!(
        "{TABLE}\n>>> /a.md/v3#a\n\n# A\n\n>>> note: expanded 1 of 2 rows within the budget\n"
    );
    let plain = read_back(&whole, Some(900)).expect("a result");
    let back = read_back(&whole.replace('\n', "\r\n"), Some(900)).expect("a result");
    assert_eq!(back.selection, plain.selection);
    assert_eq!(back.unknown[0], "its own line ends: a tool writes LF, and here is CRLF");
    assert_eq!(back.unknown[1..], plain.unknown);
}

/// Whatever is read, the items are the text, and nothing panics.
#[test]
fn any_text_is_kept_whole() {
    for text in [
        "status: ok",
        "status: ok\n",
        "status: ok\n\n",
        "status: \n\n>>> ",
        "status: ok\n\n>>>",
        "status: ok\n\n\n>>> ",
        "status: ok\n\n\n>>> note: ",
        "status: ok\n\nx\n>>> \n\n\n\n",
        "status: ok\n\n\n>>> /a#b\n\n>>> related: \n\n>>> related: rel- ; rel-a\n\n>>> note: did not fit:  (~ tokens)\n",
        "status: not-found\n\n\n# Not found\n\n>>> /a\n",
        "status: ok\r\n\r\n| a | b | c | d |\r\n\r\n>>> /a\r\n",
    ] {
        let back = read_back(text, None).expect("a result");
        assert_eq!(back.selection.text(), text.replace("\r\n", "\n"));
    }
    let error = read_back("# Lookup\n", None).expect_err("no result");
    assert_eq!(
        error.to_string(),
        "1: a result begins with `status: ok`, not with `# Lookup`; give the whole text as the \
         tool returned it"
    );
}
