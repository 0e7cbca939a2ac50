//! Typing a line: the query, an exact budget, and whatever else is asked for in a
//! line.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

use super::find;
use super::keymap::Action;
use super::message::Effect;
use super::model::Model;
use super::save::{self, Saved};
use super::update::{ask, set_budget};
use super::width::width;
use crate::catalog::{Filter, FilterError, MAX_LIMIT};
use crate::lookup::MAX_BUDGET;
use crate::text::stand_in;

/// The most bytes of a line that are taken.
pub const MAX_BYTES: usize = 4000;
/// Cells of a typed line that stay in sight beside what is wrong with it.
pub const LEAST_TYPED: usize = 10;
/// The most digits of a number that are taken.
const MAX_DIGITS: usize = 12;
/// What a budget has to be.
const RANGE: &str = "0 to 1,000,000 tokens";

/// What a line is typed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The query.
    Query,
    /// The budget, in tokens.
    Budget,
    /// The scope.
    Scope,
    /// The metadata filter.
    Filter,
    /// The most rows.
    Limit,
    /// Words to find on the reader's page.
    Find,
    /// Words that the rows of the table are narrowed to.
    Sieve,
    /// The name of a file to write.
    File(Saved),
}

impl Field {
    /// What stands before the line.
    pub fn label(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Budget => "budget in tokens",
            Self::Scope => "scope",
            Self::Filter => "filter",
            Self::Limit => "limit",
            Self::Find => "find",
            Self::Sieve => "rows with",
            Self::File(_) => "write to",
        }
    }

    /// Cells of the foot of the screen that are neither the line nor what is said of it.
    pub fn frame(self) -> usize {
        // A space at both ends of the label, a bar ahead of the line and a space, a bar
        // and two spaces behind.
        width(self.label()) + 7
    }

    /// What can be done, behind the line.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Query => "Enter asks · Esc leaves the query as it was",
            Self::Budget => "Enter sets it · Esc leaves it",
            Self::Scope => "a directory; empty is all · Enter asks · Esc leaves it",
            Self::Filter => "key=value, … ; empty is none · Enter asks · Esc leaves it",
            Self::Limit => "1 to 1,000 rows; empty is 10 · Enter asks · Esc leaves it",
            Self::Find => "Enter goes there · Esc ends it",
            Self::Sieve => "Enter keeps it · Esc shows all rows",
            Self::File(_) => "Enter writes a new file · Esc writes none",
        }
    }

    /// Whether it takes the digits of a number and nothing else.
    fn is_number(self) -> bool {
        matches!(self, Self::Budget | Self::Limit)
    }
}

/// A line being typed.
pub struct Typing {
    /// What it is for.
    pub field: Field,
    /// What is typed so far.
    pub input: Input,
    /// Whether it still is what was there before, which a character replaces.
    pub whole: bool,
    /// What is wrong with it.
    pub error: Option<String>,
}

impl Typing {
    /// A line that begins with a text.
    pub fn new(field: Field, text: impl Into<String>) -> Self {
        let whole =
            field.is_number() || matches!(field, Field::Query | Field::Scope | Field::Filter);
        Self { field, input: Input::new(text.into()), whole, error: None }
    }
}

/// Begins to type a line.
pub fn begin(model: &mut Model, field: Field) {
    let request = &model.question.request;
    let text = match field {
        Field::Query => request.query.clone(),
        Field::Budget => model.budget.to_string(),
        Field::Scope => request.scope.clone(),
        Field::Filter => request.filter.clone(),
        Field::Limit => request.limit.map(|limit| limit.to_string()).unwrap_or_default(),
        Field::Find => String::new(),
        Field::Sieve => model.sieve.clone(),
        Field::File(saved) => save::name(model, saved),
    };
    model.typing = Some(Typing::new(field, text));
}

/// A key while a line is being typed.
pub fn pressed(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    match key.code {
        KeyCode::Esc => {
            let left = model.typing.take();
            match left.map(|typing| typing.field) {
                Some(Field::Find) => find::here_mut(model).clear(),
                Some(Field::Sieve) => model.sieve.clear(),
                _ => {}
            }
            Vec::new()
        }
        KeyCode::Enter => entered(model),
        _ => {
            if let Some(request) = request(key) {
                edit(model, request);
            }
            Vec::new()
        }
    }
}

