//! Tells what happens in a turn, in order.
//!
//! Numbers go up by one with each event, and an event is out before the next one gets its number,
//! so that what a reader sees is what happened. When an event cannot be passed on the turn ends.

use std::fmt;
use std::sync::Arc;

use agent_contract::{EventTransport, Hop, Timestamp, TurnEvent, TurnEventKind, TurnId};
use tokio::sync::Mutex;

use crate::engine::Unheard;

/// Publishes the events of one turn.
pub struct Narrator {
    turn: TurnId,
    events: Arc<dyn EventTransport>,
    next: Mutex<u64>,
}

impl Narrator {
    /// A narrator whose first event has the number `first`.
    pub fn new(turn: TurnId, first: u64, events: Arc<dyn EventTransport>) -> Self {
        Self { turn, events, next: Mutex::new(first) }
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
        self.events.publish(event).await.map_err(|error| {
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

impl fmt::Debug for Narrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Narrator").field("turn", &self.turn).finish_non_exhaustive()
    }
}
