//! What else stands in a body: its links, and headings without text.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::source;

/// A link as a reader may follow it: inline or by reference, no image, no bare URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, as written, without escapes.
    pub destination: String,
    /// Its bytes in the body.
    pub range: Range<usize>,
}

/// What one parse of a body brings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scanned {
    /// Links in document order.
    pub links: Vec<Link>,
    /// The bytes of headings without text.
    pub empty_headings: Vec<Range<usize>>,
}

/// Looks a body through for links and for headings without text.
pub fn scan(body: &str) -> Scanned {
    let source = source::for_parser(body);
    let mut scanned = Scanned::default();
    let mut open: Option<(Range<usize>, bool)> = None;
    for (event, range) in Parser::new_ext(&source, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) => open = Some((range, false)),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((range, false)) = open.take() {
                    let text = body[range.clone()].trim_end();
                    scanned.empty_headings.push(range.start..range.start + text.len());
                }
            }
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                let is_written = !matches!(link_type, LinkType::Autolink | LinkType::Email);
                if is_written {
                    scanned.links.push(Link { destination: dest_url.into_string(), range });
                }
                if let Some((_, has_text)) = &mut open {
                    *has_text = true;
                }
            }
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::Image { .. }) => {
                if let Some((_, has_text)) = &mut open {
                    *has_text = true;
                }
            }
            _ => {}
        }
    }
    scanned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_empty_headings_are_found() {
        let body = "# A [b](b.md#x)\n\n##\n\n<http://h> ![i](i.png) [r][1] `[c](c)`\n\n###   ###\n\n[1]: /r.md\n";
        let scanned = scan(body);
        let links: Vec<(&str, &str)> = scanned
            .links
            .iter()
            .map(|link| (link.destination.as_str(), &body[link.range.clone()]))
            .collect();
        assert_eq!(links, [("b.md#x", "[b](b.md#x)"), ("/r.md", "[r][1]")]);
        let empty: Vec<&str> =
            scanned.empty_headings.iter().map(|range| &body[range.clone()]).collect();
        assert_eq!(empty, ["##", "###   ###"]);
    }
}
