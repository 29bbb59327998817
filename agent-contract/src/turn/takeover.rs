//! How a worker takes over a turn whose worker was lost.
//!
//! The broker gives the turn to it again. It asks to **take** the turn, says so by an event under a number past all of the
//! lost worker's, and then asks for the **progress**: the server answers once that event is kept, and with it
//! everything that came before. From there the same calls go out under the same ids.

use serde::{Deserialize, Serialize};

use super::{HistoryMessage, seq::bounded};
use crate::id::CallId;

/// How often a run is taken over at most. What loses three workers would lose the fourth.
pub const MOST_TAKEOVERS: u32 = 3;

/// What a server answers a worker that would take a turn over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum TakeAnswer {
    /// It is yours.
    Yours {
        /// How often the run has been taken over, this time included.
        takeover: u32,
    },
    /// It is over, or has been lost too often: nothing is to be done.
    Over,
}

/// What a worker asks that took a turn over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgressQuestion {
    /// The number of the first event of the run, as the turn was dispatched.
    #[serde(deserialize_with = "bounded")]
    pub since: u64,
    /// The number of the event that said that the turn was taken over.
    #[serde(deserialize_with = "bounded")]
    pub mark: u64,
}

/// How far a run came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnProgress {
    /// The person asked it to stop.
    pub stopping: bool,
    /// The messages that were complete, in their order.
    pub told: Vec<ToldMessage>,
}

/// A message that was complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToldMessage {
    /// The call that gave a task, if the message is of the agent that does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<CallId>,
    /// The message.
    pub message: HistoryMessage,
}

impl TurnProgress {
    /// The messages of one agent: of Rover, or of the one that was given this task.
    pub fn of(&self, task: Option<&CallId>) -> Vec<HistoryMessage> {
        let of = |told: &&ToldMessage| told.task.as_ref() == task;
        self.told.iter().filter(of).map(|told| told.message.clone()).collect()
    }
}
