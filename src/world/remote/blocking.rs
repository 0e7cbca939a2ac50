//! A world on a server, for a caller that waits.

use tokio::runtime::{Builder, Runtime};

use super::{RemoteError, RemoteOptions, RemoteWorld};
use crate::lookup::{Asked, Question};
use crate::selection::Selection;

/// A world on a server, with all that it takes to wait for it.
pub struct Remote {
    runtime: Runtime,
    world: RemoteWorld,
}

impl Remote {
    /// Connects to the server of a location; its path is the scope of lookups.
    ///
    /// # Errors
    /// Why there is no connection.
    pub fn open(location: &str, options: &RemoteOptions) -> Result<Self, RemoteError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let world = runtime.block_on(RemoteWorld::open(location, options))?;
        Ok(Self { runtime, world })
    }

    /// The server, as a location.
    pub fn name(&self) -> String {
        self.world.name()
    }

    /// The directory that the location named.
    pub fn scope(&self) -> &str {
        self.world.scope()
    }

    /// Requests made so far.
    pub fn requests(&self) -> usize {
        self.world.requests()
    }

    /// How often an answer was waited for so far: requests made at once count once.
    pub fn round_trips(&self) -> usize {
        self.world.round_trips()
    }

    /// Puts a question to the server: one LOOKUP.
    ///
    /// # Errors
    /// Why there is no answer. A refusal is an answer.
    pub fn ask(&mut self, question: &Question) -> Result<Asked, RemoteError> {
        self.runtime.block_on(self.world.ask(question))
    }

    /// The result for a budget in tokens; 0 is the table alone. Documents are
    /// fetched as they are needed, none of them twice for one question.
    pub fn select(&mut self, asked: &mut Asked, budget: u64) -> Selection {
        loop {
            match asked.try_select(budget) {
                Ok(selection) => return selection,
                Err(waiting) => {
                    self.runtime.block_on(self.world.fetch(waiting.wanted, |location, fetched| {
                        asked.give(location, fetched);
                    }));
                }
            }
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.runtime.block_on(self.world.close());
    }
}
