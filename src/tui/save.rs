//! What can be taken out of the explorer: texts to copy, and files to write.

use std::io;
use std::path::Path;

use super::layout::Pane;
use super::message::Effect;
use super::model::{Model, Popup};
use super::page::Part;
use super::picker::{Choice, Pick, Picker};
use super::picture::Format;
use super::shot;
use super::typing::{Field, LEAST_TYPED};
use super::width::{cut_left, grouped, width};
use crate::catalog::Match;
use crate::selection::{Engine, Kind};
use crate::text::visible_line;
use crate::world::Reader;

/// What is written to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// The reader's text, byte for byte.
    Text,
    /// What is on the screen, as a picture.
    Picture(Format),
}

/// What can be copied now.
pub fn copies(model: &Model) -> Picker {
    Picker::new("copy", copied(model))
}

/// The same, to be found among other things.
pub fn copied(model: &Model) -> Vec<Choice> {
    let mut choices = Vec::new();
    let mut add = |label: &str, text: String| {
        if !text.is_empty() {
            choices.push(Choice {
                label: label.to_owned(),
                detail: detail(&text),
                also: "clipboard yank",
                pick: Pick::Copy(label.to_owned(), text),
            });
        }
    };
    if let Some(visit) = model.visits.last().filter(|_| model.popup == Some(Popup::Document)) {
        add("the citation", visit.citation());
        add("the document", visit.body().unwrap_or_default());
    }
    if let Some(outcome) = &model.outcome {
        match selected(model) {
            Some(Part::Item(index)) if let Some(item) = outcome.selection.items.get(index) => {
                if matches!(item.kind, Kind::Block | Kind::Stub) {
                    add("the citation", item.location.clone().unwrap_or_default());
                }
                add(&format!("the {}", item.kind.name()), item.text.trim_matches('\n').to_owned());
            }
            Some(Part::Omission(index)) => {
                let omission = outcome.omissions.get(index);
                let location = omission.map(|omission| omission.location.clone());
                add("the location of what is left out", location.unwrap_or_default());
            }
            _ => {}
        }
        add("the reader's text", outcome.selection.text());
        add("the command line", command(model));
    }
    choices
}

/// The size of a longer text, or a short one itself.
fn detail(text: &str) -> String {
    match text.contains('\n') || text.len() > 70 {
        true => format!("{} bytes", grouped(text.len())),
        false => text.to_owned(),
    }
}

/// The part of the page that is selected, or looked at.
fn selected(model: &Model) -> Option<Part> {
    match model.focus {
        Pane::Evidence => model.looked_at(),
        _ => model.destination().or_else(|| model.looked_at()),
    }
}

/// The command line that prints what the reader gets here.
pub fn command(model: &Model) -> String {
    let question = &model.question;
    let request = &question.request;
    let mut words = vec!["markscope".to_owned(), "lookup".to_owned()];
    let (world, more) =
        model.places.split_first().map_or(("", &[][..]), |(first, more)| (first.as_str(), more));
    words.push(quoted(world));
    if matches!(model.reader, Some(Reader::Recorded(_))) {
        words[1] = "view".into();
        words.extend(more.iter().map(|word| quoted(word)));
        return words.join(" ");
    }
    // What begins as an option is none behind `--`, where options are no more.
    let is_plain = !world.starts_with('-') && !request.query.starts_with('-');
    if is_plain {
        words.push(quoted(&request.query));
    } else {
        words.pop();
    }
    words.extend(more.iter().map(|word| quoted(word)));
    let mut option = |name: &str, value: &str| {
        words.push(name.to_owned());
        words.push(quoted(value));
    };
    option("--budget", &model.budget.to_string());
    match request.match_sent {
        Some(Match::Body) => option("--match", "body"),
        Some(Match::Catalog) => option("--match", "catalog"),
        None => {}
    }
    if !matches!(request.scope.as_str(), "" | "/") {
        option("--scope", &request.scope);
    }
    if !request.filter.is_empty() {
        option("--filter", &request.filter);
    }
    if let Some(limit) = request.limit {
        option("--limit", &limit.to_string());
    }
    if question.engine != Engine::default() {
        option("--engine", question.engine.name());
    }
    if question.verbose {
        words.push("--verbose".into());
    }
    if !is_plain {
        words.extend(["--".to_owned(), quoted(world), quoted(&request.query)]);
    }
    words.join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) && !word.starts_with('-') {
        return word.to_owned();
    }
    if word.starts_with("--") && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What can be written now.
pub fn files(model: &Model) -> Picker {
    Picker::new("write to a file", written(model))
}

/// The same, to be found among other things.
pub fn written(model: &Model) -> Vec<Choice> {
    let choice = |label: &str, detail: &str, saved| Choice {
        label: label.to_owned(),
        detail: detail.to_owned(),
        also: match saved {
            Saved::Text => "save export file",
            Saved::Picture(_) => "save export file screenshot picture image",
        },
        pick: Pick::Save(saved),
    };
    let mut choices = Vec::new();
    if let Some(outcome) = &model.outcome {
        let bytes = format!("{} bytes, exactly", grouped(outcome.selection.bytes()));
        choices.push(choice("the reader's text", &bytes, Saved::Text));
    }
    for (label, detail, format) in [
        ("this screen as SVG", "a picture in the theme's colours", Format::Svg),
        ("this screen as HTML", "a page of its own", Format::Html),
        ("this screen as ANSI", "for a terminal, by cat", Format::Ansi),
        ("this screen as text", "without colours", Format::Text),
    ] {
        choices.push(choice(label, detail, Saved::Picture(format)));
    }
    choices
}

