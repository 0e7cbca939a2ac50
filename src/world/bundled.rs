//! The example world inside the binary.

use std::path::Path;

use include_dir::{Dir, include_dir};
use jiff::Timestamp;

use super::file::{self, Parsed};
use super::folder;

/// The world's name.
pub(super) const NAME: &str = "music";

static MUSIC: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/examples/music");

/// When a bundled document without a `timestamp` of its own was last changed:
/// 2026-01-01T00:00:00Z, since the times of the files are those of a checkout.
const MODIFIED: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// Every document of the example world, by the rules of a folder.
pub(super) fn read() -> Vec<Parsed> {
    let mut found = Vec::new();
    collect(&MUSIC, &mut found);
    found
        .into_iter()
        .map(|(path, contents)| {
            let shown = Path::new(NAME).join(path.trim_start_matches('/'));
            let mut parsed = file::parse(path, &shown, contents.to_vec());
            parsed.document = parsed.document.map(|document| {
                let declared = document.metadata().get("timestamp");
                let modified = declared.and_then(|text| text.trim().parse().ok());
                document.with_modified(Some(modified.unwrap_or(MODIFIED)))
            });
            parsed
        })
        .collect()
}

/// The text of a file of the example world.
pub(super) fn text(below: &str) -> Option<&'static str> {
    MUSIC.get_file(below)?.contents_utf8()
}

fn collect(dir: &Dir<'static>, found: &mut Vec<(String, &'static [u8])>) {
    let name = |path: &Path| path.file_name().map(|name| name.to_owned()).unwrap_or_default();
    for file in dir.files() {
        let name = name(file.path());
        if folder::is_document(&name) {
            found.push((rooted(file.path()), file.contents()));
        }
    }
    for dir in dir.dirs() {
        if !folder::is_hidden(&name(dir.path())) {
            collect(dir, found);
        }
    }
}

/// The path in the world: the names of all parts, whatever the system's separator.
fn rooted(path: &Path) -> String {
    path.components()
        .fold(String::new(), |path, part| format!("{path}/{}", part.as_os_str().to_string_lossy()))
}
