//! What else stands in a body: its links, and headings without text.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

/// A link as a reader may follow it: inline or by reference, no image, no bare URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, as written, without escapes.
    pub destination: String,
    /// Its bytes in the body.
    pub range: Range<usize>,
}

/// What a parse of a body brings beside its sections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scanned {
    /// Links in document order.
    pub(super) links: Vec<Link>,
    /// The bytes of headings without text.
    pub(super) empty_headings: Vec<Range<usize>>,
}

/// Looks the events of a parse through for links and for headings without text.
#[derive(Default)]
pub(super) struct Scanner {
    scanned: Scanned,
    /// The heading that is open, and whether it has text.
    open: Option<(Range<usize>, bool)>,
}

impl Scanner {
    pub(super) fn take(&mut self, event: &Event<'_>, range: &Range<usize>, body: &str) {
        match event {
            Event::Start(Tag::Heading { .. }) => self.open = Some((range.clone(), false)),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((range, false)) = self.open.take() {
                    let text = body[range.clone()].trim_end();
                    self.scanned.empty_headings.push(range.start..range.start + text.len());
                }
            }
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                let is_written = !matches!(link_type, LinkType::Autolink | LinkType::Email);
                if is_written {
                    let destination = dest_url.to_string();
                    self.scanned.links.push(Link { destination, range: range.clone() });
                }
                self.has_text();
            }
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::Image { .. }) => self.has_text(),
            _ => {}
        }
    }

    pub(super) fn end(self) -> Scanned {
        self.scanned
    }

    fn has_text(&mut self) {
        if let Some((_, has_text)) = &mut self.open {
            *has_text = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::markdown::Outline;

    #[test]
    fn links_and_empty_headings_are_found() {
        let body = "# A [b](b.md#x)\n\n##\n\n<http://h> ![i](i.png) [r][1] `[c](c)`\n\n###   ###\n\n[1]: /r.md\n";
        let outline = Outline::parse(body);
        let links: Vec<(&str, &str)> = outline
            .links()
            .iter()
            .map(|link| (link.destination.as_str(), &body[link.range.clone()]))
            .collect();
        assert_eq!(links, [("b.md#x", "[b](b.md#x)"), ("/r.md", "[r][1]")]);
        let empty: Vec<&str> =
            outline.empty_headings().iter().map(|range| &body[range.clone()]).collect();
        assert_eq!(empty, ["##", "###   ###"]);
    }
}
