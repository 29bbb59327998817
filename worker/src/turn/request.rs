//! The request of a turn, read once.

use agent_contract::wire::{AGENT_TURN_PATTERN, classify};
use agent_contract::{
    AgentRuntimeContext, ContextError, HistoryMessage, Packet, PacketData, Resume, TurnId,
    TurnRequest, resolve_runtime_context,
};
use serde_json::Value;

/// A turn to run, parsed.
#[derive(Debug)]
pub(crate) struct Dispatched {
    pub(crate) turn: TurnId,
    pub(crate) context: AgentRuntimeContext,
    pub(crate) history: Vec<HistoryMessage>,
    pub(crate) message: String,
    pub(crate) first_seq: u64,
    pub(crate) resume: Option<Resume>,
}

/// A message that holds no turn that could be run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    /// It is for somebody else, or no packet at all.
    #[error("the message is no packet of a turn")]
    Packet,
    /// Its data is no request.
    #[error("the request is malformed: {fault}")]
    Shape {
        /// The turn, if it can be told.
        turn: Option<TurnId>,
        /// What is wrong, for the log.
        fault: serde_json::Error,
    },
    /// Its runtime context does not parse.
    #[error("{fault}")]
    Context {
        /// The turn.
        turn: TurnId,
        /// What is wrong.
        fault: ContextError,
    },
}

impl RequestError {
    /// The turn that can be told that it failed.
    pub(crate) fn turn(&self) -> Option<&TurnId> {
        match self {
            Self::Packet => None,
            Self::Shape { turn, .. } => turn.as_ref(),
            Self::Context { turn, .. } => Some(turn),
        }
    }
}

/// Reads the packet of a turn.
pub(crate) fn read(body: &[u8]) -> Result<Dispatched, RequestError> {
    let (Packet::Request { pattern, data, .. } | Packet::Event { pattern, data }) = classify(body);
    let PacketData::Json(data) = data else { return Err(RequestError::Packet) };
    if pattern.is_none_or(|pattern| pattern.as_str() != AGENT_TURN_PATTERN) {
        return Err(RequestError::Packet);
    }
    let turn = data.get("turnId").and_then(Value::as_str).and_then(|id| TurnId::new(id).ok());
    let request: TurnRequest =
        serde_json::from_value(data).map_err(|fault| RequestError::Shape { turn, fault })?;
    let TurnRequest { turn_id: turn, runtime_context, attachments, .. } = request;
    let mut context = resolve_runtime_context(runtime_context)
        .map_err(|fault| RequestError::Context { turn: turn.clone(), fault })?;
    if context.attachments.is_empty() {
        context.attachments = attachments;
    }
    Ok(Dispatched {
        turn,
        context,
        history: request.history,
        message: request.message,
        first_seq: request.first_seq,
        resume: request.resume,
    })
}
