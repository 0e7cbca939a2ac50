//! Whether a report holds together: one that was edited by hand must not be compared
//! as if a run had made it. Where it can be said, the key is, and else that the hash of
//! the whole is another one.

use serde::Serialize;
use serde_json::Value;

use super::coverage::Covered;
use super::report::{Arm, Entry, Report, Summary, differences};

impl Report {
    /// The first key whose value does not follow from the others, and what is wrong
    /// with it.
    pub fn fault(&self) -> Option<(String, String)> {
        if self.complete != (self.entries.len() == self.lookups) {
            let words = format!("it has {} of {} lookups", self.entries.len(), self.lookups);
            return Some(("complete".into(), words));
        }
        if let Some(fault) = self.entry_fault() {
            return Some(fault);
        }
        let rises = |pair: &[Entry]| pair[0].lookup < pair[1].lookup;
        if let Some(at) = self.entries.windows(2).position(|pair| !rises(pair)) {
            let words = "places rise, each at most once";
            return Some((format!("entries[{}].lookup", at + 1), words.into()));
        }
        if !is_same(&self.all, &Summary::of(&self.entries)) {
            return Some(("all".into(), "it is not the sum of the entries".into()));
        }
        if !is_same(&self.categories, &Summary::by_category(&self.entries)) {
            let words = "they are not the sums of the entries";
            return Some(("categories".into(), words.into()));
        }
        None
    }

    /// The key and the words of a report that is not as it was written, wherever that
    /// may be.
    pub fn changed(&self) -> Option<(String, String)> {
        self.hashes.broken(&self.says())
    }

    /// What is hashed of it: all but its hashes and its sums.
    fn says(&self) -> impl Serialize {
        let counts = (self.complete, self.documents, self.lookups);
        let made = (self.engine, self.against, &self.options);
        (&self.format, &self.program, &self.world, counts, made, &self.entries)
    }

    /// The report with the hash of what it says.
    pub fn sealed(mut self) -> Self {
        let seal = self.hashes.seal(&self.says());
        self.hashes.report = seal;
        self
    }

    /// The same of the entries, one by one: all that a run goes on from.
    pub fn entry_fault(&self) -> Option<(String, String)> {
        for (at, entry) in self.entries.iter().enumerate() {
            let key = |name: &str| format!("entries[{at}].{name}");
            if !(1..=self.lookups).contains(&entry.lookup) {
                let words = format!("a place is a number from 1 to {}", self.lookups);
                return Some((key("lookup"), words));
            }
            if let Some((name, words)) = of_entry(entry) {
                return Some((key(&name), words));
            }
        }
        None
    }
}

fn of_entry(entry: &Entry) -> Option<(String, String)> {
    let arms = [("engine", Some(&entry.engine)), ("against", entry.against.as_ref())];
    for (name, arm) in arms {
        if let Some((key, words)) = arm.and_then(|arm| of_arm(arm, entry.required.len())) {
            return Some((format!("{name}.{key}"), words));
        }
    }
    let between = entry
        .against
        .as_ref()
        .map(|against| differences(&entry.required, &against.passages, &entry.engine.passages));
    (entry.differences != between.unwrap_or_default()).then(|| {
        ("differences".into(), "they are not those between the two engines' passages".into())
    })
}

fn of_arm(arm: &Arm, required: usize) -> Option<(String, String)> {
    if arm.passages.len() != required {
        let words = format!("there are {}, and {required} are required", arm.passages.len());
        return Some(("passages".into(), words));
    }
    let count = |of: fn(&Covered) -> bool| arm.passages.iter().filter(|it| of(it)).count() as u64;
    let figures = &arm.figures;
    for (key, is, of_passages) in [
        ("contained", figures.contained, count(|passage| passage.contained)),
        ("citable", figures.citable, count(|passage| passage.citable)),
    ] {
        if is != of_passages {
            let words = format!("it is {is}, and {of_passages} of the passages are so");
            return Some((format!("figures.{key}"), words));
        }
    }
    for (key, part, whole, of) in [
        ("expanded", figures.expanded, figures.rows, "rows"),
        ("citable_blocks", figures.citable_blocks, figures.blocks, "blocks"),
    ] {
        if part > whole {
            return Some((format!("figures.{key}"), format!("{part} of {whole} {of}")));
        }
    }
    let tokens = figures.bytes / crate::selection::TOKEN as u64;
    (figures.tokens != tokens).then(|| {
        let words = format!("{} bytes are {tokens} tokens, not {}", figures.bytes, figures.tokens);
        ("figures.tokens".into(), words)
    })
}

/// Whether two values are the same in a file: numbers with a point are read back as the
/// file has them.
fn is_same(read: &impl Serialize, made: &impl Serialize) -> bool {
    as_read(read) == as_read(made)
}

fn as_read(value: &impl Serialize) -> Option<Value> {
    serde_json::from_str(&serde_json::to_string(value).ok()?).ok()
}
