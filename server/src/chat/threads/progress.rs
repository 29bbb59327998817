//! What a worker's events change: messages join the conversation, questions open, turns end.
//!
//! An event may come twice, and after its run is over; then it changes nothing.

use agent_contract::{EndReason, HistoryMessage, Timestamp, TurnEvent, TurnEventKind, TurnId};
use serde_json::Value;
use sqlx::FromRow;

use super::{Threads, Turn, TurnState, rows};
use crate::db::{DbError, SystemFrame, statements::chat, values};

#[derive(FromRow)]
struct Taken {
    takeovers: i64,
}

/// Whether an event, or the server, ended a turn that was not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "only whoever ended the turn may say so"]
pub(crate) enum Ended {
    /// This did.
    Now,
    /// It was over.
    Before,
}

impl Threads {
    /// Keeps what an event of a worker changes in the conversation.
    pub(crate) async fn keep(&self, turn: &Turn, event: &TurnEvent) -> Result<(), DbError> {
        if matches!(turn.state, TurnState::Closed(_)) || turn.is_past(event) {
            return Ok(());
        }
        match &event.kind {
            TurnEventKind::Message { message } => self.add_message(turn, event, message).await,
            TurnEventKind::Question { call_id, question, options, .. } => {
                let options = options.iter().cloned().map(Value::String).collect();
                self.ask(turn, event, call_id.as_str(), question, options).await
            }
            TurnEventKind::Approval { call_id, summary } => {
                self.ask(turn, event, call_id.as_str(), summary, Value::Null).await
            }
            TurnEventKind::Waiting { checkpoint } => self.keep_checkpoint(turn, checkpoint).await,
            TurnEventKind::Finished { reason, .. } => self.finish(turn, event, *reason).await,
            TurnEventKind::TakenOver { .. } => self.begin_taken_run(turn, event).await,
            _ => Ok(()),
        }
    }

    /// Ends a turn that no worker will end.
    pub(crate) async fn close(
        &self,
        turn: &TurnId,
        reason: EndReason,
        now: Timestamp,
    ) -> Result<Ended, DbError> {
        let mut frame = self.database.system_write().await?;
        let ended = close(&mut frame, turn, reason, now).await?;
        frame.commit().await?;
        Ok(ended)
    }

    /// Counts one more worker that takes a running turn over; none if the turn does not run.
    pub(crate) async fn take_over(&self, turn: &TurnId) -> Result<Option<u32>, DbError> {
        let mut frame = self.database.system_write().await?;
        let taken: Option<Taken> = frame.optional(chat::TAKE_TURN, values![turn.as_str()]).await?;
        frame.commit().await?;
        Ok(taken.map(|taken| u32::try_from(taken.takeovers).unwrap_or(u32::MAX)))
    }

    async fn begin_taken_run(&self, turn: &Turn, event: &TurnEvent) -> Result<(), DbError> {
        let mut frame = self.database.system_write().await?;
        let values = values![turn.id.as_str(), rows::number(event.seq)?];
        frame.execute(chat::BEGIN_TAKEN_RUN, values).await?;
        frame.commit().await
    }

    async fn add_message(
        &self,
        turn: &Turn,
        event: &TurnEvent,
        message: &HistoryMessage,
    ) -> Result<(), DbError> {
        let (role, parts) = rows::stored(message)?;
        let values = values![
            turn.owner.school.as_str(),
            format!("{}-{}", turn.id, event.seq),
            turn.thread.as_str(),
            turn.id.as_str(),
            role,
            parts,
            event.at.instant().as_microsecond(),
        ];
        let mut frame = self.database.system_write().await?;
        frame.execute(chat::ADD_MESSAGE, values).await?;
        frame.commit().await
    }

    async fn ask(
        &self,
        turn: &Turn,
        event: &TurnEvent,
        call: &str,
        question: &str,
        options: Value,
    ) -> Result<(), DbError> {
        let values = values![
            turn.owner.school.as_str(),
            call,
            turn.id.as_str(),
            question,
            options.to_string(),
            event.at.instant().as_microsecond(),
        ];
        let mut frame = self.database.system_write().await?;
        frame.execute(chat::ADD_QUESTION, values).await?;
        frame.commit().await
    }

    async fn keep_checkpoint(&self, turn: &Turn, checkpoint: &Value) -> Result<(), DbError> {
        let mut frame = self.database.system_write().await?;
        let values = values![turn.id.as_str(), checkpoint.to_string()];
        frame.execute(chat::KEEP_CHECKPOINT, values).await?;
        frame.commit().await
    }

    async fn finish(
        &self,
        turn: &Turn,
        event: &TurnEvent,
        reason: EndReason,
    ) -> Result<(), DbError> {
        let mut frame = self.database.system_write().await?;
        let seq = rows::number(event.seq)?;
        if reason == EndReason::Waiting {
            frame.execute(chat::SUSPEND_TURN, values![turn.id.as_str(), seq]).await?;
        } else {
            let _ = close_run(&mut frame, &turn.id, reason, event.at, seq).await?;
        }
        frame.commit().await
    }
}

/// Ends a turn, whichever run it is in.
pub(super) async fn close(
    frame: &mut SystemFrame,
    turn: &TurnId,
    reason: EndReason,
    now: Timestamp,
) -> Result<Ended, DbError> {
    close_run(frame, turn, reason, now, i64::MAX).await
}

async fn close_run(
    frame: &mut SystemFrame,
    turn: &TurnId,
    reason: EndReason,
    at: Timestamp,
    seq: i64,
) -> Result<Ended, DbError> {
    let Ok(Value::String(word)) = serde_json::to_value(reason) else {
        return Err(DbError::Stored("a reason that cannot be written"));
    };
    let values = values![turn.as_str(), word, at.instant().as_microsecond(), seq];
    let closed = frame.execute(chat::CLOSE_TURN, values).await?;
    Ok(if closed == 1 { Ended::Now } else { Ended::Before })
}
