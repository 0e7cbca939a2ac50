//! Files that the commands write: never over what they read, and in whole or not at
//! all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path, PathBuf};

use super::output::Error;
use super::text_file::kind;
use crate::text::visible_line;

/// What a command reads, which nothing may be written over.
pub(super) struct Reads<'a> {
    /// Files that the command line names.
    pub(super) files: Vec<&'a Path>,
    /// Worlds that it names; those that are not on this machine do not matter.
    pub(super) worlds: Vec<&'a str>,
}

/// A file as a message calls it.
pub(super) fn shown(file: &Path) -> String {
    visible_line(&file.display().to_string())
}

/// How a file is written.
enum Place {
    /// As a whole: put together in one file, which then takes the place of the other.
    /// A link to it stays.
    Whole { part: PathBuf, to: PathBuf },
    /// Straight: a device, a pipe, or what this process has open.
    Straight,
}

fn place(file: &Path) -> Place {
    let mut to = file.to_owned();
    // As many as the system follows.
    for _ in 0..40 {
        let is_open = to.starts_with("/dev") || to.starts_with("/proc");
        match fs::symlink_metadata(&to) {
            _ if is_open => return Place::Straight,
            Ok(found) if found.is_symlink() => {
                let Ok(next) = fs::read_link(&to) else { return Place::Straight };
                to = to.parent().unwrap_or(Path::new("")).join(next);
            }
            Ok(found) if !found.is_file() => return Place::Straight,
            _ => {
                let mut part = to.clone().into_os_string();
                part.push(format!(".{}.part", std::process::id()));
                return Place::Whole { part: part.into(), to };
            }
        }
    }
    Place::Straight
}

/// Writes a file in whole or not at all, but for what is no file that another could
/// take the place of.
///
/// # Errors
/// It cannot be written.
pub(super) fn write(file: &Path, text: &str) -> io::Result<()> {
    let Place::Whole { part, to } = place(file) else { return fs::write(file, text) };
    fs::write(&part, text)
        .and_then(|()| match fs::metadata(&to) {
            Ok(before) => fs::set_permissions(&part, before.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&part, &to))
        .inspect_err(|_| {
            // What is half written is of no use to anybody.
            let _ = fs::remove_file(&part);
        })
}

/// Whether a result can be written to a file: to be known before the work, and not
/// behind it. `option` is what names the file.
///
/// # Errors
/// The file is one that the command reads, or cannot be written.
pub(super) fn check(file: &Path, option: &str, reads: &Reads<'_>) -> Result<(), Error> {
    refuse_read(file, option, reads)?;
    let tried = match (fs::metadata(file), place(file)) {
        (Ok(found), _) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        (_, Place::Whole { part, .. }) => {
            fs::write(&part, "").and_then(|()| fs::remove_file(&part))
        }
        (_, Place::Straight) => Ok(()),
    };
    tried.map_err(|error| cannot(file, option, &error))
}

/// Whether lookups can be written behind those in a file, which need not be there yet.
///
/// # Errors
/// The file is one that the command reads, cannot be written, or holds something else.
pub(super) fn check_record(file: &Path, option: &str, reads: &Reads<'_>) -> Result<(), Error> {
    refuse_read(file, option, reads)?;
    let (holder, is_there) = match fs::metadata(file) {
        Ok(_) => (file, true),
        Err(_) => {
            (file.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new(".")), false)
        }
    };
    let holds = || -> io::Result<bool> {
        if !is_there {
            return fs::metadata(holder).map(|_| true);
        }
        appended(file)?;
        first_byte(file).map(|first| matches!(first, None | Some(b'{')))
    };
    match holds() {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::Usage(format!(
            "{} holds something else than recorded lookups; name another file with {option}",
            shown(file)
        ))),
        Err(error) => Err(cannot(file, option, &error)),
    }
}

/// Writes a line behind what is in a file.
///
/// # Errors
/// It cannot be written.
pub(super) fn append(file: &Path, line: &str) -> io::Result<()> {
    let mut out = appended(file)?;
    // Somebody's editor may have left the last line without its end.
    let end = if has_end(file)? { "" } else { "\n" };
    out.write_all(format!("{end}{line}\n").as_bytes())
}

