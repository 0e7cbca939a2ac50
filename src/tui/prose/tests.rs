use std::fmt::Write as _;

use proptest::prelude::*;
use ratatui::buffer::CellWidth as _;
use unicode_segmentation::UnicodeSegmentation as _;

use super::*;

fn theme() -> Theme {
    Theme::named("dark").unwrap()
}

fn text(line: &Line<'_>) -> String {
    line.spans.iter().map(|span| span.content.as_ref()).collect()
}

fn lines(markdown: &str, width: u16) -> Vec<String> {
    render(markdown, width, &theme()).iter().map(text).collect()
}

/// The rendered text at a width, without styles.
fn shown(markdown: &str, width: u16) -> String {
    lines(markdown, width).join("\n")
}

/// The style of the first span that holds a text.
fn style_of(markdown: &str, part: &str) -> Style {
    let lines = render(markdown, 60, &theme());
    let span = lines.iter().flat_map(|line| &line.spans).find(|span| span.content.contains(part));
    span.unwrap_or_else(|| panic!("{part:?} is not in {lines:?}")).style
}

fn role(role: Role) -> Style {
    theme().style(role)
}

#[test]
fn headings_keep_their_marks() {
    assert_eq!(
        shown("# One\ntext\n\nTwo\n---\n###### *Six*", 40),
        "# One\n\ntext\n\n## Two\n\n###### Six"
    );
    assert_eq!(style_of("## Two", "## Two"), role(Role::Heading));
    assert!(style_of("## Two", "## Two").add_modifier.contains(Modifier::BOLD));
}

#[test]
fn paragraphs_are_broken_between_words() {
    assert_eq!(shown("one two\nthree four\n\nfive  \nsix", 9), "one two\nthree\nfour\n\nfive\nsix");
    assert_eq!(shown("abcdefghij kl", 4), "abcd\nefgh\nij\nkl");
    assert_eq!(shown("a 漢字漢字漢 b", 6), "a 漢字\n漢字漢\nb");
    assert_eq!(shown("ab👩‍👩‍👧‍👦cd e\u{301}e\u{301}", 4), "ab👩‍👩‍👧‍👦\ncd\ne\u{301}e\u{301}");
}

#[test]
fn emphasis_is_a_modifier() {
    let markdown = "a *b* **c** ***d*** ~~e~~ `f` g";
    assert_eq!(shown(markdown, 40), "a b c d e f g");
    let base = role(Role::Text);
    assert_eq!(style_of(markdown, "a"), base);
    assert_eq!(style_of(markdown, "b"), base.add_modifier(Modifier::ITALIC));
    assert_eq!(style_of(markdown, "c"), base.add_modifier(Modifier::BOLD));
    assert_eq!(style_of(markdown, "d"), base.add_modifier(Modifier::BOLD | Modifier::ITALIC));
    assert_eq!(style_of(markdown, "e"), base.add_modifier(Modifier::CROSSED_OUT));
    assert_eq!(style_of(markdown, "f"), base.patch(role(Role::Code)));
}

#[test]
fn links_show_a_short_target() {
    let markdown = "see [the *plan*](/plan.md) and <https://a.b> and [/x.md](/x.md)";
    assert_eq!(shown(markdown, 80), "see the plan (/plan.md) and https://a.b and /x.md");
    let link = role(Role::Text).patch(role(Role::Link));
    assert_eq!(style_of(markdown, "the"), link);
    assert!(link.add_modifier.contains(Modifier::UNDERLINED));
    assert_eq!(style_of(markdown, "(/plan.md)"), role(Role::Text).patch(role(Role::Dim)));
    let long = format!("[a](/{})", "x".repeat(90));
    assert_eq!(shown(&long, 80), format!("a (/{}…)", "x".repeat(38)));
    assert_eq!(shown(&long, 12), format!("a\n(/{}…)", "x".repeat(8)));
}

#[test]
fn images_and_html_are_said_to_be_there() {
    assert_eq!(shown("![a *cat*](cat.png) ![](b.png)", 60), "[image: a cat] [image: b.png]");
    let markdown = "a <b>c</b>\n\n<div>\n  <p>x</p>\n</div>\n\n<!-- note -->";
    assert_eq!(shown(markdown, 60), "a <b>c</b>\n\n<div>\n  <p>x</p>\n</div>\n\n<!-- note -->");
    assert_eq!(style_of(markdown, "<p>"), role(Role::Dim));
}

#[test]
fn lists_hang() {
    let markdown = "- one two three\n- four\n  1) five six seven\n  2) eight\n- [x] done\n- [ ] open\n-\n\nend";
    assert_eq!(
        shown(markdown, 12),
        "• one two\n  three\n• four\n  1) five\n     six\n     seven\n  2) eight\n• [x] done\n• [ ] open\n•\n\nend"
    );
    assert_eq!(shown("9. a\n9. b\n\n   c\n1. d", 20), "9. a\n\n10. b\n\n    c\n\n11. d");
    assert_eq!(style_of("- a", "•"), role(Role::Mark));
}

