use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::*;

/// A buffer of one row for each text, in a style each.
fn buffer(width: u16, rows: &[(&str, Style)]) -> Buffer {
    let height = u16::try_from(rows.len()).unwrap();
    let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
    for ((text, style), y) in rows.iter().zip(0..) {
        buf.set_string(0, y, text, *style);
    }
    buf
}

fn theme() -> Theme {
    Theme::named("dark").unwrap()
}

#[test]
fn ansi_is_text_with_colours_and_nothing_else() {
    let rows = [
        ("plain  ", Style::new()),
        ("red", Style::new().red().bold()),
        ("deep", Style::new().fg(Color::Rgb(1, 2, 3)).bg(Color::Indexed(17)).underlined()),
        ("漢x", Style::new().reversed().light_blue()),
    ];
    assert_eq!(
        picture(&buffer(7, &rows), &theme(), Format::Ansi),
        "plain\n\x1b[0;1;31mred\x1b[0m\n\x1b[0;4;38;2;1;2;3;48;5;17mdeep\x1b[0m\n\
         \x1b[0;7;94m漢x\x1b[0m\n"
    );
}

#[test]
fn svg_has_a_place_for_every_letter() {
    let rows = [("a  b c", Style::new()), ("─┐é", Style::new().reversed())];
    let out = picture(&buffer(6, &rows), &theme(), Format::Svg);
    let body: Vec<&str> = out.lines().skip_while(|line| !line.starts_with("<rect")).collect();
    assert_eq!(
        body,
        [
            "<rect width=\"86\" height=\"70\" rx=\"8\" fill=\"#16181e\"/>",
            "<path shape-rendering=\"crispEdges\" fill=\"#d7dae0\" d=\"M16 35h27v19h-27z\"/>",
            "<path shape-rendering=\"crispEdges\" fill=\"#16181e\" d=\"M16 44h14v1h-14zM29 44h1v10h-1z\"/>",
            "<text fill=\"#d7dae0\" y=\"30\" x=\"16\">a</text>",
            "<text fill=\"#d7dae0\" y=\"30\" x=\"43 52 61\">b c</text>",
            "<text fill=\"#16181e\" y=\"49\" x=\"34\">é</text>",
            "</svg>",
        ]
    );
}

#[test]
fn nothing_of_a_document_is_markup() {
    let mut buf = buffer(40, &[("</text><script>\"&'</script>", Style::new())]);
    // Cells written directly hold what no widget would let through.
    for (x, c) in (30..).zip(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{0}', '\u{ffff}']) {
        buf[(x, 0)].set_char(c);
    }
    for format in [Format::Ansi, Format::Svg, Format::Html] {
        let out = picture(&buf, &theme(), format);
        for c in ['\u{7}', '\u{9b}', '\u{202e}', '\u{0}', '\u{ffff}'] {
            assert!(!out.contains(c), "{format:?} holds {c:?}");
        }
        if format == Format::Ansi {
            assert!(!out.contains('\u{1b}'), "{out:?}");
            assert!(out.starts_with("</text><script>\"&'</script>   \u{fffd}\u{fffd}"), "{out:?}");
        } else {
            assert!(!out.contains("<script"), "{out}");
            assert_eq!(out.matches("</text>").count(), out.matches("<text").count(), "{out}");
            assert!(out.contains("&lt;/text&gt;&lt;script&gt;&quot;&amp;&#39;"), "{out}");
        }
    }
}

#[test]
fn html_holds_wide_and_odd_characters_to_their_cells() {
    let rows = [("a漢●", Style::new().bold()), ("", Style::new())];
    let out = picture(&buffer(6, &rows), &theme(), Format::Html);
    let pre = out.split_once("<pre>\n").unwrap().1;
    assert_eq!(
        pre,
        "<span class=\"l0\">a<span class=\"w\">漢</span><span class=\"n\">●</span></span>\n\n\
         </pre>\n</body>\n</html>\n"
    );
    assert!(out.contains(".l0{color:#d7dae0;font-weight:bold}\n"), "{out}");
    assert!(out.contains("body{margin:0;background:#16181e;color:#d7dae0}\n"), "{out}");
}

#[test]
fn colours_of_a_terminal_that_nobody_knows_can_be_read() {
    let named = [
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    for color in named {
        let colours = cells::Colours::of(&Theme::terminal());
        let buf = buffer(1, &[("x", Style::new().fg(color))]);
        let look = colours.look(&buf[(0, 0)]);
        let found = crate::tui::theme::contrast(look.fg, colours.ground);
        assert!(found >= 4.5, "{color}: {found:.2}");
    }
}

#[test]
fn no_size_is_too_small() {
    for (width, height) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
        if let Some(cell) = buf.content.first_mut() {
            cell.set_symbol("漢");
        }
        for format in [Format::Text, Format::Ansi, Format::Svg, Format::Html] {
            let _ = picture(&buf, &theme(), format);
        }
    }
}
