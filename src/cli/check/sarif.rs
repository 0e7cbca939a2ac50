//! Findings as SARIF 2.1.0, which code hosts and editors read.

use serde_json::{Value, json};

use super::report::Report;
use crate::check::{RULES, Severity};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// The log of one run.
pub(super) fn log(reports: &[Report]) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.code,
                "name": rule.name,
                "shortDescription": { "text": rule.what },
                "fullDescription": { "text": rule.explanation },
                "help": { "text": rule.explanation },
                "defaultConfiguration": { "level": level(rule.severity) },
            })
        })
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "markscope",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            // Columns are characters, not UTF-16 units.
            "columnKind": "unicodeCodePoints",
            "results": reports.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(report: &Report) -> Value {
    let mut location =
        json!({ "artifactLocation": { "uri": uri(&report.file.to_string_lossy()) } });
    if let Some(located) = &report.located {
        location["region"] = json!({
            "startLine": located.line,
            "startColumn": located.column,
            "endLine": located.end_line,
            "endColumn": located.end_column,
        });
    }
    let index = RULES.iter().position(|rule| rule.code == report.rule.code);
    json!({
        "ruleId": report.rule.code,
        "ruleIndex": index,
        "level": level(report.severity),
        "message": { "text": format!("{}; {}", report.message, report.help) },
        "locations": [{ "physicalLocation": location }],
    })
}

fn level(severity: Severity) -> &'static str {
    severity.name()
}

/// A file's path as a URI reference: relative stays relative.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut out = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
        if is_plain {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uri_references() {
        for (path, want) in [
            ("./notes/a b.md", "notes/a%20b.md"),
            ("notes/ä#1.md", "notes/%C3%A4%231.md"),
            ("/srv/x.md", "file:///srv/x.md"),
            ("a:b.md", "a%3Ab.md"),
        ] {
            assert_eq!(uri(path), want);
        }
    }
}