#[test]
fn quotes_have_a_bar() {
    assert_eq!(
        shown("> one two\n>\n> - three\n>\n> > four\n\nend\n\n>", 9),
        "│ one two\n│\n│ • three\n│\n│ │ four\n\nend\n\n│"
    );
    assert_eq!(style_of("> a", "a"), role(Role::Quote));
    assert_eq!(style_of("> a", "│"), role(Role::Mark));
}

#[test]
fn tables_are_aligned_and_narrowed() {
    let markdown = "| a | right | 漢字 |\n|---|--:|:-:|\n| one two | 1 | *x* |\n| `b` |";
    let wide = [
        "a       │ right │ 漢字",
        "────────┼───────┼─────",
        "one two │     1 │  x",
        "b       │       │ ",
    ];
    assert_eq!(lines(markdown, 40), wide);
    let narrow = ["a    │ ri… │ 漢…", "─────┼─────┼────", "one… │   1 │  x", "b    │     │ "];
    assert_eq!(lines(markdown, 16), narrow);
    assert!(style_of(markdown, "right").add_modifier.contains(Modifier::BOLD));
    assert_eq!(style_of(markdown, "┼"), role(Role::Mark));
    assert_eq!(shown("|a|b|\n|-|-|\n|cc|dd|", 4), "a │\nb\ncc │\ndd");
}

#[test]
fn rules_and_code_blocks() {
    assert_eq!(shown("a\n\n---\n\nb", 5), "a\n\n─────\n\nb");
    assert_eq!(
        shown("```rust ignore\nfn a() {\n\tb();\n}\n```\n\n    x  y", 14),
        "┏ rust ignore\n┃ fn a() {\n┃     b();\n┃ }\n\n┃ x  y"
    );
    assert_eq!(shown("```\nabcdefghij\n\nk\n```", 6), "┃ abcd\n┆ efgh\n┆ ij\n┃\n┃ k");
}

#[test]
fn code_is_highlighted_by_roles() {
    let markdown =
        "```rust\nlet a = \"s\"; // c\n```\n\n```json\n{\"k\": 12}\n```\n\n```nosuch\nlet z\n```";
    assert_eq!(style_of(markdown, "let"), role(Role::CodeKeyword));
    assert_eq!(style_of(markdown, "\"s\""), role(Role::CodeString));
    assert_eq!(style_of(markdown, "// c"), role(Role::CodeComment));
    assert_eq!(style_of(markdown, "12"), role(Role::CodeConstant));
    assert_eq!(style_of(markdown, "let z"), role(Role::Text));
    let mono = Theme::named("mono").unwrap();
    for line in render(markdown, 60, &mono) {
        for span in line.spans {
            assert_eq!((span.style.fg, span.style.bg), (None, None));
        }
    }
}

#[test]
fn long_code_is_shown_plain() {
    let long = format!("```rust\n{}```\n\n```rust\nlet a;\n```", "let b = 1;\n".repeat(2000));
    let lines = render(&long, 60, &theme());
    assert_eq!(lines.len(), 2004);
    assert_eq!(lines[1].spans[1].style, role(Role::Text));
    assert_eq!(style_of("```rust\nlet a\n```", "let"), role(Role::CodeKeyword));
}

#[test]
fn definitions_of_targets_are_shown() {
    let markdown = "[a]\n\n[a]: /a.md \"A\"\n[a]: /b.md\n\n- x\n- y\n\n  [c]: /c.md\n";
    assert_eq!(
        shown(markdown, 40),
        "a (/a.md)\n\n[a]: /a.md \"A\"\n[a]: /b.md\n\n• x\n\n• y\n\n  [c]: /c.md"
    );
    assert_eq!(shown("[a]:\n >>> b\n", 40), "[a]:\n >>> b");
}

#[test]
fn framed_lines_are_shown_as_written() {
    assert_eq!(shown("a\n >>> *b* `c` [d](e) &amp;\nf", 60), "a\n >>> *b* `c` [d](e) &amp;\nf");
    assert_eq!(shown(" >>> /plan.md#x\n\nb", 60), " >>> /plan.md#x\n\nb");
    assert_eq!(shown("```\na\n >>> *b*\n```", 60), "┃ a\n┃  >>> *b*");
    assert_eq!(shown("> a\n >>> b", 60), "│ a\n│  >>> b");
    assert_eq!(
        shown("|a|b|\n|-|-|\n|c|d|\n >>> | e |\n|f|g|", 60),
        "a │ b\n──┼──\nc │ d\n >>> | e |\nf │ g"
    );
    assert_eq!(shown("<div>\n >>> b\n</div>", 60), "<div>\n >>> b\n</div>");
    // Three quotations, not a frame.
    assert_eq!(shown(">>> a", 60), "│ │ │ a");
    assert_eq!(style_of(" >>> a", ">>> a"), role(Role::Text));
}

