//! How a worker seals what it sends: calls where their return address is known, events where they are told.

use std::sync::Arc;

use super::{KeyId, Statement, TokenHash, WorkerKey};
use crate::turn::TurnEvent;
use crate::wire::{HEADER_CTX, HEADER_PROOF, HEADER_TAKEOVER, WireMessage};

/// A call that is complete but for the address of its reply, which only its transport knows. There is no other way to
/// the message than to name it, so that no transport can send a call unsealed.
#[derive(Clone, Debug)]
pub struct OutgoingCall {
    message: WireMessage,
    key: Option<Arc<WorkerKey>>,
}

/// What an event of a worker says about its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Something happened.
    Told,
    /// Something happened, and from now on the turn is this worker's: the broker gave it the turn because the one that
    /// had it is lost.
    Takeover,
}

/// Seals the events of one run of a turn.
#[derive(Clone, Debug)]
pub struct TurnSeal {
    key: Option<Arc<WorkerKey>>,
    token: TokenHash,
}

impl OutgoingCall {
    /// A call to be signed with this key. Without one it is sent as it is.
    pub fn new(message: WireMessage, key: Option<Arc<WorkerKey>>) -> Self {
        Self { message, key }
    }

    /// What its reply is matched by.
    pub fn correlation_id(&self) -> Option<&str> {
        self.message.correlation_id.as_deref()
    }

    /// The message as it is sent, its reply to go to this address.
    pub fn addressed(self, reply_to: &str) -> WireMessage {
        let Self { mut message, key } = self;
        message.reply_to = Some(reply_to.to_owned());
        match key {
            None => message,
            Some(key) => {
                let proof = key.prove(&Statement::of_call(&message));
                message.with_header(HEADER_PROOF, proof.to_string())
            }
        }
    }
}

impl From<WireMessage> for OutgoingCall {
    /// A call that nobody signs.
    fn from(message: WireMessage) -> Self {
        Self::new(message, None)
    }
}

impl EventKind {
    /// What the message says that it is.
    pub fn of(message: &WireMessage) -> Self {
        if message.header(HEADER_TAKEOVER).is_some() { Self::Takeover } else { Self::Told }
    }
}

impl TurnSeal {
    /// The seal of this key for the turn that `dispatch` brought.
    pub fn new(key: Option<Arc<WorkerKey>>, dispatch: &WireMessage) -> Self {
        let token = dispatch.header(HEADER_CTX).unwrap_or_default();
        Self { key, token: TokenHash::of(token) }
    }

    /// The event as it is published.
    pub fn seal(
        &self,
        kind: EventKind,
        event: &TurnEvent,
    ) -> Result<WireMessage, serde_json::Error> {
        let message = event.to_message()?;
        let Some(key) = &self.key else { return Ok(message) };
        let proof = key.prove(&Statement::of_event(kind, self.token, &message.body));
        let message = message.with_header(HEADER_PROOF, proof.to_string());
        Ok(match kind {
            EventKind::Told => message,
            EventKind::Takeover => message.with_header(HEADER_TAKEOVER, key.id().as_str()),
        })
    }

    /// The key that seals; none for a worker that signs nothing.
    pub fn key(&self) -> Option<KeyId> {
        self.key.as_ref().map(|key| key.id())
    }
}
