//! Reading a turn back: each lane in its own order, the lanes among each other by the clock.

use agent_contract::{Hop, TurnEvent, TurnId};
use sqlx::FromRow;

use super::TurnLog;
use crate::db::{DbError, statements::turn_log, values};

#[derive(FromRow)]
struct EventRow {
    hop: String,
    seq: i64,
    json: String,
}

impl TurnLog {
    /// Every event of a turn that reached this server so far, in order and without doubles.
    pub async fn events(&self, turn: &TurnId) -> Result<Vec<TurnEvent>, DbError> {
        self.settle().await;
        let mut frame = self.database.system_read().await?;
        let rows: Vec<EventRow> =
            frame.all(turn_log::EVENTS_OF_TURN, values![turn.as_str()]).await?;
        let (mut worker, mut server) = (Vec::new(), Vec::new());
        for row in rows {
            if row.hop == Hop::Server.as_str() {
                server.extend(numbered(&row)?);
            } else {
                worker.extend(run(&row)?);
            }
        }
        worker.sort_by_key(|event| event.seq);
        worker.dedup_by_key(|event| event.seq);
        Ok(merged(server, worker))
    }
}

impl TurnLog {
    /// Whether the worker's event of this number is kept, by whichever server.
    pub(crate) async fn holds(&self, turn: &TurnId, seq: u64) -> Result<bool, DbError> {
        let mut frame = self.database.system_read().await?;
        let values = values![turn.as_str(), number(seq)?];
        let found: Option<Kept> = frame.optional(turn_log::WORKER_EVENT_KEPT, values).await?;
        Ok(found.is_some())
    }

    /// The messages that a turn's worker completed, Rover's and those of other agents, among these numbers.
    pub(crate) async fn messages(
        &self,
        turn: &TurnId,
        numbers: std::ops::Range<u64>,
    ) -> Result<Vec<TurnEvent>, DbError> {
        let mut frame = self.database.system_read().await?;
        let values = values![turn.as_str(), number(numbers.start)?, number(numbers.end)?];
        let rows: Vec<EventRow> = frame.all(turn_log::TOLD_MESSAGES, values).await?;
        let events = rows.iter().map(run).collect::<Result<Vec<_>, _>>()?;
        Ok(events.into_iter().flatten().collect())
    }
}

#[derive(FromRow)]
struct Kept {
    #[expect(dead_code, reason = "only asked whether there is a row")]
    seq: i64,
}

fn number(seq: u64) -> Result<i64, DbError> {
    i64::try_from(seq).map_err(|_| DbError::Stored("an event's number is out of range"))
}

/// An event of the server lane gets the number under which it was stored.
fn numbered(row: &EventRow) -> Result<Vec<TurnEvent>, DbError> {
    let seq = u64::try_from(row.seq).map_err(|_| unreadable())?;
    let mut events = run(row)?;
    for event in &mut events {
        event.seq = seq;
    }
    Ok(events)
}

fn run(row: &EventRow) -> Result<Vec<TurnEvent>, DbError> {
    if row.json.starts_with('[') {
        serde_json::from_str(&row.json).map_err(|_| unreadable())
    } else {
        serde_json::from_str(&row.json).map(|event| vec![event]).map_err(|_| unreadable())
    }
}

fn unreadable() -> DbError {
    DbError::Stored("an event of a turn cannot be read")
}

/// Takes whichever lane is earlier by the clock, and never reorders a lane: clocks of two machines may differ.
fn merged(server: Vec<TurnEvent>, worker: Vec<TurnEvent>) -> Vec<TurnEvent> {
    let mut events = Vec::with_capacity(server.len() + worker.len());
    let (mut server, mut worker) = (server.into_iter().peekable(), worker.into_iter().peekable());
    loop {
        let next = match (server.peek(), worker.peek()) {
            (Some(seen), Some(done)) if seen.at < done.at => server.next(),
            (Some(_), None) => server.next(),
            _ => worker.next(),
        };
        match next {
            Some(event) => events.push(event),
            None => return events,
        }
    }
}
