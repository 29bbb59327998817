//! What the local tools need of the worker: a clock, the person, and the agents of this turn.
//!
//! A desk is made for one call. Asking the person is the one thing it cannot finish: the question
//! is put down here, and the call waits until the turn comes back with an answer.

use std::future::pending;
use std::sync::{Arc, Mutex, PoisonError};

use agent_contract::{
    AgentCallScope, AgentIdentity, AgentToolResult, Date, IanaZone, Prepare, Repair, Timestamp,
    ToolCx, ToolError, ToolResult,
};
use jiff::ZonedDateTime;
use jiff::civil::date;
use jiff::tz::TimeZone;
use serde_json::Value;
use tokio::sync::Notify;
use tools::local::{AgentSummary, Agents, Clock, CurrentDate, Staffer, StafferAnswer, ToolHit};

use crate::subagents::Cast;

/// Said with every result of a local tool.
const SCOPE_CONTEXT: &str = "This is no school data, so no campus limits it.";
/// Said when the school's zone is not known.
const ZONE_UNKNOWN: &str = "The school's time zone is not known, so this is UTC.";

/// The ports of the local tools, for one call.
pub struct Desk {
    /// When the turn began.
    pub now: Timestamp,
    /// The school's zone, if it is known.
    pub zone: Option<IanaZone>,
    /// The agents of this turn.
    pub cast: Arc<Cast>,
    /// What the person answered, once they have.
    pub answer: Option<String>,
    /// Where a question is put down.
    pub question: Arc<QuestionSlot>,
}

/// A question to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// Answers to choose from; empty for a free answer.
    pub options: Vec<String>,
}

/// Holds the question of one call.
#[derive(Debug, Default)]
pub struct QuestionSlot {
    question: Mutex<Option<Question>>,
    put: Notify,
}

/// How a local call came out.
#[derive(Clone, Debug, PartialEq)]
pub enum LocalEnd {
    /// With an envelope.
    Returned(AgentToolResult),
    /// It asks the person.
    Asks(Question),
}

/// A local call that came to an end, or to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalRun {
    /// Which of them.
    pub end: LocalEnd,
    /// What had to be repaired in its arguments.
    pub repairs: Vec<Repair>,
}

/// Runs a local tool.
pub async fn run(
    prepare: Prepare<Desk>,
    args: Value,
    desk: Desk,
    identity: AgentIdentity,
    scope: AgentCallScope,
) -> LocalRun {
    let mut prepared = match prepare(args, &scope) {
        Ok(prepared) => prepared,
        Err(error) => {
            return LocalRun { end: LocalEnd::Returned(error.into()), repairs: Vec::new() };
        }
    };
    let repairs = std::mem::take(&mut prepared.repairs);
    let slot = Arc::clone(&desk.question);
    let cx = ToolCx::new(desk, identity, scope);
    let end = tokio::select! {
        biased;
        reply = prepared.call(&cx) => LocalEnd::Returned(match reply {
            Ok(reply) => AgentToolResult::ok(reply.data, SCOPE_CONTEXT),
            Err(error) => error.into(),
        }),
        question = slot.taken() => LocalEnd::Asks(question),
    };
    LocalRun { end, repairs }
}

impl QuestionSlot {
    fn put(&self, question: Question) {
        *self.question.lock().unwrap_or_else(PoisonError::into_inner) = Some(question);
        self.put.notify_one();
    }

    async fn taken(&self) -> Question {
        loop {
            self.put.notified().await;
            if let Some(question) =
                self.question.lock().unwrap_or_else(PoisonError::into_inner).take()
            {
                return question;
            }
        }
    }
}

impl Clock for Desk {
    fn today(&self) -> CurrentDate {
        let now = local_time(self.now, self.zone.as_ref());
        CurrentDate {
            date: Date::try_from(now.date().max(date(0, 1, 1)))
                .expect("an instant of the contract lies before the year 10000"),
            weekday: now.strftime("%A").to_string(),
            time: now.strftime("%H:%M").to_string(),
            time_zone: self.zone.as_ref().map_or("UTC", IanaZone::name).to_owned(),
            note: self.zone.is_none().then(|| ZONE_UNKNOWN.to_owned()),
        }
    }
}

impl Staffer for Desk {
    async fn ask(&self, question: String, options: Vec<String>) -> ToolResult<StafferAnswer> {
        if let Some(answer) = &self.answer {
            return Ok(StafferAnswer { answer: answer.clone() });
        }
        if question.trim().is_empty() {
            return Err(ToolError::refused("a question must say something"));
        }
        self.question.put(Question { text: question, options });
        // The call ends here; it is run again when the answer is there.
        pending().await
    }
}

impl Agents for Desk {
    fn agents(&self) -> Vec<AgentSummary> {
        self.cast.summaries()
    }

    fn search(&self, text: &str) -> Vec<ToolHit> {
        self.cast.search(text)
    }
}

/// An instant as the school's clocks show it; UTC where the zone is not known.
pub fn local_time(now: Timestamp, zone: Option<&IanaZone>) -> ZonedDateTime {
    now.instant().to_zoned_datetime(zone.map_or(TimeZone::UTC, |zone| zone.zone().clone()))
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("now", &self.now).finish_non_exhaustive()
    }
}
