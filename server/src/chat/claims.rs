//! What the posted conversation says that Rover said. None of it is taken; what Rover never said is a forgery.
//!
//! A client posts the whole conversation with every message. An honest one posts Rover's messages as it got them: under
//! the id of their turn, with the words and results of that turn, or as much of them as had come.

use agent_contract::{AssistantPart, HistoryMessage, ToolReturn};
use serde_json::{Value, json};

use super::ui_message::UiMessage;

/// A message that is not the person's, as the client posted it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    /// The turn that it says it is of.
    pub(crate) turn: String,
    /// What it says that was said in it.
    pub(crate) pieces: Vec<Piece>,
}

/// A part of such a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// Words.
    Words(String),
    /// What a tool of ours answered.
    Result(Value),
    /// It speaks in a role that no message of ours has.
    Role,
}

impl Claim {
    /// The claim in a posted message; none in the person's own.
    pub(crate) fn of(message: &Value) -> Option<Self> {
        let text = |key| message.get(key).and_then(Value::as_str).unwrap_or_default();
        let parts = message.get("parts").and_then(Value::as_array);
        let pieces = match text("role") {
            "user" => return None,
            "assistant" => parts.into_iter().flatten().filter_map(Piece::of).collect(),
            _ => vec![Piece::Role],
        };
        Some(Self { turn: text("id").to_owned(), pieces })
    }
}

impl Piece {
    fn of(part: &Value) -> Option<Self> {
        let text = |key| part.get(key).and_then(Value::as_str).unwrap_or_default();
        match (text("type"), text("state")) {
            ("text", _) => Some(Self::Words(text("text").to_owned())),
            // What the client ran itself, a question above all, is the person's own.
            (_, "output-available") if part.get("providerExecuted") == Some(&Value::Bool(true)) => {
                part.get("output").cloned().map(Self::Result)
            }
            _ => None,
        }
    }

    /// Whether this was said in the conversation. Cheap, and not the last word: what a broken turn said stands in its
    /// events alone.
    pub(crate) fn is_in(&self, history: &[HistoryMessage]) -> bool {
        history.iter().any(|message| {
            match (self, message) {
            (Self::Words(words), HistoryMessage::Assistant { parts }) => parts.iter().any(|part| {
                matches!(part, AssistantPart::Text { text } if text.starts_with(words.as_str()))
            }),
            (Self::Result(result), HistoryMessage::Tool { parts }) => {
                parts.iter().any(|ToolReturn { result: ours, .. }| alike(result, &json!(ours)))
            }
            _ => false,
        }
        })
    }

    /// Whether the message of a turn holds this.
    pub(crate) fn is_of(&self, message: &UiMessage) -> bool {
        match self {
            Self::Words(words) => message.texts().any(|text| text.starts_with(words.as_str())),
            Self::Result(result) => message.outputs().any(|output| alike(result, output)),
            Self::Role => false,
        }
    }
}

/// Equal as JavaScript sees it, which writes `1.0` back as `1`.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|there| alike(value, there)))
        }
        (one, other) => one == other,
    }
}
