//! Fixed rows with inline documents: only the selection under a budget is measured.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{File, ImportError, Imported};
use crate::selection::{Engine, TOKEN};
use crate::tune::recorded::{RecordedLookup, RequiredPassage};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    query: String,
    budget_bytes: u64,
    rows: Vec<String>,
    docs: BTreeMap<String, String>,
    #[serde(default)]
    expected: Vec<RequiredPassage>,
}

pub(super) fn import(file: &File, out: &mut Imported) -> Result<(), ImportError> {
    let cases: Vec<Case> = file.json()?;
    for (at, case) in cases.into_iter().enumerate() {
        if case.rows.is_empty() {
            return Err(file.error(format!("[{at}].rows"), "there is no row to expand"));
        }
        let mut lookup = RecordedLookup {
            id: Some(case.name.clone()),
            rows: case.rows,
            docs: case.docs,
            required: case.expected,
            ..RecordedLookup::new(case.query)
        };
        // The budget of such a case is for the evidence alone; here it is for all.
        let own = lookup.own_world();
        let ahead = own.map_or(0, |store| {
            let asked = lookup.ask(&store, Engine::Selection, false);
            asked.session().answered().spent() as u64
        });
        let tokens = (case.budget_bytes + ahead).div_ceil(TOKEN as u64);
        lookup.budget = Some(tokens);
        out.remarks.push(format!(
            "{}: its {} bytes are for the evidence alone; with the table that is a budget of \
             {tokens} tokens; rows, whose table is free, then has {} more for evidence",
            case.name,
            case.budget_bytes,
            ahead / TOKEN as u64
        ));
        out.lookups.push(lookup);
    }
    Ok(())
}
