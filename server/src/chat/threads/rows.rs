//! Rows of conversations, and what they say once read.

use agent_contract::{
    AgentRunMode, EndReason, HistoryMessage, SchoolId, ThreadId, Timestamp, TurnEvent, TurnId,
    UserId,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sqlx::FromRow;

use super::Owner;
use crate::db::DbError;

/// A conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Its id.
    pub id: ThreadId,
    /// What it is about: the beginning of its first message.
    pub title: String,
    /// When somebody last wrote in it.
    pub updated_at: Timestamp,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Its id.
    pub(crate) id: TurnId,
    /// The conversation.
    pub(crate) thread: ThreadId,
    /// Whose it is.
    pub(crate) owner: Owner,
    /// How far it is.
    pub(crate) state: TurnState,
    /// School, or the campus as it was called when the turn began.
    pub(crate) run_mode: AgentRunMode,
    /// When it began.
    pub(crate) opened: Timestamp,
    /// The number of the first event of the run in hand.
    pub(crate) first_seq: u64,
}

/// How far a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnState {
    /// It runs.
    Open,
    /// It waits for the person.
    Waiting,
    /// It is over.
    Closed(EndReason),
}

#[derive(Debug, FromRow)]
pub(super) struct ThreadRow {
    id: String,
    title: String,
    updated_at_us: i64,
}

#[derive(Debug, FromRow)]
pub(super) struct TurnRow {
    school_id: String,
    pub(super) id: String,
    thread_id: String,
    account_id: String,
    state: String,
    end_reason: Option<String>,
    run_mode: String,
    opened_at_us: i64,
    first_seq: i64,
}

impl TurnRow {
    /// Whether it is this person's, which can be said without reading the rest.
    pub(super) fn belongs_to(&self, owner: &Owner) -> bool {
        self.school_id == owner.school.as_str() && self.account_id == owner.account.as_str()
    }
}

#[derive(Debug, FromRow)]
pub(super) struct MessageRow {
    pub(super) turn_id: String,
    role: String,
    parts: String,
}

#[derive(Debug, FromRow)]
pub(super) struct QuestionRow {
    pub(super) id: String,
    options: String,
    checkpoint: String,
}

impl Turn {
    /// Whether an event belongs to a run of before: it is void.
    pub(crate) fn is_past(&self, event: &TurnEvent) -> bool {
        event.seq < self.first_seq
    }
}

impl TryFrom<ThreadRow> for Thread {
    type Error = DbError;

    fn try_from(row: ThreadRow) -> Result<Self, DbError> {
        Ok(Self {
            id: ThreadId::new(row.id).map_err(|_| odd("a thread without an id"))?,
            title: row.title,
            updated_at: moment(row.updated_at_us)?,
        })
    }
}

impl TryFrom<TurnRow> for Turn {
    type Error = DbError;

    fn try_from(row: TurnRow) -> Result<Self, DbError> {
        let empty = |_| odd("a turn with an empty id");
        let state = match (row.state.as_str(), row.end_reason) {
            ("open", None) => TurnState::Open,
            ("waiting", None) => TurnState::Waiting,
            ("closed", Some(reason)) => {
                let reason = serde_json::from_value(Value::String(reason));
                TurnState::Closed(reason.map_err(|_| odd("a turn that ended for no known reason"))?)
            }
            _ => return Err(odd("a turn in no known state")),
        };
        Ok(Self {
            id: TurnId::new(row.id).map_err(empty)?,
            thread: ThreadId::new(row.thread_id).map_err(empty)?,
            owner: Owner {
                school: SchoolId::new(row.school_id).map_err(empty)?,
                account: UserId::new(row.account_id).map_err(empty)?,
            },
            state,
            run_mode: read(&row.run_mode)?,
            opened: moment(row.opened_at_us)?,
            first_seq: u64::try_from(row.first_seq).map_err(|_| odd("a negative number"))?,
        })
    }
}

impl MessageRow {
    pub(super) fn read(&self) -> Result<HistoryMessage, DbError> {
        let parts: Value = read(&self.parts)?;
        serde_json::from_value(json!({ "role": self.role, "parts": parts }))
            .map_err(|_| odd("a message that cannot be read"))
    }
}

impl QuestionRow {
    /// The answers to choose from; none for a call that asks for approval.
    pub(super) fn options(&self) -> Result<Option<Vec<String>>, DbError> {
        read(&self.options)
    }

    pub(super) fn checkpoint(&self) -> Result<Value, DbError> {
        read(&self.checkpoint)
    }
}

/// A role and parts as a row keeps them.
pub(super) fn stored(message: &HistoryMessage) -> Result<(String, String), DbError> {
    let unwritable = || odd("a message that cannot be written");
    let mut json = serde_json::to_value(message).map_err(|_| unwritable())?;
    let role = json.get("role").and_then(Value::as_str).ok_or_else(unwritable)?.to_owned();
    Ok((role, json.get_mut("parts").map(Value::take).unwrap_or_default().to_string()))
}

/// A count as a row keeps it.
pub(super) fn number(seq: u64) -> Result<i64, DbError> {
    i64::try_from(seq).map_err(|_| odd("an event's number is out of range"))
}

fn moment(microseconds: i64) -> Result<Timestamp, DbError> {
    let instant = jiff::Timestamp::from_microsecond(microseconds).ok();
    instant.and_then(|instant| instant.try_into().ok()).ok_or_else(|| odd("a moment out of range"))
}

fn read<T: DeserializeOwned>(json: &str) -> Result<T, DbError> {
    serde_json::from_str(json).map_err(|_| odd("JSON of another shape"))
}

fn odd(what: &'static str) -> DbError {
    DbError::Stored(what)
}
