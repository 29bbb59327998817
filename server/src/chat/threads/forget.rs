//! Conversations that are no longer kept: because their person deletes them, or because nobody wrote in them for long.
//!
//! A conversation goes turn by turn, each in a transaction of its own, so that nobody waits long for a write; what is left
//! half-way goes the next time. What a turn changed in the school stays, and so does its audit row.

use agent_contract::{ThreadId, Timestamp};
use sqlx::FromRow;

use super::{Owner, ThreadError, ThreadRow, Threads};
use crate::db::{DbError, statements::chat, values};

/// A conversation, by its school and id.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub(crate) struct Place {
    pub(crate) school_id: String,
    pub(crate) id: String,
}

#[derive(FromRow)]
struct TurnId {
    id: String,
}

impl Threads {
    /// Deletes a person's conversation with all that was said and done in it. None of its turns may run.
    pub(crate) async fn forget(&self, owner: &Owner, thread: &ThreadId) -> Result<(), ThreadError> {
        let mut frame = self.database.system_read().await?;
        let values = values![owner.school.as_str(), thread.as_str(), owner.account.as_str()];
        let found: Option<ThreadRow> = frame.optional(chat::THREAD_OF, values).await?;
        drop(frame);
        found.ok_or(ThreadError::NotFound)?;
        let (school_id, id) = (owner.school.to_string(), thread.to_string());
        Ok(self.forget_at(&Place { school_id, id }).await?)
    }

    /// Some conversations in which nobody wrote since then and no turn runs, of every school.
    pub(crate) async fn stale(&self, since: Timestamp) -> Result<Vec<Place>, DbError> {
        let mut frame = self.database.system_read().await?;
        frame.all(chat::STALE_THREADS, values![since.instant().as_microsecond()]).await
    }

    /// Every conversation of an account.
    pub(crate) async fn all_of(&self, owner: &Owner) -> Result<Vec<ThreadId>, DbError> {
        let mut frame = self.database.system_read().await?;
        let values = values![owner.school.as_str(), owner.account.as_str()];
        let rows: Vec<Place> = frame.all(chat::EVERY_THREAD_OF, values).await?;
        let odd = |_| DbError::Stored("a thread without an id");
        rows.into_iter().map(|row| ThreadId::new(row.id).map_err(odd)).collect()
    }

    pub(crate) async fn forget_at(&self, place: &Place) -> Result<(), DbError> {
        let (school, thread) = (place.school_id.as_str(), place.id.as_str());
        loop {
            let mut frame = self.database.system_write().await?;
            let next: Option<TurnId> =
                frame.optional(chat::ANY_TURN_OF, values![school, thread]).await?;
            let Some(turn) = next else {
                frame.execute(chat::DELETE_THREAD, values![school, thread]).await?;
                return frame.commit().await;
            };
            for statement in chat::DELETE_TURN {
                frame.execute(statement, values![school, &turn.id]).await?;
            }
            frame.commit().await?;
        }
    }
}
