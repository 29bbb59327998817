//! Where the broker is and what its queues are called. The defaults are the contract's names.

use agent_contract::wire::{
    AGENT_TOOL_QUEUE, AGENT_TURN_QUEUE, AGENT_TURN_STOP_EXCHANGE, TURN_EVENTS_EXCHANGE,
    TURN_EVENTS_QUEUE,
};
use lapin::uri::AMQPUri;

/// The broker and its names.
#[derive(Debug, Clone)]
pub struct AmqpSettings {
    /// Address, e.g. `amqp://guest:guest@127.0.0.1:5672/%2f`.
    pub url: String,
    /// Queue of tool calls.
    pub tool_queue: String,
    /// How the queue of tool calls comes to be.
    pub declare: Declare,
    /// Queue of turns.
    pub turn_queue: String,
    /// Fanout exchange of stops.
    pub stop_exchange: String,
    /// Fanout exchange of turn events.
    pub events_exchange: String,
    /// Queue from which one server keeps each event.
    pub events_queue: String,
    /// How many calls run at once.
    pub prefetch: u16,
}

/// How the queue of tool calls comes to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Declare {
    /// Durable and without arguments, exactly as a Nest peer declares it: a peer that declares it otherwise dies.
    #[default]
    AsNest,
    /// Somebody else declares it; it must be there.
    Passive,
}

/// Why the broker cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum AmqpError {
    /// The address is none. It is not repeated: it may hold a password.
    #[error("the broker's address is not of the form amqp://user:password@host:port/vhost: {0}")]
    Address(String),
    /// The broker is there and says no.
    #[error(
        "the broker refuses it: {0}; check the user, the password and the vhost (the default one is left out, or \
         written %2f), and that this user may configure, write and read there"
    )]
    Refused(String),
    /// What Rover needs is there already, and is something else.
    #[error(
        "the broker has it declared otherwise: {0}; delete that queue or exchange, or give Rover other names with \
         `tool_queue` and `queue_prefix`"
    )]
    Declared(String),
    /// Without a limit the broker would send everything at once.
    #[error("prefetch must be at least 1")]
    Prefetch,
}

impl AmqpSettings {
    /// This broker, with the contract's names.
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            tool_queue: AGENT_TOOL_QUEUE.to_owned(),
            declare: Declare::default(),
            turn_queue: AGENT_TURN_QUEUE.to_owned(),
            stop_exchange: AGENT_TURN_STOP_EXCHANGE.to_owned(),
            events_exchange: TURN_EVENTS_EXCHANGE.to_owned(),
            events_queue: TURN_EVENTS_QUEUE.to_owned(),
            prefetch: 32,
        }
    }

    /// What tells this environment from every other on any broker: its vhost and its queues.
    pub fn environment(&self) -> Result<String, AmqpError> {
        let uri: AMQPUri = self.url.parse().map_err(AmqpError::Address)?;
        Ok([uri.vhost.as_str(), &self.turn_queue, &self.tool_queue].join("\n"))
    }

    pub(super) fn checked(self) -> Result<Self, AmqpError> {
        self.url.parse::<AMQPUri>().map_err(AmqpError::Address)?;
        if self.prefetch == 0 {
            return Err(AmqpError::Prefetch);
        }
        Ok(self)
    }
}
