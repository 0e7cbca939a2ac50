//! How many colours a terminal has, and the nearest of them.

use std::sync::OnceLock;

use ratatui::style::Color;

/// How many colours a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None: bold, underline and reverse only.
    None,
    /// The user's own sixteen.
    Ansi16,
    /// The sixteen, a cube of 216 and 24 greys.
    Ansi256,
    /// Any RGB colour.
    True,
}

impl Depth {
    /// The depth that the environment announces, from the values of `NO_COLOR`,
    /// `COLORTERM` and `TERM`. An empty value counts as unset.
    pub fn detect(no_color: Option<&str>, colorterm: Option<&str>, term: Option<&str>) -> Self {
        let set = |value: Option<&'_ str>| value.is_some_and(|value| !value.is_empty());
        if set(no_color) || term == Some("dumb") {
            return Self::None;
        }
        if matches!(colorterm, Some("truecolor" | "24bit")) {
            return Self::True;
        }
        match term.filter(|term| !term.is_empty()) {
            Some(term) if term.ends_with("-direct") => Self::True,
            Some(term) if term.contains("256color") => Self::Ansi256,
            Some(_) => Self::Ansi16,
            // Consoles of Windows set no TERM and have had all colours since 2016.
            None if cfg!(windows) => Self::True,
            None => Self::None,
        }
    }
}

/// Red, green and blue.
pub(in crate::tui) type Rgb = [u8; 3];

/// The sixteen colours as xterm shows them; a user's own differ, so that they
/// are good for a choice and not for a measurement.
const SIXTEEN: [(Color, Rgb); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

/// The values of one side of the cube of 216 colours.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

struct Candidate {
    color: Color,
    rgb: Rgb,
    luminance: f64,
}

fn candidates(depth: Depth) -> &'static [Candidate] {
    static TABLES: OnceLock<[Vec<Candidate>; 2]> = OnceLock::new();
    let [sixteen, cube] = TABLES.get_or_init(|| {
        let candidate =
            |(color, rgb): (Color, Rgb)| Candidate { color, rgb, luminance: luminance(rgb) };
        // The first sixteen are the user's own and may be anything, so that the
        // larger table goes without them.
        let cube = (0..216u8).map(|index| {
            let step = |value: u8| STEPS[usize::from(value % 6)];
            (Color::Indexed(16 + index), [step(index / 36), step(index / 6), step(index)])
        });
        let greys = (0..24u8).map(|index| (Color::Indexed(232 + index), [8 + 10 * index; 3]));
        [SIXTEEN.into_iter().map(candidate).collect(), cube.chain(greys).map(candidate).collect()]
    });
    if depth == Depth::Ansi16 { sixteen } else { cube }
}

/// From so much between the strongest and the weakest part on, a colour is told by its
/// hue.
const COLOURED: u8 = 32;

/// The hue of a colour in degrees; none for one that is near to grey.
fn hue(rgb: Rgb) -> Option<f64> {
    let [r, g, b] = rgb.map(f64::from);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let chroma = most - least;
    if chroma < f64::from(COLOURED) {
        return None;
    }
    let sixth = if most == r {
        ((g - b) / chroma).rem_euclid(6.0)
    } else if most == g {
        (b - r) / chroma + 2.0
    } else {
        (r - g) / chroma + 4.0
    };
    Some(sixth * 60.0)
}

/// How far a colour is from the one that is wanted: of sixteen the hue matters first,
/// or red and green would both become grey, which is nearer to either.
fn unlike(depth: Depth, candidate: Rgb, wanted: Rgb) -> (i64, i64) {
    let apart = match hue(wanted).filter(|_| depth == Depth::Ansi16) {
        None => 0,
        Some(wanted) => hue(candidate).map_or(180, |hue| {
            let apart = (hue - wanted).abs();
            // The sixteen have a hue every sixty degrees.
            (apart.min(360.0 - apart) / 30.0) as i64
        }),
    };
    (apart, distance(candidate, wanted))
}

/// The nearest colour a depth has for a ground.
pub(super) fn nearest_ground(color: Color, depth: Depth) -> Color {
    nearest(color, depth, None)
}

/// The nearest colour a depth has that is as readable on a ground as the colour
/// itself was, or, where none is, the most readable. `ground` is the ground
/// before and after it was mapped.
pub(super) fn nearest(color: Color, depth: Depth, ground: Option<(Color, Color)>) -> Color {
    let Some(wanted) = rgb_of(color).filter(|_| matches!(color, Color::Rgb(..))) else {
        return color;
    };
    if depth >= Depth::True {
        return color;
    }
    let ground = ground.and_then(|(before, after)| Some((rgb_of(before)?, rgb_of(after)?)));
    let (needed, behind) = match ground {
        Some((before, after)) => (contrast(wanted, before).min(4.5), luminance(after)),
        None => (0.0, 0.0),
    };
    let readable = |candidate: &Candidate| ratio(candidate.luminance, behind);
    let all = candidates(depth);
    let fitting = all
        .iter()
        .filter(|candidate| needed == 0.0 || readable(candidate) >= needed)
        .min_by_key(|candidate| unlike(depth, candidate.rgb, wanted));
    let best = || all.iter().max_by(|a, b| readable(a).total_cmp(&readable(b)));
    fitting.or_else(best).map_or(Color::Reset, |candidate| candidate.color)
}

