//! What happened in each turn, and what smelled: written by one task, outside every frame.
//!
//! Whoever sees something puts it into a bounded channel and goes on. The one writer batches what is there into
//! one transaction. It must never be waited for inside a write frame: the frame holds the lock that the writer
//! needs. Lines are kept in the order in which they came.

mod read;
mod security;
mod writer;

#[cfg(test)]
#[path = "tests.rs"]
mod tests_on_postgres;
#[cfg(test)]
#[path = "tests.rs"]
mod tests_on_sqlite;

use std::sync::Arc;

use agent_contract::{EventEndpoint, TurnEvent, TurnEventKind};
use futures_util::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use crate::db::Database;

pub use security::{SecurityLine, Smell};
pub use writer::Writer;

/// How many lines may wait for the writer before those who bring more have to wait.
const ROOM: usize = 4096;

/// Where lines are put. Clones share the writer.
#[derive(Clone)]
pub struct TurnLog {
    database: Database,
    lines: mpsc::Sender<Line>,
}

/// One thing for the writer to keep.
#[derive(Debug)]
enum Line {
    /// An event of a worker, and who waits until it is safe.
    Event(TurnEvent, Option<oneshot::Sender<()>>),
    /// Events that this server saw; they are numbered as they are stored.
    Seen(Vec<TurnEvent>),
    /// A refusal that smells.
    Smelled(SecurityLine),
    /// Everything before this is kept.
    Mark(oneshot::Sender<()>),
}

impl TurnLog {
    /// The log and its writer, which runs until every clone of the log is gone.
    pub fn start(database: &Database) -> (Self, Writer) {
        let (sender, receiver) = mpsc::channel(ROOM);
        let log = Self { database: database.clone(), lines: sender };
        (log, Writer::spawn(database.clone(), receiver))
    }

    /// Keeps what this server saw of a turn. The numbers of the events are not used: the writer gives new ones.
    pub async fn seen(&self, events: Vec<TurnEvent>) {
        if !events.is_empty() {
            self.put(Line::Seen(events)).await;
        }
    }

    /// Keeps a refusal that smells, and says it aloud.
    pub async fn smelled(&self, line: SecurityLine) {
        line.say();
        self.put(Line::Smelled(line)).await;
    }

    /// Waits until everything that was put in before is kept.
    pub async fn settle(&self) {
        let (done, kept) = oneshot::channel();
        self.put(Line::Mark(done)).await;
        // The writer only drops a mark when it stops, and then there is nothing to wait for.
        let _ = kept.await;
    }

    async fn put(&self, line: Line) {
        if self.lines.send(line).await.is_err() {
            tracing::error!("the turn log has no writer any more; a line is lost");
        }
    }
}

impl EventEndpoint for TurnLog {
    /// Returns once the event is kept, or is refused for good, which is said aloud; a piece of text only once it is in line. Losing one to a crash loses no
    /// words: the complete message follows as an event of its own.
    fn receive(&self, event: TurnEvent) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if matches!(event.kind, TurnEventKind::TextDelta { .. }) {
                return self.put(Line::Event(event, None)).await;
            }
            let (done, kept) = oneshot::channel();
            let turn = event.turn_id.clone();
            self.put(Line::Event(event, Some(done))).await;
            if kept.await.is_err() {
                tracing::error!(%turn, "an event was not kept");
            }
        })
    }
}

impl std::fmt::Debug for TurnLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TurnLog").finish_non_exhaustive()
    }
}

/// Several endpoints for one stream of events, one after the other.
#[derive(Clone)]
pub struct Everywhere(pub Vec<Arc<dyn EventEndpoint>>);

impl EventEndpoint for Everywhere {
    fn receive(&self, event: TurnEvent) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            for endpoint in &self.0 {
                endpoint.receive(event.clone()).await;
            }
        })
    }
}

impl std::fmt::Debug for Everywhere {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Everywhere").field(&self.0.len()).finish()
    }
}
