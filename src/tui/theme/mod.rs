//! The only place that knows colours. Everything else asks for a role.
//!
//! Themes are files, see `themes/`: raw as written, resolved here to one style
//! for each role, with nothing left open.

mod depth;
mod raw;
mod role;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

pub use depth::Depth;
#[cfg(test)]
pub(super) use depth::contrast;
pub(super) use depth::{Rgb, rgb_of};
pub use raw::ThemeError;
pub use role::Role;

use raw::Layer;

/// The themes that are compiled in; the first is the default.
const BUILTIN: [(&str, &str); 8] = [
    ("terminal", include_str!("../../../themes/terminal.toml")),
    ("dark", include_str!("../../../themes/dark.toml")),
    ("dusk", include_str!("../../../themes/dusk.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("paper", include_str!("../../../themes/paper.toml")),
    ("contrast", include_str!("../../../themes/contrast.toml")),
    ("sixteen", include_str!("../../../themes/sixteen.toml")),
    ("mono", include_str!("../../../themes/mono.toml")),
];

/// What a theme is painted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// A dark ground.
    Dark,
    /// A light ground.
    Light,
    /// Whatever the terminal has.
    Terminal,
}

/// Resolved styles, one for each role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    name: String,
    ground: Ground,
    background: Option<Color>,
    foreground: Option<Color>,
    styles: [Style; Role::ALL.len()],
}

impl Theme {
    /// The themes that need no file.
    pub fn builtin() -> Vec<Self> {
        BUILTIN.iter().map(|(name, _)| Self::builtin_or_plain(name)).collect()
    }

    /// A builtin theme by name.
    pub fn named(name: &str) -> Result<Self, ThemeError> {
        let layer = builtin_layer(name).ok_or_else(|| {
            let known = names().join(", ");
            ThemeError::new("theme", format!("there is no theme {name:?}: choose one of {known}"))
        })?;
        raw::resolve(layer, builtin_layer, &names())
    }

    /// The file of a builtin theme.
    pub fn source(name: &str) -> Option<&'static str> {
        BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// A theme from the text of a file. It may extend a builtin theme.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, ThemeError> {
        raw::resolve(Layer::parse(text, file_name)?, builtin_layer, &names())
    }

    /// The default: the terminal's own 16 colours on its own ground.
    pub fn terminal() -> Self {
        Self::builtin_or_plain("terminal")
    }

    /// A builtin theme. A test holds that all of them resolve; should one not,
    /// the explorer goes on without colours.
    fn builtin_or_plain(name: &str) -> Self {
        Self::named(name).unwrap_or_else(|_| Self {
            name: name.into(),
            ground: Ground::Terminal,
            background: None,
            foreground: None,
            styles: [Style::new(); Role::ALL.len()],
        })
    }

    /// The theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the theme is painted on.
    pub fn ground(&self) -> Ground {
        self.ground
    }

    /// The style of the whole screen, beneath every role: the theme's ground and
    /// the colour of text without a role. Roles name no ground of their own
    /// unless they stand out by it.
    pub fn base(&self) -> Style {
        Style { fg: self.foreground, bg: self.background, ..Style::new() }
    }

    /// Whether any part of it has a colour.
    pub fn has_colours(&self) -> bool {
        let coloured = |style: &Style| style.fg.is_some() || style.bg.is_some();
        coloured(&self.base()) || self.styles.iter().any(coloured)
    }

    /// The style laid over a selected row, which covers what its parts wear: a
    /// coloured word reversed would be a patch of its colour.
    pub fn selected(&self) -> Style {
        let style = self.style(Role::Selected);
        let fg = style.fg.or(self.base().fg).unwrap_or(Color::Reset);
        style.fg(fg)
    }

    /// The style of a role.
    #[inline]
    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// The theme on a terminal that shows fewer colours: the nearest that stay
    /// readable, or none. Without colours no role but the selected one is
    /// reversed, so that it can always be found.
    pub fn at_depth(mut self, depth: Depth) -> Self {
        if depth == Depth::None {
            return self.without_colours();
        }
        let ground = self.background;
        self.background = ground.map(|color| depth::nearest_ground(color, depth));
        let behind = ground.zip(self.background);
        self.foreground = self.foreground.map(|color| depth::nearest(color, depth, behind));
        for style in &mut self.styles {
            let own = style.bg;
            style.bg = own.map(|color| depth::nearest_ground(color, depth));
            let behind = own.zip(style.bg).or(behind);
            style.fg = style.fg.map(|color| depth::nearest(color, depth, behind));
        }
        // A selected row whose ground fell together with the others': turned over.
        let selected = &mut self.styles[Role::Selected as usize];
        if selected.bg.is_some() && selected.bg == self.background {
            (selected.fg, selected.bg) = (self.background, self.foreground);
        }
        self
    }

    fn without_colours(mut self) -> Self {
        let mono = Self::builtin_or_plain("mono");
        self.background = None;
        self.foreground = None;
        for role in Role::ALL {
            let style = &mut self.styles[*role as usize];
            let mut modifiers = style.add_modifier | mono.style(*role).add_modifier;
            modifiers.set(Modifier::REVERSED, *role == Role::Selected);
            *style = Style::new().add_modifier(modifiers);
        }
        self
    }
}

fn names() -> Vec<&'static str> {
    BUILTIN.iter().map(|(name, _)| *name).collect()
}

fn builtin_layer(name: &str) -> Option<Layer> {
    let (_, text) = BUILTIN.iter().find(|(known, _)| *known == name)?;
    Layer::parse(text, &format!("themes/{name}.toml")).ok()
}

#[cfg(test)]
mod tests;
