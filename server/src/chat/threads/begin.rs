//! A new turn: the conversation it belongs to, the person's words, and the right to work on it, in one go.

use std::iter;

use agent_contract::{
    AgentRunMode, Attachment, AttachmentId, EndReason, HistoryMessage, ThreadId, Timestamp,
    TokenHash, TurnId, UserPart,
};

use super::{
    MessageRow, Owner, ThreadError, Threads, TurnState, history, progress, rows, unfinished,
    words_of,
};
use crate::{
    chat::{Trigger, TurnLimits, limits},
    db::{DbError, SystemFrame, statements::chat, values},
    files,
    identity::RunToken,
};

/// As many characters as a title has.
const TITLE: usize = 60;

/// What a turn begins with.
#[derive(Debug)]
pub(crate) struct NewTurn<'a> {
    pub(crate) id: &'a TurnId,
    pub(crate) text: &'a str,
    /// Files that the person uploaded.
    pub(crate) files: &'a [AttachmentId],
    pub(crate) trigger: Trigger,
    pub(crate) run_mode: &'a AgentRunMode,
    pub(crate) token: &'a RunToken,
    pub(crate) deadline: Timestamp,
    pub(crate) limits: &'a TurnLimits,
}

/// A turn that has begun.
#[derive(Debug)]
pub(crate) struct Begun {
    /// The conversation before it.
    pub(crate) history: Vec<HistoryMessage>,
    /// The files on the message.
    pub(crate) attachments: Vec<Attachment>,
    /// A turn that waited for an answer and got this message in its place; it is over.
    pub(crate) superseded: Option<TurnId>,
}

impl Threads {
    /// Begins a turn, and its conversation if that is new. One conversation has one running turn.
    pub(crate) async fn begin(
        &self,
        owner: &Owner,
        thread: &ThreadId,
        new: NewTurn<'_>,
    ) -> Result<Begun, ThreadError> {
        let now = Timestamp::now();
        let mut frame = self.database.system_write().await?;
        if let Some(over) = limits::admit(&mut frame, owner, new.limits, now).await? {
            return Err(over.into());
        }
        hold(&mut frame, owner, thread, new.text, now).await?;

        let superseded = match unfinished(&mut frame, owner, thread).await? {
            Some(turn) if turn.state == TurnState::Open => return Err(ThreadError::Busy),
            Some(turn) => {
                let _ = progress::close(&mut frame, &turn.id, EndReason::Superseded, now).await?;
                Some(turn.id)
            }
            None => None,
        };
        if new.trigger == Trigger::RegenerateMessage {
            retract(&mut frame, owner, thread, new.text).await?;
        }
        let history = history(&mut frame, owner, thread, None).await?;
        let attachments = add(&mut frame, owner, thread, &new, now).await?;
        frame.commit().await?;
        Ok(Begun { history, attachments, superseded })
    }
}

/// Makes the conversation if it is new, and keeps every other post to it waiting until this one is through.
async fn hold(
    frame: &mut SystemFrame,
    owner: &Owner,
    thread: &ThreadId,
    text: &str,
    now: Timestamp,
) -> Result<(), ThreadError> {
    let (school, account) = (owner.school.as_str(), owner.account.as_str());
    let now = now.instant().as_microsecond();
    let values = values![school, thread.as_str(), account, title(text), now];
    frame.execute(chat::ADD_THREAD, values).await?;
    let values = values![school, thread.as_str(), account, now];
    match frame.execute(chat::HOLD_THREAD, values).await? {
        1 => Ok(()),
        _ => Err(ThreadError::NotFound),
    }
}

/// Takes the last exchange out of the conversation if these words began it: its turn is answered again. What
/// happened in it stays in the turn log.
async fn retract(
    frame: &mut SystemFrame,
    owner: &Owner,
    thread: &ThreadId,
    text: &str,
) -> Result<(), DbError> {
    let school = owner.school.as_str();
    let words: Vec<MessageRow> =
        frame.all(chat::WORDS_OF_THREAD, values![school, thread.as_str()]).await?;
    let Some(last) = words.last() else { return Ok(()) };
    if words_of(last.read()?) == text {
        frame.execute(chat::RETRACT_TURN, values![school, &last.turn_id]).await?;
    }
    Ok(())
}

async fn add(
    frame: &mut SystemFrame,
    owner: &Owner,
    thread: &ThreadId,
    new: &NewTurn<'_>,
    now: Timestamp,
) -> Result<Vec<Attachment>, ThreadError> {
    let run_mode = serde_json::to_string(new.run_mode)
        .map_err(|_| DbError::Stored("a run mode that cannot be written"))?;
    let values = values![
        owner.school.as_str(),
        new.id.as_str(),
        thread.as_str(),
        owner.account.as_str(),
        run_mode,
        now.instant().as_microsecond(),
        new.deadline.instant().as_microsecond(),
    ];
    frame.execute(chat::ADD_TURN, values).await?;

    let attachments = files::attach(frame, owner, (thread, new.id), new.files).await?;
    let text = UserPart::Text { text: new.text.to_owned() };
    let named = attachments.iter().cloned();
    let named = named.map(|attachment| UserPart::Attachment { attachment });
    let message = HistoryMessage::User { parts: iter::once(text).chain(named).collect() };
    let (role, parts) = rows::stored(&message)?;
    let values = values![
        owner.school.as_str(),
        format!("{}-said", new.id),
        thread.as_str(),
        new.id.as_str(),
        role,
        parts,
        now.instant().as_microsecond(),
    ];
    frame.execute(chat::ADD_MESSAGE, values).await?;
    keep_token(frame, owner, new.id, 0, new.token).await?;
    Ok(attachments)
}

pub(super) async fn keep_token(
    frame: &mut SystemFrame,
    owner: &Owner,
    turn: &TurnId,
    first_seq: i64,
    RunToken { context, offer }: &RunToken,
) -> Result<(), DbError> {
    let values = values![
        owner.school.as_str(),
        &context.jti,
        turn.as_str(),
        context.issued.instant().as_microsecond(),
        context.expires.instant().as_microsecond(),
        first_seq,
        TokenHash::of(&context.token).to_string(),
        offer.stored(),
    ];
    frame.execute(chat::ADD_TOKEN, values).await.map(|_| ())
}

/// The beginning of the first line, cut at a letter and marked where it is cut.
fn title(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= TITLE {
        return line.to_owned();
    }
    let mut title: String = line.chars().take(TITLE - 1).collect();
    title.truncate(title.trim_end().len());
    title.push('…');
    title
}
