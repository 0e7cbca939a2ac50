//! What `config.toml` may say.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::place::KEYS;
use crate::check::nearest;
use crate::lookup::MAX_BUDGET;

/// One setting: its name, what to write, what it means.
pub(super) struct Setting {
    pub(super) name: &'static str,
    /// The name of the argument that it is the default of; empty where it is none's.
    pub(super) argument: &'static str,
    /// What is built in, as it is written; an example where nothing is.
    pub(super) value: &'static str,
    /// Whether `value` is an example only.
    pub(super) is_example: bool,
    pub(super) words: &'static str,
    takes: Takes,
}

enum Takes {
    Text,
    Bool,
    Number(u64, u64),
    OneOf(&'static [&'static str]),
}

/// All settings, in the order of the file.
pub(super) const SETTINGS: [Setting; 8] = [
    Setting {
        name: "theme",
        argument: "theme",
        value: "\"auto\"",
        is_example: false,
        words: "Colours: auto, a theme's name, or a file. auto is the theme that the explorer\n\
                was last switched to, else dark or light where the terminal tells its\n\
                ground, else the terminal's own colours. Themes of your own are files in\n\
                the folder themes beside this file.",
        takes: Takes::Text,
    },
    Setting {
        name: "budget",
        argument: "budget",
        value: "1500",
        is_example: false,
        words: "Tokens for the whole result; 0 is the table alone. A recorded lookup keeps its\n\
                own budget, where it has one.",
        takes: Takes::Number(0, MAX_BUDGET),
    },
    Setting {
        name: "engine",
        argument: "engine",
        value: "\"selection\"",
        is_example: false,
        words: "Which rules select the evidence: selection or rows.",
        takes: Takes::OneOf(&["selection", "rows"]),
    },
    Setting {
        name: "match",
        argument: "matched",
        value: "\"body\"",
        is_example: true,
        words: "What a query is matched against: catalog or body. Without it nothing is\n\
                sent, and a store matches its catalog.",
        takes: Takes::OneOf(&["catalog", "body"]),
    },
    Setting {
        name: "limit",
        argument: "limit",
        value: "20",
        is_example: true,
        words: "Rows at most. Without it nothing is sent, and a store gives ten.",
        takes: Takes::Number(1, 1000),
    },
    Setting {
        name: "mouse",
        argument: "mouse",
        value: "true",
        is_example: false,
        words: "Whether the explorer listens to the mouse.",
        takes: Takes::Bool,
    },
    Setting {
        name: "ascii",
        argument: "ascii",
        value: "false",
        is_example: false,
        words: "Draw lines, bars and signs with ASCII alone.",
        takes: Takes::Bool,
    },
    Setting {
        name: "keys",
        argument: "",
        value: "\"keys.toml\"",
        is_example: false,
        words: "The file of keys, from the folder of this file. It need not exist.",
        takes: Takes::Text,
    },
];

/// What `config.toml` says: values by setting, as on a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::cli) struct Config {
    values: BTreeMap<&'static str, String>,
    /// Where each stands: file, line and key.
    places: BTreeMap<&'static str, String>,
}

impl Config {
    /// Reads a file's text.
    ///
    /// # Errors
    /// One sentence with file, line and key, and the way out.
    pub(super) fn parse(text: &str, file: &str) -> Result<Self, String> {
        let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
        // Numbers stay as they are written: one may be larger than any that is known.
        let entries = DeTable::parse(text).map_err(|error| {
            let at = error.span().map(|span| format!(", line {}", line(span.start)));
            let message = error.message().trim().replace('\n', ", ");
            format!("{file}{}: {message}", at.unwrap_or_default())
        })?;
        let (mut values, mut places) = (BTreeMap::new(), BTreeMap::new());
        for (name, value) in entries.into_inner() {
            let line = line(name.span().start);
            let name = name.into_inner();
            let place = format!("{file}, line {line}, {name}");
            let fault = |words: &str| format!("{place}: {words}");
            let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
                let known = SETTINGS.iter().map(|setting| setting.name);
                return Err(fault(&match nearest(&name, known) {
                    Some(near) => format!("there is no such setting; there is `{near}`"),
                    None => "there is no such setting; `markscope config` shows all".to_owned(),
                }));
            };
            let value = setting.read(value.get_ref()).map_err(|words| fault(&words))?;
            values.insert(setting.name, value);
            places.insert(setting.name, place);
        }
        Ok(Self { values, places })
    }

    /// The file of keys, as it is written: from the folder of the settings.
    pub(in crate::cli) fn keys(&self) -> &str {
        self.value("keys").unwrap_or(KEYS)
    }

    /// Where the file has a setting, for a fault that is seen only later.
    pub(in crate::cli) fn place(&self, name: &str) -> Option<String> {
        self.places.get(name).cloned()
    }

    /// The value of a setting, as on a command line.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

