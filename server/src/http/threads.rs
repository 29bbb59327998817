//! A person's conversations, and the trace of their turns.

use agent_contract::{AgentRunMode, TurnEvent, TurnId};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;

use super::{App, Problem, chat::known, path::PathId};
use crate::chat::{Person, Thread, Turn, TurnState, UiMessage};

#[derive(Serialize)]
pub(super) struct ThreadList {
    threads: Vec<Thread>,
}

#[derive(Serialize)]
pub(super) struct Conversation {
    id: String,
    messages: Vec<UiMessage>,
}

/// A turn with all that happened in it.
#[derive(Serialize)]
pub(super) struct Trace {
    turn: TurnHead,
    events: Vec<TurnEvent>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TurnHead {
    id: String,
    thread_id: String,
    sentence: String,
    person: String,
    mode: String,
    state: &'static str,
    started_at: String,
}

/// `GET /api/naalya-ai/threads`
pub(super) async fn list(
    State(app): State<App>,
    person: Person,
) -> Result<Json<ThreadList>, Problem> {
    let threads = app.chat.threads().list(person.owner()).await?;
    Ok(Json(ThreadList { threads }))
}

/// `DELETE /api/naalya-ai/threads/{id}`: with all that was said in it. What was done stays done, and in the audit.
pub(super) async fn delete(
    State(app): State<App>,
    person: Person,
    PathId(id): PathId,
) -> Result<StatusCode, Problem> {
    let (owner, thread) = (person.owner().clone(), known(&id)?);
    // A write waits for nobody who reads.
    drop(person);
    app.chat.forget(&owner, &thread).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/naalya-ai/threads/{id}`. The answer of a turn that runs is left out: its stream replays all of it.
pub(super) async fn one(
    State(app): State<App>,
    person: Person,
    PathId(id): PathId,
) -> Result<Json<Conversation>, Problem> {
    let turns = app.chat.threads().turns(person.owner(), &known(&id)?).await?;
    drop(person);
    let mut messages = Vec::with_capacity(turns.len() * 2);
    for (turn, words) in turns {
        messages.push(UiMessage::user(format!("{}-said", turn.id), words));
        if turn.state != TurnState::Open {
            messages.push(app.chat.relay().stored(&turn.id).await?);
        }
    }
    Ok(Json(Conversation { id, messages }))
}

/// `GET /api/turns/{id}`: of one's own turns.
pub(super) async fn trace(
    State(app): State<App>,
    person: Person,
    PathId(id): PathId,
) -> Result<Json<Trace>, Problem> {
    let absent = || Problem::not_found("turn");
    let id = TurnId::new(id).map_err(|_| absent())?;
    let own = app.chat.threads().own_turn(person.owner(), &id).await?;
    let (turn, sentence) = own.ok_or_else(absent)?;
    let name = person.row().name.clone();
    drop(person);
    let events = app.chat.relay().trace(&id).await?;
    Ok(Json(Trace { turn: head(turn, sentence, name), events }))
}

fn head(turn: Turn, sentence: String, person: String) -> TurnHead {
    TurnHead {
        id: turn.id.into(),
        thread_id: turn.thread.into(),
        sentence,
        person,
        mode: match turn.run_mode {
            AgentRunMode::School => "Whole school".to_owned(),
            AgentRunMode::Campus { campus } => campus.name,
        },
        state: match turn.state {
            TurnState::Open => "open",
            TurnState::Waiting => "waiting",
            TurnState::Closed(_) => "closed",
        },
        started_at: turn.opened.to_string(),
    }
}
