//! Actions, and the keys that call them. The help sheet and the hints read the
//! same table as the program does.

use std::collections::BTreeMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

mod user;

const PRESET: &str = include_str!("keymap.toml");

macro_rules! actions {
    ($($(#[$doc:meta])* $action:ident $name:literal $group:ident $words:literal;)*) => {
        /// What a key does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $(#[doc = $words] $action,)*
        }

        impl Action {
            /// All actions, in the order of the help sheet.
            pub const ALL: &[Self] = &[$(Self::$action,)*];

            /// The name in a keymap.
            pub fn name(self) -> &'static str {
                match self { $(Self::$action => $name,)* }
            }

            /// What it does, in words.
            pub fn description(self) -> &'static str {
                match self { $(Self::$action => $words,)* }
            }

            /// Where the help sheet has it.
            pub fn group(self) -> Group {
                match self { $(Self::$action => Group::$group,)* }
            }
        }
    };
}

actions! {
    Query "query" Ask "type a query";
    Match "match" Ask "match: none, body, catalog";
    Engine "engine" Ask "engine: selection, rows";
    Scope "scope" Ask "scope: a directory";
    Filter "filter" Ask "filter by metadata";
    Limit "limit" Ask "limit: how many rows";
    AllTags "all-tags" Ask "all tags in the table, or few";
    History "history" Ask "past lookups";
    Retry "retry" Ask "ask again";
    BudgetDown "budget-down" Budget "50 tokens less";
    BudgetUp "budget-up" Budget "50 tokens more";
    BudgetDownFar "budget-down-far" Budget "500 tokens less";
    BudgetUpFar "budget-up-far" Budget "500 tokens more";
    BreakpointDown "breakpoint-down" Budget "to the breakpoint below";
    BreakpointUp "breakpoint-up" Budget "to the breakpoint above";
    Budget "budget" Budget "type an exact budget";
    Curve "curve" Budget "what every budget buys; again: top";
    Sweep "sweep" Budget "what a budget buys over all lookups";
    NextPane "next-pane" Panes "next pane";
    PreviousPane "previous-pane" Panes "previous pane";
    Evidence "evidence" Panes "evidence";
    Relations "relations" Panes "relations";
    Stubs "stubs" Panes "stubs and coverage";
    Omissions "omissions" Panes "omissions";
    Outline "outline" Panes "outline of the document";
    Findings "findings" Panes "findings: what is wrong";
    Notes "notes" Panes "findings: notes too, or none";
    Zoom "zoom" Panes "zoom the pane";
    Narrower "narrower" Panes "left column narrower";
    Wider "wider" Panes "left column wider";
    Up "up" Move "up";
    Down "down" Move "down";
    PageUp "page-up" Move "one page up";
    PageDown "page-down" Move "one page down";
    HalfUp "half-up" Move "half a page up";
    HalfDown "half-down" Move "half a page down";
    Top "top" Move "to the top";
    End "end" Move "to the end";
    Open "open" Move "go to its evidence, or there";
    Find "find" Move "find on the page, narrow the table";
    FindNext "find-next" Move "next place found";
    FindPrevious "find-previous" Move "place found before";
    Why "why" Look "why, in full";
    Reader "reader" Look "the reader's exact text";
    Document "document" Look "the document, whole";
    Edit "edit" Look "edit the document, at the line";
    Documents "documents" Look "find a document";
    Compare "compare" Look "compare with another result";
    Keep "keep" Look "keep this result to compare with";
    Copy "copy" Look "copy";
    Save "save" Look "write to a file";
    Palette "palette" Look "find a command";
    Problems "problems" Look "about the world";
    Theme "theme" Look "next theme";
    Mouse "mouse" Look "mouse on or off (Shift selects)";
    Redraw "redraw" Look "draw the screen anew";
    Help "help" Look "these keys";
    Back "back" Look "one step back";
    Quit "quit" Look "quit, or back from a popup";
    Suspend "suspend" Look "suspend";
}

/// A part of the help sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Asking.
    Ask,
    /// The budget.
    Budget,
    /// Panes.
    Panes,
    /// Moving in a pane.
    Move,
    /// Looking closer, and leaving.
    Look,
}

impl Group {
    /// All groups, in the order of the help sheet.
    pub const ALL: [Self; 5] = [Self::Ask, Self::Budget, Self::Panes, Self::Move, Self::Look];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Ask => "Ask",
            Self::Budget => "Budget",
            Self::Panes => "Panes",
            Self::Move => "Move",
            Self::Look => "Look closer",
        }
    }
}

/// One key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// The key of an event. Shift is part of a character already.
    pub fn of(event: KeyEvent) -> Self {
        let kept = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let mut modifiers = event.modifiers & kept;
        if matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab) {
            modifiers -= KeyModifiers::SHIFT;
        }
        Self { code: event.code, modifiers }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((name, after)) = rest.split_once('-') {
            modifiers |= match name {
                "ctrl" => KeyModifiers::CONTROL,
                "shift" => KeyModifiers::SHIFT,
                "alt" => KeyModifiers::ALT,
                _ => break,
            };
            rest = after;
        }
        let code = match rest {
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "pageup" => KeyCode::PageUp,
            "pagedown" => KeyCode::PageDown,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "space" => KeyCode::Char(' '),
            "tab" if modifiers.contains(KeyModifiers::SHIFT) => {
                modifiers -= KeyModifiers::SHIFT;
                KeyCode::BackTab
            }
            "tab" => KeyCode::Tab,
            "insert" => KeyCode::Insert,
            "delete" => KeyCode::Delete,
            "backspace" => KeyCode::Backspace,
            one if let Some(number) = function_key(one) => KeyCode::F(number),
            one => {
                let mut chars = one.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) if !c.is_control() => KeyCode::Char(c),
                    _ => return None,
                }
            }
        };
        Some(Self { code, modifiers })
    }

    /// Why no terminal sends a key as it is written, where none does.
    fn never(self) -> Option<String> {
        let KeyCode::Char(c) = self.code else { return None };
        let is_held = self.modifiers.contains(KeyModifiers::CONTROL);
        let small = c.to_lowercase();
        match c {
            'i' | 'm' | '[' if is_held => {
                let same = match c {
                    'i' => "tab",
                    'm' => "enter",
                    _ => "esc",
                };
                Some(format!("a terminal sends it as {same}: write {same}, or take another key"))
            }
            _ if self.modifiers.contains(KeyModifiers::SHIFT) => {
                Some(format!("with shift the character is another one: write {}", c.to_uppercase()))
            }
            _ if is_held && c.is_uppercase() => {
                Some(format!("a terminal does not tell shift with ctrl: write ctrl-{small}"))
            }
            _ => None,
        }
    }
}

