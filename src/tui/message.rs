//! What can happen to the explorer, and what it asks to be done.

use std::sync::Arc;

use crossterm::event::KeyEvent;

use super::Problems;
use crate::lookup::{Asked, Question, Store};

/// Something happened.
pub enum Message {
    /// A key was pressed, or repeats.
    Key(KeyEvent),
    /// A text was pasted.
    Paste(String),
    /// The screen has another size.
    Resize(u16, u16),
    /// The world is open, or cannot be opened.
    Opened(Box<Result<(Store, Problems), String>>),
    /// A question is answered.
    Answered(Box<Answered>),
}

/// The answer to a numbered question.
pub struct Answered {
    /// The number that the question had. An outdated one is dropped.
    pub number: u64,
    /// What was asked.
    pub question: Question,
    /// The answer, for any budget.
    pub asked: Asked,
}

/// Something to do outside the model.
pub enum Effect {
    /// Put a question to the store, away from the screen.
    Ask {
        /// The number to answer with.
        number: u64,
        /// The store.
        store: Arc<Store>,
        /// The question.
        question: Question,
    },
    /// Give the terminal back for a while.
    Suspend,
    /// Draw every cell, whatever the terminal shows.
    Repaint,
    /// Leave.
    Quit,
}

impl Effect {
    /// Answers a question; anything else has no answer.
    pub fn perform(self) -> Option<Message> {
        match self {
            Self::Ask { number, store, question } => {
                let asked = store.ask(&question);
                Some(Message::Answered(Box::new(Answered { number, question, asked })))
            }
            Self::Suspend | Self::Repaint | Self::Quit => None,
        }
    }
}
