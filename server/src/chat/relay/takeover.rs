//! A turn whose worker was lost, and the worker that takes it over.

use std::time::Duration;

use agent_contract::{
    EndReason, MOST_TAKEOVERS, ProgressQuestion, TakeAnswer, Timestamp, ToldMessage, TurnEventKind,
    TurnId, TurnProgress,
};

use super::Relay;
use crate::db::DbError;

/// How often it is looked whether the event that says so is kept.
const LOOKING: Duration = Duration::from_millis(20);

/// What is said of a turn that lost every worker that had it.
const LOST_TOO_OFTEN: &str = "Rover was interrupted again and again while it worked on this, and gave it up. Check what was done, then ask again.";

impl Relay {
    /// Lets one more worker take a turn over. One that was lost too often ends here: what loses so many workers would
    /// lose the next.
    pub(crate) async fn take_over(&self, turn: &TurnId) -> Result<TakeAnswer, DbError> {
        match self.threads.take_over(turn).await? {
            None => Ok(TakeAnswer::Over),
            Some(takeover) if takeover > MOST_TAKEOVERS => {
                tracing::error!(%turn, takeover, "a turn lost one worker after the other and is ended");
                let _ = self.end(turn, EndReason::WorkerLost, Some(LOST_TOO_OFTEN)).await?;
                Ok(TakeAnswer::Over)
            }
            Some(takeover) => Ok(TakeAnswer::Yours { takeover }),
        }
    }

    /// How far a turn came before it was taken over; none if the event that says that it was is not kept until `deadline`.
    /// Events are kept one after the other, so all that the lost worker got out is kept by then.
    pub(crate) async fn progress(
        &self,
        turn: &TurnId,
        question: ProgressQuestion,
        deadline: Timestamp,
    ) -> Result<Option<TurnProgress>, DbError> {
        while !self.log.holds(turn, question.mark).await? {
            if deadline.remaining() <= LOOKING {
                return Ok(None);
            }
            tokio::time::sleep(LOOKING).await;
        }
        let events = self.log.messages(turn, question.since..question.mark).await?;
        let told = events.into_iter().filter_map(|event| match event.kind {
            TurnEventKind::Message { message } => Some(ToldMessage { task: None, message }),
            TurnEventKind::SubagentMessage { call_id, message } => {
                Some(ToldMessage { task: Some(call_id), message })
            }
            _ => None,
        });
        let told = told.collect();
        Ok(Some(TurnProgress { stopping: self.threads.is_stopping(turn).await?, told }))
    }
}
