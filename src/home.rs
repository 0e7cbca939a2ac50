//! `~` at the beginning of a file name, as a shell reads it: where a name is typed
//! into the program or written in its settings there is no shell to do so.

use std::path::{Path, PathBuf};

/// A file name with `~` or `~/` replaced by the home folder, if there is one.
pub fn expanded(name: &str) -> PathBuf {
    within(name, etcetera::home_dir().ok().as_deref())
}

fn within(name: &str, home: Option<&Path>) -> PathBuf {
    match (name.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_owned(),
        (Some(rest), Some(home)) if rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => PathBuf::from(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_stands_for_a_tilde_alone_or_before_a_slash() {
        for (name, want) in [
            ("~", "/home/a"),
            ("~/x.md", "/home/a/x.md"),
            ("~//x.md", "/home/a/x.md"),
            ("~b/x.md", "~b/x.md"),
            ("a/~/x.md", "a/~/x.md"),
            ("x~", "x~"),
            ("/x", "/x"),
            ("", ""),
        ] {
            assert_eq!(within(name, Some(Path::new("/home/a"))), Path::new(want), "{name}");
            assert_eq!(within(name, None), Path::new(name));
        }
    }
}
