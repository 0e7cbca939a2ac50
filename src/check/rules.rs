//! The rules: their codes, which stay what they are, and what each means.

use super::Severity;
use super::Severity::{Error, Note, Warning};

/// A rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its code, such as `R001`. It never changes its meaning.
    pub code: &'static str,
    /// Its name in words, for settings and people.
    pub name: &'static str,
    /// How much a finding matters unless settings say otherwise.
    pub severity: Severity,
    /// What is found, in one line.
    pub what: &'static str,
    /// What it means for a reader, and the way out.
    pub explanation: &'static str,
}

impl Rule {
    /// The rule of a code, or of a name.
    pub fn of(name: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.code.eq_ignore_ascii_case(name) || rule.name == name)
    }
}

macro_rules! rules {
    ($($code:literal $name:literal $severity:ident $what:literal $explanation:literal;)*) => {
        /// All rules, in the order of their codes.
        pub static RULES: &[Rule] = &[$(Rule {
            code: $code,
            name: $name,
            severity: $severity,
            what: $what,
            explanation: $explanation,
        },)*];
    };
}

rules! {
    "C001" "not-pinned" Note "a whole document has no anchor to be cited by"
        "A document that is printed whole is cited as path/vN#anchor only if its first heading is an \
         H1, nothing stands before it, and no second H1 follows. Otherwise the citation has no anchor \
         and names the whole file. Begin the document with one H1, and make further H1s H2s.";
    "C002" "no-h2" Warning "a large document without an H2"
        "A document of 8,192 bytes or more is never printed whole: a reader gets those of its sections \
         at level 2 or deeper that hold all words of the query, else its outline. Without an H2 there \
         is nothing between those two. Divide it with H2 headings.";
    "C003" "repeated-heading" Note "two headings of a document would have one anchor"
        "The second heading of a text gets its anchor with -1, the third with -2. Put another one in \
         between, and the numbers move: citations of the past then name another section. Give each \
         heading a text of its own.";
    "C004" "same-section" Note "a section is the same, byte for byte, in another document"
        "Where both copies are found by one lookup, only the first that is printed has its text; the \
         other becomes a one-line stub that says where it stands. Keep one copy, and link to it.";
    "C005" "empty-heading" Warning "a heading without text"
        "A heading without text opens no section: it has no anchor, and what stands below it belongs to \
         the section before. Write its text, or remove it.";
    "C006" "broken-link" Warning "a link in the body leads nowhere"
        "A reader that follows the link gets not-found, or is told that there is no such section: a \
         turn is lost. Correct the path or the anchor.";
    "M001" "importance" Error "an importance that cannot be read"
        "Importance is a decimal number from 0 to 1. Anything else counts as 0.5, silently, so the \
         document ranks in the middle. Write a number such as 0.8.";
    "M002" "tag-case" Warning "tags that differ only in case"
        "A lookup ignores the case of tags, a reader of the table sees both spellings, and other tools \
         may count them apart. Choose one spelling.";
    "M003" "no-title" Warning "a document without a title"
        "Without a `title` and without a line that begins with `# `, the table shows the file's name, \
         and lookups by words find the document only through its tags. Declare a title.";
    "M004" "refused-key" Warning "a metadata key that a store does not serve"
        "A store serves keys of small letters, digits and dashes, and keeps some keys for itself. Any \
         other key is renamed or dropped when the document is published. Rename it.";
    "M005" "too-many-keys" Error "more metadata keys than a store takes"
        "A store refuses a document with more than 50 keys. Remove some, or join relations of one \
         predicate in one key, separated by commas.";
    "M006" "metadata-size" Error "more metadata than a store takes"
        "A store refuses a document whose keys and values are more than 1,024 bytes together. Shorten \
         them, or move some of it into the body.";
    "M007" "body-size" Error "a larger body than a store takes"
        "A store refuses a body of more than 1,048,576 bytes. Divide the document.";
    "P001" "escaped-target" Error "a relation target that readers ask for in another spelling"
        "A reader resolves a target as a URL, so characters outside ASCII, spaces and a few others are \
         percent-encoded before it asks. The store compares paths as they are and has no such document. \
         Give the document a path of letters, digits, dashes and dots.";
    "P002" "hash-in-path" Warning "a path with a # in it"
        "A reader takes what follows a # for an anchor, and asks for the path before it: the document \
         cannot be read from a table. Rename it.";
    "P003" "own-title" Note "a lookup by the document's own title finds another one first"
        "Somebody who knows the title types it, and gets another document on top. With a small budget \
         that one is all they get. Make the title more telling, or give the document the importance it \
         has.";
    "P004" "beyond-third" Note "relations that no hop takes"
        "At most three related documents are printed for one result, in a fixed order: supersedes, \
         superseded-by, depends-on, implements and derived-from first, then the rest, as written. What \
         comes later is only named in the relation line. Put first what a reader needs.";
    "P005" "line-too-long" Warning "a relation line that does not fit the budget"
        "The relation line is printed whole or not at all, and relations are followed only if it is \
         printed. This one does not fit behind its document at the budget of the settings, even where \
         nothing else is in the table. Declare fewer relations, or divide the document.";
    "P006" "large-target" Note "a relation target that is too large to be printed whole"
        "Of a target of 8,192 bytes or more a reader gets the sections that hold all words of the query, \
         else an outline; a smaller one, or a section, that is larger than the budget of the settings \
         is not printed at all. Name a smaller section, as /doc.md#anchor.";
    "P007" "control-character" Warning "a path with a control character in it"
        "Nobody can type such a path, it is shown otherwise than it is, and a reader that takes it for \
         a URL refuses it. Rename the document.";
    "R001" "missing-target" Error "a relation target that does not exist"
        "The relation stands in the relation line, and the fetch of its target fails: the reader gets a \
         note instead of evidence, and one of ten fetches is spent. Correct the path.";
    "R002" "archived-target" Warning "a relation target that is archived"
        "An archived document cannot be fetched, only its versions; the reader gets a note instead of \
         evidence. Name the document that took its place.";
    "R003" "other-authority" Note "a relation target on another authority"
        "A result never leaves its world: the relation is named and not followed. Nothing is wrong if \
         that is meant.";
    "R004" "missing-section" Error "a relation target names a section that is not there"
        "The reader is told that the section was not found, and gets nothing of the document. Correct \
         the anchor, or leave it out.";
    "R005" "self-reference" Error "a relation of a document to itself"
        "It is dropped without a word. Remove it, or name the document that is meant.";
    "R006" "white-space" Error "white space inside a relation target"
        "A target with white space in it is dropped without a word. Mostly a comma is missing between \
         two targets.";
    "R007" "no-predicate" Error "a relation key without a predicate"
        "The key is just `rel-`, so its targets are dropped without a word. Say which relation it is, \
         such as rel-related.";
    "R008" "odd-relation-key" Error "a key that is nearly a relation"
        "Only keys that begin with `rel-` are relations, and only small letters, digits and dashes \
         survive publishing: `rel:by`, `rel_by` and `Rel-By` are no relations. Write rel-by.";
    "R009" "repeated-target" Warning "a relation declared twice"
        "The same target under the same predicate is shown twice in the relation line, which costs \
         tokens, and fetched once. Remove one.";
    "R010" "unknown-predicate" Warning "a predicate that nobody else uses"
        "Predicates are free text, and a misspelt one is a relation of its own: it is not tried first, \
         and no tool that asks for the usual one finds it. Correct it, or add it to the vocabulary in \
         .markscope.toml.";
    "R011" "missing-inverse" Warning "a relation whose inverse is missing"
        "A reader of the other document does not hear of this one: who finds an old decision is not told \
         that it was superseded. Declare the inverse there.";
    "R012" "cycle" Error "documents that supersede each other in a circle"
        "Nobody can tell which one is in force. Remove one of the relations.";
    "R013" "old-above-new" Warning "a superseded document ranks above the one in force"
        "A lookup by the words that both titles share shows the old document first, and a small budget \
         buys only that. Lower its importance, or raise the new one's.";
    "W001" "unreadable" Error "a file that is left out of the world"
        "The file cannot be read or parsed, so no reader ever sees it. The message says why.";
    "W002" "odd-file" Warning "something about a file that is not as it should be"
        "The document is in the world, but a part of it is not as its author wrote it. The message says \
         what.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique_and_sorted() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
        for rule in RULES {
            assert_eq!(Rule::of(rule.code), Some(rule));
            assert_eq!(Rule::of(rule.name), Some(rule));
            assert!(!rule.what.ends_with('.') && rule.explanation.ends_with('.'), "{}", rule.code);
        }
    }
}