impl Setting {
    /// The value as it would be given on a command line.
    fn read(&self, value: &DeValue<'_>) -> Result<String, String> {
        match (&self.takes, value) {
            (Takes::Text, DeValue::String(text)) if !text.trim().is_empty() => Ok(text.to_string()),
            (Takes::Text, _) => Err("is not a text: write it in quotes".into()),
            (Takes::Bool, DeValue::Boolean(is)) => Ok(is.to_string()),
            (Takes::Bool, _) => Err("is not true or false".into()),
            (Takes::Number(least, most), DeValue::Integer(number)) => {
                u64::from_str_radix(number.as_str(), number.radix())
                    .ok()
                    .filter(|number| (least..=most).contains(&number))
                    .map(|number| number.to_string())
                    .ok_or_else(|| format!("is not between {least} and {most}"))
            }
            (Takes::Number(least, most), _) => {
                Err(format!("is not a whole number between {least} and {most}"))
            }
            (Takes::OneOf(words), DeValue::String(text)) if words.contains(&text.as_ref()) => {
                Ok(text.to_string())
            }
            (Takes::OneOf(words), _) => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                Err(format!("is not one of {}", words.join(", ")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text, "config.toml")
    }

    #[test]
    fn settings_are_read() {
        let config = parse(
            "theme = \"paper\"\nbudget = 800\nengine = \"rows\"\nmatch = \"body\"\nlimit = 3\n\
             mouse = false\nascii = true\nkeys = \"vi.toml\"\n",
        )
        .expect("settings");
        let values: Vec<_> = SETTINGS.iter().map(|setting| config.value(setting.name)).collect();
        let want =
            ["paper", "800", "rows", "body", "3", "false", "true", "vi.toml"].map(Some).to_vec();
        assert_eq!(values, want);
        assert_eq!(parse(""), Ok(Config::default()));
        for (text, want) in [("1_000", "1000"), ("+7", "7"), ("0x10", "16"), ("1000000", "1000000")]
        {
            let config = parse(&format!("budget = {text}")).expect(text);
            assert_eq!(config.value("budget"), Some(want));
        }
    }

    #[test]
    fn faults_are_one_sentence_with_the_place() {
        for (text, said) in [
            ("\nbudgett = 1\n", "line 2, budgett: there is no such setting; there is `budget`"),
            ("x = 1\n", "line 1, x: there is no such setting; `markscope config` shows all"),
            ("budget = -1\n", "line 1, budget: is not between 0 and 1000000"),
            ("\nbudget = 99999999999999999999", "line 2, budget: is not between 0 and 1000000"),
            ("limit = -99999999999999999999", "line 1, limit: is not between 1 and 1000"),
            ("budget = 1e999", "line 1, budget: is not a whole number between 0 and 1000000"),
            ("theme = 99999999999999999999", "line 1, theme: is not a text: write it in quotes"),
            (
                "x = 99999999999999999999",
                "line 1, x: there is no such setting; `markscope config` shows all",
            ),
            ("budget = \"x\"", "line 1, budget: is not a whole number between 0 and 1000000"),
            ("limit = 0", "line 1, limit: is not between 1 and 1000"),
            ("engine = \"row\"", "line 1, engine: is not one of \"selection\", \"rows\""),
            ("match = true", "line 1, match: is not one of \"catalog\", \"body\""),
            ("\n\nmouse = 1", "line 3, mouse: is not true or false"),
            ("theme = 3", "line 1, theme: is not a text: write it in quotes"),
            ("[theme]\nname = \"x\"", "line 1, theme: is not a text: write it in quotes"),
        ] {
            assert_eq!(parse(text), Err(format!("config.toml, {said}")), "{text}");
        }
        let broken = parse("theme = \"dark\"\nbudget =\n").expect_err("no TOML");
        assert!(broken.starts_with("config.toml, line 2: "), "{broken}");
        assert!(!broken.contains('\n'), "{broken}");
    }
}
