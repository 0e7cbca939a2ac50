//! What can happen to the explorer, and what it asks to be done.

use crossterm::event::{KeyEvent, MouseEvent};

use futures_util::FutureExt as _;

use super::compare::{Side, title};
use super::editor::Edit;
use super::hits::Hits;
use super::outcome::Walk;
use super::swept::Wanted;
use super::{Desk, Finding, Kept, Opened};
use crate::lookup::{Asked, Fetched, Question};
use crate::tune::{Sweep, Walked};
use crate::world::Reader;

/// Something happened.
pub enum Message {
    /// A key was pressed, or repeats.
    Key(KeyEvent),
    /// A text was pasted.
    Paste(String),
    /// The mouse did something over the last frame.
    Mouse(MouseEvent, Box<Hits>),
    /// The screen has another size.
    Resize(u16, u16),
    /// A tenth of a second has passed.
    Tick,
    /// How far the opening of the world is, in words.
    Progress(String),
    /// The world is open, or cannot be opened.
    Opened(Box<Result<Opened, String>>),
    /// A question is answered.
    Answered(Box<Answered>),
    /// A question has no answer.
    NoAnswer {
        /// The number that the question had.
        number: u64,
        /// Why, in a sentence.
        why: String,
    },
    /// A document has come, or not.
    Fetched {
        /// The number of the question that it is for.
        number: u64,
        /// Its location.
        location: String,
        /// What came.
        fetched: Box<Fetched>,
    },
    /// A document to be opened whole has come, or not.
    Visited {
        /// Its location.
        location: String,
        /// What came.
        fetched: Box<Fetched>,
    },
    /// The result to compare with, or why there is none.
    Compared {
        /// The number of the question that it is held against.
        number: u64,
        /// The result.
        side: Box<Result<Side, String>>,
    },
    /// Something below the folder of the world has changed.
    Changed,
    /// The world was read again, or why not.
    Reloaded(Box<Result<Opened, String>>),
    /// The world has been looked through.
    Found {
        /// The number of the reading that was looked through.
        load: u64,
        /// What an author should know.
        findings: Vec<Finding>,
    },
    /// The curves of lookups are worked out.
    Swept {
        /// What was wanted.
        wanted: Box<Wanted>,
        /// The curves.
        sweep: Box<Sweep>,
    },
    /// An answer is worked out over all its budgets.
    Walked {
        /// The number of its question. An outdated one is dropped.
        number: u64,
        /// What it holds at each.
        walked: Box<Walked>,
    },
    /// A file is written, or why not; in a sentence.
    Saved(Result<String, String>),
    /// Something to know, in a sentence.
    Notice(String),
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
    /// Open the world, away from the screen.
    Open,
    /// Put a question to the world, away from the screen.
    Ask {
        /// The number to answer with.
        number: u64,
        /// The world.
        reader: Reader,
        /// The question.
        question: Question,
        /// The budget, in tokens, which a tool must know.
        budget: u64,
    },
    /// Fetch documents, away from the screen; each comes as a message of its own.
    Fetch {
        /// The number of the question that they are for.
        number: u64,
        /// The world.
        reader: Reader,
        /// Where they are.
        locations: Vec<String>,
    },
    /// Fetch a document to be opened whole.
    Visit {
        /// The world.
        reader: Reader,
        /// Where it is.
        location: String,
    },
    /// Work out a whole result to compare with.
    Compare {
        /// The number of the question that it is held against.
        number: u64,
        /// The world.
        reader: Reader,
        /// The question.
        question: Box<Question>,
        /// The budget, in tokens.
        budget: u64,
    },
    /// Read the world again, away from the screen.
    Reload,
    /// Look the world through, away from the screen.
    Check {
        /// The number of the reading.
        load: u64,
        /// The author's side of the world.
        desk: Desk,
    },
    /// Work out what a budget buys over lookups, away from the screen.
    Sweep(Box<Wanted>),
    /// Work an answer out over all its budgets, away from the screen.
    Walk(Box<Walk>),
    /// Give the terminal to the author's editor, and wait for it.
    Edit(Edit),
    /// Ask and fetch no more.
    Cancel,
    /// Copy a text.
    Copy {
        /// What it is.
        what: String,
        /// The text.
        text: String,
    },
    /// Write a new file.
    Save {
        /// Its name.
        name: String,
        /// What is written.
        text: String,
    },
    /// Record a lookup that is answered.
    Record {
        /// What was asked.
        question: Question,
        /// The budget, in tokens.
        budget: u64,
    },
    /// Keep something for the next time.
    Remember(Kept),
    /// Listen to the mouse, or no more.
    Mouse(bool),
    /// Give the terminal back for a while.
    Suspend,
    /// Draw every cell, whatever the terminal shows.
    Repaint,
    /// Leave.
    Quit,
}

impl Effect {
    /// Asks or fetches; every message goes to `take` when it is there. Anything else
    /// is not for here.
    pub async fn run(self, mut take: impl FnMut(Message) + Send) {
        match self {
            Self::Ask { number, reader, question, budget } => {
                take(match reader.ask(&question, budget).await {
                    Ok(asked) => Message::Answered(Box::new(Answered { number, question, asked })),
                    Err(why) => Message::NoAnswer { number, why },
                });
            }
            Self::Fetch { number, reader, locations } => {
                let fetched = |location, fetched| {
                    take(Message::Fetched { number, location, fetched: Box::new(fetched) });
                };
                reader.fetch(locations, fetched).await;
            }
            Self::Visit { reader, location } => {
                let fetched = |location, fetched| {
                    take(Message::Visited { location, fetched: Box::new(fetched) });
                };
                reader.fetch(vec![location], fetched).await;
            }
            Self::Compare { number, reader, question, budget } => {
                let side = match reader.ask(&question, budget).await {
                    Ok(mut asked) => {
                        let selection = reader.select_all(&mut asked, budget).await;
                        let rows = asked.session().answered().rows().to_vec();
                        let title = title(&question, budget);
                        let place = String::new();
                        Ok(Side { title, place, question: *question, budget, rows, selection })
                    }
                    Err(why) => Err(why),
                };
                take(Message::Compared { number, side: Box::new(side) });
            }
            Self::Check { load, desk } => {
                take(Message::Found { load, findings: (desk.check)() });
            }
            Self::Sweep(wanted) => {
                let sweep = Box::new(wanted.sweep());
                take(Message::Swept { wanted, sweep });
            }
            Self::Walk(walk) => {
                if let Some(walked) = walk.walk() {
                    take(Message::Walked { number: walk.number, walked: Box::new(walked) });
                }
            }
            Self::Open
            | Self::Reload
            | Self::Edit(_)
            | Self::Cancel
            | Self::Copy { .. }
            | Self::Save { .. }
            | Self::Record { .. }
            | Self::Remember(_)
            | Self::Mouse(_)
            | Self::Suspend
            | Self::Repaint
            | Self::Quit => {}
        }
    }

    /// What comes of asking or fetching in a world in memory, at once; nothing where
    /// it takes waiting.
    pub fn perform(self) -> Vec<Message> {
        let mut messages = Vec::new();
        let done = self.run(|message| messages.push(message)).now_or_never();
        if done.is_some() { messages } else { Vec::new() }
    }
}
