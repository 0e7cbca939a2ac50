//! The width of the panes, kept from one time to the next. Whatever is wrong with
//! the file, the explorer starts without it.

use std::fs;
use std::path::Path;

use super::{MOST, text_file};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct File {
    /// How much wider the left column is than at first, in percent of the screen.
    wider: i16,
}

/// The width that was kept; 0 where there is none.
pub(in crate::cli) fn kept(path: &Path) -> i16 {
    let text = text_file::read(path, MOST).unwrap_or_default();
    toml::from_str(&text).map_or(0, |file: File| file.wider)
}

/// Keeps a width. Where that fails there is nobody to tell.
pub(in crate::cli) fn keep(path: &Path, wider: i16) {
    let Ok(text) = toml::to_string(&File { wider }) else { return };
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
        assert_eq!(kept(&path), 0);
        keep(&path, -6);
        assert_eq!(kept(&path), -6);
        fs::write(&path, "wider = \"much\"").expect("a file");
        assert_eq!(kept(&path), 0);
    }
}