/// A file to write at the end of. A pipe would hold up whoever opens it until somebody
/// reads from it.
fn appended(file: &Path) -> io::Result<File> {
    match fs::metadata(file) {
        Ok(found) if !found.is_file() && !file.starts_with("/dev") => {
            let words = format!("it is {}, not a file", kind(found.file_type()));
            return Err(io::Error::other(words));
        }
        _ => {}
    }
    OpenOptions::new().create(true).append(true).open(file)
}

/// Whether the last line of a file has its end.
fn has_end(file: &Path) -> io::Result<bool> {
    let found = fs::metadata(file)?;
    if !found.is_file() || found.len() == 0 {
        return Ok(true);
    }
    let mut open = File::open(file)?;
    open.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    open.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The first byte that is no white space and no mark of byte order, near the beginning
/// of a file.
fn first_byte(file: &Path) -> io::Result<Option<u8>> {
    if !fs::metadata(file)?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(4096).read_to_end(&mut bytes)?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    Ok(bytes.trim_ascii_start().first().copied())
}

/// # Errors
/// The file is one that the command reads, or none.
fn refuse_read(file: &Path, option: &str, reads: &Reads<'_>) -> Result<(), Error> {
    if file == Path::new("-") {
        return Err(Error::Usage(format!("`-` names no file to write; give {option} a file")));
    }
    let is_same = |other: &Path| is_same(file, other);
    let why = if reads.files.iter().any(|read| is_same(read)) {
        "is read here and would be written over"
    } else if reads.worlds.iter().any(|world| is_same(Path::new(world))) {
        "is the world itself"
    } else if reads.worlds.iter().any(|world| is_of_world(file, Path::new(world))) {
        "would be a file of the world"
    } else {
        return Ok(());
    };
    let shown = shown(file);
    Err(Error::Usage(format!("{shown} {why}; name another file with {option}")))
}

/// Whether two names are those of one file, which is there. Neither is opened: a pipe
/// would wait for somebody to write to it.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let of = |path| fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
        of(one).is_some_and(|one| of(other) == Some(one))
    }
    #[cfg(not(unix))]
    {
        let of = |path| fs::canonicalize(path).ok();
        of(one).is_some_and(|one| of(other) == Some(one))
    }
}

/// Whether a file in a world's folder would be read with it: a document, the history
/// of one, or what is hidden there, as settings are.
fn is_of_world(file: &Path, world: &Path) -> bool {
    let (Some(file), Ok(world)) = (settled(file), fs::canonicalize(world)) else { return false };
    let Ok(within) = file.strip_prefix(&world) else { return false };
    let is_kept = |part: Component<'_>| {
        let name = part.as_os_str().as_encoded_bytes();
        name == b"versions" || name.starts_with(b".")
    };
    within.as_os_str().as_encoded_bytes().ends_with(b".md") || within.components().any(is_kept)
}

/// The path without links, of a file that need not be there.
fn settled(file: &Path) -> Option<PathBuf> {
    if let Ok(real) = fs::canonicalize(file) {
        return Some(real);
    }
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
    Some(folder.join(file.file_name()?))
}

