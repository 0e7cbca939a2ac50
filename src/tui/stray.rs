//! An answer of the terminal that nobody waits for any more. It would come as
//! keys: `Alt-]`, `1`, `1`, `;`, `r`, `g`, `b` and so on, and type into the query.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The longest answer: four digits for each of three or four parts, and names.
const LONGEST: usize = 48;
/// So long after it was asked a terminal may still answer, over a slow line; what comes
/// later are keys.
const LATEST: Duration = Duration::from_secs(10);

/// Takes one late answer out of the keys.
#[derive(Debug)]
pub struct Stray {
    state: State,
    /// When the terminal was asked.
    since: Instant,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// None is due.
    #[default]
    Idle,
    /// One may come.
    Due,
    /// In the midst of one, after so many keys.
    Within(usize),
}

impl Stray {
    /// Waits for an answer, or for none.
    pub fn new(is_due: bool) -> Self {
        Self { state: if is_due { State::Due } else { State::Idle }, since: Instant::now() }
    }

    /// The same, asked for so long ago.
    #[cfg(test)]
    fn asked_ago(ago: Duration) -> Self {
        let mut stray = Self::new(true);
        stray.since = stray.since.checked_sub(ago).expect("a time");
        stray
    }

    /// Whether a key is a part of an answer, and no key.
    pub fn takes(&mut self, key: KeyEvent) -> bool {
        let alt = |wanted: char| {
            key.modifiers.contains(KeyModifiers::ALT) && key.code == KeyCode::Char(wanted)
        };
        match self.state {
            State::Idle => false,
            State::Due if self.since.elapsed() > LATEST => {
                self.state = State::Idle;
                false
            }
            State::Due => {
                let begins = alt(']');
                if begins {
                    self.state = State::Within(0);
                }
                begins
            }
            State::Within(count) => {
                let bell =
                    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('g');
                if alt('\\') || bell {
                    self.state = State::Idle;
                    return true;
                }
                let is_part = matches!(key.code, KeyCode::Char(c)
                    if c.is_ascii_hexdigit() || "rgba:;/".contains(c));
                let goes_on = is_part && count < LONGEST;
                self.state = if goes_on { State::Within(count + 1) } else { State::Idle };
                goes_on
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<KeyEvent> {
        let mut modifiers = KeyModifiers::NONE;
        let mut keys = Vec::new();
        for c in text.chars() {
            match c {
                '\u{1b}' => modifiers = KeyModifiers::ALT,
                '\u{7}' => {
                    keys.push(KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL));
                }
                c => {
                    keys.push(KeyEvent::new(KeyCode::Char(c), modifiers));
                    modifiers = KeyModifiers::NONE;
                }
            }
        }
        keys
    }

    fn left(is_due: bool, text: &str) -> String {
        let mut stray = Stray::new(is_due);
        let left = keys(text).into_iter().filter(|key| !stray.takes(*key));
        left.filter_map(|key| key.code.as_char()).collect()
    }

    #[test]
    fn one_answer_is_taken_and_nothing_else() {
        let bell = "a\u{1b}]11;rgb:1616/1818/1e1e\u{7}b1;";
        let string = "a\u{1b}]11;rgba:ffff/ffff/ffff/ffff\u{1b}\\b";
        assert_eq!(left(true, bell), "ab1;");
        assert_eq!(left(true, string), "ab");
        assert_eq!(left(false, "a\u{1b}]11"), "a]11");
        assert_eq!(left(true, &[bell, bell].concat()), "ab1;a]11;rgb:1616/1818/1e1egb1;");
    }

    #[test]
    fn an_answer_is_not_waited_for_for_ever() {
        let answer = keys("\u{1b}]11;rgb:1616/1818/1e1e\u{7}");
        let taken = |ago: u64| {
            let mut stray = Stray::asked_ago(Duration::from_secs(ago));
            answer.iter().filter(|key| stray.takes(**key)).count()
        };
        assert_eq!((taken(1), taken(60)), (answer.len(), 0));
    }

    #[test]
    fn what_is_no_answer_is_given_back_soon() {
        assert_eq!(left(true, "\u{1b}]11;query"), "query");
        assert_eq!(left(true, &format!("\u{1b}]{}", "1".repeat(60))), "1".repeat(12));
    }
}
