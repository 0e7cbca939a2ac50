//! Theme files: what may be written in one, and what it means.

use std::collections::BTreeMap;
use std::fmt;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use toml::Spanned;

use super::{Ground, Role, Theme};

/// A theme file that cannot be used, as one sentence: where, and what would be
/// right there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct ThemeError {
    place: String,
    message: String,
}

impl ThemeError {
    pub(super) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

/// What may be written in a theme file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    name: Spanned<String>,
    extends: Option<Spanned<String>>,
    ground: Option<Ground>,
    background: Option<Spanned<String>>,
    foreground: Option<Spanned<String>>,
    #[serde(default)]
    palette: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    roles: BTreeMap<String, Spanned<RawStyle>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawStyle {
    fg: Option<Spanned<String>>,
    bg: Option<Spanned<String>>,
    bold: bool,
    italic: bool,
    underline: bool,
    reversed: bool,
    dim: bool,
}

/// A file with its text, for the lines in messages.
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    fn line(&self, at: usize) -> usize {
        self.text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
    }

    fn error(&self, at: usize, key: &str, message: impl Into<String>) -> ThemeError {
        let line = self.line(at);
        ThemeError::new(format!("{}, line {line}, {key}", self.file), message)
    }

    /// What the parser objects to, with the key that stands on its line.
    fn syntax(&self, error: &toml::de::Error) -> ThemeError {
        let message = error.message().trim().replace('\n', ", ");
        let Some(span) = error.span() else {
            return ThemeError::new(self.file, message);
        };
        if message.starts_with("missing field") {
            return ThemeError::new(self.file, format!("{message}: write name = \"...\""));
        }
        let line = self.line(span.start);
        let text = self.text.lines().nth(line - 1).unwrap_or_default();
        match text.split_once('=').map(|(key, _)| key.trim()).filter(|key| !key.is_empty()) {
            Some(key) => self.error(span.start, key, message),
            None => ThemeError::new(format!("{}, line {line}", self.file), message),
        }
    }
}

/// A theme with the values it takes over resolved, and its palette, which a
/// theme that extends it may change.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    source: (String, String),
    raw: Raw,
}

impl Layer {
    pub(super) fn parse(text: &str, file: &str) -> Result<Self, ThemeError> {
        let source = Source { file, text };
        let raw: Raw = toml::from_str(text).map_err(|error| source.syntax(&error))?;
        if raw.name.get_ref().trim().is_empty() {
            let message = "is empty: write the name by which the theme is chosen";
            return Err(source.error(raw.name.span().start, "name", message));
        }
        Ok(Self { source: (file.into(), text.into()), raw })
    }

    fn source(&self) -> Source<'_> {
        Source { file: &self.source.0, text: &self.source.1 }
    }
}

/// Resolves a theme: a chain of layers, each of which the one before extends.
/// `layer` finds a builtin theme by name.
pub(super) fn resolve(
    top: Layer,
    layer: impl Fn(&str) -> Option<Layer>,
    names: &[&str],
) -> Result<Theme, ThemeError> {
    let mut chain = vec![top];
    while let Some(last) = chain.last()
        && let Some(extends) = last.raw.extends.clone()
    {
        let name = extends.get_ref();
        let error = |message: String| last.source().error(extends.span().start, "extends", message);
        let known = names.join(", ");
        if chain.iter().any(|layer| layer.raw.name.get_ref() == name) {
            return Err(error(format!("\"{name}\" leads back to itself: choose one of {known}")));
        }
        let Some(next) = layer(name) else {
            return Err(error(format!("there is no theme \"{name}\": choose one of {known}")));
        };
        chain.push(next);
    }
    let palette = palette(&chain)?;
    let mut theme = Theme {
        name: chain[0].raw.name.get_ref().clone(),
        ground: chain.iter().find_map(|layer| layer.raw.ground).unwrap_or(Ground::Terminal),
        background: None,
        foreground: None,
        styles: [Style::new(); Role::ALL.len()],
    };
    let mut defined = [false; Role::ALL.len()];
    for layer in chain.iter().rev() {
        let source = layer.source();
        if let Some(value) = &layer.raw.background {
            theme.background = Some(color(&palette, &source, "background", value)?);
        }
        if let Some(value) = &layer.raw.foreground {
            theme.foreground = Some(color(&palette, &source, "foreground", value)?);
        }
        for (key, value) in &layer.raw.roles {
            let Some(role) = Role::ALL.iter().find(|role| role.key() == key) else {
                let known: Vec<_> = Role::ALL.iter().map(|role| role.key()).collect();
                let message = format!("is no role: write one of {}", known.join(", "));
                return Err(source.error(value.span().start, &format!("roles.{key}"), message));
            };
            let index = *role as usize;
            theme.styles[index] = value.get_ref().style(&palette, &source, key)?;
            defined[index] = true;
        }
    }
    if let Some(missing) = Role::ALL.iter().find(|role| !defined[**role as usize]) {
        let message = format!(
            "has no style for {}: add it under [roles], or extend a theme that has it, such as \
             extends = \"terminal\"",
            missing.key()
        );
        return Err(ThemeError::new(format!("{}, roles", chain[0].source.0), message));
    }
    Ok(theme)
}

