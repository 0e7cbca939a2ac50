//! The chart of a sweep: one SVG file that needs nothing else and can be read on a
//! light ground and on a dark one.

use std::fmt::Write as _;

use super::coverage::Figures;
use super::sweep::{LookupCurve, Sweep};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 24.0;
/// Top and height of the two panels.
const PANELS: [(f64, f64); 2] = [(64.0, 200.0), (322.0, 190.0)];

const STYLE: &str = "\
svg{background:#fff;font:13px system-ui,sans-serif}\
text{fill:#222}.dim{fill:#555}.grid{stroke:#ddd}.axis{stroke:#555}\
.line{fill:none;stroke-width:2}\
.a{stroke:#0b5cad}.b{stroke:#b3480a;stroke-dasharray:7 3}.c{stroke:#2f7d32;stroke-dasharray:2 3}\
.knee{stroke:#7a1f7a;stroke-dasharray:4 4}\
@media(prefers-color-scheme:dark){svg{background:#14171b}text{fill:#e8e8e8}.dim{fill:#aab}\
.grid{stroke:#333a42}.axis{stroke:#99a}.a{stroke:#6cb4ff}.b{stroke:#ffa45c}.c{stroke:#7fd484}\
.knee{stroke:#e08be0}}";

/// One line of a panel.
struct Line {
    name: &'static str,
    class: &'static str,
    of: fn(&Figures) -> u64,
}

/// The chart of the sum over all lookups: tokens above, coverage below.
pub fn svg(sweep: &Sweep, title: &str) -> String {
    let curve = &sweep.all;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n",
        escaped(title)
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"28\" font-size=\"16\" font-weight=\"600\">{}</text>",
        escaped(title)
    );
    let tokens = [Line { name: "tokens used", class: "a", of: |figures| figures.tokens }];
    let most = |lines: &[Line]| {
        let highest = |line: &Line| curve.points.iter().map(|p| (line.of)(&p.figures)).max();
        lines.iter().filter_map(highest).max().unwrap_or(0).max(1)
    };
    panel(&mut out, sweep, PANELS[0], &tokens, most(&tokens));
    if curve.required > 0 {
        let lines = [
            Line { name: "passages contained", class: "a", of: |figures| figures.contained },
            Line { name: "under a citable header", class: "b", of: |figures| figures.citable },
        ];
        panel(&mut out, sweep, PANELS[1], &lines, curve.required);
    } else {
        let lines = [
            Line { name: "rows expanded", class: "a", of: |figures| figures.expanded },
            Line { name: "related documents", class: "c", of: |figures| figures.hops },
        ];
        panel(&mut out, sweep, PANELS[1], &lines, most(&lines));
    }
    let _ = writeln!(
        out,
        "<text class=\"dim\" x=\"{}\" y=\"{}\" text-anchor=\"end\">budget of each lookup, in \
         tokens</text>\n</svg>",
        WIDTH - RIGHT,
        HEIGHT - 12.0
    );
    out
}

fn panel(out: &mut String, sweep: &Sweep, (top, height): (f64, f64), lines: &[Line], most: u64) {
    let curve = &sweep.all;
    let width = WIDTH - LEFT - RIGHT;
    let span = (sweep.to - sweep.from).max(1) as f64;
    let x = |budget: u64| LEFT + (budget - sweep.from) as f64 / span * width;
    let y = |value: u64| top + height - value as f64 / most as f64 * height;
    let (right, bottom) = (WIDTH - RIGHT, top + height);
    for value in ticks(0, most, 4) {
        let at = y(value);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"dim\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            LEFT - 8.0,
            at + 4.0
        );
    }
    for budget in ticks(sweep.from, sweep.to, 8) {
        let at = x(budget);
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{bottom}\" y2=\"{:.1}\"/>\
             <text class=\"dim\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{budget}</text>",
            bottom + 5.0,
            bottom + 20.0
        );
    }
    let _ = writeln!(
        out,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>"
    );
    if let Some(knee) = curve.knee {
        let at = x(knee);
        let _ = writeln!(
            out,
            "<line class=\"knee\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">knee {knee}</text>",
            at + 5.0,
            bottom - 6.0
        );
    }
    for (index, line) in lines.iter().enumerate() {
        let _ = writeln!(
            out,
            "<path class=\"line {}\" d=\"{}\"/>",
            line.class,
            steps(curve, sweep.to, line.of, x, y)
        );
        let from = LEFT + 190.0 * index as f64;
        let _ = writeln!(
            out,
            "<line class=\"line {}\" x1=\"{from}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            line.class,
            from + 24.0,
            top - 14.0,
            top - 14.0,
            from + 30.0,
            top - 10.0,
            line.name
        );
    }
}

/// A line that holds its height up to the next point.
fn steps(
    curve: &LookupCurve,
    to: u64,
    of: fn(&Figures) -> u64,
    x: impl Fn(u64) -> f64,
    y: impl Fn(u64) -> f64,
) -> String {
    let mut out = String::new();
    let mut last = None;
    for point in &curve.points {
        let value = of(&point.figures);
        if last == Some(value) {
            continue;
        }
        let _ = match last {
            None => write!(out, "M{:.1} {:.1}", x(point.budget), y(value)),
            Some(_) => write!(out, "H{:.1}V{:.1}", x(point.budget), y(value)),
        };
        last = Some(value);
    }
    let _ = write!(out, "H{:.1}", x(to));
    out
}

/// Round numbers from one to another, about as many as asked for.
fn ticks(from: u64, to: u64, about: u64) -> Vec<u64> {
    let rough = (to - from).max(1).div_ceil(about);
    let unit = 10u64.pow(rough.ilog10());
    let step = [1, 2, 5, 10].map(|times| times * unit).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    (from.div_ceil(step)..=to / step).map(|times| times * step).collect()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to hold these.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0, 8000, 8), [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]);
        assert_eq!(ticks(0, 3, 4), [0, 1, 2, 3]);
        assert_eq!(ticks(130, 950, 8), [200, 400, 600, 800]);
        assert_eq!(ticks(5, 5, 8), [5]);
    }

    #[test]
    fn texts_cannot_leave_their_place() {
        assert_eq!(escaped("<a & \"b\">\u{1b}"), "&lt;a &amp; &quot;b&quot;&gt;\u{fffd}");
    }
}
