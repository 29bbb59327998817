//! Replies as a Nest peer reads them. The outcome travels in a header, and only to those who sent headers of ours.

use agent_contract::wire::{encode_no_handler, encode_reply, encode_response};
use agent_contract::{AgentToolResult, Outcome, RegistryAnswer, ToolError, WireMessage, WireReply};
use serde_json::Value;

const OUR_HEADERS: &str = "x-rover-";

/// Whether the sender is one of ours.
pub(super) fn speaks_rover(message: &WireMessage) -> bool {
    message.headers.keys().any(|name| name.starts_with(OUR_HEADERS))
}

/// The reply that carries a result.
pub(super) fn result(result: &AgentToolResult, outcome: Outcome, speaks_rover: bool) -> WireReply {
    // A result is made of JSON values and text, so writing it as JSON does not fail.
    let reply = WireReply::new(encode_reply(result).unwrap_or_else(|_| internal_body()));
    if speaks_rover { reply.with_outcome(outcome) } else { reply }
}

/// The reply to a worker that asked what is served.
pub(super) fn answer(answer: &RegistryAnswer, speaks_rover: bool) -> WireReply {
    // An answer is made of JSON values and text, as a result is.
    let reply = WireReply::new(encode_response(answer).unwrap_or_else(|_| internal_body()));
    if speaks_rover { reply.with_outcome(Outcome::Ok) } else { reply }
}

/// The reply to a call that ended in a fault of ours.
pub(super) fn internal(speaks_rover: bool) -> WireReply {
    result(&ToolError::Internal.into(), Outcome::Error, speaks_rover)
}

/// The reply to a pattern that nobody handles.
pub(super) fn no_handler(id: &Value) -> WireReply {
    WireReply::new(encode_no_handler(id))
}

fn internal_body() -> Vec<u8> {
    format!(r#"{{"response":{{"error":"{}"}},"isDisposed":true}}"#, ToolError::Internal)
        .into_bytes()
}