/// The number of a function key: `f1` to `f12`.
fn function_key(name: &str) -> Option<u8> {
    let digits = name.strip_prefix('f').filter(|digits| !digits.starts_with(['0', '+']))?;
    digits.parse().ok().filter(|number| (1..=12).contains(number))
}

/// A name of a key as people read it.
fn shown(text: &str) -> String {
    text.split_inclusive('-')
        .map(|part| match part {
            "left" => "←".into(),
            "right" => "→".into(),
            "up" => "↑".into(),
            "down" => "↓".into(),
            "pageup" => "PgUp".into(),
            "pagedown" => "PgDn".into(),
            "ctrl-" => "Ctrl-".into(),
            "shift-" => "Shift-".into(),
            "alt-" => "Alt-".into(),
            "insert" => "Ins".into(),
            "delete" => "Del".into(),
            "backspace" => "Backspace".into(),
            key if function_key(key).is_some() => key.to_uppercase(),
            "home" => "Home".into(),
            "end" => "End".into(),
            "enter" => "Enter".into(),
            "esc" => "Esc".into(),
            "tab" => "Tab".into(),
            "space" => "Space".into(),
            other => other.to_owned(),
        })
        .collect::<String>()
}

/// Keys by action.
#[derive(Debug, Clone)]
pub struct Keymap {
    bound: Vec<(Key, Action)>,
    shown: BTreeMap<Action, Vec<String>>,
    taken: Vec<String>,
}

impl Keymap {
    fn empty() -> Self {
        Self { bound: Vec::new(), shown: BTreeMap::new(), taken: Vec::new() }
    }

    /// What a user's file has taken from actions that it does not name, which is
    /// easily done unawares; a sentence each.
    pub fn taken(&self) -> &[String] {
        &self.taken
    }

    /// The keys that are built in, as a file.
    pub fn preset() -> &'static str {
        PRESET
    }

    /// Reads a keymap.
    ///
    /// # Errors
    /// One sentence about what cannot be understood.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            keys: BTreeMap<String, Vec<String>>,
        }
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut keymap = Self::empty();
        for (name, keys) in &file.keys {
            let action = Action::ALL.iter().copied().find(|action| action.name() == name);
            let action = action.ok_or_else(|| format!("no action is called {name}"))?;
            for text in keys {
                let key = Key::parse(text).ok_or_else(|| format!("{name}: no key {text}"))?;
                if let Some((_, other)) = keymap.bound.iter().find(|(bound, _)| *bound == key) {
                    return Err(format!("{text} is bound to {name} and {}", other.name()));
                }
                keymap.bound.push((key, action));
                keymap.shown.entry(action).or_default().push(shown(text));
            }
        }
        Ok(keymap)
    }

    /// The action of a key, if it has one.
    pub fn action(&self, event: KeyEvent) -> Option<Action> {
        let key = Key::of(event);
        self.bound.iter().find(|(bound, _)| *bound == key).map(|(_, action)| *action)
    }

    /// The keys of an action as people read them; empty where it has none.
    pub fn keys(&self, action: Action) -> &[String] {
        self.shown.get(&action).map_or(&[], Vec::as_slice)
    }

    /// The first key of an action.
    pub fn first(&self, action: Action) -> &str {
        self.keys(action).first().map_or("", String::as_str)
    }
}

impl Default for Keymap {
    fn default() -> Self {
        match Self::parse(PRESET) {
            Ok(keymap) => keymap,
            Err(error) => unreachable!("the preset is tested: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preset_binds_every_action() {
        let keymap = Keymap::default();
        for action in Action::ALL {
            assert!(!keymap.keys(*action).is_empty(), "{} has no key", action.name());
        }
    }

    #[test]
    fn faults_are_told_in_words() {
        let error = |text: &str| Keymap::parse(text).expect_err("a fault");
        assert_eq!(error("[keys]\nfly = [\"f\"]"), "no action is called fly");
        assert_eq!(error("[keys]\nquit = [\"hyper\"]"), "quit: no key hyper");
        assert_eq!(error("[keys]\nhelp = [\"q\"]\nquit = [\"q\"]"), "q is bound to quit and help");
    }

    #[test]
    fn minus_and_braces_are_keys() {
        let keymap = Keymap::default();
        let of = |code, modifiers| keymap.action(KeyEvent::new(code, modifiers));
        assert_eq!(of(KeyCode::Char('-'), KeyModifiers::NONE), Some(Action::BudgetDown));
        assert_eq!(of(KeyCode::Char('{'), KeyModifiers::SHIFT), Some(Action::BudgetDownFar));
        assert_eq!(of(KeyCode::BackTab, KeyModifiers::SHIFT), Some(Action::PreviousPane));
    }
}
