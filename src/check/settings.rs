//! What a world says of itself in `.markscope.toml`, and what a command line adds.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Finding, RULES, Rule, Severity, nearest};
use crate::lookup::DEFAULT_BUDGET;
use crate::relations::PREFIX;

/// How a world is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The predicates of this world; without a list only misspelt ones are found.
    pub vocabulary: Option<Vec<String>>,
    /// The budget that a relation line must fit, in tokens.
    pub budget: u64,
    /// Severities by code; `None` is allowed and not told of.
    severities: BTreeMap<&'static str, Option<Severity>>,
    /// Pairs of predicates of which each asks for the other.
    inverses: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            vocabulary: None,
            budget: DEFAULT_BUDGET,
            severities: BTreeMap::new(),
            inverses: vec![("supersedes".into(), "superseded-by".into())],
        }
    }
}

/// What is wrong with settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    /// The line, counted from 1, where one is to blame.
    pub line: Option<usize>,
    /// What is wrong and the way out, in a sentence.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    vocabulary: Option<Vec<toml::Spanned<String>>>,
    inverses: Option<Vec<toml::Spanned<Vec<String>>>>,
    budget: Option<toml::Spanned<toml::Value>>,
    #[serde(default)]
    severity: BTreeMap<toml::Spanned<String>, toml::Spanned<String>>,
}

impl Settings {
    /// Reads a world's settings.
    ///
    /// # Errors
    /// What cannot be understood, with its line.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let line = |at: usize| Some(1 + text[..at.min(text.len())].matches('\n').count());
        let file: File = toml::from_str(text).map_err(|error| SettingsError {
            line: error.span().and_then(|span| line(span.start)),
            message: error.message().replace('\n', " "),
        })?;
        let wrong = |at: usize, message: String| SettingsError { line: line(at), message };
        let mut settings = Self::default();
        if let Some(words) = file.vocabulary {
            for word in &words {
                predicate(word.get_ref()).map_err(|message| wrong(word.span().start, message))?;
            }
            settings.vocabulary = Some(words.into_iter().map(toml::Spanned::into_inner).collect());
        }
        if let Some(budget) = file.budget {
            let tokens =
                budget.get_ref().as_integer().and_then(|tokens| u64::try_from(tokens).ok());
            settings.budget = tokens.ok_or_else(|| {
                let message = "`budget` is a whole number of tokens, such as 1500";
                wrong(budget.span().start, message.into())
            })?;
        }
        if let Some(pairs) = file.inverses {
            settings.inverses.clear();
            for pair in pairs {
                let at = pair.span().start;
                match pair.into_inner().as_slice() {
                    [one, other] => {
                        for word in [one, other] {
                            predicate(word).map_err(|message| wrong(at, message))?;
                        }
                        settings.inverses.push((one.clone(), other.clone()));
                    }
                    _ => {
                        return Err(SettingsError {
                            line: line(at),
                            message:
                                "inverses are pairs, such as [\"supersedes\", \"superseded-by\"]"
                                    .into(),
                        });
                    }
                }
            }
        }
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, severity) in file.severity {
            let at = name.span().start;
            let rule = rule(name.get_ref())
                .map_err(|message| SettingsError { line: line(name.span().start), message })?;
            let judged = match severity.get_ref().as_str() {
                "error" => Some(Severity::Error),
                "warning" => Some(Severity::Warning),
                "note" => Some(Severity::Note),
                "allow" => None,
                other => {
                    return Err(SettingsError {
                        line: line(severity.span().start),
                        message: format!(
                            "`{other}` is no severity; there are error, warning, note and allow"
                        ),
                    });
                }
            };
            settings.severities.insert(rule.code, judged);
            if let Some(before) = named.insert(rule.code, at) {
                let message = format!(
                    "{} and {} are one rule, which is set twice; remove one of the two lines",
                    rule.code, rule.name
                );
                return Err(wrong(at.max(before), message));
            }
        }
        Ok(settings)
    }

    /// Tells no more of a rule, by its code or name.
    ///
    /// # Errors
    /// There is no such rule; a sentence with the nearest.
    pub fn allow(&mut self, name: &str) -> Result<(), String> {
        self.severities.insert(rule(name)?.code, None);
        Ok(())
    }

    /// The severity of a rule in this world; `None` where it is not told of.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        self.severities.get(rule.code).copied().unwrap_or(Some(rule.severity))
    }

    /// Gives a finding the severity it has here; false where it is not told of.
    pub(super) fn judge(&self, finding: &mut Finding) -> bool {
        match self.severities.get(finding.rule.code) {
            Some(None) => return false,
            Some(Some(severity)) => finding.severity = *severity,
            None => {}
        }
        true
    }

    /// The predicates that a target must declare where a document declares this one.
    pub(super) fn inverses(&self, predicate: &str) -> impl Iterator<Item = &str> {
        self.inverses.iter().filter_map(move |(one, other)| {
            if one == predicate {
                Some(other.as_str())
            } else if other == predicate {
                Some(one.as_str())
            } else {
                None
            }
        })
    }
}