fn cannot(file: &Path, option: &str, error: &io::Error) -> Error {
    let shown = shown(file);
    Error::Usage(format!("{shown} cannot be written: {error}; name another file with {option}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("world/versions")).expect("a folder");
        fs::write(folder.path().join("world/a.md"), "# A\n").expect("a file");
        fs::write(folder.path().join("lookups.jsonl"), "{}").expect("a file");
        let path = folder.path().to_owned();
        (folder, path)
    }

    fn words(result: Result<(), Error>) -> String {
        result.expect_err("a refusal").to_string()
    }

    #[test]
    fn nothing_is_written_over_what_is_read() {
        let (_folder, at) = folder();
        let (lookups, world, archive) =
            (at.join("lookups.jsonl"), at.join("world"), at.join("corpus.jsonl"));
        fs::write(&archive, "{}\n").expect("a file");
        fs::hard_link(&lookups, at.join("again")).expect("a link");
        let (world, archive) = (world.display().to_string(), archive.display().to_string());
        let reads = Reads { files: vec![&lookups], worlds: vec![&world, &archive, "mark://h/x"] };
        for (name, why) in [
            ("lookups.jsonl", "is read here and would be written over"),
            ("again", "is read here and would be written over"),
            ("world/../lookups.jsonl", "is read here and would be written over"),
            ("corpus.jsonl", "is the world itself"),
            ("world", "is the world itself"),
            ("world/a.md", "would be a file of the world"),
            ("world/new.md", "would be a file of the world"),
            ("world/.markscope.toml", "would be a file of the world"),
            ("world/versions/v1", "would be a file of the world"),
        ] {
            let file = at.join(name);
            let want = format!("{} {why}; name another file with --out", file.display());
            assert_eq!(words(check(&file, "--out", &reads)), want);
            assert_eq!(words(check_record(&file, "--out", &reads)), want);
        }
        for name in ["new.json", "world/report.json", "b.md"] {
            assert!(check(&at.join(name), "--out", &reads).is_ok(), "{name}");
            assert!(!at.join(name).exists(), "{name} is tried without a trace");
        }
        assert!(words(check(&at.join("none/x"), "--out", &reads)).contains("cannot be written"));
        let none = words(check(Path::new("-"), "--out", &reads));
        assert_eq!(none, "`-` names no file to write; give --out a file");
    }

    #[test]
    fn lookups_are_recorded_behind_others_alone() {
        let (_folder, at) = folder();
        let reads = Reads { files: Vec::new(), worlds: Vec::new() };
        let check = |name: &str| check_record(&at.join(name), "--record", &reads);
        assert!(check("lookups.jsonl").is_ok());
        assert!(check("new.jsonl").is_ok());
        assert!(!at.join("new.jsonl").exists());
        let other = at.join("world/a.md");
        assert_eq!(
            words(check("world/a.md")),
            format!(
                "{} holds something else than recorded lookups; name another file with --record",
                other.display()
            )
        );
        assert!(words(check("none/x.jsonl")).contains("cannot be written"));
        append(&at.join("lookups.jsonl"), "{\"query\":\"a\"}").expect("written");
        append(&at.join("lookups.jsonl"), "{\"query\":\"b\"}").expect("written");
        let text = fs::read_to_string(at.join("lookups.jsonl")).expect("a file");
        assert_eq!(text, "{}\n{\"query\":\"a\"}\n{\"query\":\"b\"}\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_is_no_file_is_written_straight() {
        use std::os::unix::fs::symlink;
        let (_folder, at) = folder();
        for (link, to) in [("old", "lookups.jsonl"), ("twice", "old"), ("new", "none.json")] {
            symlink(to, at.join(link)).expect("a link");
            write(&at.join(link), link).expect("written");
            assert!(fs::symlink_metadata(at.join(link)).expect("a link").is_symlink());
        }
        assert_eq!(fs::read_to_string(at.join("lookups.jsonl")).expect("a file"), "twice");
        assert_eq!(fs::read_to_string(at.join("none.json")).expect("a file"), "new");
        symlink("/dev/null", at.join("null")).expect("a link");
        write(&at.join("null"), "x").expect("written");
        write(Path::new("/dev/null"), "x").expect("written");
        assert!(fs::symlink_metadata(at.join("null")).expect("a link").is_symlink());
        symlink("round", at.join("round")).expect("a link");
        assert!(write(&at.join("round"), "x").is_err());
        let parts = fs::read_dir(&at).expect("a folder").flatten();
        assert_eq!(parts.filter(|it| it.path().extension() == Some("part".as_ref())).count(), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_told() {
        let full = Path::new("/dev/full");
        assert!(append(full, "x").is_err());
        assert!(write(full, "x").is_err());
    }
}
