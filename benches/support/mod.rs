//! Worlds for timing: made from a seed, the same every time.
#![allow(dead_code)] // No bench uses all of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use markscope::document::Document;

/// A small generator of numbers (splitmix64); statistics do not matter here.
pub struct Seeded(u64);

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    /// A rank with frequencies falling as words of a language do, roughly.
    fn rank(&mut self, most: u64) -> u64 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        ((most as f64).powf(unit) as u64 - 1).min(most - 1)
    }
}

fn word(rank: u64) -> String {
    const SYLLABLES: [&str; 16] = [
        "ta", "ri", "mo", "ken", "lu", "sa", "vor", "ni", "de", "pal", "quo", "es", "tir", "ba",
        "gon", "hu",
    ];
    let mut rank = rank + 16;
    let mut out = String::new();
    while rank > 0 {
        out.push_str(SYLLABLES[(rank % 16) as usize]);
        rank /= 16;
    }
    out
}

const VOCABULARY: u64 = 30_000;

/// The word that is at a place of the vocabulary, 0 the most frequent.
pub fn term(rank: u64) -> String {
    word(rank)
}

/// Documents of about 4,300 bytes each, with sections, tags and relations.
pub fn documents(count: usize, seed: u64) -> Vec<Arc<Document>> {
    let mut seeded = Seeded::new(seed);
    let words: Vec<String> = (0..VOCABULARY).map(word).collect();
    (0..count)
        .map(|at| {
            let mut body =
                format!("# Document {at} {}\n\n", words[seeded.rank(VOCABULARY) as usize]);
            let sections = 4 + seeded.below(9);
            for section in 0..sections {
                let level = if section % 3 == 2 { "###" } else { "##" };
                let title = &words[seeded.rank(VOCABULARY) as usize];
                body.push_str(&format!("{level} {title} {section}\n\n"));
                for line in 0..2 + seeded.below(5) {
                    if line == 1 {
                        body.push_str("- ");
                    }
                    for at in 0..10 + seeded.below(20) {
                        let word = &words[seeded.rank(VOCABULARY) as usize];
                        match at % 13 {
                            5 => body.push_str(&format!("**{word}**, ")),
                            9 => body.push_str(&format!("[{word}](/d/{at}.md) ")),
                            _ => {
                                body.push_str(word);
                                body.push(' ');
                            }
                        }
                    }
                    body.push_str(".\n\n");
                }
            }
            let tags: Vec<&str> =
                (0..3).map(|_| words[seeded.rank(400) as usize].as_str()).collect();
            let targets: Vec<String> =
                (0..3).map(|_| format!("/d/{}.md", seeded.below(count as u64))).collect();
            let metadata = BTreeMap::from([
                ("tags".to_owned(), tags.join(", ")),
                ("importance".to_owned(), format!("0.{}", seeded.below(100))),
                ("rel-depends-on".to_owned(), targets.join(", ")),
            ]);
            Arc::new(Document::new(format!("/d/{at}.md"), body).with_metadata(metadata))
        })
        .collect()
}

/// The same documents with nothing parsed yet.
pub fn unparsed(documents: &[Arc<Document>]) -> Vec<Arc<Document>> {
    documents
        .iter()
        .map(|document| {
            Arc::new(
                Document::new(document.path(), document.body())
                    .with_metadata(document.metadata().clone()),
            )
        })
        .collect()
}
