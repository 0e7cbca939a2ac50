//! Code blocks: which part of the code has which role. No colours here, so that
//! a theme without any stays without.

use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use syntect::easy::ScopeRangeIterator;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

use crate::tui::theme::Role;

/// How much code of one document is highlighted, in bytes. What comes after it
/// is shown plain: highlighting takes a second for a megabyte.
pub(super) const LIMIT: usize = 20 * 1024;
/// The longest line that is highlighted, in bytes.
const LONGEST: usize = 1000;

/// A part of the code, in bytes, and its role.
pub(super) type Part = (Range<usize>, Role);

fn syntaxes() -> &'static SyntaxSet {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    SYNTAXES.get_or_init(SyntaxSet::load_defaults_newlines)
}

/// The first to match a scope decides, from the innermost scope outwards.
fn rules() -> &'static [(Scope, Role)] {
    static RULES: OnceLock<Vec<(Scope, Role)>> = OnceLock::new();
    RULES.get_or_init(|| {
        [
            ("comment", Role::CodeComment),
            ("constant", Role::CodeConstant),
            ("string", Role::CodeString),
            ("keyword.operator", Role::Text),
            ("keyword", Role::CodeKeyword),
            ("storage", Role::CodeKeyword),
            ("variable.language", Role::CodeKeyword),
            ("variable.function", Role::CodeName),
            ("entity.name", Role::CodeName),
            ("support", Role::CodeName),
        ]
        .into_iter()
        .filter_map(|(scope, role)| Some((Scope::new(scope).ok()?, role)))
        .collect()
    })
}

/// Does once what the first code block would otherwise wait for. For a thread of
/// its own at start.
pub(super) fn warm_up() {
    for (language, code) in [
        ("rust", "fn main() { let a = \"b\"; } // c\n"),
        ("sh", "for a in b; do echo \"$a\" | grep -c 1; done # c\n"),
        ("json", "{\"a\": [1, true, \"b\"]}\n"),
        ("yaml", "a: [1, \"b\"] # c\n"),
        ("python", "def a(b):\n    return f\"{b}\" + 1\n"),
        ("go", "func a() string { return \"b\" }\n"),
    ] {
        parts(code, language);
    }
}

/// How many blocks are remembered, of at most [`LIMIT`] bytes each.
const REMEMBERED: usize = 64;

type Known = FxHashMap<(String, String), Option<Arc<[Part]>>>;

/// The parts of a code block, in order and without gaps, or `None` for a block
/// that is shown plain: of no known language, or too long.
///
/// The last blocks are remembered: a text is rendered again for each width and
/// theme, and this is by far the slowest part of it.
pub(super) fn parts(code: &str, language: &str) -> Option<Arc<[Part]>> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    if language.is_empty() || code.len() > LIMIT {
        return None;
    }
    if code.split('\n').any(|line| line.len() > LONGEST) {
        return None;
    }
    let key = (language.to_owned(), code.to_owned());
    if let Some(parts) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return parts.clone();
    }
    let parts: Option<Arc<[Part]>> = highlight(code, language).map(Arc::from);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(key, parts.clone());
    parts
}

fn highlight(code: &str, language: &str) -> Option<Vec<Part>> {
    let syntaxes = syntaxes();
    let syntax = syntaxes.find_syntax_by_token(language)?;
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut parts: Vec<Part> = Vec::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let ops = state.parse_line(line, syntaxes).ok()?;
        for (range, op) in ScopeRangeIterator::new(&ops, line) {
            stack.apply(op).ok()?;
            if range.is_empty() {
                continue;
            }
            let role = role(&stack);
            let range = start + range.start..start + range.end;
            match parts.last_mut() {
                Some((last, known)) if *known == role => last.end = range.end,
                _ => parts.push((range, role)),
            }
        }
        start += line.len();
    }
    Some(parts)
}

fn role(stack: &ScopeStack) -> Role {
    let rules = rules();
    stack
        .as_slice()
        .iter()
        .rev()
        .find_map(|scope| rules.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)))
        .map_or(Role::Text, |(_, role)| *role)
}
