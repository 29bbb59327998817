//! Where the broker is, what its queues are called, and how much is taken at once.

use broker::{AmqpError, Connect, Names};

/// The broker, as the server uses it.
#[derive(Debug, Clone)]
pub struct AmqpSettings {
    /// Address, e.g. `amqp://guest:guest@127.0.0.1:5672/%2f`.
    pub url: String,
    /// What the queues and exchanges are called, and how they come to be.
    pub names: Names,
    /// How many calls run at once.
    pub prefetch: u16,
}

impl AmqpSettings {
    /// This broker, with the contract's names.
    pub fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), names: Names::default(), prefetch: 32 }
    }

    pub(super) fn checked(&self) -> Result<Connect, AmqpError> {
        if self.prefetch == 0 {
            return Err(AmqpError::None("`prefetch`, how many calls run at once"));
        }
        Connect::to(&self.url, "rover-server")
    }
}
