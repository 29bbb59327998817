//! Why the broker cannot be used at all. That it is away is no reason: it may come yet.

/// What stops the start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
        "the broker has it declared otherwise: {0}; delete that queue or exchange, give Rover other names with \
         `tool_queue` and `queue_prefix`, or say with `queues` how it is declared"
    )]
    Declared(String),
    /// Without a limit the broker would send everything at once.
    #[error("at least one must be taken at a time, and this says none: {0}")]
    None(&'static str),
}
