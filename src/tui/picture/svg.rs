//! A drawing. Every character stands at a place of its own, lines and bars are
//! shapes, so that it looks the same in any font.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::Buffer;

use super::cells::{Cell, Colours, Look, hex, mix, rows};
use super::escape;
use super::strokes::{HIGH, Stroke, WIDE, stroke};
use crate::tui::theme::{Rgb, Theme};

/// Around the frame, in pixels.
const MARGIN: u32 = 16;
/// From the top of a cell to the line that letters stand on.
const BASELINE: u32 = 14;
/// The size of the font, in pixels: most are 0.6 of it wide, which is a cell.
const FONT: u32 = 15;

/// Rectangles of one colour, in rows.
type Shapes = BTreeMap<Rgb, Vec<[u32; 4]>>;

pub(super) fn write(buf: &Buffer, theme: &Theme) -> String {
    let colours = Colours::of(theme);
    let wide = u32::from(buf.area.width) * WIDE + 2 * MARGIN;
    let high = u32::from(buf.area.height) * HIGH + 2 * MARGIN;
    let mut drawing = Drawing::default();
    for (y, row) in (0..).zip(rows(buf, colours)) {
        drawing.row(&row, MARGIN + y * HIGH, colours.ground);
    }
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"0 0 {wide} {high}\">\n\
         <title>markscope</title>\n\
         <style>text{{font-family:ui-monospace,\"SF Mono\",Menlo,\"DejaVu Sans Mono\",\
         \"Cascadia Mono\",Consolas,monospace;font-size:{FONT}px;\
         unicode-bidi:bidi-override;direction:ltr}}\
         .b{{font-weight:bold}}.i{{font-style:italic}}</style>\n\
         <rect width=\"{wide}\" height=\"{high}\" rx=\"8\" fill=\"{}\"/>\n",
        hex(colours.ground)
    );
    shapes(&drawing.grounds, &mut out);
    shapes(&drawing.strokes, &mut out);
    for (color, path) in &drawing.slashes {
        let _ = writeln!(out, "<path fill=\"{}\" d=\"{path}\"/>", hex(*color));
    }
    out.push_str(&drawing.text);
    out.push_str("</svg>\n");
    out
}

#[derive(Default)]
struct Drawing {
    grounds: Shapes,
    strokes: Shapes,
    slashes: BTreeMap<Rgb, String>,
    text: String,
}

impl Drawing {
    fn row(&mut self, row: &[Cell], top: u32, ground: Rgb) {
        let mut run = Run::default();
        for cell in row {
            let left = MARGIN + u32::from(cell.x) * WIDE;
            let wide = u32::from(cell.width) * WIDE;
            if let Some(bg) = cell.look.bg {
                add(&mut self.grounds, bg, [left, top, wide, HIGH]);
            }
            if cell.look.underline {
                add(&mut self.strokes, cell.look.fg, [left, top + BASELINE + 2, wide, 1]);
            }
            if cell.symbol == " " && run.text.ends_with(' ') {
                // Not every viewer keeps more than one.
                run.end(top, &mut self.text);
            } else if let Some(stroke) = stroke(&cell.symbol) {
                run.end(top, &mut self.text);
                self.stroke(stroke, cell, [left, top], ground);
            } else if is_simple(cell) {
                if run.look != Some(cell.look) {
                    run.end(top, &mut self.text);
                }
                run.push(cell, left);
            } else {
                run.end(top, &mut self.text);
                run.push(cell, left);
                run.places.truncate(1);
                run.end(top, &mut self.text);
            }
        }
        run.end(top, &mut self.text);
    }

    fn stroke(&mut self, stroke: Stroke, cell: &Cell, [left, top]: [u32; 2], ground: Rgb) {
        let color = cell.look.fg;
        match stroke {
            Stroke::Rects(rects) => {
                for [x, y, wide, high] in rects {
                    add(&mut self.strokes, color, [left + x, top + y, wide, high]);
                }
            }
            Stroke::Shade(part) => {
                let color = mix(color, cell.look.bg.unwrap_or(ground), part);
                add(&mut self.strokes, color, [left, top, WIDE, HIGH]);
            }
            Stroke::Slash => {
                let path = self.slashes.entry(color).or_default();
                let bottom = top + HIGH;
                let _ = write!(path, "M{left} {bottom}h2L{} {top}h-2z", left + WIDE);
            }
        }
    }
}

/// Whether a character can stand in a row of others with a place each.
fn is_simple(cell: &Cell) -> bool {
    cell.width == 1 && cell.symbol.chars().nth(1).is_none() && !cell.symbol.is_empty()
}

/// Adds a rectangle, to the one at its left if there is one.
fn add(shapes: &mut Shapes, color: Rgb, [x, y, wide, high]: [u32; 4]) {
    let known = shapes.entry(color).or_default();
    // Those of a row come from left to right, with at most a few in between.
    let beside = known
        .iter_mut()
        .rev()
        .take(4)
        .find(|known| known[1] == y && known[3] == high && known[0] + known[2] == x);
    match beside {
        Some(beside) => beside[2] += wide,
        None => known.push([x, y, wide, high]),
    }
}

fn shapes(shapes: &Shapes, out: &mut String) {
    for (color, rects) in shapes {
        let _ = write!(out, "<path shape-rendering=\"crispEdges\" fill=\"{}\" d=\"", hex(*color));
        for [x, y, wide, high] in rects {
            let _ = write!(out, "M{x} {y}h{wide}v{high}h-{wide}z");
        }
        out.push_str("\"/>\n");
    }
}

/// Characters beside each other that look alike.
#[derive(Default)]
struct Run {
    look: Option<Look>,
    text: String,
    places: Vec<u32>,
}

impl Run {
    fn push(&mut self, cell: &Cell, left: u32) {
        // What a run begins or ends with a space for is nothing to see.
        if self.text.is_empty() && cell.symbol == " " {
            return;
        }
        self.look = Some(cell.look);
        self.text.push_str(&cell.symbol);
        self.places.push(left);
    }

    fn end(&mut self, top: u32, out: &mut String) {
        let text = std::mem::take(&mut self.text);
        let places = std::mem::take(&mut self.places);
        let Some(look) = self.look.take() else { return };
        let text = text.trim_end_matches(' ');
        if text.is_empty() {
            return;
        }
        let class = match (look.bold, look.italic) {
            (true, true) => " class=\"b i\"",
            (true, false) => " class=\"b\"",
            (false, true) => " class=\"i\"",
            (false, false) => "",
        };
        let _ = write!(out, "<text{class} fill=\"{}\" y=\"{}\" x=\"", hex(look.fg), top + BASELINE);
        let count = text.chars().count();
        for (at, place) in places.iter().take(count).enumerate() {
            let _ = write!(out, "{}{place}", if at == 0 { "" } else { " " });
        }
        out.push_str("\">");
        escape(text, out);
        out.push_str("</text>\n");
    }
}
