//! The chat over HTTP, as the AI SDK's `useChat` speaks it.

use std::convert::Infallible;
use std::time::Duration;

use agent_contract::{ThreadId, UserId};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};

use super::{App, CHAT_BODY, Problem, body::not_taken, path::PathId};
use crate::chat::{
    ChatError, ChatPost, MintFault, Person, PostFault, Running, ThreadError, UiChunk, thread_id,
};
use crate::turn_log::{SecurityLine, Smell};

/// How long a stream is silent before it says that it still lives.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What the chat takes, as far as it is not the AI SDK's own, for the description of the address.
pub(super) fn post_schema() -> Value {
    json!({
        "type": "object",
        "required": ["runMode", "messages"],
        "properties": {
            "id": { "type": "string", "description": "The conversation." },
            "runMode": {
                "type": "object",
                "required": ["mode"],
                "properties": {
                    "mode": { "type": "string", "enum": ["campus", "school"] },
                    "campusId": { "type": "string" },
                },
            },
            "messages": { "type": "array", "items": { "type": "object" } },
        },
    })
}

/// `POST /api/naalya-ai/chat`
pub(super) async fn post(
    State(app): State<App>,
    person: Person,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let body = body.map_err(|fault| not_taken(&fault, CHAT_BODY))?;
    let account = person.owner().account.clone();
    let post = match ChatPost::read(&body) {
        Ok(post) => post,
        Err(fault) => {
            if matches!(fault, PostFault::Role | PostFault::NoAnswer) {
                app.log.smelled(forged(&account, fault.to_string())).await;
            }
            return Err(fault.into());
        }
    };
    // It changes nothing for the turn; it is only written down.
    if let Some(detail) = app.chat.forged(&person, &post).await? {
        app.log.smelled(forged(&account, detail)).await;
    }
    match app.chat.post(person, post).await {
        Ok(running) => Ok(streamed(running)),
        Err(error) => {
            let line = match &error {
                ChatError::Context(MintFault::Campus(campus)) => Some(
                    SecurityLine::new(Smell::ForeignCampus)
                        .with("account", account.as_str())
                        .with("campus", campus.as_str()),
                ),
                ChatError::Thread(ThreadError::NothingAsked) => {
                    Some(forged(&account, error.to_string()))
                }
                _ => None,
            };
            if let Some(line) = line {
                app.log.smelled(line).await;
            }
            Err(error.into())
        }
    }
}

/// A message that only Rover writes and did not, or an answer to what it never asked. An honest client posts neither, unless a
/// person answers one question in two windows.
fn forged(account: &UserId, detail: String) -> SecurityLine {
    SecurityLine::new(Smell::ForgedMessage).with("account", account.as_str()).with("detail", detail)
}

/// `GET /api/naalya-ai/chat/{id}/stream`: 204 where nothing runs, be it that nothing ever did.
pub(super) async fn resume(
    State(app): State<App>,
    person: Person,
    PathId(id): PathId,
) -> Result<Response, Problem> {
    let running = match thread_id(&id) {
        Some(thread) => app.chat.resume(&person, &thread).await?,
        None => None,
    };
    Ok(running.map_or_else(|| StatusCode::NO_CONTENT.into_response(), streamed))
}

/// `POST /api/naalya-ai/chat/{id}/stop`
pub(super) async fn stop(
    State(app): State<App>,
    person: Person,
    PathId(id): PathId,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let stopped = app.chat.stop(&person, &known(&id)?).await?;
    let stopped = stopped.ok_or_else(|| {
        Problem::new(StatusCode::CONFLICT, "nothing is running in this conversation")
    })?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "turnId": stopped }))))
}

pub(super) fn known(id: &str) -> Result<ThreadId, Problem> {
    thread_id(id).ok_or_else(|| Problem::not_found("conversation"))
}

fn streamed(running: Running) -> Response {
    let turn = HeaderValue::from_str(running.turn.as_str());
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive");
    let mut response = Sse::new(events(running.chunks)).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    let fixed = HeaderValue::from_static;
    headers.insert(HeaderName::from_static("x-vercel-ai-ui-message-stream"), fixed("v1"));
    // A proxy that collects a stream before it hands it on would show nothing until the end.
    headers.insert(HeaderName::from_static("x-accel-buffering"), fixed("no"));
    if let Ok(turn) = turn {
        headers.insert(HeaderName::from_static("x-rover-turn"), turn);
    }
    response
}

/// One event a chunk, and the mark of the end after the last. A stream that is cut short has no such mark.
fn events(
    chunks: impl Stream<Item = UiChunk> + Send + 'static,
) -> impl Stream<Item = Result<Event, Infallible>> + Send + 'static {
    chunks.flat_map(|chunk| {
        let ends = matches!(chunk, UiChunk::Finish { .. });
        let event = Event::default().json_data(&chunk).unwrap_or_else(|error| {
            tracing::error!(%error, "a chunk could not be written");
            Event::default().comment("a chunk is missing here")
        });
        let done = ends.then(|| Ok(Event::default().data("[DONE]")));
        stream::iter([Ok(event)].into_iter().chain(done))
    })
}
