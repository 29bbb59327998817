//! Where the broker is, what its queues are called, and how much is taken at once.

use broker::{AmqpError, Connect, Names};

/// The broker, as a worker uses it.
#[derive(Clone, Debug)]
pub struct AmqpSettings {
    /// Address, e.g. `amqp://guest:guest@127.0.0.1:5672/%2f`.
    pub url: String,
    /// What the queues and exchanges are called, and how they come to be.
    pub names: Names,
    /// How many turns run at once.
    pub turns: u16,
    /// How many tool calls are out at once.
    pub calls: u16,
}

impl AmqpSettings {
    /// This broker, with the contract's names.
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), names: Names::default(), turns: 16, calls: 256 }
    }

    pub(super) fn checked(&self) -> Result<Connect, AmqpError> {
        if self.turns == 0 || self.calls == 0 {
            return Err(AmqpError::None("how many turns and calls a worker has at once"));
        }
        Connect::to(&self.url, "rover-worker")
    }
}
