//! The sections of a document with what the reader has of each.

use ratatui::text::{Line, Span};

use super::outcome::Outcome;
use super::theme::{Role, Theme};
use super::width::{cut, grouped, width};
use crate::document::Document;
use crate::markdown::Heading;
use crate::selection::{Kind, TOKEN};
use crate::text::visible_line;

/// What the reader has of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Has {
    /// All of it, in one block.
    All,
    /// Some of it.
    Some,
    /// Its text, elsewhere in the result.
    Elsewhere,
    /// Nothing.
    Nothing,
}

impl Has {
    /// What the reader has of a section of the document at a path.
    pub fn of(outcome: Option<&Outcome>, path: &str, heading: &Heading) -> Self {
        let mut has = Self::Nothing;
        let items = outcome.map(|outcome| outcome.selection.items.as_slice()).unwrap_or_default();
        for item in items.iter().filter(|item| item.path.as_deref() == Some(path)) {
            let Some(range) = &item.range else { continue };
            let is_whole = range.start <= heading.start && heading.end <= range.end;
            let overlaps = range.start < heading.end && heading.start < range.end;
            match item.kind {
                Kind::Block if is_whole => return Self::All,
                Kind::Block if overlaps => has = Self::Some,
                Kind::Stub if is_whole && has == Self::Nothing => has = Self::Elsewhere,
                _ => {}
            }
        }
        has
    }

    fn sign(self) -> (&'static str, Role) {
        match self {
            Self::All => ("●", Role::Shown),
            Self::Some => ("◐", Role::Shown),
            Self::Elsewhere => ("≡", Role::Repeated),
            Self::Nothing => ("·", Role::Dim),
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::All => "the reader has all of it",
            Self::Some => "the reader has some of it",
            Self::Elsewhere => "the reader has its text elsewhere in the result",
            Self::Nothing => "the reader has nothing of it",
        }
    }
}

/// A section in a line of `room` cells: what the reader has, heading, anchor, tokens.
pub fn line(has: Has, heading: &Heading, room: usize, theme: &Theme) -> Line<'static> {
    let (sign, role) = has.sign();
    let tokens = grouped((heading.end - heading.start) / TOKEN);
    let indent = usize::from(heading.level.saturating_sub(1)) * 2;
    let left = room.saturating_sub(2 + indent + width(&tokens) + 2);
    let text = cut(&visible_line(&heading.text), left);
    let anchor = format!("#{}", visible_line(&heading.anchor));
    let anchor = match left.checked_sub(width(&text) + 2) {
        Some(rest) if rest >= 6 => cut(&anchor, rest),
        _ => String::new(),
    };
    let used = 2 + indent + width(&text) + width(&anchor) + if anchor.is_empty() { 0 } else { 2 };
    let fill = room.saturating_sub(used + width(&tokens));
    Line::from(vec![
        Span::styled(format!("{sign} "), theme.style(role)),
        Span::styled(format!("{}{text}", " ".repeat(indent)), theme.style(Role::Text)),
        Span::styled(
            if anchor.is_empty() { String::new() } else { format!("  {anchor}") },
            theme.style(Role::Dim),
        ),
        Span::styled(format!("{}{tokens}", " ".repeat(fill)), theme.style(Role::Dim)),
    ])
}

/// Where a reader can cite a section, or the whole document where there is none.
pub fn citation(document: &Document, path: &str, heading: Option<&Heading>) -> String {
    let version = document.version().map(|version| format!("/v{version}")).unwrap_or_default();
    match heading {
        Some(heading) => format!("{path}{version}#{}", heading.anchor),
        None => format!("{path}{version}"),
    }
}
