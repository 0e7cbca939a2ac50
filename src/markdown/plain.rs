//! A section as plain lines: what the index holds and what a snippet shows.

use std::borrow::Cow;

/// Markdown stripped to plain lines, joined by line feeds. Every source line is
/// trimmed and stripped by itself; lines of which nothing is left are dropped.
/// The lines inside a code fence stay, only the fences go.
pub fn plain_lines(markdown: &str) -> String {
    let mut out = String::new();
    push_plain_lines(markdown, &mut out);
    out
}

/// [`plain_lines`], appended to a buffer that the caller clears and keeps.
pub fn push_plain_lines(markdown: &str, out: &mut String) {
    let begin = out.len();
    for line in markdown.split('\n') {
        let line = line.trim();
        if is_furniture(line) {
            continue;
        }
        let before = out.len();
        if before > begin {
            out.push('\n');
        }
        let text_from = out.len();
        push_plain_line(line, out);
        if out.len() == text_from {
            out.truncate(before);
        }
    }
}

/// Lines that carry no text: fences, setext underlines and thematic breaks of
/// one character, the rule of a table.
fn is_furniture(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes.first() {
        None => true,
        Some(b'`') => line.starts_with("```"),
        Some(b'~') => line.starts_with("~~~"),
        Some(byte @ (b'=' | b'-')) => bytes.iter().all(|other| other == byte),
        Some(b'|') => bytes
            .iter()
            .all(|byte| matches!(byte, b'|' | b':' | b'-') || byte.is_ascii_whitespace()),
        Some(_) => false,
    }
}

fn push_plain_line(line: &str, out: &mut String) {
    let mut rest = line;
    if rest.starts_with('>') {
        while let Some(quoted) = rest.strip_prefix('>') {
            rest = quoted.strip_prefix(' ').unwrap_or(quoted);
        }
    }
    rest = without_list_marker(rest);
    let mut text = Cow::Borrowed(rest);
    // The pair is searched only where a bracket is: most lines have none.
    if memchr::memchr(b'[', text.as_bytes()).is_some() && text.contains("](") {
        text = Cow::Owned(without_links(&without_links(&text, true), false));
    }
    if memchr::memchr(b'<', text.as_bytes()).is_some() {
        text = Cow::Owned(without_tags(&text));
    }
    push_collapsed(&text, out);
}

fn without_list_marker(line: &str) -> &str {
    let after_marker = match line.as_bytes().first() {
        Some(b'-' | b'*' | b'+') => &line[1..],
        Some(b'0'..=b'9') => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            match line.as_bytes().get(digits) {
                Some(b'.' | b')') => &line[digits + 1..],
                _ => return line,
            }
        }
        _ => return line,
    };
    let item = after_marker.trim_start();
    if item.len() == after_marker.len() || item.is_empty() {
        return line;
    }
    for open in ["[ ]", "[x]", "[X]"] {
        if let Some(task) = item.strip_prefix(open) {
            let text = task.trim_start();
            if text.len() < task.len() {
                return text;
            }
        }
    }
    item
}

/// Replaces `![label](target)` (images) or `[label](target)` by its label. The
/// label runs to the first `]`, the target to the first `)`; nothing nests.
fn without_links(line: &str, images: bool) -> String {
    let bytes = line.as_bytes();
    let find = |byte: u8, from: usize| memchr::memchr(byte, &bytes[from..]).map(|at| from + at);
    let mut out = String::with_capacity(line.len());
    // What is copied so far, and from where the next bracket is looked for.
    let (mut copied, mut from) = (0, 0);
    while let Some(open) = find(b'[', from) {
        from = open + 1;
        // Where the construct begins: an image's mark before what is copied is taken.
        let begin = match (images, open.checked_sub(1)) {
            (false, _) => open,
            (true, Some(mark)) if mark >= copied && bytes[mark] == b'!' => mark,
            (true, _) => continue,
        };
        let Some(close) = find(b']', from) else { break };
        if bytes.get(close + 1) != Some(&b'(') {
            // A bracket that opens before this one closes ends at the same place.
            from = close + 1;
            continue;
        }
        // Where no target ends, none behind it does either.
        let Some(end) = find(b')', close + 2) else { break };
        out.push_str(&line[copied..begin]);
        out.push_str(&line[open + 1..close]);
        copied = end + 1;
        from = copied;
    }
    out.push_str(&line[copied..]);
    out
}

fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        let inner = rest[at + 1..].strip_prefix('/').unwrap_or(&rest[at + 1..]);
        if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push_str(&rest[..=at]);
            rest = &rest[at + 1..];
            continue;
        }
        // Where no tag ends, none behind it does either.
        let Some(close) = inner.find('>') else { break };
        out.push_str(&rest[..at]);
        rest = &inner[close + 1..];
    }
    out.push_str(rest);
    out
}

/// Drops backticks, `*` and `~~`, turns `|` into a space, and collapses white
/// space to single spaces, all in one walk that copies runs of plain bytes whole.
fn push_collapsed(text: &str, out: &mut String) {
    let begin = out.len();
    let bytes = text.as_bytes();
    let is_plain = |at: usize| bytes.get(at).is_some_and(|byte| PLAIN[usize::from(*byte)]);
    let mut gap = false;
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        while is_plain(at) || (at > from && bytes[at..].starts_with(b" ") && is_plain(at + 1)) {
            at += 1;
        }
        if at == from {
            // One character that is not plain: markup, white space, or not ASCII.
            let Some(c) = text[at..].chars().next() else { break };
            at += c.len_utf8();
            match c {
                '`' | '*' => continue,
                '~' if bytes.get(at) == Some(&b'~') => {
                    at += 1;
                    continue;
                }
                '|' => {
                    gap = true;
                    continue;
                }
                c if c.is_whitespace() => {
                    gap = true;
                    continue;
                }
                _ => {}
            }
        }
        if gap && out.len() > begin {
            out.push(' ');
        }
        gap = false;
        out.push_str(&text[from..at]);
    }
}

/// The ASCII characters that are neither markup to drop nor white space.
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        plain[byte] = !matches!(byte as u8, b'`' | b'*' | b'~' | b'|' | b' ' | 0x09..=0x0d);
        byte += 1;
    }
    plain
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_tags_that_never_close_stay_and_cost_little() {
        // Each took time with the square of its length once: minutes at this size.
        for unit in ["[a](", "![", "[", "<a ", "</b", "[x] ", "!"] {
            let line = unit.repeat(200_000);
            let plain = plain_lines(&format!("drone {line}"));
            assert!(plain.starts_with("drone "), "{unit}");
        }
        let far = format!("{}](x)", "[".repeat(200_000));
        assert_eq!(plain_lines(&far).len(), 199_999);
        assert_eq!(plain_lines("[a [b](c) d"), "a [b d");
        assert_eq!(plain_lines("[a] [b](c)"), "[a] b");
        assert_eq!(plain_lines("![a] ![b](c) [d](e)"), "![a] b d");
        assert_eq!(plain_lines("a <b c < d"), "a <b c < d");
        assert_eq!(plain_lines("a < b <i>c</i>"), "a < b c");
    }
}
