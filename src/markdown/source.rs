//! The source as the parser is given it: the body with what the parser reads in
//! another way than the rules do put differently, every byte at its place.

use std::borrow::Cow;

/// Tags whose HTML block ends at the first end tag of any of them (CommonMark 4.6,
/// kind 1), whatever its case.
const RAW_TAGS: [&str; 4] = ["pre", "script", "style", "textarea"];

/// The body for the parser, of the same length, with characters at the same places.
pub(super) fn for_parser(body: &str) -> Cow<'_, str> {
    let body = without_lone_returns(body);
    match without_raw_tags(&body) {
        Some(source) => Cow::Owned(source),
        None => body,
    }
}

/// A lone carriage return ends no line here, but it does for the parser. Its
/// place is taken by a character of one byte that means nothing to markdown.
fn without_lone_returns(body: &str) -> Cow<'_, str> {
    let bytes = body.as_bytes();
    let lone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', bytes).any(lone) {
        return Cow::Borrowed(body);
    }
    let mut out = String::with_capacity(body.len());
    for (at, c) in body.char_indices() {
        out.push(if c == '\r' && lone(at) { '\u{1}' } else { c });
    }
    Cow::Owned(out)
}

/// The parser ends such a block only at the end tag of its own start tag, in lower
/// case. As a comment, which is an HTML block too and ends at `-->`, it ends where
/// it should. `None` where the body has no such block.
fn without_raw_tags(body: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    let mut fenced = false;
    let mut from = 0;
    while from < body.len() {
        let end = line_end(body, from);
        let line = &body[from..end];
        let (indent, text) = within_containers(line);
        if text.starts_with("```") || text.starts_with("~~~") {
            fenced = !fenced;
        }
        if let (false, Some(tag)) = (fenced, raw_start(text)) {
            let out = out.get_or_insert_with(|| body.as_bytes().to_vec());
            from = as_comment(body, from + indent, tag.len(), out);
        } else {
            from = end;
        }
    }
    // Only ASCII was put in the place of ASCII.
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

fn line_end(body: &str, from: usize) -> usize {
    memchr::memchr(b'\n', &body.as_bytes()[from..]).map_or(body.len(), |at| from + at + 1)
}

/// The line without quote marks, list markers and an indent that is none of code.
fn within_containers(line: &str) -> (usize, &str) {
    let mut text = line;
    loop {
        let spaces = text.bytes().take_while(|byte| *byte == b' ').count();
        let inner = &text[spaces..];
        let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
        let marker = match inner.as_bytes().get(digits) {
            Some(b'>') if digits == 0 => 1,
            Some(b'-' | b'+' | b'*') if digits == 0 => 1,
            Some(b'.' | b')') if (1..10).contains(&digits) => digits + 1,
            _ => 0,
        };
        if spaces > 3 {
            return (line.len() - text.len(), text);
        }
        if marker == 0 {
            return (line.len() - inner.len(), inner);
        }
        let behind = &inner[marker..];
        text = behind.strip_prefix([' ', '\t']).unwrap_or(behind);
    }
}

/// The tag that opens such a block at the beginning of a line's text.
fn raw_start(text: &str) -> Option<&'static str> {
    let name = text.strip_prefix('<')?;
    RAW_TAGS.into_iter().find(|tag| {
        let begins = name.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag));
        let rest = &name.as_bytes()[name.len().min(tag.len())..];
        begins
            && rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'>' | b'\n' | b'\r'))
    })
}

/// Writes the block that begins at `start` as a comment, and gives the place from
/// which lines are read again: behind the line that ends it.
fn as_comment(body: &str, start: usize, tag: usize, out: &mut [u8]) -> usize {
    let bytes = body.as_bytes();
    let close = end_tag(body, start);
    let inside = close.map_or(body.len(), |(at, _)| at);
    // `<pre>` becomes `<!--x`: as much of the tag as could end the comment at once
    // is covered.
    let cover = (start + 1 + tag + 1).min(inside).max((start + 4).min(body.len()));
    for (at, byte) in (start..cover).zip(b"<!--".iter().chain(std::iter::repeat(&b'x'))) {
        if !matches!(bytes[at], b'\n' | b'\r') {
            out[at] = *byte;
        }
    }
    // No comment may end before the block does.
    for at in memchr::memmem::find_iter(&bytes[cover..inside], b"-->") {
        out[cover + at + 2] = b'x';
    }
    let Some((at, length)) = close else { return body.len() };
    out[at..at + length].fill(b' ');
    out[at + length - 3..at + length].copy_from_slice(b"-->");
    line_end(body, at)
}

/// The first end tag of any of the tags: where it is, and its length.
fn end_tag(body: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = body.as_bytes();
    memchr::memmem::find_iter(&bytes[from..], b"</").find_map(|at| {
        let at = from + at;
        RAW_TAGS.into_iter().find_map(|tag| {
            let end = at + 2 + tag.len();
            let named = bytes.get(at + 2..end)?.eq_ignore_ascii_case(tag.as_bytes());
            (named && bytes.get(end) == Some(&b'>')).then_some((at, tag.len() + 3))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Outline;

    fn anchors(body: &str) -> Vec<String> {
        assert_eq!(for_parser(body).len(), body.len(), "{body:?}");
        Outline::parse(body).headings().iter().map(|heading| heading.anchor.clone()).collect()
    }

    #[test]
    fn raw_html_ends_at_any_end_tag_in_any_case() {
        for body in [
            "<PRE>\nx\n</PRE>\n\n# X",
            "<script>\nx\n</SCRIPT>\n\n# X",
            "<pre>\nx\n</script>\n\n# X",
            "<style>\n</pre>\n# X",
            "<textarea>\n</pre>\n# X",
            "<script>a</style>\n# X",
            "<pre>\n-->\n# no\n</pre>\n# X",
            "<pre\n# no\n</pre>\n# X",
            "<pre></pre>\n# X",
            "para\n<pre>\n\n# no\n</pre>\n# X",
            "> <pre>\n> # no\n> </Pre>\n\n# X",
            "- <pre>\n\n  # no\n\n  </pre>\n\n# X",
            "   <pre class=\"é\">\n# no\n</pre> # no\n# X",
            "```\n<pre>\n```\n# X",
            "    <pre>\n\n# X",
            "<prefix>\n\n# X",
            "<pre>\n# no\n</pre>\n<style>\n# no\n</style>\n# X",
        ] {
            assert_eq!(anchors(body), ["x"], "{body:?}");
        }
        assert!(anchors("<pre>\n\n# no\n\nnever closed\n").is_empty());
        assert_eq!(anchors("# A <pre> b</pre> c\n"), ["a--b-c"]);
        // A quote that ends, ends the block in it.
        assert_eq!(anchors("> <pre>\n> x\n\n# X"), ["x"]);
        assert_eq!(anchors("> <pre>\n> y\n> > z\n\n# X\n\n> # Y\n"), ["x", "y"]);
    }
}
