//! What the explorer keeps from one time to the next: the width of the panes and the
//! theme. Whatever is wrong with the file, the explorer starts without it.

use std::fs;
use std::path::Path;

use super::{MOST, text_file};
use serde::{Deserialize, Serialize};

/// What is kept.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::cli) struct State {
    /// How much wider the left column is than at first, in percent of the screen.
    pub(in crate::cli) wider: i16,
    /// The name of the theme that was gone to, where it is not the one that fits the
    /// terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) theme: Option<String>,
}

/// What was kept; the usual where that is nothing.
pub(in crate::cli) fn kept(path: &Path) -> State {
    let text = text_file::read(path, MOST).unwrap_or_default();
    toml::from_str(&text).unwrap_or_default()
}

/// Keeps a change. What else is kept is read anew: another explorer may have changed it.
/// Where that fails there is nobody to tell.
pub(in crate::cli) fn keep(path: &Path, change: impl FnOnce(&mut State)) {
    let mut state = kept(path);
    change(&mut state);
    let Ok(text) = toml::to_string(&state) else { return };
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let _ = fs::write(path, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("markscope/panes.toml");
        assert_eq!(kept(&path), State::default());
        keep(&path, |state| state.wider = -6);
        assert_eq!(kept(&path), State { wider: -6, theme: None });
        keep(&path, |state| state.theme = Some("paper".into()));
        assert_eq!(kept(&path), State { wider: -6, theme: Some("paper".into()) });
        keep(&path, |state| state.wider = 2);
        keep(&path, |state| state.theme = None);
        assert_eq!(kept(&path), State { wider: 2, theme: None });
        fs::write(&path, "wider = \"much\"").expect("a file");
        assert_eq!(kept(&path), State::default());
    }
}
