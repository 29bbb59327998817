//! Messages of the contract to and from what the broker carries.

use std::collections::BTreeMap;

use agent_contract::WireMessage;
use lapin::message::Delivery;
use lapin::types::{AMQPValue, FieldTable, ShortString};

/// A delivery as the endpoints read it.
pub fn message(delivery: &Delivery) -> WireMessage {
    let properties = &delivery.properties;
    WireMessage {
        headers: headers(delivery),
        body: delivery.data.clone(),
        correlation_id: properties.correlation_id().as_ref().map(ToString::to_string),
        reply_to: properties.reply_to().as_ref().map(ToString::to_string),
        redelivered: delivery.redelivered,
    }
}

/// The headers of a delivery, by lower-case name. Those that are no text are not ours, and are left out.
pub fn headers(delivery: &Delivery) -> BTreeMap<String, String> {
    let text = |value: &AMQPValue| match value {
        AMQPValue::LongString(text) => String::from_utf8(text.as_bytes().to_vec()).ok(),
        AMQPValue::ShortString(text) => Some(text.to_string()),
        AMQPValue::LongInt(number) => Some(number.to_string()),
        AMQPValue::LongLongInt(number) => Some(number.to_string()),
        AMQPValue::Double(number) => Some(number.to_string()),
        _ => None,
    };
    let Some(table) = delivery.properties.headers() else { return BTreeMap::new() };
    let entries = table.inner().iter();
    entries
        .filter_map(|(name, value)| Some((name.as_str().to_ascii_lowercase(), text(value)?)))
        .collect()
}

/// Headers as the broker carries them.
pub fn table(headers: &BTreeMap<String, String>) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, value) in headers {
        if let Some(name) = short(name) {
            table.insert(name, AMQPValue::LongString(value.as_str().into()));
        }
    }
    table
}

/// Short strings have 255 bytes; a longer one cannot be sent.
pub fn short(text: &str) -> Option<ShortString> {
    ShortString::try_new(text).ok()
}
