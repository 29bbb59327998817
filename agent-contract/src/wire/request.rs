//! Requests and events: how they are written, and how a Nest server tells them apart.
//!
//! A packet with an id is answered and one without is not, whatever else it holds. What is no
//! packet at all counts as an event: it is logged, never answered, and never an error.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::Pattern;

/// What a server does with a body it received.
#[derive(Clone, Debug, PartialEq)]
pub enum Packet {
    /// To be answered.
    Request {
        /// The packet's id, of any JSON type. Not what a reply is matched by.
        id: Value,
        /// The route; a request without one is answered like one with an unknown route.
        pattern: Option<Pattern>,
        /// What it carries.
        data: PacketData,
    },
    /// Never to be answered.
    Event {
        /// The route; foreign bytes have none.
        pattern: Option<Pattern>,
        /// What it carries.
        data: PacketData,
    },
}

/// What a packet carries.
#[derive(Clone, Debug, PartialEq)]
pub enum PacketData {
    /// No `data` key: the handler sees undefined.
    Absent,
    /// Any JSON.
    Json(Value),
    /// Something that a Nest server would read and this one will not act on.
    Unreadable(Unreadable),
}

/// Why a packet's data is not acted on. The packet is still answered, for Nest would.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The bytes are no UTF-8; Nest would put replacement characters into somebody's name.
    #[error("the call holds bytes that are no text")]
    Encoding,
    /// Nested beyond reason, half a surrogate pair, or a number beyond all ranges.
    #[error("the call is nested too deeply, or holds text or numbers that cannot be read")]
    Content,
}

/// The three keys of a packet that count, when the rest cannot be read. `IgnoredAny` skips over
/// any depth and any escape, so the packet can still be answered.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default, deserialize_with = "present")]
    pattern: Option<Value>,
    #[serde(default, deserialize_with = "present_unread")]
    data: Option<IgnoredAny>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
}

/// Tells what a body is, as a Nest server of version 10, 11 or 12 does.
pub fn classify(body: &[u8]) -> Packet {
    match std::str::from_utf8(body) {
        Ok(text) => match serde_json::from_str(text) {
            Ok(json) => read(json),
            Err(_) => skim(text, Unreadable::Content),
        },
        Err(_) => skim(&String::from_utf8_lossy(body), Unreadable::Encoding),
    }
}

/// A request packet as a Nest client writes it.
pub fn encode_request(pattern: &str, data: &Value, id: &str) -> Vec<u8> {
    json!({ "pattern": pattern, "data": data, "id": id }).to_string().into_bytes()
}

/// An event packet as a Nest client writes it: the same without an id.
pub fn encode_event(pattern: &str, data: &Value) -> Vec<u8> {
    json!({ "pattern": pattern, "data": data }).to_string().into_bytes()
}

fn read(json: Value) -> Packet {
    let mut keys = match json {
        Value::Object(keys) => keys,
        other => return foreign(other),
    };
    // Nest takes an object with neither key for another system's message, and drops its id.
    if !keys.contains_key("pattern") && !keys.contains_key("data") {
        return foreign(Value::Object(keys));
    }
    let mut take = |key| Map::remove(&mut keys, key);
    let pattern = take("pattern").as_ref().map(Pattern::of);
    let data = take("data").map_or(PacketData::Absent, PacketData::Json);
    packet(take("id"), pattern, data)
}

fn skim(text: &str, fault: Unreadable) -> Packet {
    let data = PacketData::Unreadable(fault);
    match serde_json::from_str::<Envelope>(text) {
        Ok(Envelope { pattern: None, data: None, .. }) | Err(_) => {
            Packet::Event { pattern: None, data }
        }
        Ok(Envelope { pattern, id, .. }) => packet(id, pattern.as_ref().map(Pattern::of), data),
    }
}

fn packet(id: Option<Value>, pattern: Option<Pattern>, data: PacketData) -> Packet {
    match id {
        Some(id) => Packet::Request { id, pattern, data },
        None => Packet::Event { pattern, data },
    }
}

fn foreign(json: Value) -> Packet {
    Packet::Event { pattern: None, data: PacketData::Json(json) }
}

/// A key that is there with null is there.
fn present<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(input).map(Some)
}

fn present_unread<'de, D: serde::Deserializer<'de>>(
    input: D,
) -> Result<Option<IgnoredAny>, D::Error> {
    IgnoredAny::deserialize(input).map(Some)
}
