//! A page that needs no other file: preformatted text in the theme's colours.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;

use super::cells::{Cell, Colours, Look, hex, rows};
use super::escape;
use crate::tui::theme::Theme;

pub(super) fn write(buf: &Buffer, theme: &Theme) -> String {
    let colours = Colours::of(theme);
    let mut looks: Vec<Look> = Vec::new();
    let mut body = String::new();
    for row in rows(buf, colours) {
        line(&row, &mut looks, &mut body);
        body.push('\n');
    }
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>markscope</title>\n<style>\n\
         body{{margin:0;background:{ground};color:{text}}}\n\
         pre{{margin:16px;font:15px/1.25 ui-monospace,\"SF Mono\",Menlo,\"DejaVu Sans Mono\",\
         \"Cascadia Mono\",Consolas,monospace;unicode-bidi:bidi-override;direction:ltr}}\n\
         .n,.w{{display:inline-block;width:1ch;overflow:hidden;vertical-align:bottom}}.w{{width:2ch}}\n",
        ground = hex(colours.ground),
        text = hex(colours.text),
    );
    for (at, look) in looks.iter().enumerate() {
        let _ = write!(out, ".l{at}{{color:{}", hex(look.fg));
        if let Some(bg) = look.bg {
            let _ = write!(out, ";background:{}", hex(bg));
        }
        for (set, rule) in [
            (look.bold, ";font-weight:bold"),
            (look.italic, ";font-style:italic"),
            (look.underline, ";text-decoration:underline"),
        ] {
            if set {
                out.push_str(rule);
            }
        }
        out.push_str("}\n");
    }
    let _ = write!(out, "</style>\n</head>\n<body>\n<pre>\n{body}</pre>\n</body>\n</html>\n");
    out
}

fn line(row: &[Cell], looks: &mut Vec<Look>, out: &mut String) {
    let end = row.iter().rposition(|cell| cell.symbol != " " || cell.look.bg.is_some());
    let row = &row[..end.map_or(0, |end| end + 1)];
    for run in row.chunk_by(|a, b| a.look == b.look) {
        let Some(first) = run.first() else { continue };
        let known = looks.iter().position(|look| *look == first.look);
        let at = known.unwrap_or_else(|| {
            looks.push(first.look);
            looks.len() - 1
        });
        let _ = write!(out, "<span class=\"l{at}\">");
        for cell in run {
            // What another font may draw in another width is held to its cells.
            let class = match cell.width {
                2.. => "w",
                _ if is_of_the_font(&cell.symbol) => "",
                _ => "n",
            };
            if class.is_empty() {
                escape(&cell.symbol, out);
            } else {
                let _ = write!(out, "<span class=\"{class}\">");
                escape(&cell.symbol, out);
                out.push_str("</span>");
            }
        }
        out.push_str("</span>");
    }
}

/// Whether every monospaced font has it: ASCII, Latin letters, lines.
fn is_of_the_font(symbol: &str) -> bool {
    symbol.chars().all(|c| matches!(c, ' '..='~' | 'À'..='ÿ' | '─'..='╿'))
}