/// Whether a word can be a predicate, else a sentence with the way out.
fn predicate(word: &str) -> Result<(), String> {
    match word.strip_prefix(PREFIX) {
        Some(rest) => Err(format!("predicates stand without `{PREFIX}`; write \"{rest}\"")),
        None => Ok(()),
    }
}

/// The rule of a code or a name, else a sentence with the nearest.
fn rule(name: &str) -> Result<&'static Rule, String> {
    Rule::of(name).ok_or_else(|| {
        let names = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
        match nearest(name, names) {
            Some(near) => format!("there is no rule {name}; there is {near}"),
            None => format!("there is no rule {name}; `markscope check --list` shows all"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let settings = Settings::parse(
            "vocabulary = [\"by\"]\ninverses = [[\"a\", \"b\"]]\nbudget = 800\n[severity]\nR001 = \"note\"\nown-title = \"allow\"\n",
        )
        .expect("settings");
        assert_eq!(settings.vocabulary, Some(vec!["by".to_owned()]));
        assert_eq!(settings.inverses("b").collect::<Vec<_>>(), ["a"]);
        let several =
            Settings::parse("inverses = [[\"a\", \"b\"], [\"c\", \"a\"]]").expect("pairs");
        assert_eq!(several.inverses("a").collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(settings.inverses("supersedes").count(), 0);
        assert_eq!(settings.budget, 800);
        assert_eq!(settings.severities.get("P003"), Some(&None));
        assert_eq!(Settings::parse(""), Ok(Settings::default()));
    }

    #[test]
    fn faults_have_a_line_and_a_way_out() {
        for (text, line, said) in [
            ("\nbudgett = 1\n", 2, "unknown field `budgett`"),
            ("budget = \"x\"\n", 1, "`budget` is a whole number of tokens, such as 1500"),
            ("\nbudget = -5\n", 2, "`budget` is a whole number of tokens, such as 1500"),
            ("vocabulary = [\n\"rel-by\"]\n", 2, "without `rel-`; write \"by\""),
            ("inverses = [[\"a\", \"rel-b\"]]\n", 1, "without `rel-`; write \"b\""),
            (
                "[severity]\nmissing-target = \"note\"\nR001 = \"note\"\n",
                3,
                "R001 and missing-target are one rule, which is set twice",
            ),
            ("inverses = [\n[\"a\"]]\n", 2, "inverses are pairs"),
            ("[severity]\nR0001 = \"note\"\n", 2, "there is no rule R0001; there is R001"),
            ("[severity]\nR001 = \"fatal\"\n", 2, "`fatal` is no severity"),
        ] {
            let error = Settings::parse(text).expect_err(text);
            assert_eq!(error.line, Some(line), "{text}");
            assert!(error.message.contains(said), "{}", error.message);
        }
        let error = Settings::default().allow("self-refrence").expect_err("misspelt");
        assert_eq!(error, "there is no rule self-refrence; there is self-reference");
    }
}
