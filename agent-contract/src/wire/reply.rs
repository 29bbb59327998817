//! Replies: how a Nest server writes them, and what a Nest client takes for one.

use serde::Serialize;
use serde_json::{Value, json};

use crate::envelope::AgentToolResult;

/// What a Nest server answers to a pattern it does not know.
pub const NO_HANDLER: &str = "There is no matching message handler defined in the remote service.";

/// What a reply says to the caller that waits for it.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplyPacket {
    /// A value, with more to come.
    Value(Value),
    /// The last reply, with the value it brought, if any.
    Complete(Option<Value>),
    /// The server has no handler of this pattern.
    NoHandler,
    /// The handler failed, and this is what it said.
    Failed(String),
}

/// The reply that carries a result. It holds no key but these two: a Nest 12 client would take the
/// whole packet for the result.
pub fn encode_reply<T: Serialize>(
    result: &AgentToolResult<T>,
) -> Result<Vec<u8>, serde_json::Error> {
    encode_response(result)
}

/// The reply that carries something else than a result.
pub fn encode_response<T: Serialize>(response: &T) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Reply<'a, T> {
        response: &'a T,
        is_disposed: bool,
    }
    serde_json::to_vec(&Reply { response, is_disposed: true })
}

/// The reply of a handler that returned nothing.
pub fn encode_empty_reply() -> Vec<u8> {
    json!({ "isDisposed": true }).to_string().into_bytes()
}

/// The reply to a pattern that has no handler. It repeats the packet's id and ends nothing, which
/// is Nest's way.
pub fn encode_no_handler(id: &Value) -> Vec<u8> {
    json!({ "id": id, "err": NO_HANDLER, "status": "error" }).to_string().into_bytes()
}

/// Reads a reply as a Nest client does. Extra keys are ignored, as versions 10 and 11 do: taking
/// the whole packet for the value, as 12 does, would lose the value.
pub fn decode_reply(body: &[u8]) -> ReplyPacket {
    let Ok(json) = serde_json::from_slice::<Value>(body) else {
        return ReplyPacket::Complete(Some(String::from_utf8_lossy(body).into()));
    };
    let Some(packet) = json.as_object() else { return ReplyPacket::Complete(Some(json)) };
    let (err, response) = (packet.get("err"), packet.get("response"));
    let disposed = packet.get("isDisposed");
    if err.is_none() && response.is_none() && disposed.is_none() {
        return ReplyPacket::Complete(Some(json));
    }
    match err {
        Some(Value::String(text)) if text == NO_HANDLER => ReplyPacket::NoHandler,
        Some(err) if is_truthy(err) => ReplyPacket::Failed(message_of(err)),
        _ if disposed.is_some_and(is_truthy) => ReplyPacket::Complete(response.cloned()),
        _ => ReplyPacket::Value(response.cloned().unwrap_or_default()),
    }
}

/// Nest sends `{status, message}`, or whatever object the handler threw.
fn message_of(err: &Value) -> String {
    match err {
        Value::String(text) => text.clone(),
        other => match other.get("message").and_then(Value::as_str) {
            Some(message) => message.to_owned(),
            None => other.to_string(),
        },
    }
}

/// Truth as JavaScript sees it.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
