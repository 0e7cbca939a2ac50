//! The expected values of a conforming implementation, compared whole.

mod support;

use markscope::catalog::{Catalog, Clause, Filter, query_terms};
use markscope::selection::Engine;

use markscope::markdown::{Outline, plain_lines, slug};
use markscope::relations::Relations;
use markscope::table::{
    RowKind, cap_table_tags, cap_tags, escape, escape_cell, row_kind, split_location, split_row,
    unescape,
};
use serde_json::{Value, json};

use support::{cases, expand, failures, metadata, text, world};

#[test]
fn outlines() {
    failures("outline.json", |case| {
        let body = text(case, "body");
        let outline = Outline::parse(body);
        let headings: Vec<Value> = outline
            .headings()
            .iter()
            .map(|heading| {
                json!({
                    "level": heading.level, "text": heading.text, "anchor": heading.anchor,
                    "start": heading.start, "end": heading.end, "lines": heading.lines,
                })
            })
            .collect();
        let path = case["path"].as_str().unwrap_or("/doc.md");
        (
            json!({
                "headings": case["headings"].as_array().cloned().unwrap_or_default(),
                "opening": case["opening_paragraph"].as_str().unwrap_or_default(),
                "outline": case["outline"],
            }),
            json!({
                "headings": headings,
                "opening": outline.opening_paragraph(body).unwrap_or_default(),
                "outline": outline.text(body, path),
            }),
        )
    });
}

#[test]
fn sections_found_by_anchor() {
    failures("find.json", |case| {
        let outline = Outline::parse(text(case, "body"));
        let found = match outline.find(text(case, "anchor")) {
            Some(heading) => json!([heading.anchor, heading.start, heading.end]),
            None => Value::Null,
        };
        let want = match case["found"] == true {
            true => json!([case["heading"], case["start"], case["end"]]),
            false => Value::Null,
        };
        (want, found)
    });
}

#[test]
fn slugs() {
    failures("slug.json", |case| (case["slug"].clone(), json!(slug(text(case, "text")))));
}

#[test]
fn plain_text_and_terms() {
    failures("sections.json", |case| {
        let input = text(case, "input");
        match text(case, "op") {
            "strip" => (case["output"].clone(), json!(plain_lines(input))),
            "query_terms" => (case["terms"].clone(), json!(query_terms(input))),
            "expansion_terms" => {
                (case["terms"].clone(), json!(markscope::selection::expansion_terms(input)))
            }
            other => panic!("no such operation: {other}"),
        }
    });
}

#[test]
fn cells() {
    failures("cells.json", |case| {
        let input = text(case, "input");
        let got = match text(case, "op") {
            "escape" => json!(escape(input)),
            "escape_cell" => json!(escape_cell(input)),
            "unescape" => json!(unescape(input)),
            "cap_tags" => json!(cap_tags(input)),
            "cap_table_tags" => json!(cap_table_tags(input)),
            "split_location" => {
                let (path, anchor) = split_location(input);
                return (json!([case["path"], case["anchor"]]), json!([path, anchor]));
            }
            "split_row" => {
                let cells = split_row(input);
                let kind = match cells.as_deref().map(row_kind) {
                    None => "none",
                    Some(RowKind::Header) => "header",
                    Some(RowKind::Separator) => "separator",
                    Some(RowKind::Data) => "data",
                    Some(RowKind::Other) => "other",
                };
                return (
                    json!([case["is_row"], case["cells"], case["kind"]]),
                    json!([cells.is_some(), cells.unwrap_or_default(), kind]),
                );
            }
            other => panic!("no such operation: {other}"),
        };
        (case["output"].clone(), got)
    });
}