/// The red, green and blue of a colour, if it has any of its own.
pub(in crate::tui) fn rgb_of(color: Color) -> Option<Rgb> {
    match color {
        Color::Rgb(r, g, b) => Some([r, g, b]),
        Color::Indexed(index @ 16..) => {
            candidates(Depth::Ansi256).get(usize::from(index) - 16).map(|candidate| candidate.rgb)
        }
        color => SIXTEEN.iter().find(|(named, _)| *named == color).map(|(_, rgb)| *rgb),
    }
}

/// How far two colours are from each other to the eye, roughly: a difference in
/// green weighs more than one in red or blue.
fn distance(a: Rgb, b: Rgb) -> i64 {
    let part = |index: usize| i64::from(a[index]) - i64::from(b[index]);
    let red = i64::midpoint(i64::from(a[0]), i64::from(b[0]));
    let (r, g, b) = (part(0), part(1), part(2));
    (((512 + red) * r * r) >> 8) + 4 * g * g + (((767 - red) * b * b) >> 8)
}

/// The contrast of two colours as WCAG 2 defines it, from 1 to 21.
pub(in crate::tui) fn contrast(a: Rgb, b: Rgb) -> f64 {
    ratio(luminance(a), luminance(b))
}

fn ratio(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(rgb: Rgb) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_what_the_environment_announces() {
        let detect = Depth::detect;
        assert_eq!(detect(Some("1"), Some("truecolor"), Some("xterm")), Depth::None);
        assert_eq!(detect(Some(""), Some("truecolor"), Some("xterm")), Depth::True);
        assert_eq!(detect(None, Some("24bit"), Some("xterm")), Depth::True);
        assert_eq!(detect(None, Some("yes"), Some("xterm")), Depth::Ansi16);
        assert_eq!(detect(None, None, Some("xterm-direct")), Depth::True);
        assert_eq!(detect(None, None, Some("screen-256color-bce")), Depth::Ansi256);
        assert_eq!(detect(None, None, Some("linux")), Depth::Ansi16);
        assert_eq!(detect(None, Some("truecolor"), Some("dumb")), Depth::None);
        if !cfg!(windows) {
            assert_eq!(detect(None, None, Some("")), Depth::None);
            assert_eq!(detect(None, None, None), Depth::None);
        }
    }

    #[test]
    fn nearest_colours_are_near() {
        let rgb = |hex: u32| Color::from_u32(hex);
        assert_eq!(nearest_ground(rgb(0xff_00_00), Depth::Ansi256), Color::Indexed(196));
        assert_eq!(nearest_ground(rgb(0x12_12_12), Depth::Ansi256), Color::Indexed(233));
        assert_eq!(nearest_ground(rgb(0x10_10_14), Depth::Ansi16), Color::Black);
        assert_eq!(nearest_ground(rgb(0xfa_fa_fa), Depth::Ansi16), Color::White);
        assert_eq!(nearest_ground(rgb(0x12_34_56), Depth::True), rgb(0x12_34_56));
        assert_eq!(nearest(Color::Red, Depth::Ansi16, None), Color::Red);
    }

    #[test]
    fn of_sixteen_the_hue_is_kept() {
        let dark = Some((Color::from_u32(0x16_18_1e), Color::Black));
        for (hex, want) in [
            (0xff_7a_85, Color::LightRed),
            (0x8f_ce_7a, Color::Green),
            (0xe6_b4_50, Color::Yellow),
            (0x82_b1_ff, Color::Cyan),
            (0x6f_cf_d8, Color::Cyan),
        ] {
            assert_eq!(nearest(Color::from_u32(hex), Depth::Ansi16, dark), want, "{hex:x}");
        }
        assert_eq!(nearest_ground(Color::from_u32(0x2f_3a_56), Depth::Ansi16), Color::Blue);
    }

    #[test]
    fn a_mapped_colour_stays_readable() {
        // The nearest of sixteen to a middle grey would be the grey ground itself.
        let ground = (Color::from_u32(0xff_ff_ff), Color::White);
        let mapped = nearest(Color::from_u32(0xe0_e0_e0), Depth::Ansi16, Some(ground));
        assert_ne!(mapped, Color::White);
        let dark = (Color::from_u32(0x11_11_11), Color::Black);
        let mapped = nearest(Color::from_u32(0x99_99_a8), Depth::Ansi16, Some(dark));
        assert!(contrast(rgb_of(mapped).unwrap(), [0, 0, 0]) >= 4.5, "{mapped:?}");
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast([0, 0, 0], [255, 255, 255]) - 21.0).abs() < 1e-9);
        assert!((contrast([119, 119, 119], [255, 255, 255]) - 4.48).abs() < 0.01);
    }
}
