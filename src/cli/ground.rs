//! Whether the terminal's ground is dark or light, where it tells.

use std::env;
use std::io::{self, IsTerminal as _};
use std::time::Duration;

use terminal_colorsaurus::{Error, QueryOptions, background_color};

use crate::tui::theme::Ground;

/// How long a terminal has for its answer where somebody waits for a screen. One that can tell needs a few
/// milliseconds, over a slow line some more; every one that knows less says so at
/// once, since it is asked for its kind as well.
pub(super) const WAIT: Duration = Duration::from_millis(200);

/// What is known of the terminal's ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) ground: Option<Ground>,
    /// How it is known, or why not.
    pub(super) how: &'static str,
    /// Whether an answer may still come, which nobody waits for.
    pub(super) is_late: bool,
}

impl Known {
    fn not(how: &'static str) -> Self {
        Self { ground: None, how, is_late: false }
    }
}

/// Finds the terminal's ground: from `COLORFGBG`, else by asking. To be called
/// before the terminal is taken, so that the answer is never read as keys. `wait` is
/// how long it has to answer.
pub(super) fn of_terminal(wait: Duration) -> Known {
    if let Some(ground) = env::var("COLORFGBG").ok().as_deref().and_then(of_variable) {
        return Known { ground: Some(ground), how: "COLORFGBG", is_late: false };
    }
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Known::not("no terminal");
    }
    if env::var("TERM").is_ok_and(|term| term == "dumb") {
        return Known::not("TERM=dumb");
    }
    let mut options = QueryOptions::default();
    options.timeout = wait;
    match background_color(options) {
        Ok(color) => {
            let is_light = color.perceived_lightness() > 0.5;
            let ground = if is_light { Ground::Light } else { Ground::Dark };
            Known { ground: Some(ground), how: "the terminal's answer", is_late: false }
        }
        Err(Error::Timeout(_)) => Known { is_late: true, ..Known::not("no answer") },
        Err(_) => Known::not("the terminal does not tell"),
    }
}

/// The ground that `COLORFGBG` names: text and ground as two of the sixteen
/// colours, `15;0`, with something in between at times.
fn of_variable(value: &str) -> Option<Ground> {
    let (_, ground) = value.rsplit_once(';')?;
    match ground.parse().ok()? {
        0..=6 | 8 => Some(Ground::Dark),
        7 | 9..=15 => Some(Ground::Light),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_names_text_and_ground() {
        for (value, want) in [
            ("15;0", Some(Ground::Dark)),
            ("0;15", Some(Ground::Light)),
            ("0;default;15", Some(Ground::Light)),
            ("12;8", Some(Ground::Dark)),
            ("0;7", Some(Ground::Light)),
            ("15;default", None),
            ("15;16", None),
            ("15", None),
            ("", None),
        ] {
            assert_eq!(of_variable(value), want, "{value}");
        }
    }
}