#[test]
fn relations() {
    failures("relations.json", |case| {
        let relations = Relations::of(text(case, "path"), &metadata(case));
        let sorted = |value: &Value, keys: [&str; 3]| -> Value {
            let items = value.as_array().cloned().unwrap_or_default();
            items.iter().map(|item| json!(keys.map(|key| item[key].clone()))).collect()
        };
        let got = serde_json::to_value(&relations).expect("relations serialise");
        let keys = (["rel", "target", "fragment"], ["key", "value", "reason"]);
        (
            json!([sorted(&case["refs"], keys.0), sorted(&case["rejected"], keys.1)]),
            json!([sorted(&got["refs"], keys.0), sorted(&got["rejected"], keys.1)]),
        )
    });
}

#[test]
fn filters() {
    failures("filter.json", |case| match text(case, "filter").parse::<Filter>() {
        Ok(filter) => {
            let clauses: Vec<Value> = filter
                .clauses()
                .iter()
                .map(|clause| match clause {
                    Clause::Tag(value) => json!({"kind": "tag", "value": value}),
                    Clause::ModifiedAfter(time) => {
                        json!({"kind": "modified-after", "time": time.to_string()})
                    }
                    Clause::ModifiedBefore(time) => {
                        json!({"kind": "modified-before", "time": time.to_string()})
                    }
                    Clause::Exact { key, value } => {
                        json!({"kind": "exact", "key": key, "value": value})
                    }
                })
                .collect();
            (json!([case["ok"], case["clauses"]]), json!([true, clauses]))
        }
        Err(error) => (json!([case["ok"], case["error"]]), json!([false, error.to_string()])),
    });
}

#[test]
fn lookups() {
    failures("lookup.json", |case| {
        let catalog = Catalog::new(world(text(case, "world")).documents);
        let request = support::request(case);
        match catalog.lookup(&request) {
            Ok(answer) => {
                let rows: Vec<Value> = answer
                    .rows
                    .iter()
                    .map(|row| serde_json::to_value(row).expect("rows serialise"))
                    .collect();
                // JSON writes 1 and 1.0 for the same importance.
                let mut want = case["rows"].clone();
                for row in want.as_array_mut().expect("rows") {
                    row["importance"] = json!(row["importance"].as_f64());
                }
                (
                    json!([want, case["body"], case["error"]]),
                    json!([rows, answer.body, Value::Null]),
                )
            }
            Err(refusal) => (
                json!([case["rows"], case["body"], case["error"]]),
                json!([[], "", refusal.message()]),
            ),
        }
    });
}

#[test]
fn no_file_is_empty() {
    for (file, least) in [
        ("outline.json", 100),
        ("find.json", 20),
        ("slug.json", 40),
        ("sections.json", 80),
        ("cells.json", 80),
        ("relations.json", 20),
        ("filter.json", 20),
        ("lookup.json", 100),
        ("expand.json", 300),
    ] {
        assert!(cases(file).len() >= least, "{file}");
    }
}

#[test]
fn expansions() {
    failures("expand.json", |case| {
        let (answered, selection) = expand(case, Engine::Selection);
        let wanted = ["result", "spent", "rows", "expanded", "hops", "fetched"];
        (
            json!(wanted.map(|key| case[key].clone())),
            json!([
                selection.text(),
                selection.spent,
                answered.rows().len(),
                selection.expanded,
                selection.related,
                selection.fetched,
            ]),
        )
    });
}

#[test]
fn expansions_by_the_engine_rows() {
    failures("expand.json", |case| {
        let (answered, selection) = expand(case, Engine::Rows);
        let text = selection.text();
        (case["baseline_expansion"].clone(), json!(&text[answered.spent()..]))
    });
}

/// The tables of the cases that come from a lookup are the catalog's own.
#[test]
fn tables_of_expansions() {
    failures("expand.json", |case| {
        if !case["given_rows"].is_null() || case["answered"] != case["match"] {
            return (Value::Null, Value::Null);
        }
        let catalog = Catalog::new(world(text(case, "world")).documents);
        let answer = catalog.lookup(&support::request(case)).expect("an answer");
        (case["table_body"].clone(), json!(answer.body))
    });
}
