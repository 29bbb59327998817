//! Messages of the contract to and from what the broker carries.

use std::collections::BTreeMap;

use agent_contract::{WireMessage, WireReply};
use lapin::BasicProperties;
use lapin::message::Delivery;
use lapin::types::{AMQPValue, FieldTable, ShortString};

/// Not kept by the broker, as a Nest client sends: a call outlives no restart.
const TRANSIENT: u8 = 1;
const PERSISTENT: u8 = 2;
/// The name under which the broker answers a caller directly.
pub(super) const REPLY_TO: &str = "amq.rabbitmq.reply-to";

/// A delivery as the turn endpoint reads it. Headers that are no text are not ours, and left out.
pub(super) fn message(delivery: &Delivery) -> WireMessage {
    let properties = &delivery.properties;
    WireMessage {
        headers: headers(delivery),
        body: delivery.data.clone(),
        correlation_id: properties.correlation_id().as_ref().map(ToString::to_string),
        reply_to: properties.reply_to().as_ref().map(ToString::to_string),
        redelivered: delivery.redelivered,
    }
}

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
        .with_reply_to(short(message.reply_to.as_deref().unwrap_or(REPLY_TO)))
        .with_correlation_id(short(correlation_id))
        .with_expiration(milliseconds.to_string().into())
}

/// The properties of an event, which outlives the broker's restart.
pub(super) fn event_properties(event: &WireMessage) -> BasicProperties {
    BasicProperties::default().with_headers(table(&event.headers)).with_delivery_mode(PERSISTENT)
}

fn headers(delivery: &Delivery) -> BTreeMap<String, String> {
    let text = |value: &AMQPValue| match value {
        AMQPValue::LongString(text) => String::from_utf8(text.as_bytes().to_vec()).ok(),
        AMQPValue::ShortString(text) => Some(text.to_string()),
        _ => None,
    };
    let Some(table) = delivery.properties.headers() else { return BTreeMap::new() };
    let entries = table.inner().iter();
    entries
        .filter_map(|(name, value)| Some((name.as_str().to_ascii_lowercase(), text(value)?)))
        .collect()
}

fn table(headers: &BTreeMap<String, String>) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, value) in headers {
        table.insert(short(name), AMQPValue::LongString(value.as_str().into()));
    }
    table
}

/// Correlation ids and header names are ours and short; a longer one becomes nothing, not a panic.
fn short(text: &str) -> ShortString {
    ShortString::try_new(text).unwrap_or_default()
}
