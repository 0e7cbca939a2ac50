//! What can be taken out of the explorer: texts to copy, and files to write.

use super::layout::Pane;
use super::message::Effect;
use super::model::{Model, Popup};
use super::page::Part;
use super::picker::{Choice, Pick, Picker};
use super::picture::Format;
use super::shot;
use super::width::grouped;
use crate::catalog::Match;
use crate::selection::{Engine, Kind};
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

/// The screen as it is without the line being typed.
fn picture(model: &Model, format: Format) -> String {
    shot(model, format)
}

#[cfg(test)]
mod tests {
    use super::*;

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