fn entered(model: &mut Model) -> Vec<Effect> {
    let Some(typing) = model.typing.take() else { return Vec::new() };
    let text = typing.input.value().trim().to_owned();
    let fault = match typing.field {
        // An empty line asks nothing: the query stays as it was.
        Field::Query if text.is_empty() => return Vec::new(),
        Field::Query => {
            typing.input.value().clone_into(&mut model.question.request.query);
            model.has_query = true;
            return ask(model);
        }
        Field::Budget => match budget(&text) {
            Ok(tokens) => return set_budget(model, tokens),
            Err(error) => error.to_owned(),
        },
        Field::Scope => {
            model.question.request.scope = if text.is_empty() { "/".into() } else { text };
            return ask_again(model);
        }
        Field::Filter => match text.parse::<Filter>() {
            Ok(_) => {
                model.question.request.filter = text;
                return ask_again(model);
            }
            Err(error) => FilterError::to_string(&error),
        },
        Field::Limit if text.is_empty() => {
            model.question.request.limit = None;
            return ask_again(model);
        }
        Field::Limit => match text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit)) {
            Some(limit) => {
                model.question.request.limit = Some(limit);
                return ask_again(model);
            }
            None => "1 to 1,000 rows".to_owned(),
        },
        Field::Find => {
            let find = find::here(model);
            if !find.words.is_empty() {
                let key = |action| model.keymap.first(action);
                let [on, back] = [key(Action::FindNext), key(Action::FindPrevious)];
                let keys = (find.lines().len() > 1).then(|| format!("{on} {back} go on"));
                model.notice = Some(find::told(model, keys));
            }
            return Vec::new();
        }
        Field::Sieve => return Vec::new(),
        Field::File(_) if text.is_empty() => "a file needs a name".to_owned(),
        Field::File(saved) => {
            let effect = save::effect(model, saved, text);
            // It stays until the file is written.
            model.typing = Some(typing);
            return vec![effect];
        }
    };
    model.typing = Some(Typing { whole: false, error: Some(fault), ..typing });
    Vec::new()
}

fn ask_again(model: &mut Model) -> Vec<Effect> {
    if model.has_query { ask(model) } else { Vec::new() }
}

/// A budget as typed.
fn budget(text: &str) -> Result<u64, &'static str> {
    let digits = text.trim().replace([',', '_', ' '], "");
    let tokens: u64 = digits.parse().map_err(|_| RANGE)?;
    if tokens > MAX_BUDGET { Err(RANGE) } else { Ok(tokens) }
}

/// A pasted text: line breaks become spaces, other controls are dropped. Where no
/// line is being typed, a paste does nothing; nor does one that is no number, where
/// a number is.
pub fn paste(model: &mut Model, text: &str) {
    if let Some(Typing { field, error, .. }) = &mut model.typing
        && field.is_number()
        && !text.trim().chars().all(is_of_number)
    {
        *error = Some(RANGE.to_owned());
        return;
    }
    for c in text.replace("\r\n", " ").chars() {
        let c = if matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}') { ' ' } else { c };
        edit(model, InputRequest::InsertChar(c));
    }
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ',' | '_' | ' ')
}

fn edit(model: &mut Model, request: InputRequest) {
    let Some(Typing { field, input, whole, error }) = &mut model.typing else { return };
    let room = if field.is_number() { MAX_DIGITS } else { MAX_BYTES };
    if field.is_number() && matches!(request, InputRequest::InsertChar(c) if !is_of_number(c)) {
        return;
    }
    *error = None;
    let replaced = matches!(request, InputRequest::InsertChar(_) | InputRequest::DeletePrevChar);
    if std::mem::take(whole) && replaced {
        input.reset();
    }
    if !may_insert(request, input.value(), room) {
        return;
    }
    input.handle(request);
    let text = input.value().to_owned();
    match *field {
        Field::Find => find::set(model, text),
        Field::Sieve => {
            model.sieve = text;
            super::update::keep_in_sight(model);
        }
        _ => {}
    }
}

/// Whether a line of at most `room` bytes takes a request.
pub fn may_insert(request: InputRequest, text: &str, room: usize) -> bool {
    match request {
        InputRequest::InsertChar(c) => {
            !c.is_control() && stand_in(c).is_none() && text.len() + c.len_utf8() <= room
        }
        _ => true,
    }
}

/// What a key asks of a line.
pub fn request(key: KeyEvent) -> Option<InputRequest> {
    let held = key.modifiers.contains(KeyModifiers::CONTROL);
    let word = held || key.modifiers.contains(KeyModifiers::ALT);
    Some(match key.code {
        KeyCode::Left if word => InputRequest::GoToPrevWord,
        KeyCode::Right if word => InputRequest::GoToNextWord,
        KeyCode::Left => InputRequest::GoToPrevChar,
        KeyCode::Right => InputRequest::GoToNextChar,
        KeyCode::Home => InputRequest::GoToStart,
        KeyCode::End => InputRequest::GoToEnd,
        KeyCode::Backspace if word => InputRequest::DeletePrevWord,
        KeyCode::Backspace => InputRequest::DeletePrevChar,
        KeyCode::Delete => InputRequest::DeleteNextChar,
        KeyCode::Char('a') if held => InputRequest::GoToStart,
        KeyCode::Char('e') if held => InputRequest::GoToEnd,
        KeyCode::Char('w') if held => InputRequest::DeletePrevWord,
        KeyCode::Char('u') if held => InputRequest::DeleteFromStart,
        KeyCode::Char('k') if held => InputRequest::DeleteTillEnd,
        KeyCode::Char(c) if !word => InputRequest::InsertChar(c),
        _ => return None,
    })
}

/// The text before and after the cursor.
pub fn around(input: &Input) -> (&str, &str) {
    let value = input.value();
    let at = value.char_indices().nth(input.cursor()).map_or(value.len(), |(at, _)| at);
    value.split_at(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_whole_numbers_within_the_range() {
        assert_eq!(budget("1,500"), Ok(1500));
        assert_eq!(budget("0"), Ok(0));
        assert!(budget("1000001").is_err());
        assert!(budget("-3").is_err());
        assert!(budget("").is_err());
    }
}
