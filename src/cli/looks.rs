//! Themes and colours of the explorer, from the command line, the environment and
//! the user's folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::Color;
use super::config::{THEMES, text_of};
use super::ground::{self, Known};
use super::output::{Error, tell};
use crate::check::nearest;
use crate::home::expanded;
use crate::tui::theme::{Depth, Ground, Theme};

/// The word for the theme that fits the terminal.
pub(super) const AUTO: &str = "auto";

/// What the explorer is painted with.
pub(super) struct Looks {
    /// All themes at the terminal's depth of colour, the chosen first.
    pub(super) themes: Vec<Theme>,
    /// The name of the theme that fits the terminal, where none was asked for.
    pub(super) fitting: Option<String>,
    /// Whether the terminal may still answer what it was asked.
    pub(super) is_late: bool,
}

/// What the themes are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    /// The terminal.
    Terminal,
    /// A picture that a terminal will show.
    Ansi,
    /// A picture with all colours, whatever the terminal has.
    Picture,
}

/// Themes and colours as they were asked for: the theme with where it was named. The
/// one that was gone to last takes the place of `auto`, where it is still there.
///
/// # Errors
/// There is no such theme, or its file cannot be used.
pub(super) fn looks(
    (chosen, named): (&str, &str),
    color: Color,
    folder: Option<&Path>,
    wanted: For,
    last: Option<&str>,
) -> Result<Looks, Error> {
    let depth = match (wanted, color) {
        (For::Picture, Color::Never) => Depth::None,
        (For::Picture, _) => Depth::True,
        _ => depth(color).0,
    };
    let chosen = Some(chosen).filter(|name| *name != AUTO);
    let own = own(folder);
    let mut is_late = false;
    let first = match (chosen, wanted) {
        (Some(name), _) => find(name, named, &own)?,
        (None, For::Picture) => fitting(Some(Ground::Dark), depth),
        (None, For::Ansi) => Theme::terminal(),
        // Sixteen colours are the terminal's own in any case.
        (None, For::Terminal) if depth <= Depth::Ansi16 => Theme::terminal(),
        (None, For::Terminal) => {
            let Known { ground, is_late: late, .. } = ground::of_terminal(ground::WAIT);
            is_late = late;
            fitting(ground, depth)
        }
    };
    for (path, fault) in own.iter().filter_map(|(path, theme)| Some((path, theme.as_ref().err()?)))
    {
        // Told, but no reason to stop: another theme was asked for.
        // The fault begins with the place in the file, where it is known.
        let name = path.display().to_string();
        match fault.contains(&name) {
            true => tell(&format!("markscope: the theme is left out: {fault}")),
            false => tell(&format!("markscope: the theme {name} is left out: {fault}")),
        }
    }
    let own = own.into_iter().filter_map(|(_, theme)| theme.ok());
    let mut themes = vec![first];
    for theme in own.chain(Theme::builtin()) {
        if !themes.iter().any(|known| known.name() == theme.name()) {
            themes.push(theme);
        }
    }
    let fitting = chosen.is_none().then(|| themes[0].name().to_owned());
    // Without colours there is nothing to go to, so none of them is put ahead.
    let has_last = |theme: &Theme| chosen.is_none() && last == Some(theme.name());
    if depth > Depth::None
        && let Some(at) = themes.iter().position(has_last)
    {
        themes[..=at].rotate_right(1);
    }
    let themes = themes.into_iter().map(|theme| theme.at_depth(depth)).collect();
    Ok(Looks { themes, fitting, is_late })
}

/// The theme for a ground.
fn fitting(ground: Option<Ground>, depth: Depth) -> Theme {
    let name = match ground {
        Some(Ground::Dark) if depth > Depth::None => "dark",
        Some(Ground::Light) if depth > Depth::None => "light",
        _ => "terminal",
    };
    Theme::named(name).unwrap_or_else(|_| Theme::terminal())
}

/// How many colours the terminal shows, and how that is known.
pub(super) fn depth(color: Color) -> (Depth, &'static str) {
    let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let (colorterm, term) = (variable("COLORTERM"), variable("TERM"));
    let known = Depth::detect(None, colorterm.as_deref(), term.as_deref());
    let is_forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    match color {
        Color::Never => (Depth::None, "--color never"),
        // Asked for, so nothing else counts; at least the sixteen colours.
        Color::Always => (known.max(Depth::Ansi16), "--color always"),
        Color::Auto if variable("NO_COLOR").is_some() => (Depth::None, "NO_COLOR"),
        Color::Auto if is_forced => (known.max(Depth::Ansi16), "CLICOLOR_FORCE"),
        Color::Auto if known == Depth::True && colorterm.is_some() => (known, "COLORTERM"),
        Color::Auto if term.is_some() => (known, "TERM"),
        Color::Auto => (known, "no TERM"),
    }
}

/// A theme of the user's with its file, or what is wrong with it.
type Own = (PathBuf, Result<Theme, String>);

/// The user's themes, by name of file.
pub(super) fn own(folder: Option<&Path>) -> Vec<Own> {
    let Some(entries) = folder.and_then(|folder| fs::read_dir(folder.join(THEMES)).ok()) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

fn read(path: &Path) -> Result<Theme, String> {
    let name = path.display().to_string();
    match text_of(path)? {
        Some(text) => Theme::parse(&text, &name).map_err(|error| error.to_string()),
        None => Err(format!("there is no file {name}")),
    }
}

/// A theme by the name of a file in the user's folder, its own name, the name of a
/// builtin one, or by a file anywhere.
fn find(name: &str, named: &str, own: &[Own]) -> Result<Theme, Error> {
    if name.contains(['/', '\\']) || name.ends_with(".toml") {
        return read(&expanded(name)).map_err(|fault| Error::Usage(format!("{named}: {fault}")));
    }
    let by_file = own.iter().find(|(path, _)| path.file_stem().is_some_and(|stem| stem == name));
    if let Some((_, theme)) = by_file {
        return theme.clone().map_err(Error::Usage);
    }
    let mut fine = own.iter().filter_map(|(_, theme)| theme.as_ref().ok());
    if let Some(theme) = fine.find(|theme| theme.name() == name) {
        return Ok(theme.clone());
    }
    if let Ok(theme) = Theme::named(name) {
        return Ok(theme);
    }
    let builtin = Theme::builtin();
    let own = own.iter().filter_map(|(_, theme)| theme.as_ref().ok());
    let known: Vec<&str> = own.chain(&builtin).map(Theme::name).collect();
    let way_out = match nearest(name, known.iter().copied()) {
        Some(near) => format!("there is {near}"),
        None => format!("choose one of {AUTO}, {}, or a file", known.join(", ")),
    };
    Err(Error::Usage(format!("{named}: there is no theme {name}; {way_out}")))
}
