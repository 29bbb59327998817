//! An answer, and the turn that goes on with it. A question is answered once, by the person it was put to.

use agent_contract::{Answer, CallId, HistoryMessage, Timestamp};
use serde_json::Value;

use super::{
    ThreadError, Threads, Turn,
    begin::keep_token,
    first_words, history,
    rows::{QuestionRow, number},
};
use crate::{
    chat::PostedAnswer,
    db::{DbError, SystemFrame, statements::chat, values},
    identity::RunToken,
};

/// What a turn goes on with.
#[derive(Debug)]
pub(crate) struct Resumption<'a> {
    /// What the client posted; the server picks the answer to what is open.
    pub(crate) answers: &'a [PostedAnswer],
    pub(crate) token: &'a RunToken,
    pub(crate) deadline: Timestamp,
    /// The number of the first event of the run that begins.
    pub(crate) first_seq: u64,
}

/// A turn that goes on.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) call: CallId,
    pub(crate) answer: Answer,
    pub(crate) checkpoint: Value,
    /// The conversation before the turn.
    pub(crate) history: Vec<HistoryMessage>,
    /// What the person wrote that began it.
    pub(crate) message: String,
}

impl Threads {
    /// Lets a turn go on that waits for one of these answers.
    pub(crate) async fn answer(
        &self,
        turn: &Turn,
        resumption: Resumption<'_>,
    ) -> Result<Answered, ThreadError> {
        let Resumption { answers, token, deadline, first_seq } = resumption;
        let mut frame = self.database.system_write().await?;
        let values =
            values![turn.id.as_str(), deadline.instant().as_microsecond(), number(first_seq)?];
        // Of two answers at once the first opens the turn, and the second finds it open.
        if frame.execute(chat::REOPEN_TURN, values).await? != 1 {
            return Err(ThreadError::NothingAsked);
        }
        let school = turn.owner.school.as_str();
        let open: Vec<QuestionRow> =
            frame.all(chat::OPEN_QUESTIONS, values![school, turn.id.as_str()]).await?;
        let (question, answer) = matching(&open, answers)?.ok_or(ThreadError::NothingAsked)?;
        keep(&mut frame, school, question, answer).await?;
        keep_token(&mut frame, &turn.owner, &turn.id, number(first_seq)?, token).await?;
        let answered = Answered {
            call: CallId::new(question.id.clone())
                .map_err(|_| DbError::Stored("a question without an id"))?,
            answer: answer.clone(),
            checkpoint: question.checkpoint()?,
            history: history(&mut frame, &turn.owner, &turn.thread, Some(&turn.id)).await?,
            message: first_words(&mut frame, turn).await?,
        };
        frame.commit().await?;
        Ok(answered)
    }
}

/// The first open question that has an answer of its kind: a decision decides, words answer.
fn matching<'a>(
    open: &'a [QuestionRow],
    answers: &'a [PostedAnswer],
) -> Result<Option<(&'a QuestionRow, &'a Answer)>, DbError> {
    for question in open {
        let asks_words = question.options()?.is_some();
        let fits = |posted: &&PostedAnswer| {
            posted.call == question.id && asks_words == matches!(posted.answer, Answer::Text { .. })
        };
        if let Some(posted) = answers.iter().find(fits) {
            return Ok(Some((question, &posted.answer)));
        }
    }
    Ok(None)
}

async fn keep(
    frame: &mut SystemFrame,
    school: &str,
    question: &QuestionRow,
    answer: &Answer,
) -> Result<(), DbError> {
    let answer = serde_json::to_string(answer)
        .map_err(|_| DbError::Stored("an answer that cannot be written"))?;
    let now = Timestamp::now().instant().as_microsecond();
    frame.execute(chat::ANSWER_QUESTION, values![school, &question.id, answer, now]).await?;
    Ok(())
}
