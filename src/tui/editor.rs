//! The author's own editor, at a line.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A line, counted from 1.
    Line(usize),
    /// So many bytes before the end of the text: documents have front matter before
    /// their text, which only the file knows of.
    FromEnd(usize),
}

/// A file to edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub file: PathBuf,
    /// Where in it.
    pub at: At,
}

impl Edit {
    fn line(&self) -> usize {
        match self.at {
            At::Line(line) => line,
            At::FromEnd(bytes) => {
                let text = std::fs::read(&self.file).unwrap_or_default();
                let before = text.len().saturating_sub(bytes);
                1 + text[..before].iter().filter(|byte| **byte == b'\n').count()
            }
        }
    }

    /// Runs the editor and waits for it.
    ///
    /// # Errors
    /// In a sentence: there is no such editor, or it failed.
    pub fn run(&self) -> Result<(), String> {
        let command = ["VISUAL", "EDITOR"]
            .iter()
            .find_map(|name| env::var(name).ok().filter(|value| !value.trim().is_empty()));
        let command = command.unwrap_or_else(|| "vi".to_owned());
        let (program, mut arguments) = words(&command)?;
        arguments.extend(place(&program, &self.file, self.line()));
        let status = Command::new(&program).args(&arguments).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{program} ended with {status}")),
            Err(error) => Err(format!("{program}: {error}; set EDITOR to your editor")),
        }
    }
}

/// Program and arguments, taken apart as a shell does: quotes hold blanks together.
fn words(command: &str) -> Result<(String, Vec<String>), String> {
    let fault = || format!("EDITOR is no command line: {command}; a quote or a word is missing");
    let mut words = shell_words::split(command).map_err(|_| fault())?;
    if words.first().is_none_or(String::is_empty) {
        return Err(fault());
    }
    let program = words.remove(0);
    Ok((program, words))
}

/// The arguments by which an editor opens a file at a line.
fn place(program: &str, file: &Path, line: usize) -> Vec<String> {
    let name = Path::new(program).file_stem().and_then(|name| name.to_str()).unwrap_or(program);
    // A name that begins with a dash would be taken for an option.
    let file = match file.is_absolute() || file.starts_with(".") {
        true => file.display().to_string(),
        false => format!("./{}", file.display()),
    };
    match name {
        "code" | "codium" | "code-insiders" | "cursor" => {
            vec!["--wait".into(), "--goto".into(), format!("{file}:{line}")]
        }
        "hx" | "helix" | "subl" | "zed" => vec![format!("{file}:{line}")],
        "vi" | "vim" | "nvim" | "view" | "nano" | "emacs" | "emacsclient" | "kak" | "micro"
        | "joe" | "ne" | "mg" | "gedit" => vec![format!("+{line}"), file],
        _ => vec![file],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_are_given_the_line_their_way() {
        let file = Path::new("notes/a.md");
        for (program, want) in [
            ("/usr/bin/nvim", vec!["+7", "./notes/a.md"]),
            ("hx", vec!["./notes/a.md:7"]),
            ("code", vec!["--wait", "--goto", "./notes/a.md:7"]),
            ("ed", vec!["./notes/a.md"]),
        ] {
            assert_eq!(place(program, file, 7), want, "{program}");
        }
    }

    #[test]
    fn the_editor_is_taken_apart_as_a_shell_does() {
        for (command, want) in [
            ("vi", vec!["vi"]),
            ("  code  -n ", vec!["code", "-n"]),
            ("'/opt/my editor/ed' --title 'a b'", vec!["/opt/my editor/ed", "--title", "a b"]),
            ("\"/opt/my editor/ed\" -c \"it's\"", vec!["/opt/my editor/ed", "-c", "it's"]),
            ("/opt/my\\ editor/ed -x", vec!["/opt/my editor/ed", "-x"]),
            ("emacsclient -a ''", vec!["emacsclient", "-a", ""]),
        ] {
            let (program, arguments) = words(command).expect(command);
            assert_eq!([vec![program], arguments].concat(), want, "{command}");
        }
        for command in ["'vi", "\"vi", "''"] {
            let told = words(command).expect_err(command);
            let want =
                format!("EDITOR is no command line: {command}; a quote or a word is missing");
            assert_eq!(told, want);
        }
    }

    #[test]
    fn a_line_of_the_text_is_found_behind_the_front_matter() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.md");
        std::fs::write(&file, "---\ntitle: A\n---\n# A\n\ntext\n").expect("a file");
        let line = |bytes| Edit { file: file.clone(), at: At::FromEnd(bytes) }.line();
        assert_eq!(line("# A\n\ntext\n".len()), 4);
        assert_eq!(line("text\n".len()), 6);
        assert_eq!(line(1000), 1);
        assert_eq!(Edit { file: folder.path().join("no.md"), at: At::FromEnd(3) }.line(), 1);
    }
}
