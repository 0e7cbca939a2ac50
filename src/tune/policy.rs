//! What a reader pays in turns: a model, not a reader.
//!
//! A reader is given its prompt anew in every turn, and with it every result so
//! far. An attempt is one turn that asks the lookup, one turn for each passage
//! that is fetched, and one that answers. So with F fetches:
//!
//! ```text
//! turns  = F + 2
//! tokens = turns × turn tokens
//!        + (turns − 1) × tokens of the lookup's result
//!        + F × (F + 1) / 2 × fetch tokens
//! ```
//!
//! - section-first: the lookup has no budget, so its result is the table, and every
//!   required passage is fetched.
//! - budget-first: the lookup has its budget, and every required passage that the
//!   result does not contain is fetched.
//! - mixed: rules say which of the two, by the lookup's category or by words of its
//!   question.
//!
//! The defaults are such that with a table of 400 tokens an attempt of three turns
//! costs 5,800 tokens and one of seven turns 16,980.

use serde::{Deserialize, Serialize};

use super::recorded::RecordedLookup;
use crate::text::lowercase;

/// How a reader goes about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// The table first, then the sections one by one.
    SectionFirst,
    /// A budgeted lookup first, then what it left out.
    BudgetFirst,
    /// One of the two, by rules.
    Mixed,
}

impl Policy {
    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::SectionFirst => "section-first",
            Self::BudgetFirst => "budget-first",
            Self::Mixed => "mixed",
        }
    }
}

/// One rule of a mixed policy: it holds if the category is the one named and some
/// word of `words` is in the question; what it does not name does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Words, compared whole and without case, with those of the question, or of the
    /// query where no question is recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// The policy then: one of the two plain ones.
    pub policy: Policy,
}

/// The rules of a mixed policy: the first that holds decides, else `default`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The policy where no rule holds.
    pub default: Policy,
    /// The rules, in order.
    #[serde(default, rename = "rule", skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
}

impl Rules {
    /// Reads rules from TOML: `default = "section-first"` and tables `[[rule]]` with
    /// `category`, `words` and `policy`.
    ///
    /// # Errors
    /// What is wrong, with its line where that is known.
    pub fn parse(text: &str) -> Result<Self, (Option<usize>, String)> {
        let rules: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
            (line, error.message().replace('\n', "; "))
        })?;
        if rules.default == Policy::Mixed {
            return Err((None, "`default` is section-first or budget-first, not mixed".into()));
        }
        for (at, rule) in rules.rules.iter().enumerate() {
            let why = if rule.policy == Policy::Mixed {
                "`policy` is section-first or budget-first, not mixed"
            } else if rule.category.is_none() && rule.words.is_empty() {
                "a rule names a `category` or `words`; what holds always is `default`"
            } else {
                continue;
            };
            return Err((None, format!("rule {}: {why}", at + 1)));
        }
        Ok(rules)
    }

    fn policy(&self, lookup: &RecordedLookup) -> Policy {
        let asked = lowercase(lookup.question.as_deref().unwrap_or(&lookup.query));
        let words: Vec<&str> =
            asked.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let holds = |rule: &&Rule| {
            let category = rule.category.as_ref();
            category.is_none_or(|category| lookup.category.as_ref() == Some(category))
                && (rule.words.is_empty()
                    || rule.words.iter().any(|word| words.contains(&lowercase(word).as_str())))
        };
        self.rules.iter().find(holds).map_or(self.default, |rule| rule.policy)
    }
}

/// What a turn and a fetch cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostModel {
    /// The prompt of one turn without any result: instructions, tools, the question.
    pub turn_tokens: u64,
    /// The result of one fetch.
    pub fetch_tokens: u64,
}

impl Default for CostModel {
    fn default() -> Self {
        Self { turn_tokens: 1_590, fetch_tokens: 230 }
    }
}

/// A policy with all that it takes to estimate by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicySpec {
    /// The policy.
    pub name: Policy,
    /// The rules; of the mixed policy alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules>,
    /// What turns cost.
    pub cost: CostModel,
}

/// What one attempt at a question is thought to cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The plain policy that it goes by.
    pub policy: Policy,
    /// Turns.
    pub turns: u64,
    /// Tokens of all turns together.
    pub tokens: u64,
}

