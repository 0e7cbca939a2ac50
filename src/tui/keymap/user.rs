//! A user's own keys, over those of the preset.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Action, Key, Keymap, PRESET, shown};
use crate::check::nearest;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    keys: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
}

/// A key that the file binds: where, and to what.
struct Bound {
    key: Key,
    action: Action,
    line: usize,
}

impl Keymap {
    /// The preset with a user's file over it. An action that the file names has the
    /// keys of the file and no others; a key that the file names is taken from the
    /// action that had it.
    ///
    /// # Errors
    /// One sentence with file, line and action about what cannot be understood, is
    /// bound twice, or leaves no way out.
    pub fn with_file(text: &str, file: &str) -> Result<Self, String> {
        let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        let read: File = toml::from_str(text).map_err(|error| {
            let at = error.span().map(|span| format!(", line {}", line(span.start)));
            let message = error.message().trim().replace('\n', ", ");
            format!(
                "{file}{}: {message}; write [keys] and below it help = [\"?\"]",
                at.unwrap_or_default()
            )
        })?;
        let mut named = Vec::new();
        let mut bound: Vec<Bound> = Vec::new();
        let mut texts: BTreeMap<Action, Vec<String>> = BTreeMap::new();
        for (name, keys) in read.keys {
            let at = line(name.span().start);
            let name = name.into_inner();
            let fault = |at: usize, words: String| format!("{file}, line {at}, {name}: {words}");
            let action = Action::ALL.iter().copied().find(|action| action.name() == name);
            let action = action.ok_or_else(|| {
                let near = nearest(&name, Action::ALL.iter().map(|action| action.name()));
                fault(
                    at,
                    match near {
                        Some(near) => format!("there is no such action; there is `{near}`"),
                        None => {
                            "there is no such action; `markscope config --keys` shows all".into()
                        }
                    },
                )
            })?;
            named.push(action);
            for text in keys {
                let at = line(text.span().start);
                let text = text.into_inner();
                let key = Key::parse(&text).ok_or_else(|| {
                    fault(at, format!(
                        "{text:?} is no key: write a character, or left, right, up, down, home, \
                         end, pageup, pagedown, tab, enter, esc, space, insert, delete, \
                         backspace or f1 to f12, with ctrl-, shift- or alt- before it"
                    ))
                })?;
                if let Some(why) = key.never() {
                    return Err(fault(at, format!("{text:?} never arrives: {why}")));
                }
                if let Some(before) = bound.iter().find(|before| before.key == key) {
                    return Err(fault(
                        at,
                        format!(
                            "{text:?} is bound to {} already, in line {}",
                            before.action.name(),
                            before.line
                        ),
                    ));
                }
                bound.push(Bound { key, action, line: at });
                texts.entry(action).or_default().push(text);
            }
        }
        let mut keymap = Self::empty();
        let mut taken: Vec<(usize, String)> = Vec::new();
        for (action, preset) in preset() {
            let own = texts.remove(&action);
            let keys = if named.contains(&action) { own.unwrap_or_default() } else { preset };
            let mut lost = Vec::new();
            for text in keys {
                let Some(key) = Key::parse(&text) else { continue };
                match bound.iter().find(|own| own.key == key && own.action != action) {
                    None => {
                        keymap.bound.push((key, action));
                        keymap.shown.entry(action).or_default().push(shown(&text));
                    }
                    Some(own) => lost.push((own.line, shown(&text), own.action)),
                }
            }
            let left = match keymap.keys(action) {
                [] => "which has no key left".to_owned(),
                keys => format!("which keeps {}", keys.join(" ")),
            };
            for (line, key, by) in lost {
                let words = format!(
                    "{file}, line {line}: {key} is {} now and no longer {}, {left}",
                    by.name(),
                    action.name()
                );
                taken.push((line, words));
            }
        }
        // In the order of the file.
        taken.sort();
        keymap.taken = taken.into_iter().map(|(_, words)| words).collect();
        if keymap.keys(Action::Quit).is_empty() {
            return Err(format!(
                "{file}: {} has no key left; give it one, such as {} = [\"ctrl-c\"]",
                Action::Quit.name(),
                Action::Quit.name()
            ));
        }
        Ok(keymap)
    }
}

