//! Conversations as the server keeps them: threads, their turns and messages, and what they wait for.
//!
//! A row is reached through its [`Owner`]: another person's conversation, of whatever school, is one that
//! does not exist. Nothing here is audited, for it is the server's own bookkeeping; nothing here is a
//! school's record either, and the frames that are used could not reach one.

mod answer;
mod begin;
mod forget;
mod progress;
mod rows;

use agent_contract::{HistoryMessage, SchoolId, ThreadId, Timestamp, TurnId, UserId, UserPart};

pub(crate) use self::answer::Resumption;
pub(crate) use self::begin::NewTurn;
pub(crate) use self::progress::Ended;
pub use self::rows::Thread;
use self::rows::{MessageRow, ThreadRow, TurnRow};
pub(crate) use self::rows::{Turn, TurnState};
use super::OverLimit;
use crate::db::{Database, DbError, SystemFrame, statements::chat, values};
use crate::files::{FileFault, FileLimits, Files};

/// The conversations of every school.
#[derive(Clone, Debug)]
pub struct Threads {
    database: Database,
}

/// Whose conversations are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The school.
    pub school: SchoolId,
    /// The account.
    pub account: UserId,
}

/// Why a conversation cannot go on as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThreadError {
    /// It does not exist, or is somebody else's, which is the same.
    #[error("there is no such conversation")]
    NotFound,
    /// A turn runs.
    #[error("Rover is still working on your last message; wait for it, or stop it first")]
    Busy,
    /// An answer came, and nothing was asked.
    #[error("Rover is not waiting for this answer any more")]
    NothingAsked,
    /// The person or the school had so much for now.
    #[error(transparent)]
    OverLimit(#[from] OverLimit),
    /// A file on the message is not there.
    #[error(transparent)]
    File(#[from] FileFault),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbError),
}

impl Threads {
    /// Where they are.
    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// The conversations in this database.
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// The files beside them.
    pub(crate) fn files(&self, limits: FileLimits) -> Files {
        Files::new(self.database.clone(), limits)
    }

    /// A person's conversations, the latest first.
    pub async fn list(&self, owner: &Owner) -> Result<Vec<Thread>, DbError> {
        let values = values![owner.school.as_str(), owner.account.as_str()];
        let rows: Vec<ThreadRow> =
            self.database.system_read().await?.all(chat::THREADS_OF, values).await?;
        rows.into_iter().map(Thread::try_from).collect()
    }

    /// The turns of a person's conversation in order, each with what the person wrote first.
    pub(crate) async fn turns(
        &self,
        owner: &Owner,
        thread: &ThreadId,
    ) -> Result<Vec<(Turn, Vec<UserPart>)>, ThreadError> {
        let mut frame = self.database.system_read().await?;
        let values = values![owner.school.as_str(), thread.as_str(), owner.account.as_str()];
        let found: Option<ThreadRow> = frame.optional(chat::THREAD_OF, values).await?;
        found.ok_or(ThreadError::NotFound)?;
        let values = || values![owner.school.as_str(), thread.as_str()];
        let turns: Vec<TurnRow> = frame.all(chat::TURNS_OF_THREAD, values()).await?;
        let words: Vec<MessageRow> = frame.all(chat::WORDS_OF_THREAD, values()).await?;
        let mut turns_with_words = Vec::with_capacity(turns.len());
        for row in turns {
            let said = words.iter().find(|message| message.turn_id == row.id);
            // A turn that was answered again has no words any more: they are the later turn's.
            let Some(said) = said else { continue };
            let HistoryMessage::User { parts } = said.read()? else { continue };
            turns_with_words.push((Turn::try_from(row)?, parts));
        }
        Ok(turns_with_words)
    }

    /// The turns of a person's conversation and the messages that it holds; none where there is no such conversation.
    pub(crate) async fn said(
        &self,
        owner: &Owner,
        thread: &ThreadId,
    ) -> Result<(Vec<Turn>, Vec<HistoryMessage>), DbError> {
        let mut frame = self.database.system_read().await?;
        let values = values![owner.school.as_str(), thread.as_str(), owner.account.as_str()];
        let found: Option<ThreadRow> = frame.optional(chat::THREAD_OF, values).await?;
        if found.is_none() {
            return Ok((Vec::new(), Vec::new()));
        }
        let values = values![owner.school.as_str(), thread.as_str()];
        let turns: Vec<TurnRow> = frame.all(chat::TURNS_OF_THREAD, values).await?;
        let turns = turns.into_iter().map(Turn::try_from).collect::<Result<_, _>>()?;
        Ok((turns, history(&mut frame, owner, thread, None).await?))
    }

    /// A turn by its id, whoever's it is: for events, which are the worker's word and name nobody.
    pub(crate) async fn turn(&self, turn: &TurnId) -> Result<Option<Turn>, DbError> {
        let mut frame = self.database.system_read().await?;
        let row: Option<TurnRow> = frame.optional(chat::TURN, values![turn.as_str()]).await?;
        row.map(Turn::try_from).transpose()
    }

    /// A person's turn by its id, with what they wrote.
    pub(crate) async fn own_turn(
        &self,
        owner: &Owner,
        turn: &TurnId,
    ) -> Result<Option<(Turn, String)>, DbError> {
        let mut frame = self.database.system_read().await?;
        let row: Option<TurnRow> = frame.optional(chat::TURN, values![turn.as_str()]).await?;
        // Whose it is comes first: what is wrong with another's row is nobody else's to hear.
        let Some(row) = row.filter(|row| row.belongs_to(owner)) else { return Ok(None) };
        let turn = Turn::try_from(row)?;
        let words = first_words(&mut frame, &turn).await?;
        Ok(Some((turn, words)))
    }

    /// The turn of a person's conversation that runs or waits.
    pub(crate) async fn unfinished(
        &self,
        owner: &Owner,
        thread: &ThreadId,
    ) -> Result<Option<Turn>, DbError> {
        let mut frame = self.database.system_read().await?;
        unfinished(&mut frame, owner, thread).await
    }

    /// Every turn that runs, of every school: at a start, when those that ran here run no more.
    pub(crate) async fn open(&self) -> Result<Vec<Turn>, DbError> {
        let mut frame = self.database.system_read().await?;
        let rows: Vec<TurnRow> = frame.all(chat::OPEN_TURNS, values![]).await?;
        rows.into_iter().map(Turn::try_from).collect()
    }

    /// Every turn that should have come to its end by `now`.
    pub(crate) async fn overdue(&self, now: Timestamp) -> Result<Vec<Turn>, DbError> {
        let mut frame = self.database.system_read().await?;
        let values = values![now.instant().as_microsecond()];
        let rows: Vec<TurnRow> = frame.all(chat::OVERDUE_TURNS, values).await?;
        rows.into_iter().map(Turn::try_from).collect()
    }

    /// Whether the person asked a turn to stop.
    pub(crate) async fn is_stopping(&self, turn: &TurnId) -> Result<bool, DbError> {
        let mut frame = self.database.system_read().await?;
        let asked: Option<Asked> = frame.optional(chat::STOP_ASKED, values![turn.as_str()]).await?;
        Ok(asked.is_some_and(|asked| asked.stop_asked_at_us.is_some()))
    }

    /// Lets a running turn change nothing from `now` on, and gives it no longer than until `deadline`.
    pub(crate) async fn stop(
        &self,
        turn: &TurnId,
        now: Timestamp,
        deadline: Timestamp,
    ) -> Result<(), DbError> {
        let mut frame = self.database.system_write().await?;
        let (now, deadline) = (now.instant().as_microsecond(), deadline.instant().as_microsecond());
        frame.execute(chat::STOP_TURN, values![turn.as_str(), now, deadline]).await?;
        frame.commit().await
    }
}

#[derive(sqlx::FromRow)]
struct Asked {
    stop_asked_at_us: Option<i64>,
}

async fn unfinished(
    frame: &mut SystemFrame,
    owner: &Owner,
    thread: &ThreadId,
) -> Result<Option<Turn>, DbError> {
    let values = values![owner.school.as_str(), thread.as_str(), owner.account.as_str()];
    let row: Option<TurnRow> = frame.optional(chat::UNFINISHED_TURN, values).await?;
    row.map(Turn::try_from).transpose()
}

/// The conversation before a turn, or all of it.
async fn history(
    frame: &mut SystemFrame,
    owner: &Owner,
    thread: &ThreadId,
    before: Option<&TurnId>,
) -> Result<Vec<HistoryMessage>, DbError> {
    let before = before.map(TurnId::as_str);
    let values = values![owner.school.as_str(), thread.as_str(), before];
    let rows: Vec<MessageRow> = frame.all(chat::HISTORY, values).await?;
    rows.iter().map(MessageRow::read).collect()
}

async fn first_words(frame: &mut SystemFrame, turn: &Turn) -> Result<String, DbError> {
    let values = values![turn.owner.school.as_str(), turn.id.as_str()];
    let row: Option<MessageRow> = frame.optional(chat::FIRST_WORDS, values).await?;
    Ok(row.map(|row| row.read()).transpose()?.map(words_of).unwrap_or_default())
}

fn words_of(message: HistoryMessage) -> String {
    let HistoryMessage::User { parts } = message else { return String::new() };
    let texts = parts.into_iter().filter_map(|part| match part {
        UserPart::Text { text } => Some(text),
        UserPart::Attachment { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
