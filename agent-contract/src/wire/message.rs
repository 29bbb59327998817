//! A message and a reply, apart from the broker that carries them.

use std::collections::BTreeMap;

use super::{HEADER_DEADLINE, HEADER_OUTCOME, Outcome};
use crate::date::Timestamp;

/// A packet with its headers and properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireMessage {
    /// Headers by lower-case name.
    pub headers: BTreeMap<String, String>,
    /// The packet, as it was or will be sent.
    pub body: Vec<u8>,
    /// What the reply is matched by. Need not equal the packet's id.
    pub correlation_id: Option<String>,
    /// Where the reply goes; without it there is none.
    pub reply_to: Option<String>,
    /// The broker delivers it again.
    pub redelivered: bool,
}

/// A reply's packet with its headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireReply {
    /// Headers by lower-case name.
    pub headers: BTreeMap<String, String>,
    /// The packet.
    pub body: Vec<u8>,
}

/// A deadline that is no instant. What was sent is not repeated: it may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the header {HEADER_DEADLINE} must be milliseconds since 1970, e.g. 1769934600123")]
pub struct UnreadableDeadline;

impl WireMessage {
    /// A message of this body, without headers.
    pub fn new(body: Vec<u8>) -> Self {
        Self { body, ..Self::default() }
    }

    /// The message with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.insert(name.to_owned(), value.into());
        self
    }

    /// A header by name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The absolute deadline, if the sender gave one. One that cannot be read is no missing one:
    /// whoever gave it wanted an end, and it is not known which.
    pub fn deadline(&self) -> Result<Option<Timestamp>, UnreadableDeadline> {
        let Some(text) = self.header(HEADER_DEADLINE) else { return Ok(None) };
        let milliseconds = text.parse().map_err(|_| UnreadableDeadline)?;
        Timestamp::from_millisecond(milliseconds).map(Some).map_err(|_| UnreadableDeadline)
    }
}

impl WireReply {
    /// A reply of this body, without headers.
    pub fn new(body: Vec<u8>) -> Self {
        Self { body, ..Self::default() }
    }

    /// The reply with the header that says how the call ended.
    #[must_use]
    pub fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.headers.insert(HEADER_OUTCOME.to_owned(), outcome.to_string());
        self
    }

    /// How the call ended; a Nest peer does not say.
    pub fn outcome(&self) -> Option<Outcome> {
        self.headers.get(HEADER_OUTCOME)?.parse().ok()
    }
}
