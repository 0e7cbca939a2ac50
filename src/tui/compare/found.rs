//! Words that are looked for in two results side by side: in what their lines show, and
//! in the texts that those lines stand for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::Compare;
use super::lines::{Cell, Pair};
use crate::text::{lowercase, visible_line};
use crate::tui::find::joined;
use crate::tui::theme::{Role, Theme};

/// Letters of a text that are shown ahead of the words found in it, and behind.
const AROUND: (usize, usize) = (16, 40);

impl Compare {
    /// Looks for the words again.
    pub fn look(&mut self) {
        self.find.look_at_each(self.lines.iter().map(Pair::texts));
    }

    /// On which side the words were found that were gone to, and what stands around them
    /// where they are in a text that is not shown.
    pub fn side_found(&self) -> Option<String> {
        let pair = self.lines.get(self.find.line()?)?;
        let words = joined(&self.find.words);
        let has = |cell: &Option<Cell>| {
            cell.as_ref()
                .is_some_and(|cell| cell.texts().iter().any(|it| joined(it).contains(&words)))
        };
        let (side, cell) = match (has(&pair.left), has(&pair.right)) {
            (true, true) => ("on both sides", &pair.left),
            (true, false) => ("on the left", &pair.left),
            (false, _) => ("on the right", &pair.right),
        };
        let cell = cell.as_ref()?;
        let is_shown = cell.shown().iter().any(|it| joined(it).contains(&words));
        Some(match around(&cell.text, &words).filter(|_| !is_shown) {
            Some(text) => format!("{side}: {text}"),
            None => side.to_owned(),
        })
    }

    /// Marks a line where the words were found: its sign, and the words as far as they
    /// are seen. `halves` are the places of both sides with what is drawn there.
    pub(super) fn mark(
        &self,
        theme: &Theme,
        line: usize,
        sign: Rect,
        halves: [(Rect, &str); 2],
        buf: &mut Buffer,
    ) {
        if self.find.lines().binary_search(&line).is_err() {
            return;
        }
        let style = match self.find.line() == Some(line) {
            true => theme.selected(),
            false => theme.style(Role::Related).add_modifier(Modifier::UNDERLINED),
        };
        buf.set_style(sign, style);
        for (area, text) in halves {
            self.find.draw_in(theme, area, (line, text), buf);
        }
    }
}

/// The words in a text with a little of what stands around them.
fn around(text: &str, words: &str) -> Option<String> {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let lower = lowercase(&text);
    // One letter is one letter, whatever its case.
    let at = lower[..lower.find(words)?].chars().count();
    let (before, after) = AROUND;
    let from = at.saturating_sub(before);
    let part = at - from + words.chars().count() + after;
    let mut rest = text.chars().skip(from);
    let part: String = rest.by_ref().take(part).collect();
    let [head, tail] = [from > 0, rest.next().is_some()].map(|is| if is { "…" } else { "" });
    Some(visible_line(&format!("{head}{part}{tail}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_with_what_stands_around_them() {
        let text = "The pipes\nhold one note for ever, and then İstanbul sleeps until the noon.";
        for (words, want) in [
            ("the pipes", "The pipes hold one note for ever, and then İstanb…"),
            ("istanbul", "… ever, and then İstanbul sleeps until the noon."),
        ] {
            assert_eq!(around(text, words).as_deref(), Some(want));
        }
        assert_eq!(around(text, "no such words"), None);
    }
}
