//! What the queues and exchanges are called, and how the queues come to be. The defaults are the contract's names and
//! Nest's declaration.

use std::collections::BTreeMap;

use agent_contract::wire::{
    AGENT_TOOL_QUEUE, AGENT_TURN_QUEUE, AGENT_TURN_STOP_EXCHANGE, TURN_EVENTS_EXCHANGE,
    TURN_EVENTS_QUEUE,
};

/// The names on one broker.
#[derive(Debug, Clone)]
pub struct Names {
    /// Queue of tool calls. Only a server makes it: where it is missing there is none.
    pub tool_queue: String,
    /// Queue of turns.
    pub turn_queue: String,
    /// Fanout exchange of stops.
    pub stop_exchange: String,
    /// Fanout exchange of turn events.
    pub events_exchange: String,
    /// Queue from which one server keeps each event.
    pub events_queue: String,
    /// How the queues of calls and of turns come to be.
    pub declare: Declare,
    /// Arguments of the queue of tool calls beside those.
    pub arguments: BTreeMap<String, Argument>,
}

/// How the queues of calls and of turns come to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Declare {
    /// Durable and without arguments, exactly as a Nest peer declares it: a peer that declares it otherwise dies.
    #[default]
    AsNest,
    /// Durable quorum queues: kept on several nodes, and the broker counts how often it delivers a message.
    Quorum,
    /// Somebody else declares them; they must be there.
    Passive,
}

/// The value of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A number, such as a limit.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// Anything else.
    Text(String),
}

impl Names {
    /// The names of a system whose tools have this queue, and whose other names begin so.
    pub fn of(tool_queue: &str, prefix: &str) -> Self {
        let named = |name: &str| format!("{prefix}{name}");
        Self {
            tool_queue: tool_queue.to_owned(),
            turn_queue: named(AGENT_TURN_QUEUE),
            stop_exchange: named(AGENT_TURN_STOP_EXCHANGE),
            events_exchange: named(TURN_EVENTS_EXCHANGE),
            events_queue: named(TURN_EVENTS_QUEUE),
            declare: Declare::default(),
            arguments: BTreeMap::new(),
        }
    }
}

impl Names {
    /// Queue of the calls that were given up.
    pub fn parking_queue(&self) -> String {
        format!("{}.parked", self.tool_queue)
    }
}

impl Default for Names {
    fn default() -> Self {
        Self::of(AGENT_TOOL_QUEUE, "")
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        match (text.parse(), text.parse()) {
            (Ok(number), _) => Self::Number(number),
            (_, Ok(flag)) => Self::Flag(flag),
            _ => Self::Text(text.to_owned()),
        }
    }
}
