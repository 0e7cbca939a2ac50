//! What a report was made of, as hashes: `sha256-` and 64 hexadecimal digits.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::recorded::{RecordedLookup, write_lookups};
use super::report::PROGRAM;
use crate::catalog::Match;
use crate::lookup::Store;
use crate::selection::Engine;

/// The hashes of a report's parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hashes {
    /// Paths, versions, metadata and bodies of all documents, and errors of paths.
    /// Where some lookup filters by times, these too; where one matches the catalog,
    /// which ranks equals by them, their order.
    pub world: String,
    /// The lookups, however they were laid out.
    pub lookups: String,
    /// The engine's name and the version of this program.
    pub engine: String,
    /// The options.
    pub options: String,
    /// The report itself but for this hash and its sums, which follow from the rest: to
    /// see whether somebody changed it. Empty until there is a report.
    pub report: String,
}

impl Hashes {
    /// The hashes of what a replay is made of.
    pub fn of(
        store: &Store,
        lookups: &[RecordedLookup],
        engine: Engine,
        options: &impl Serialize,
    ) -> Self {
        let times = Times {
            themselves: lookups.iter().any(|lookup| lookup.filter.contains("modified-")),
            order: lookups.iter().any(|lookup| lookup.match_sent != Some(Match::Body)),
        };
        let program = format!("{PROGRAM} {}", engine.name());
        // Numbers and texts alone: there is nothing that JSON cannot hold.
        let options = serde_json::to_string(options).unwrap_or_default();
        Self {
            world: world_hash(store, times),
            lookups: hash([write_lookups(lookups).as_str()]),
            engine: hash([program.as_str()]),
            options: hash([options.as_str()]),
            report: String::new(),
        }
    }

    /// The hash of a report: of what it says beside these hashes, and of these.
    pub(super) fn seal(&self, says: &impl Serialize) -> String {
        // Numbers and texts alone: there is nothing that JSON cannot hold.
        let says = serde_json::to_string(says).unwrap_or_default();
        hash([&self.world, &self.lookups, &self.engine, &self.options, says.as_str()])
    }

    /// The key and the words of a report whose hash is another one than it has.
    pub(super) fn broken(&self, says: &impl Serialize) -> Option<(String, String)> {
        let words = "it was changed after it was written, or not written by this program";
        (self.report != self.seal(says)).then(|| ("hashes.report".into(), words.into()))
    }
}

/// What the times of documents matter for.
#[derive(Clone, Copy)]
struct Times {
    themselves: bool,
    order: bool,
}

/// The hash of a world's documents.
fn world_hash(store: &Store, by: Times) -> String {
    let mut times: Vec<_> =
        store.catalog().documents().iter().map(|document| document.modified()).collect();
    times.sort_unstable();
    times.dedup();
    let mut parts: Vec<String> = Vec::new();
    let mut hasher = Sha256::new();
    for document in store.catalog().documents() {
        parts.clear();
        parts.push(document.path().to_owned());
        parts.push(document.version().map_or(String::new(), |version| version.to_string()));
        if by.themselves {
            parts.push(document.modified().map_or(String::new(), |time| time.to_string()));
        }
        if by.order {
            parts.push(times.partition_point(|time| *time < document.modified()).to_string());
        }
        for (key, value) in document.metadata() {
            parts.push(key.clone());
            parts.push(value.clone());
        }
        take(&mut hasher, parts.iter().map(String::as_str));
        take(&mut hasher, [document.body()]);
    }
    take(&mut hasher, store.errors().iter().flat_map(|(path, error)| [path.as_str(), error]));
    finished(hasher)
}

/// Each part with its length before it, so that no two lists of parts run together
/// to the same bytes; and their number behind them.
fn take<'a>(hasher: &mut Sha256, parts: impl IntoIterator<Item = &'a str>) {
    let mut count = 0u64;
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
        count += 1;
    }
    hasher.update(u64::MAX.to_le_bytes());
    hasher.update(count.to_le_bytes());
}

fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    take(&mut hasher, parts);
    finished(hasher)
}

/// The hash of a file's text, in hexadecimal digits.
pub(super) fn of_file(text: &str) -> String {
    digits(Sha256::new_with_prefix(text))
}

fn finished(hasher: Sha256) -> String {
    format!("sha256-{}", digits(hasher))
}

fn digits(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
