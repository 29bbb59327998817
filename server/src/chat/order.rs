//! The message that hands a turn to a worker: what it is to do, by whose token, until when.

use agent_contract::wire::{
    AGENT_TURN_PATTERN, HEADER_CTX, HEADER_DEADLINE, HEADER_TRACEPARENT, encode_request,
};
use agent_contract::{AgentRunMode, AgentRuntimeContextInput, Timestamp, TurnRequest, WireMessage};
use uuid::Uuid;

use super::threads::Turn;
use super::{ChatError, ModeWish};
use crate::identity::MintedContext;

/// What is asked of a worker, as it stands before anything is said in it.
pub(super) fn request(turn: &Turn, runtime_context: AgentRuntimeContextInput) -> TurnRequest {
    TurnRequest {
        thread_id: turn.thread.clone(),
        turn_id: turn.id.clone(),
        runtime_context,
        history: Vec::new(),
        message: String::new(),
        attachments: Vec::new(),
        first_seq: turn.first_seq,
        resume: None,
    }
}

/// The request as it travels: with the token that a worker shows again, its deadline and a trace.
pub(super) fn message(
    request: &TurnRequest,
    token: &MintedContext,
    deadline: Timestamp,
) -> Result<WireMessage, ChatError> {
    let data = serde_json::to_value(request).map_err(|error| {
        tracing::error!(%error, "a turn could not be written as JSON");
        ChatError::Internal
    })?;
    let id = request.turn_id.as_str();
    let message = WireMessage {
        correlation_id: Some(id.to_owned()),
        ..WireMessage::new(encode_request(AGENT_TURN_PATTERN, &data, id))
    };
    Ok(message
        .with_header(HEADER_CTX, &token.token)
        .with_header(HEADER_DEADLINE, deadline.as_millisecond().to_string())
        .with_header(HEADER_TRACEPARENT, traceparent()))
}

/// A fresh W3C trace, sampled.
fn traceparent() -> String {
    let (_, span) = Uuid::new_v4().as_u64_pair();
    format!("00-{}-{span:016x}-01", Uuid::new_v4().simple())
}

/// The mode of a turn, as a person would wish for it.
pub(super) fn wish_of(run_mode: &AgentRunMode) -> ModeWish {
    match run_mode.campus() {
        Some(campus) => ModeWish::Campus { campus_id: campus.id.clone() },
        None => ModeWish::School,
    }
}
