//! Tells what happens in a turn, in order.
//!
//! Numbers go up by one with each event, and an event is out before the next one gets its number,
//! so that what a reader sees is what happened. When an event cannot be passed on the turn ends.

use std::fmt;
use std::sync::Arc;

use agent_contract::{
    EventKind, EventTransport, Hop, Timestamp, TransportError, TurnEvent, TurnEventKind, TurnId,
    TurnSeal,
};
use tokio::sync::Mutex;

use crate::engine::Unheard;

/// Publishes the events of one turn.
pub struct Narrator {
    turn: TurnId,
    events: Arc<dyn EventTransport>,
    seal: TurnSeal,
    next: Mutex<u64>,
    kind: EventKind,
}

impl Narrator {
    /// A narrator whose first event has the number `first`, and whose events are sealed for this run of the turn.
    pub fn new(turn: TurnId, first: u64, events: Arc<dyn EventTransport>, seal: TurnSeal) -> Self {
        Self { turn, events, seal, next: Mutex::new(first), kind: EventKind::Told }
    }

    /// The same narrator of a turn that another worker had, and lost. All that it tells says so: the first of it that
    /// arrives makes the turn this worker's.
    #[must_use]
    pub fn taking_over(self) -> Self {
        Self { kind: EventKind::Takeover, ..self }
    }

    /// The turn that it tells of.
    pub fn turn(&self) -> &TurnId {
        &self.turn
    }

    /// Publishes an event of `hop`; returns once it is safe.
    pub async fn tell(&self, hop: Hop, kind: TurnEventKind) -> Result<(), Unheard> {
        let mut next = self.next.lock().await;
        let event =
            TurnEvent { turn_id: self.turn.clone(), seq: *next, at: Timestamp::now(), hop, kind };
        *next = next.saturating_add(1);
        publish(&*self.events, &self.seal, self.kind, &event).await.map_err(|error| {
            tracing::warn!(turn = %self.turn, %error, "an event could not be published");
            Unheard
        })
    }

    /// Publishes an event of the worker that nothing depends on: if it is lost, the next one that
    /// matters will end the turn.
    pub async fn mention(&self, kind: TurnEventKind) {
        let _ = self.tell(Hop::Worker, kind).await;
    }
}

/// Publishes an event under its seal. One that cannot be written as JSON went nowhere.
pub(crate) async fn publish(
    events: &dyn EventTransport,
    seal: &TurnSeal,
    kind: EventKind,
    event: &TurnEvent,
) -> Result<(), TransportError> {
    let Ok(message) = seal.seal(kind, event) else { return Err(TransportError::Unanswered) };
    events.publish(message).await
}

impl fmt::Debug for Narrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Narrator").field("turn", &self.turn).finish_non_exhaustive()
    }
}