/// A name to begin with.
pub fn name(model: &Model, saved: Saved) -> String {
    let ending = match saved {
        Saved::Text => "md",
        Saved::Picture(Format::Svg) => "svg",
        Saved::Picture(Format::Html) => "html",
        Saved::Picture(Format::Ansi) => "ansi",
        Saved::Picture(Format::Text) => "txt",
    };
    let query = &model.question.request.query;
    let mut name: String =
        query.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(40).collect();
    name = name.trim_matches('-').to_owned();
    if name.is_empty() {
        name = "lookup".into();
    }
    format!("{name}-{}.{ending}", model.budget)
}

/// Writes it.
pub fn effect(model: &Model, saved: Saved, name: String) -> Effect {
    let text = match (saved, &model.outcome) {
        (Saved::Text, Some(outcome)) => outcome.selection.text(),
        (Saved::Text, None) => String::new(),
        (Saved::Picture(format), _) => picture(model, format),
    };
    Effect::Save { name, text }
}

/// Letters of a name that are shown however little room there is.
const LEAST_NAME: usize = 8;

/// That a file is written, in a line of so many columns.
pub fn done(path: &Path, bytes: usize, columns: usize) -> String {
    let rest = format!(" written, {} bytes", grouped(bytes));
    format!("{}{rest}", name_within(path, columns.saturating_sub(width(&rest) + 1)))
}

/// Why a file is not written, and the way out: as short as to be read whole behind the
/// name as it was typed, in a line of so many columns.
pub fn failed(path: &Path, error: &io::Error, columns: usize) -> String {
    let room = columns.saturating_sub(Field::File(Saved::Text).frame() + LEAST_TYPED);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let told = |before: &str, path: &Path, after: &str| {
        let left = room.saturating_sub(width(before) + width(after));
        format!("{before}{}{after}", name_within(path, left))
    };
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory if path.is_dir() => {
            told("", path, " is a folder: name a file in it")
        }
        io::ErrorKind::IsADirectory => told("", path, " names a folder: name a file"),
        io::ErrorKind::AlreadyExists => told("", path, " is there: give another name"),
        io::ErrorKind::NotFound if !folder.exists() => {
            told("no folder ", folder, ": make it, or name another")
        }
        io::ErrorKind::NotADirectory => told("", folder, " is no folder: name one"),
        io::ErrorKind::PermissionDenied => told("you may not write to ", folder, ": name another"),
        io::ErrorKind::ReadOnlyFilesystem => told("", folder, " is read-only: name another folder"),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            told("no room is left in ", folder, ": name another")
        }
        io::ErrorKind::InvalidFilename => "the name is too long: give a shorter one".into(),
        _ => told("", path, &format!(": {error}; give another name")),
    }
}

/// A path with as much of its end as there is room for.
fn name_within(path: &Path, room: usize) -> String {
    cut_left(&visible_line(&path.display().to_string()), room.max(LEAST_NAME))
}

/// The screen as it is without the line being typed.
fn picture(model: &Model, format: Format) -> String {
    shot(model, format)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of writing to a path where 80 columns are all there is.
    fn told(path: &Path) -> String {
        let error = std::fs::File::create_new(path).expect_err("no file");
        failed(path, &error, 80)
    }

    #[test]
    fn why_a_file_is_not_written_is_told_whole_with_the_way_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        std::fs::write(root.join("there.md"), "x").expect("a file");
        let long = "a-long-name-".repeat(15);
        std::fs::write(root.join(&long), "x").expect("a file");
        for (path, want) in [
            (root.join("results/drone.md"), "no folder …results: make it, or name another"),
            (root.join(&long).join("x.md"), "…-a-long-name- is no folder: name one"),
            (root.join(&long), "…a-long-name- is there: give another name"),
            (root.join(format!("gone/{long}/x.md")), "no folder …name-: make it, or name another"),
            (root.join("there.md"), "…/there.md is there: give another name"),
            (root.to_owned(), " is a folder: name a file in it"),
            (root.join("new/"), "/new/ names a folder: name a file"),
            (root.join(long.repeat(3)), "the name is too long: give a shorter one"),
        ] {
            let told = told(&path);
            let (before, after) = want.split_once('…').unwrap_or(("", want));
            assert!(told.starts_with(before) && told.ends_with(after), "{told}\n{want}");
            let room = 80 - Field::File(Saved::Text).frame() - LEAST_TYPED;
            assert!(width(&told) <= room, "{told}");
        }
    }

    #[test]
    fn other_reasons_have_a_way_out_too() {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull, TimedOut};
        let path = Path::new("/etc/x.md");
        for (kind, want) in [
            (PermissionDenied, "you may not write to /etc: name another"),
            (ReadOnlyFilesystem, "/etc is read-only: name another folder"),
            (StorageFull, "no room is left in /etc: name another"),
            (TimedOut, "/etc/x.md: timed out; give another name"),
        ] {
            assert_eq!(failed(path, &kind.into(), 80), want);
        }
        let long = format!("/tmp/{}.md", "x".repeat(200));
        let told = done(Path::new(&long), 1234, 80);
        assert!(told.ends_with("xx.md written, 1,234 bytes") && width(&told) < 80, "{told}");
    }

    #[test]
    fn words_reach_a_shell_as_they_are() {
        for (word, want) in [
            ("bundled", "bundled"),
            ("stoner rock", "'stoner rock'"),
            ("it's", "'it'\\''s'"),
            ("$HOME", "'$HOME'"),
            ("", "''"),
            ("-x", "'-x'"),
            ("--also", "--also"),
            ("mark://h:1/x", "mark://h:1/x"),
        ] {
            assert_eq!(quoted(word), want);
        }
    }
}
