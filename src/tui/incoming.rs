//! What points to a document: information that no lookup gives.

use std::collections::HashMap;
use std::sync::Arc;

use crate::lookup::Store;
use crate::relations::Relations;
use crate::world::Reader;

/// A relation of another document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The predicate.
    pub predicate: String,
    /// The document that declares it.
    pub source: String,
}

/// Everything that points to anything in a world.
#[derive(Debug, Clone, Default)]
pub struct Pointers(Arc<HashMap<String, Vec<Incoming>>>);

impl Pointers {
    /// What there is to know of a world, where all of it is in memory.
    pub fn of_reader(reader: &Reader) -> Option<Self> {
        reader.store().map(|store| Self::of(store))
    }

    /// Looks through all documents of a world in memory.
    pub fn of(store: &Store) -> Self {
        let mut pointers: HashMap<String, Vec<Incoming>> = HashMap::new();
        for document in store.catalog().documents() {
            for relation in Relations::of(document.path(), document.metadata()).refs {
                let of = pointers.entry(relation.target).or_default();
                let incoming =
                    Incoming { predicate: relation.predicate, source: document.path().to_owned() };
                if !of.contains(&incoming) {
                    of.push(incoming);
                }
            }
        }
        Self(Arc::new(pointers))
    }

    /// What points to a document, in the order of paths.
    pub fn to(&self, path: &str) -> &[Incoming] {
        self.0.get(path).map(Vec::as_slice).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::document::Document;

    #[test]
    fn pointers_are_relations_read_backwards() {
        let document = |path: &str, targets: &str| {
            let metadata = BTreeMap::from([("rel-related".to_owned(), targets.to_owned())]);
            Arc::new(Document::new(path, "# A\n").with_metadata(metadata))
        };
        let documents = [document("/a.md", "/c.md#x, c.md#y"), document("/b.md", "/c.md, /a.md")];
        let store = Store::new("w", documents, BTreeMap::new());
        let pointers = Pointers::of(&store);
        let sources = |path: &str| {
            pointers.to(path).iter().map(|from| from.source.clone()).collect::<Vec<_>>()
        };
        assert_eq!(sources("/c.md"), ["/a.md", "/b.md"]);
        assert_eq!(sources("/a.md"), ["/b.md"]);
        assert_eq!(sources("/b.md"), [""; 0]);
    }
}