impl CostModel {
    /// Turns and tokens of an attempt: the tokens of the lookup's result, and how
    /// many fetches follow.
    pub fn attempt(&self, result_tokens: u64, fetches: u64) -> (u64, u64) {
        let turns = fetches + 2;
        let fetched = fetches * (fetches + 1) / 2 * self.fetch_tokens;
        (turns, turns * self.turn_tokens + (turns - 1) * result_tokens + fetched)
    }
}

impl PolicySpec {
    /// The estimate for one question. None where no passage is required: the model
    /// then has nothing to count fetches by.
    pub fn estimate(&self, lookup: &RecordedLookup, of: Attempt) -> Option<Estimate> {
        if of.required == 0 {
            return None;
        }
        let policy = match (self.name, &self.rules) {
            (Policy::Mixed, Some(rules)) => rules.policy(lookup),
            (Policy::Mixed, None) => Policy::SectionFirst,
            (plain, _) => plain,
        };
        let (turns, tokens) = match policy {
            Policy::BudgetFirst => {
                self.cost.attempt(of.result_tokens, of.required.saturating_sub(of.contained))
            }
            _ => self.cost.attempt(of.table_tokens, of.required),
        };
        Some(Estimate { policy, turns, tokens })
    }
}

/// What the model knows of one lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Tokens of the table alone.
    pub table_tokens: u64,
    /// Tokens of the budgeted result.
    pub result_tokens: u64,
    /// Required passages that are measured.
    pub required: u64,
    /// Of these, those that the budgeted result contains.
    pub contained: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_give_the_observed_costs() {
        let cost = CostModel::default();
        assert_eq!(cost.attempt(400, 1), (3, 5_800));
        assert_eq!(cost.attempt(400, 5), (7, 16_980));
        assert_eq!(cost.attempt(400, 0), (2, 3_580));
    }

    #[test]
    fn every_result_is_paid_in_each_turn_behind_it() {
        let cost = CostModel { turn_tokens: 1_000, fetch_tokens: 10 };
        // Turns 1 to 4: nothing, the lookup, it and one fetch, it and two.
        assert_eq!(cost.attempt(100, 2), (4, 4_000 + 100 + 110 + 120));
    }

    #[test]
    fn rules_decide_by_category_and_words() {
        let rules = Rules::parse(
            "default = \"section-first\"\n\
             [[rule]]\ncategory = \"survey\"\npolicy = \"budget-first\"\n\
             [[rule]]\nwords = [\"Which\", \"all\"]\npolicy = \"budget-first\"\n",
        )
        .expect("rules");
        let mut lookup = RecordedLookup::new("which way");
        assert_eq!(rules.policy(&lookup), Policy::BudgetFirst);
        lookup.question = Some("Whichever way?".into());
        assert_eq!(rules.policy(&lookup), Policy::SectionFirst);
        lookup.category = Some("survey".into());
        assert_eq!(rules.policy(&lookup), Policy::BudgetFirst);
        let spec = PolicySpec {
            name: Policy::Mixed,
            rules: Some(rules),
            cost: CostModel { turn_tokens: 1_000, fetch_tokens: 10 },
        };
        let of = Attempt { table_tokens: 100, result_tokens: 700, required: 2, contained: 1 };
        assert_eq!(
            spec.estimate(&lookup, of),
            Some(Estimate { policy: Policy::BudgetFirst, turns: 3, tokens: 3_000 + 1_400 + 10 })
        );
        lookup.category = None;
        assert_eq!(
            spec.estimate(&lookup, of),
            Some(Estimate { policy: Policy::SectionFirst, turns: 4, tokens: 4_000 + 300 + 30 })
        );
        assert_eq!(spec.estimate(&lookup, Attempt { required: 0, contained: 0, ..of }), None);
    }

    #[test]
    fn bad_rules_are_told() {
        for (text, line, told) in [
            ("default = \"mixed\"", None, "`default` is section-first or budget-first"),
            ("default = \"section-first\"\nwhen = 1", Some(2), "unknown field `when`"),
            (
                "default = \"section-first\"\n[[rule]]\npolicy = \"budget-first\"",
                None,
                "rule 1: a rule names a `category` or `words`",
            ),
            (
                "default = \"section-first\"\n[[rule]]\nwords = [\"a\"]\npolicy = \"mixed\"",
                None,
                "rule 1: `policy` is section-first or budget-first",
            ),
        ] {
            let (at, message) = Rules::parse(text).expect_err("a fault");
            assert_eq!(at, line, "{message}");
            assert!(message.contains(told), "{message}");
        }
    }
}
