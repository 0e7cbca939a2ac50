//! A folder in a git revision, held against the folder itself: a clean work tree is no
//! change, whatever links, line ends and surroundings it has.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn write(root: &Path, name: &str, text: &str) {
    let file = root.join(name);
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(file, text).expect("a file");
}

fn git(root: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(root).args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
    let output = command.args(args).output().expect("git runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository; none where there is no git.
fn repository() -> Option<tempfile::TempDir> {
    Command::new("git").arg("--version").output().ok()?;
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), &["init", "--quiet"]);
    Some(folder)
}

fn commit(root: &Path) {
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--message", "one"]);
}

fn command(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_markscope"));
    command.current_dir(root).args(args);
    command
}

fn told(output: &Output) -> (Option<i32>, String) {
    let said = [output.stdout.as_slice(), &output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

fn run(root: &Path, args: &[&str]) -> (Option<i32>, String) {
    told(&command(root, args).output().expect("it runs"))
}

const SAME: &str = "notes@HEAD to notes: no document differs\n";

#[cfg(unix)]
#[test]
fn links_of_a_clean_folder_are_no_change() {
    use std::os::unix::fs::symlink;
    let Some(folder) = repository() else { return };
    let root = folder.path();
    write(root, "notes/a.md", "# A\n");
    write(root, "notes/sub/b.md", "# B\n");
    symlink("a.md", root.join("notes/alias.md")).expect("a link");
    symlink("sub", root.join("notes/linked")).expect("a link");
    commit(root);
    let args = ["diff", "notes@HEAD", "notes", "--documents"];
    assert_eq!(run(root, &args), (Some(0), SAME.to_owned()));
    write(root, "notes/a.md", "# Other\n");
    let (code, said) = run(root, &args);
    assert_eq!(code, Some(1));
    assert!(said.contains("/a.md") && said.contains("/alias.md"), "{said}");
}

#[test]
fn line_ends_of_a_clean_folder_are_no_change() {
    let cases = [
        ("core.eol", "lf", "*.md eol=crlf\n"),
        ("core.eol", "lf", "sub/*.md text eol=crlf\n*.md text=auto\n"),
        ("core.autocrlf", "true", "lf.md -text\n"),
        ("core.eol", "crlf", "* text=auto\n"),
    ];
    for (key, value, attributes) in cases {
        let Some(folder) = repository() else { return };
        let root = folder.path();
        git(root, &["config", "core.safecrlf", "false"]);
        git(root, &["config", key, value]);
        write(root, "notes/.gitattributes", attributes);
        write(root, "notes/a.md", "---\ntags: x\n---\n# A\n\nText.\n");
        write(root, "notes/lf.md", "# A\n\nText.\n");
        write(root, "notes/sub/b.md", "# B\n\nText.\n");
        commit(root);
        // As git itself writes the files.
        for name in ["a.md", "lf.md", "sub/b.md"] {
            fs::remove_file(root.join("notes").join(name)).expect("a file");
        }
        git(root, &["checkout", "--quiet", "--", "."]);
        let b = fs::read_to_string(root.join("notes/sub/b.md")).expect("a file");
        assert!(b.contains("\r\n"), "{attributes}: the case holds what it is for");
        let args = ["diff", "notes@HEAD", "notes", "--documents"];
        assert_eq!(run(root, &args), (Some(0), SAME.to_owned()), "{key} {value} {attributes}");
    }
}

/// Git takes such a file for unchanged, since it commits it without its returns.
#[test]
fn line_ends_that_git_takes_away_are_no_change() {
    for (attributes, want) in [("*.md text eol=lf\n", 0), ("*.md text=auto\n", 0), ("", 1)] {
        let Some(folder) = repository() else { return };
        let root = folder.path();
        git(root, &["config", "core.autocrlf", "false"]);
        write(root, "notes/.gitattributes", attributes);
        write(root, "notes/a.md", "# A\n\nText.\n");
        commit(root);
        write(root, "notes/a.md", "# A\r\n\r\nText.\r\n");
        let args = ["diff", "notes@HEAD", "notes", "--documents"];
        assert_eq!(run(root, &args).0, Some(want), "{attributes}");
        write(root, "notes/a.md", "# A\r\n\r\nOther.\r\n");
        assert_eq!(run(root, &args).0, Some(1), "{attributes}");
    }
}

#[test]
fn the_surroundings_name_no_other_repository() {
    let (Some(folder), Some(other)) = (repository(), repository()) else { return };
    let (root, other) = (folder.path(), other.path());
    write(root, "notes/a.md", "# A\n");
    commit(root);
    write(other, "notes/b.md", "# B\n");
    commit(other);
    for (name, value) in [
        ("GIT_DIR", ".git"),
        ("GIT_WORK_TREE", "."),
        ("GIT_INDEX_FILE", "none"),
        ("GIT_OBJECT_DIRECTORY", ".git/objects"),
        ("GIT_COMMON_DIR", ".git"),
        ("GIT_PREFIX", "sub/"),
        ("GIT_NAMESPACE", "x"),
    ] {
        let mut command = command(root, &["diff", "notes@HEAD", "notes", "--documents"]);
        let output = command.env(name, other.join(value)).output().expect("it runs");
        assert_eq!(told(&output), (Some(0), SAME.to_owned()), "{name}");
    }
}

#[test]
fn a_folder_that_is_gone_is_still_in_its_revision() {
    let Some(folder) = repository() else { return };
    let root = folder.path();
    write(root, "gn/old/deep/a.md", "# A\n");
    write(root, "gn/b.md", "# B\n");
    commit(root);
    fs::remove_dir_all(root.join("gn/old")).expect("a folder");
    write(root, "gn/new/a.md", "# A\n");
    let same = "gn/old/deep@HEAD to gn/new: no document differs\n".to_owned();
    let args = ["diff", "gn/old/deep@HEAD", "gn/new", "--documents"];
    assert_eq!(run(root, &args), (Some(0), same));
    let (code, said) = run(root, &["lookup", "gn/never@HEAD", "plum"]);
    assert_eq!(code, Some(3));
    assert!(said.contains("gn/never@HEAD does not exist"), "{said}");
    // A folder that only the work tree has.
    let (code, said) = run(root, &["diff", "gn/new@HEAD", "gn/new"]);
    let want = "markscope: gn/new@HEAD: the folder is not in that revision\n";
    assert_eq!((code, said.as_str()), (Some(3), want));
}

#[test]
fn a_query_that_no_world_answers_is_refused() {
    let root = tempfile::tempdir().expect("a folder");
    for query in ["", "  ", "x", " x "] {
        let (code, said) = run(root.path(), &["diff", "bundled", "bundled", "*", query]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("is refused: "), "{said}");
    }
    assert_eq!(run(root.path(), &["diff", "bundled", "bundled", "*", "xy"]).0, Some(0));
}
