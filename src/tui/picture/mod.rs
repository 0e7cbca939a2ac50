//! A frame as a file for others: text, ANSI, SVG, HTML. Pure: from a buffer and
//! the colours of its theme to a string.
//!
//! - `cells`: a buffer as rows of cells with colours that need no terminal
//! - `ansi`, `svg`, `html`: one format each; `strokes`: lines and bars as shapes
//!
//! What documents contain stands in cells and nowhere else, and every cell is
//! escaped.

mod ansi;
mod cells;
mod html;
mod strokes;
mod svg;

#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;

use super::theme::Theme;

/// What a picture is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text alone, without trailing spaces.
    Text,
    /// Text with the escape sequences of a terminal's colours.
    Ansi,
    /// A drawing.
    Svg,
    /// A page that needs no other file.
    Html,
}

/// A buffer as a picture in the colours of a theme. For [`Format::Ansi`] the theme
/// should be at the depth of the terminal that will show it, for SVG and HTML whole.
pub fn picture(buf: &Buffer, theme: &Theme, format: Format) -> String {
    match format {
        Format::Text => super::plain(buf),
        Format::Ansi => ansi::write(buf),
        Format::Svg => svg::write(buf, theme),
        Format::Html => html::write(buf, theme),
    }
}

/// Appends a text that may stand between tags and in attributes.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}
