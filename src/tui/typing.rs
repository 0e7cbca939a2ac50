//! Typing a line: the query, or an exact budget.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

use super::message::Effect;
use super::model::{Model, Typing};
use super::update::{ask, set_budget};
use crate::lookup::MAX_BUDGET;
use crate::text::stand_in;

/// The most bytes of a query that are taken.
pub const MAX_BYTES: usize = 4000;
/// The most digits of a budget that are taken.
const MAX_DIGITS: usize = 12;
/// What a budget has to be.
const RANGE: &str = "0 to 1,000,000 tokens";

/// A key while a line is being typed.
pub fn pressed(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    match key.code {
        KeyCode::Esc => {
            model.typing = None;
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
    match model.typing.take() {
        // An empty line asks nothing: the query stays as it was.
        Some(Typing::Query(input)) if input.value().trim().is_empty() => Vec::new(),
        Some(Typing::Query(input)) => {
            model.question.request.query = input.value().to_owned();
            model.has_query = true;
            ask(model)
        }
        Some(Typing::Budget { input, .. }) => {
            match budget(input.value()) {
                Ok(tokens) => return set_budget(model, tokens),
                Err(error) => {
                    let error = Some(error);
                    model.typing = Some(Typing::Budget { input, whole: false, error });
                }
            }
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// A budget as typed.
fn budget(text: &str) -> Result<u64, &'static str> {
    let digits = text.trim().replace([',', '_', ' '], "");
    let tokens: u64 = digits.parse().map_err(|_| RANGE)?;
    if tokens > MAX_BUDGET { Err(RANGE) } else { Ok(tokens) }
}

/// A pasted text: line breaks become spaces, other controls are dropped. Where no
/// line is being typed, a paste does nothing; nor does one that is no budget, where
/// a budget is.
pub fn paste(model: &mut Model, text: &str) {
    if let Some(Typing::Budget { error, .. }) = &mut model.typing
        && !text.trim().chars().all(is_of_budget)
    {
        *error = Some(RANGE);
        return;
    }
    for c in text.replace("\r\n", " ").chars() {
        let c = if matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}') { ' ' } else { c };
        edit(model, InputRequest::InsertChar(c));
    }
}

fn is_of_budget(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ',' | '_' | ' ')
}

fn edit(model: &mut Model, request: InputRequest) {
    let (input, room) = match &mut model.typing {
        Some(Typing::Query(input)) => (input, MAX_BYTES),
        Some(Typing::Budget { input, whole, error }) => {
            if matches!(request, InputRequest::InsertChar(c) if !is_of_budget(c)) {
                return;
            }
            *error = None;
            let replaced =
                matches!(request, InputRequest::InsertChar(_) | InputRequest::DeletePrevChar);
            if std::mem::take(whole) && replaced {
                input.reset();
            }
            (input, MAX_DIGITS)
        }
        None => return,
    };
    if let InputRequest::InsertChar(c) = request
        && (c.is_control() || stand_in(c).is_some() || input.value().len() + c.len_utf8() > room)
    {
        return;
    }
    input.handle(request);
}

fn request(key: KeyEvent) -> Option<InputRequest> {
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
