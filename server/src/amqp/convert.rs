//! Messages of the contract to and from what the broker carries.

use std::collections::BTreeMap;

use agent_contract::WireMessage;
use lapin::BasicProperties;
use lapin::message::Delivery;
use lapin::types::{AMQPValue, FieldTable, ShortString};

/// A delivery as the endpoints read it. Headers that are no text are not ours, and are left out.
pub(super) fn message(delivery: &Delivery) -> WireMessage {
    let properties = &delivery.properties;
    WireMessage {
        headers: properties.headers().as_ref().map(texts).unwrap_or_default(),
        body: delivery.data.clone(),
        correlation_id: properties.correlation_id().as_ref().map(ToString::to_string),
        reply_to: properties.reply_to().as_ref().map(ToString::to_string),
        redelivered: delivery.redelivered,
    }
}

/// The properties of a reply, exactly those of a Nest server: a header table, which may be empty, and the
/// correlation id, if the request had one.
pub(super) fn reply_properties(
    headers: &BTreeMap<String, String>,
    correlation_id: Option<&str>,
) -> BasicProperties {
    let properties = BasicProperties::default().with_headers(table(headers));
    match correlation_id.and_then(short) {
        Some(id) => properties.with_correlation_id(id),
        None => properties,
    }
}

/// Headers as the broker carries them.
pub(super) fn table(headers: &BTreeMap<String, String>) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, value) in headers {
        if let Some(name) = short(name) {
            table.insert(name, AMQPValue::LongString(value.as_str().into()));
        }
    }
    table
}

/// Short strings have 255 bytes; a longer one cannot be sent.
pub(super) fn short(text: &str) -> Option<ShortString> {
    ShortString::try_new(text).ok()
}

fn texts(table: &FieldTable) -> BTreeMap<String, String> {
    let text = |value: &AMQPValue| match value {
        AMQPValue::LongString(text) => String::from_utf8(text.as_bytes().to_vec()).ok(),
        AMQPValue::ShortString(text) => Some(text.to_string()),
        AMQPValue::LongInt(number) => Some(number.to_string()),
        AMQPValue::LongLongInt(number) => Some(number.to_string()),
        AMQPValue::Double(number) => Some(number.to_string()),
        _ => None,
    };
    let entries = table.inner().iter();
    entries
        .filter_map(|(name, value)| Some((name.as_str().to_ascii_lowercase(), text(value)?)))
        .collect()
}
