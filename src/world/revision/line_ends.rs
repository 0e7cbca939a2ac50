//! Line ends as git gives them to a work tree, so that a clean one is no change.
//!
//! No filter that a repository names is run: what it would do is not known from here.

use std::collections::HashMap;

/// When line feeds become carriage return and line feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// Never.
    Kept,
    /// In every file.
    Crlf,
    /// In a file that looks like text and has no carriage return yet.
    CrlfOfText,
}

/// What a repository is set to: `core.autocrlf` and `core.eol`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings {
    is_auto: bool,
    keeps: bool,
    is_crlf: bool,
}

impl Settings {
    /// Reads what `config --null --get-regexp` prints: `KEY LF VALUE NUL`, the last one
    /// of a key holds.
    pub(super) fn read(printed: &[u8]) -> Self {
        let mut settings = Self { is_crlf: cfg!(windows), ..Self::default() };
        let text = String::from_utf8_lossy(printed);
        for entry in text.split('\0').filter(|entry| !entry.is_empty()) {
            let (key, value) = entry.split_once('\n').unwrap_or((entry, "true"));
            let value = value.trim().to_ascii_lowercase();
            match key {
                "core.autocrlf" => {
                    settings.is_auto = matches!(value.as_str(), "true" | "yes" | "on" | "1");
                    settings.keeps = value == "input";
                }
                "core.eol" => {
                    settings.is_crlf = value == "crlf" || value == "native" && cfg!(windows);
                }
                _ => {}
            }
        }
        settings
    }

    fn of(self, text: &str, eol: &str) -> LineEnds {
        let ends_crlf = match eol {
            "crlf" => true,
            "lf" => false,
            _ => self.is_auto || self.is_crlf && !self.keeps,
        };
        match text {
            "unset" => LineEnds::Kept,
            _ if !ends_crlf => LineEnds::Kept,
            "auto" => LineEnds::CrlfOfText,
            "set" => LineEnds::Crlf,
            _ if eol == "crlf" => LineEnds::Crlf,
            _ if self.is_auto => LineEnds::CrlfOfText,
            _ => LineEnds::Kept,
        }
    }

    /// Whether git takes away carriage returns when a file is committed, so that one with
    /// them is no change.
    fn drops_returns(self, text: &str, eol: &str) -> bool {
        match text {
            "unset" => false,
            "set" | "auto" => true,
            _ => matches!(eol, "lf" | "crlf") || self.is_auto || self.keeps,
        }
    }

    /// The line ends of files, by their paths, and whether a file of the work tree may have
    /// others and still be unchanged: what `check-attr -z` prints of `text` and
    /// `eol`, `PATH NUL NAME NUL VALUE NUL`.
    pub(super) fn all(self, printed: &[u8]) -> HashMap<String, (LineEnds, bool)> {
        let text = String::from_utf8_lossy(printed);
        let mut attributes: HashMap<&str, [&str; 2]> = HashMap::new();
        let mut parts = text.split('\0');
        while let (Some(path), Some(name), Some(value)) = (parts.next(), parts.next(), parts.next())
        {
            let known = attributes.entry(path).or_insert(["unspecified"; 2]);
            known[usize::from(name == "eol")] = value;
        }
        let all = attributes.into_iter();
        all.map(|(path, [text, eol])| {
            (path.to_owned(), (self.of(text, eol), self.drops_returns(text, eol)))
        })
        .collect()
    }
}

impl LineEnds {
    /// The bytes of a file in a work tree.
    pub(super) fn given(self, bytes: Vec<u8>) -> Vec<u8> {
        let is_text = || !bytes.contains(&b'\r') && !bytes.contains(&0);
        match self {
            Self::Kept => return bytes,
            Self::CrlfOfText if !is_text() => return bytes,
            Self::Crlf | Self::CrlfOfText => {}
        }
        let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 16);
        let mut before = 0;
        for byte in bytes {
            if byte == b'\n' && before != b'\r' {
                out.push(b'\r');
            }
            out.push(byte);
            before = byte;
        }
        out
    }
}

/// Whether a file of a work tree is what was committed but for carriage returns.
pub(super) fn is_same_but_for_returns(file: &[u8], committed: &[u8]) -> bool {
    let mut file = file.iter().copied().peekable();
    let mut without = std::iter::from_fn(|| match file.next()? {
        b'\r' if file.peek() == Some(&b'\n') => file.next(),
        byte => Some(byte),
    });
    committed.iter().all(|byte| without.next() == Some(*byte)) && without.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_come_before_settings() {
        let set = |printed: &str| Settings::read(printed.as_bytes());
        let none = set("");
        let auto = set("core.autocrlf\ninput\0core.autocrlf\ntrue\0");
        let input = set("core.autocrlf\ninput\0core.eol\ncrlf\0");
        let crlf = set("core.eol\ncrlf\0");
        let no = "unspecified";
        for (settings, text, eol, want) in [
            (none, no, no, LineEnds::Kept),
            (none, no, "crlf", LineEnds::Crlf),
            (none, "auto", "crlf", LineEnds::CrlfOfText),
            (none, "set", no, LineEnds::Kept),
            (none, "unset", "crlf", LineEnds::Kept),
            (auto, no, no, LineEnds::CrlfOfText),
            (auto, "set", no, LineEnds::Crlf),
            (auto, "set", "lf", LineEnds::Kept),
            (auto, "unset", no, LineEnds::Kept),
            (input, "set", no, LineEnds::Kept),
            (crlf, "auto", no, LineEnds::CrlfOfText),
            (crlf, no, no, LineEnds::Kept),
        ] {
            assert_eq!(settings.of(text, eol), want, "{settings:?} {text} {eol}");
        }
    }

    #[test]
    fn each_line_feed_gets_its_carriage_return_once() {
        let given = |ends: LineEnds, text: &str| {
            String::from_utf8(ends.given(text.as_bytes().to_vec())).expect("text")
        };
        for (text, of_text, every) in [
            ("a\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"),
            ("a\r\nb\n", "a\r\nb\n", "a\r\nb\r\n"),
            ("a\0\n", "a\0\n", "a\0\r\n"),
            ("a", "a", "a"),
        ] {
            assert_eq!(given(LineEnds::Kept, text), text);
            assert_eq!(given(LineEnds::CrlfOfText, text), of_text);
            assert_eq!(given(LineEnds::Crlf, text), every);
        }
    }

    #[test]
    fn a_file_is_the_same_but_for_carriage_returns_before_line_feeds() {
        for (file, committed, want) in [
            ("a\r\nb\n", "a\nb\n", true),
            ("a\r\n", "a\r\n", false),
            ("a\rb\n", "a\rb\n", true),
            ("a\rb\n", "ab\n", false),
            ("a\r\n", "a\nb", false),
            ("a\r\nb", "a\n", false),
        ] {
            let is_same = is_same_but_for_returns(file.as_bytes(), committed.as_bytes());
            assert_eq!(is_same, want, "{file:?} {committed:?}");
        }
    }
}
