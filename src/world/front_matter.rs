//! Where the front matter of a file ends and its body begins.
//!
//! Only a folder of plain files has front matter, and exactly one block of it is
//! taken off: from `---` alone on the very first line up to the next line that
//! is `---` alone. What stands between the two is read by [`super::yaml`].

/// A file's text, taken apart. The body is always the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Split<'a> {
    /// The lines between the fences, with their line ends; the first of them is
    /// line 2 of the file.
    pub(super) block: Option<&'a str>,
    /// Everything after the closing fence; where there is no block, the text
    /// itself. A byte order mark is never part of it.
    pub(super) body: &'a str,
    /// Whether the first line opens a block that nothing closes.
    pub(super) unclosed: bool,
}

/// Takes the text of a file apart. A byte order mark at its very beginning is
/// dropped also where no front matter follows: it would hide a first heading.
pub(super) fn split(text: &str) -> Split<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let whole = Split { block: None, body: text, unclosed: false };
    let Some(opening) = lines.next().filter(|line| is_fence(line)) else { return whole };
    let mut end = opening.len();
    for line in lines {
        if is_fence(line) {
            return Split {
                block: Some(&text[opening.len()..end]),
                body: &text[end + line.len()..],
                unclosed: false,
            };
        }
        end += line.len();
    }
    Split { unclosed: true, ..whole }
}

/// Blanks after the dashes are allowed, since nobody sees them: without that, one
/// of them would turn all metadata of a file into a heading.
fn is_fence(line: &str) -> bool {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.trim_end_matches([' ', '\t']) == "---"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(text: &str) -> (Option<&str>, &str, bool) {
        let Split { block, body, unclosed } = split(text);
        (block, body, unclosed)
    }

    #[test]
    fn one_block_is_taken_off() {
        for (text, want) in [
            ("", (None, "", false)),
            ("# H\n", (None, "# H\n", false)),
            ("---\na: b\n---\n# H\n", (Some("a: b\n"), "# H\n", false)),
            ("---\r\na: b\r\n---\r\n# H\r\n", (Some("a: b\r\n"), "# H\r\n", false)),
            ("\u{feff}---\na: b\n---\n# H\n", (Some("a: b\n"), "# H\n", false)),
            ("\u{feff}# H\n", (None, "# H\n", false)),
            ("\u{feff}\u{feff}# H\n", (None, "\u{feff}# H\n", false)),
            ("---\n---\nx", (Some(""), "x", false)),
            ("---\na: b\n---", (Some("a: b\n"), "", false)),
            ("--- \na: b\n---\t\nx", (Some("a: b\n"), "x", false)),
            ("---\na: b\n---\n---\nc: d\n---\n", (Some("a: b\n"), "---\nc: d\n---\n", false)),
            ("---\na: |\n  ---\n---\nx", (Some("a: |\n  ---\n"), "x", false)),
            ("\n---\na: b\n---\n", (None, "\n---\na: b\n---\n", false)),
            (" ---\na: b\n---\n", (None, " ---\na: b\n---\n", false)),
            ("----\na: b\n---\n", (None, "----\na: b\n---\n", false)),
            ("--- a\nb\n---\n", (None, "--- a\nb\n---\n", false)),
            ("para\n---\n", (None, "para\n---\n", false)),
        ] {
            assert_eq!(parts(text), want, "{text:?}");
        }
    }

    #[test]
    fn an_unclosed_block_is_body() {
        for text in ["---", "---\n", "---\n\nExample\n", "---\na: b\n# H\n", "---\na\n ---\n----\n"]
        {
            assert_eq!(parts(text), (None, text, true), "{text:?}");
        }
        assert_eq!(parts("\u{feff}---\nx"), (None, "---\nx", true));
    }

    proptest! {
        #[test]
        fn the_body_is_the_end_of_the_text(text in "(\u{feff})?(---\r?\n)?(\\PC|\n|---\n){0,40}") {
            let Split { block, body, .. } = split(&text);
            prop_assert!(text.ends_with(body));
            if let Some(block) = block {
                prop_assert!(text.contains(block));
            }
        }
    }
}