/// The preset's keys by action. That all of it can be read is tested.
fn preset() -> Vec<(Action, Vec<String>)> {
    let read: BTreeMap<String, BTreeMap<String, Vec<String>>> =
        toml::from_str(PRESET).unwrap_or_default();
    let keys = read.into_values().flatten();
    let of = |name: &str| Action::ALL.iter().copied().find(|action| action.name() == name);
    keys.filter_map(|(name, keys)| Some((of(&name)?, keys))).collect()
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::*;

    fn action(keymap: &Keymap, code: KeyCode) -> Option<Action> {
        keymap.action(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn an_empty_file_is_the_preset() {
        let (own, preset) = (Keymap::with_file("", "k"), Keymap::default());
        let own = own.expect("keys");
        for action in Action::ALL {
            assert_eq!(own.keys(*action), preset.keys(*action), "{}", action.name());
        }
        assert_eq!(own.bound.len(), preset.bound.len());
    }

    #[test]
    fn a_file_replaces_the_keys_it_names_and_takes_them_from_others() {
        let text = "[keys]\nwhy = [\"i\", \"k\"]\nredraw = []\n";
        let keymap = Keymap::with_file(text, "keys.toml").expect("keys");
        assert_eq!(action(&keymap, KeyCode::Char('i')), Some(Action::Why));
        assert_eq!(action(&keymap, KeyCode::Char('k')), Some(Action::Why));
        assert_eq!(action(&keymap, KeyCode::Char('w')), None);
        assert_eq!(action(&keymap, KeyCode::Up), Some(Action::Up));
        assert_eq!(keymap.keys(Action::Up), ["↑"]);
        assert_eq!(keymap.keys(Action::Why), ["i", "k"]);
        assert_eq!(keymap.keys(Action::Redraw), [""; 0]);
    }

    #[test]
    fn keys_are_told_as_people_read_them() {
        let text = "[keys]\nhelp = [\"f1\", \"f12\"]\nwhy = [\"alt-x\", \"delete\", \"insert\"]\n\
                    edit = [\"backspace\", \"alt-left\"]\n";
        let keymap = Keymap::with_file(text, "keys.toml").expect("keys");
        assert_eq!(keymap.keys(Action::Help), ["F1", "F12"]);
        assert_eq!(keymap.keys(Action::Why), ["Alt-x", "Del", "Ins"]);
        assert_eq!(keymap.keys(Action::Edit), ["Backspace", "Alt-←"]);
        assert_eq!(action(&keymap, KeyCode::F(12)), Some(Action::Help));
        for none in ["f0", "f13", "f+1", "f01"] {
            let text = format!("[keys]\nhelp = [\"{none}\"]");
            assert!(Keymap::with_file(&text, "keys.toml").is_err(), "{none}");
        }
    }

    #[test]
    fn what_is_taken_unawares_is_told() {
        let taken = |text: &str| {
            let keymap = Keymap::with_file(text, "keys.toml").expect("keys");
            keymap.taken().to_vec()
        };
        assert_eq!(
            taken("[keys]\nwhy = [\"i\", \"k\"]\ncopy = [\"w\", \"o\"]\n"),
            [
                "keys.toml, line 2: k is why now and no longer up, which keeps ↑",
                "keys.toml, line 3: o is copy now and no longer document, which has no key left",
            ]
        );
        // Who names both means it.
        let swapped = "[keys]\nwhy = [\"r\"]\nreader = [\"w\"]\n";
        assert_eq!([taken(swapped), taken(""), taken("[keys]\nwhy = [\"i\"]")], [[""; 0]; 3]);
    }

    #[test]
    fn faults_are_one_sentence_with_the_place() {
        let error = |text: &str| Keymap::with_file(text, "keys.toml").expect_err(text);
        assert_eq!(
            error("[keys]\n\nwhyy = [\"x\"]"),
            "keys.toml, line 3, whyy: there is no such action; there is `why`"
        );
        assert!(error("[keys]\nfly = [\"x\"]").starts_with("keys.toml, line 2, fly: there is no"));
        let hyper = error("[keys]\nwhy = [\n\"w\",\n\"hyper-x\"]");
        assert!(hyper.starts_with("keys.toml, line 4, why: \"hyper-x\" is no key: "), "{hyper}");
        assert_eq!(
            error("[keys]\nhelp = [\"x\"]\nwhy = [\"x\"]"),
            "keys.toml, line 3, why: \"x\" is bound to help already, in line 2"
        );
        assert_eq!(
            error("[keys]\nhelp = [\"q\", \"ctrl-c\"]"),
            "keys.toml: quit has no key left; give it one, such as quit = [\"ctrl-c\"]"
        );
        for (key, told) in [
            ("shift-a", "with shift the character is another one: write A"),
            ("ctrl-A", "a terminal does not tell shift with ctrl: write ctrl-a"),
            ("ctrl-i", "a terminal sends it as tab: write tab, or take another key"),
        ] {
            assert_eq!(
                error(&format!("[keys]\nwhy = [{key:?}]")),
                format!("keys.toml, line 2, why: {key:?} never arrives: {told}")
            );
        }
        let control = error("[keys]\nwhy = [\"\\u001b\"]");
        assert!(control.contains(" is no key: "), "{control}");
        for text in ["[key]\nwhy = [\"x\"]", "[keys]\nwhy = \"x\"", "[keys"] {
            let told = error(text);
            assert!(told.starts_with("keys.toml, line "), "{told}");
            assert!(!told.contains('\n'), "{told}");
        }
    }
}
