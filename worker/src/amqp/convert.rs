//! Properties of what the worker sends.

use agent_contract::{WireMessage, WireReply};
use broker::{headers, short, table};
use lapin::BasicProperties;
use lapin::message::Delivery;

/// Not kept by the broker, as a Nest client sends: a call outlives no restart.
const TRANSIENT: u8 = 1;
/// The name under which the broker answers a caller directly.
pub(super) const REPLY_TO: &str = "amq.rabbitmq.reply-to";

/// A delivery as the reply to a call.
pub(super) fn reply(delivery: Delivery) -> WireReply {
    WireReply { headers: headers(&delivery), body: delivery.data }
}

/// The properties of a call: those of a Nest client, and an expiration, so that a call whose
/// caller has given up is never run.
pub(super) fn call_properties(
    message: &WireMessage,
    correlation_id: &str,
    milliseconds: u128,
) -> BasicProperties {
    BasicProperties::default()
        .with_headers(table(&message.headers))
        .with_delivery_mode(TRANSIENT)
        .with_reply_to(REPLY_TO.into())
        // Ours are short; a longer one becomes nothing, not a panic.
        .with_correlation_id(short(correlation_id).unwrap_or_default())
        .with_expiration(milliseconds.to_string().into())
}
