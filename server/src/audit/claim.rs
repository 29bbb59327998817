//! A call happens once. The first delivery claims its id; every later one is told what came of it.
//!
//! The outcome is given back only to the same person, for the same event with the same arguments:
//! to anyone else it would be a leak, and with other arguments it would be an answer to another
//! question.

use agent_contract::{CallId, ToolError};
use jiff::Timestamp;
use sqlx::FromRow;

use super::StoredOutcome;
use crate::db::{DbError, Frame as _, WriteFrame, statements::audit, values};

/// What identifies a call: its id, and what must not differ when the id comes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Id of the call.
    pub id: CallId,
    /// User id of the person who acts.
    pub actor: String,
    /// The event, or what a controller does in its place.
    pub event: String,
    /// Hash of the arguments after repair and of the scope.
    pub args_hash: String,
}

/// What became of a claim.
#[derive(Debug)]
pub enum Claimed {
    /// The call is new and ours; it is given up when the frame is dropped.
    New(Ticket),
    /// The call was done before; this is what came of it.
    Replay(StoredOutcome),
}

/// Proof that a call was claimed in an open frame. It is spent on the audit entry.
#[derive(Debug)]
pub struct Ticket(pub(super) Call);

/// Why a call could not be claimed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The id belongs to another call.
    #[error("call id {0} was used for another call; nothing was done")]
    Taken(CallId),
    /// The call was done and its outcome is no longer kept.
    #[error("this call was already carried out")]
    Forgotten,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbError),
}

impl From<ClaimError> for ToolError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Database(error) => error.into(),
            other => Self::Conflict(other.to_string()),
        }
    }
}

#[derive(FromRow)]
struct Earlier {
    actor: String,
    event: String,
    args_hash: String,
    outcome: Option<String>,
}

impl WriteFrame {
    /// Claims a call, or finds what came of it. While a twin is in flight this waits for its end.
    pub async fn claim(&self, call: Call) -> Result<Claimed, ClaimError> {
        let mut db = self.session().lock().await;
        let values = values![
            db.school(),
            call.id.as_str(),
            &call.actor,
            &call.event,
            &call.args_hash,
            Timestamp::now().as_microsecond(),
        ];
        if db.execute(audit::CLAIM_CALL, values).await? == 1 {
            return Ok(Claimed::New(Ticket(call)));
        }
        let earlier: Earlier = db
            .optional(audit::CLAIMED_CALL, values![call.id.as_str()])
            .await?
            .ok_or(DbError::Stored("a claimed call is missing"))?;
        if earlier.actor != call.actor
            || earlier.event != call.event
            || earlier.args_hash != call.args_hash
        {
            return Err(ClaimError::Taken(call.id));
        }
        earlier
            .outcome
            .map(|json| Claimed::Replay(StoredOutcome::stored(json)))
            .ok_or(ClaimError::Forgotten)
    }
}