#[test]
fn nothing_drives_the_terminal() {
    assert_eq!(shown("a\x1b[2J &#27;[1m `\x07` b\u{202e}c", 60), "a␛[2J ␛[1m ␇ b⟦U+202E⟧c");
    assert_eq!(shown("a\rb\u{fdd0}", 60), "a␍b⟦U+FDD0⟧");
    assert_eq!(shown("[a](</\x1b&#7;>)", 60), "a (/␛␇)");
    assert_eq!(shown("ab\tc", 60), "ab  c");
    assert_eq!(shown("```a\x1bb\n\x1b\tc\n```", 60), "┏ a␛b\n┃ ␛   c");
    assert_eq!(shown("<b\x1b>\n\n![\x1b](x)\n\n# \x1b", 60), "<b␛>\n\n[image: ␛]\n\n# ␛");
}

fn hold(markdown: &str, width: u16) {
    for line in render(markdown, width, &Theme::terminal()) {
        let cells: usize = line
            .spans
            .iter()
            .flat_map(|span| span.content.graphemes(true))
            .map(|cluster| usize::from(cluster.cell_width()))
            .sum();
        let joined = text(&line);
        assert!(!joined.chars().any(char::is_control), "{joined:?}");
        if width >= 2 {
            assert!(cells <= usize::from(width), "{cells} > {width}: {joined:?}");
            assert!(line.width() <= usize::from(width), "{} > {width}: {joined:?}", line.width());
        }
    }
}

fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,12}",
        "[ \t\n]{1,3}",
        prop::sample::select(vec![
            "\n\n",
            "\n> ",
            "\n- ",
            "\n1. ",
            "\n# ",
            "\n```rust\n",
            "\n    ",
            "\n---\n",
            "*",
            "**",
            "`",
            "[a](",
            ")",
            "![",
            "](b)",
            "<div>",
            "~~",
            "\n|a|b|\n|-|-|\n|c|",
            "|",
            "\n >>> ",
            "&#27;",
            "&#x202e;",
            "\\",
            "\n- [ ] ",
            "\n[x]: ",
            "漢字",
            "ｶﾞ",
            "👩‍👩‍👧‍👦",
            "🇩🇪",
            "e\u{301}",
            "\u{301}",
            "\u{200d}",
            "\u{fe0f}",
            "क्ष",
            "ﷺ",
            "\u{1b}[2J",
            "\r",
            "\r\n",
            "\u{9b}",
            "\u{202e}",
            "\0",
            "\u{fdd1}",
            "\u{10fffe}",
            "لا",
            "⸻",
            "\u{1100}\u{1100}\u{1161}",
            "\u{600}",
            "☺\u{fe0f}",
            "\u{ad}",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_too_wide(
        parts in prop::collection::vec(fragment(), 0..60),
        width in prop_oneof![0u16..=12, 1u16..=200],
    ) {
        hold(&parts.concat(), width);
    }

    #[test]
    fn any_text_can_be_shown(markdown in "\\PC{0,200}|(?s:.{0,200})", width in 0u16..=200) {
        hold(&markdown, width);
    }
}

#[test]
fn extreme_texts_are_bounded() {
    let mut cases = vec![
        ">".repeat(1000) + " a\nb",
        ("> ".repeat(1000) + "a\n").repeat(20),
        "- ".repeat(1000) + "a",
        "1. ".repeat(1000) + "a",
        (0..300).fold(String::new(), |mut out, depth| {
            writeln!(out, "{}- a", "  ".repeat(depth)).unwrap();
            out
        }),
        "x".repeat(1 << 16),
        "x ".repeat(1 << 15),
        "漢".repeat(1 << 14),
        "*".repeat(1 << 15),
        "[".repeat(1 << 14),
        "[a](".repeat(1 << 12),
        "`a".repeat(1 << 13),
        "![a".repeat(1 << 12),
        "<a ".repeat(1 << 12),
        "e".to_owned() + &"\u{301}".repeat(1 << 16),
        format!("```rust\n{}\n```", "x(".repeat(1 << 14)),
        "|a".repeat(3000) + "\n" + &"|-".repeat(3000) + "\n" + &"|b".repeat(3000),
        "|a|b|\n|-|-|\n".to_owned() + &"|c c c|d d|\n".repeat(2_000),
        "a\n >>> b\n".repeat(2_000),
        "[a]: /b\n".repeat(2_000),
    ];
    cases.push(String::new());
    for case in &cases {
        for width in [1, 3, 80] {
            hold(case, width);
        }
    }
    hold(&"x".repeat(1 << 20), 80);
    let deep = render(&(">".repeat(1000) + " a"), 20, &theme());
    assert_eq!(text(&deep[0]), "│ │ │ │ │ a");
}
