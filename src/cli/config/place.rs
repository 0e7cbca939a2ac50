//! Where the user's files are.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;

/// The settings, in the folder.
pub(in crate::cli) const FILE: &str = "config.toml";
/// The keys, in the folder.
pub(super) const KEYS: &str = "keys.toml";
/// The folder of themes, in the folder.
pub(in crate::cli) const THEMES: &str = "themes";

/// The folder of the user's files: `$XDG_CONFIG_HOME/markscope` or
/// `~/.config/markscope`, on macOS too, as programs of the terminal have it;
/// `%APPDATA%\markscope` on Windows. It need not exist. None without a home.
pub(in crate::cli) fn folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.config_dir().join("markscope"))
}

/// Where the width of the panes and the theme are kept: `$XDG_STATE_HOME/markscope/panes.toml` or
/// `~/.local/state/markscope/panes.toml`. It need not exist. None without a home.
pub(in crate::cli) fn panes() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    Some(state.join("markscope").join("panes.toml"))
}
