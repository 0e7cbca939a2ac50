//! A world as a reader asks it, wherever it is.

use std::sync::Arc;

use super::many::Many;
use super::recorded::Recorded;
use super::remote::RemoteWorld;
use super::tool::Tool;
use crate::log::{self, Since};
use crate::lookup::{Asked, Fetched, Question, Store};
use crate::selection::{Selection, read_back};

/// Why no document can be had where there are texts alone.
const NO_DOCUMENTS: &str = "only what the result prints of it is known";

/// A world that can be asked.
#[derive(Clone)]
pub enum Reader {
    /// A whole world in memory.
    Store(Arc<Store>),
    /// A world on a server.
    Remote(Arc<RemoteWorld>),
    /// Several worlds.
    Many(Arc<Many>),
    /// A result that was recorded.
    Recorded(Arc<Recorded>),
    /// A tool that answers lookups for agents.
    Tool(Arc<Tool>),
}

impl Reader {
    /// The name to show.
    pub fn name(&self) -> String {
        match self {
            Self::Store(store) => store.name().to_owned(),
            Self::Remote(world) => world.name(),
            Self::Many(many) => many.names().collect::<Vec<_>>().join(" + "),
            Self::Recorded(recorded) => recorded.name.clone(),
            Self::Tool(tool) => tool.command().to_owned(),
        }
    }

    /// The world, where all of it is in memory.
    pub fn store(&self) -> Option<&Arc<Store>> {
        match self {
            Self::Store(store) => Some(store),
            Self::Remote(_) | Self::Many(_) | Self::Recorded(_) | Self::Tool(_) => None,
        }
    }

    /// Whether it gives texts alone, so that nothing is known of any other budget.
    pub fn gives_texts(&self) -> bool {
        matches!(self, Self::Recorded(_) | Self::Tool(_))
    }

    /// Puts a question to the world. The budget, in tokens, is for a tool alone; all
    /// others give their result for any budget once they are asked.
    ///
    /// # Errors
    /// Why there is no answer, in a sentence. A refusal is an answer.
    pub async fn ask(&self, question: &Question, budget: u64) -> Result<Asked, String> {
        let since = Since::now();
        let asked = match self {
            Self::Store(store) => Ok(store.ask(question)),
            Self::Remote(world) => world.ask(question).await.map_err(|error| error.to_string()),
            Self::Many(many) => many.ask(question).await,
            Self::Recorded(recorded) => Ok(Asked::read_back(Arc::clone(&recorded.back), question)),
            Self::Tool(tool) => tool.lookup(question, budget).await.and_then(|text| {
                let back = read_back(&text, Some(budget))
                    .map_err(|error| format!("the tool's text cannot be read: line {error}"))?;
                Ok(Asked::read_back(Arc::new(back), question))
            }),
        };
        if log::is_on() {
            let (name, query) = (self.name(), &question.request.query);
            match &asked {
                Ok(asked) => {
                    let rows = asked.session().answered().rows().len();
                    let status = asked.status();
                    log::note(format_args!(
                        "lookup of {query:?} in {name}: {status}, {rows} rows, {since}"
                    ));
                }
                Err(error) => {
                    log::note(format_args!("lookup of {query:?} in {name}: {error}, {since}"));
                }
            }
        }
        asked
    }

    /// What a fetch gives that takes no waiting; `None` where it does.
    pub fn at_hand(&self, location: &str) -> Option<Fetched> {
        match self {
            Self::Store(store) => Some(store.fetch(location).into()),
            Self::Remote(_) => None,
            Self::Many(many) => many.at_hand(location),
            Self::Recorded(_) | Self::Tool(_) => Some(Fetched::Error(NO_DOCUMENTS.to_owned())),
        }
    }

    /// Fetches documents at once; each goes to `take` when it comes.
    pub async fn fetch(
        &self,
        locations: Vec<String>,
        mut take: impl FnMut(String, Fetched) + Send,
    ) {
        let since = Since::now();
        let mut take = move |location: String, fetched: Fetched| {
            if log::is_on() {
                let what = match &fetched {
                    Fetched::Document(document) => format!("{} bytes", document.body().len()),
                    Fetched::Error(error) => error.clone(),
                    Fetched::Failed(failure) => failure.sentence.clone(),
                };
                log::note(format_args!("fetch of {location}: {what}, {since}"));
            }
            take(location, fetched);
        };
        match self {
            Self::Store(store) => {
                for location in locations {
                    let fetched = store.fetch(&location).into();
                    take(location, fetched);
                }
            }
            Self::Remote(world) => world.fetch(locations, take).await,
            Self::Many(many) => many.fetch(locations, take).await,
            Self::Recorded(_) | Self::Tool(_) => {
                for location in locations {
                    take(location, Fetched::Error(NO_DOCUMENTS.to_owned()));
                }
            }
        }
    }

    /// Ends all connections, so that a server need not wait for more.
    pub async fn close(&self) {
        match self {
            Self::Store(_) | Self::Recorded(_) => {}
            Self::Tool(tool) => tool.close().await,
            Self::Remote(world) => world.close().await,
            Self::Many(many) => many.close().await,
        }
    }

    /// The result for a budget in tokens, with the documents at hand; where that is
    /// not enough, what there is of it and the locations to fetch.
    pub fn select(&self, asked: &mut Asked, budget: u64) -> (Selection, Vec<String>) {
        if let Some(back) = asked.told() {
            return (back.selection.clone(), Vec::new());
        }
        if let Self::Store(store) = self {
            return (asked.select(store, budget), Vec::new());
        }
        loop {
            let waiting = match asked.try_select(budget) {
                Ok(selection) => return (selection, Vec::new()),
                Err(waiting) => waiting,
            };
            let mut missing = Vec::new();
            for location in waiting.wanted {
                match self.at_hand(&location) {
                    Some(fetched) => asked.give(location, fetched),
                    None => missing.push(location),
                }
            }
            if !missing.is_empty() {
                return (*waiting.so_far, missing);
            }
        }
    }

    /// The result for a budget in tokens, with all the waiting that it takes.
    pub async fn select_all(&self, asked: &mut Asked, budget: u64) -> Selection {
        loop {
            let (selection, missing) = self.select(asked, budget);
            if missing.is_empty() {
                return selection;
            }
            self.fetch(missing, |location, fetched| asked.give(location, fetched)).await;
        }
    }
}
