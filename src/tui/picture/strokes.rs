//! Lines and bars as shapes: drawn so, they meet whatever font there is.
//!
//! A cell is [`WIDE`] by [`HIGH`], both odd, so that a line of one pixel stands in
//! its middle.

/// The width of a cell.
pub(super) const WIDE: u32 = 9;
/// The height of a cell.
pub(super) const HIGH: u32 = 19;

/// A rectangle in a cell: left, top, width, height.
pub(super) type Rect = [u32; 4];

/// What a symbol is drawn as.
pub(super) enum Stroke {
    /// Rectangles in the cell's colour.
    Rects(Vec<Rect>),
    /// The whole cell, in this part of its colour and the rest of the ground.
    Shade(f64),
    /// A line from the lower left to the upper right.
    Slash,
}

/// The stroke of a symbol; none where it is a matter of the font.
pub(super) fn stroke(symbol: &str) -> Option<Stroke> {
    let mut chars = symbol.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    if let Some(arms) = arms(c) {
        return Some(Stroke::Rects(lines(arms)));
    }
    let half = (WIDE / 2, HIGH / 2);
    Some(match c {
        '█' => Stroke::Rects(vec![[0, 0, WIDE, HIGH]]),
        '▌' => Stroke::Rects(vec![[0, 0, half.0, HIGH]]),
        '▏' => Stroke::Rects(vec![[0, 0, 1, HIGH]]),
        '▕' => Stroke::Rects(vec![[WIDE - 1, 0, 1, HIGH]]),
        '▚' => Stroke::Rects(vec![
            [0, 0, half.0, half.1],
            [half.0, half.1, WIDE - half.0, HIGH - half.1],
        ]),
        '┆' | '┊' => Stroke::Rects((0..4).map(|at| [half.0, at * 5 + 1, 1, 2]).collect()),
        '▓' => Stroke::Shade(0.75),
        '▒' => Stroke::Shade(0.5),
        '░' => Stroke::Shade(0.3),
        '╱' => Stroke::Slash,
        _ => return None,
    })
}

/// How heavy the lines from the middle to the left, right, top and bottom are.
fn arms(c: char) -> Option<[u32; 4]> {
    Some(match c {
        '─' => [1, 1, 0, 0],
        '━' => [2, 2, 0, 0],
        '│' => [0, 0, 1, 1],
        '┃' => [0, 0, 2, 2],
        '┌' => [0, 1, 0, 1],
        '┐' => [1, 0, 0, 1],
        '└' => [0, 1, 1, 0],
        '┘' => [1, 0, 1, 0],
        '├' => [0, 1, 1, 1],
        '┤' => [1, 0, 1, 1],
        '┬' => [1, 1, 0, 1],
        '┴' => [1, 1, 1, 0],
        '┼' => [1, 1, 1, 1],
        '┏' => [0, 2, 0, 2],
        '┓' => [2, 0, 0, 2],
        '┗' => [0, 2, 2, 0],
        '┛' => [2, 0, 2, 0],
        _ => return None,
    })
}

/// One or two rectangles: across and down. A corner reaches over the middle, so
/// that it is closed.
fn lines([left, right, up, down]: [u32; 4]) -> Vec<Rect> {
    let mut out = Vec::new();
    let thick = |weight: u32| if weight > 1 { 3 } else { 1 };
    let (across, along) = (thick(left.max(right)), thick(up.max(down)));
    if left.max(right) > 0 {
        let from = if left > 0 { 0 } else { (WIDE - along) / 2 };
        let to = if right > 0 { WIDE } else { (WIDE + along) / 2 };
        out.push([from, (HIGH - across) / 2, to - from, across]);
    }
    if up.max(down) > 0 {
        let from = if up > 0 { 0 } else { (HIGH - across) / 2 };
        let to = if down > 0 { HIGH } else { (HIGH + across) / 2 };
        out.push([(WIDE - along) / 2, from, along, to - from]);
    }
    out
}