type Palette = BTreeMap<String, Color>;

fn palette(chain: &[Layer]) -> Result<Palette, ThemeError> {
    let mut palette = Palette::new();
    for layer in chain.iter().rev() {
        let source = layer.source();
        for (name, value) in &layer.raw.palette {
            let key = format!("palette.{name}");
            let color = literal(value.get_ref()).ok_or_else(|| {
                let message =
                    format!("{:?} is no colour: write #rrggbb or {ANSI}", value.get_ref());
                source.error(value.span().start, &key, message)
            })?;
            palette.insert(name.clone(), color);
        }
    }
    Ok(palette)
}

impl RawStyle {
    fn style(
        &self,
        palette: &Palette,
        source: &Source<'_>,
        key: &str,
    ) -> Result<Style, ThemeError> {
        let mut style = Style::new();
        if let Some(fg) = &self.fg {
            style = style.fg(color(palette, source, &format!("roles.{key}.fg"), fg)?);
        }
        if let Some(bg) = &self.bg {
            style = style.bg(color(palette, source, &format!("roles.{key}.bg"), bg)?);
        }
        for (set, modifier) in [
            (self.bold, Modifier::BOLD),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reversed, Modifier::REVERSED),
            (self.dim, Modifier::DIM),
        ] {
            if set {
                style = style.add_modifier(modifier);
            }
        }
        Ok(style)
    }
}

const ANSI: &str = "one of the terminal's own (red, bright-red, and so on for black, green, \
                    yellow, blue, magenta, cyan, white)";

fn color(
    palette: &Palette,
    source: &Source<'_>,
    key: &str,
    value: &Spanned<String>,
) -> Result<Color, ThemeError> {
    let written = value.get_ref();
    if let Some(color) = palette.get(written).copied().or_else(|| literal(written)) {
        return Ok(color);
    }
    let names = match palette.len() {
        0 => String::new(),
        _ => format!("a name of the palette ({}), ", Names(palette)),
    };
    let message = format!("{written:?} is no colour: write {names}#rrggbb or {ANSI}");
    Err(source.error(value.span().start, key, message))
}

struct Names<'a>(&'a Palette);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.keys().enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A colour that needs no palette.
fn literal(written: &str) -> Option<Color> {
    if let Some(hex) = written.strip_prefix('#') {
        let plain = hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        return plain.then(|| u32::from_str_radix(hex, 16).ok().map(Color::from_u32)).flatten();
    }
    Some(match written {
        "black" => Color::Black,
        "red" => Color::Red,
        "green" => Color::Green,
        "yellow" => Color::Yellow,
        "blue" => Color::Blue,
        "magenta" => Color::Magenta,
        "cyan" => Color::Cyan,
        "white" => Color::Gray,
        "bright-black" => Color::DarkGray,
        "bright-red" => Color::LightRed,
        "bright-green" => Color::LightGreen,
        "bright-yellow" => Color::LightYellow,
        "bright-blue" => Color::LightBlue,
        "bright-magenta" => Color::LightMagenta,
        "bright-cyan" => Color::LightCyan,
        "bright-white" => Color::White,
        _ => return None,
    })
}
