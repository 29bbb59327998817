//! What a server makes of a worker's version, and a worker of a server's: the same, one that it can work with, or not.

use serde_json::{Map, Value, json};

use super::difference::{Difference, first_difference};
use super::shape::Shape;
use super::subsume::{Coverage, covers};

/// How a worker's version of a tool stands to a server's.
#[derive(Clone, Debug, PartialEq)]
pub enum Serving {
    /// They are the same on the wire.
    Same,
    /// The server takes every call that the worker may send, and the worker reads every answer.
    Compatible,
    /// They would not understand each other.
    Incompatible(Misfit),
    /// Neither was shown, so nobody may rely on it. Where they differ first.
    Undecided(Difference),
}

/// Why two versions do not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// The server listens to another event, or one of the two does not know the tool as one of the server's.
    Event {
        /// The worker's.
        worker: Option<String>,
        /// The server's.
        server: Option<String>,
    },
    /// The worker may send these arguments, and the server refuses them.
    Args(Value),
    /// The server may answer this, and the worker refuses it.
    Reply(Value),
}

/// How a worker of one version stands to a server of another, whichever of the two is the older.
pub fn serves(server: &Shape, worker: &Shape) -> Serving {
    let Some(difference) = first_difference(worker, server) else { return Serving::Same };
    if server.event != worker.event {
        let (worker, server) = (worker.event.clone(), server.event.clone());
        return Serving::Incompatible(Misfit::Event { worker, server });
    }
    let args = covers(&server.args, &as_sent(&worker.args));
    let result = covers(&worker.result, &as_sent(&server.result));
    match (args, result) {
        (Coverage::Refuted(value), _) => Serving::Incompatible(Misfit::Args(value)),
        (_, Coverage::Refuted(value)) => Serving::Incompatible(Misfit::Reply(value)),
        (Coverage::Proven, Coverage::Proven) => Serving::Compatible,
        _ => Serving::Undecided(difference),
    }
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = |event: &Option<String>| event.clone().unwrap_or_else(|| "none".to_owned());
        match self {
            Self::Event { worker, server } => {
                write!(f, "the worker's event is {}, the server's {}", named(worker), named(server))
            }
            Self::Args(value) => write!(f, "the worker may send {value}, which the server refuses"),
            Self::Reply(value) => {
                write!(f, "the server may answer {value}, which the worker refuses")
            }
        }
    }
}

/// A schema as its sender keeps to it. An open object is open to its reader; a sender writes the fields that it
/// declares and no other.
pub(super) fn as_sent(schema: &Value) -> Value {
    let Some(node) = schema.as_object() else { return schema.clone() };
    let mut sent = Map::new();
    for (key, value) in node {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(named)) => {
                let named = named.iter().map(|(name, schema)| (name.clone(), as_sent(schema)));
                Value::Object(named.collect())
            }
            ("items" | "additionalProperties", Value::Object(_)) => as_sent(value),
            ("anyOf" | "oneOf", Value::Array(branches)) => branches.iter().map(as_sent).collect(),
            _ => value.clone(),
        };
        sent.insert(key.clone(), value);
    }
    // Fields may be declared beside these too, so closing the object here would forbid them.
    let elsewhere = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties"];
    let declares = sent.contains_key("properties") && !sent.contains_key("additionalProperties");
    if declares && !elsewhere.iter().any(|key| sent.contains_key(*key)) {
        sent.insert("additionalProperties".to_owned(), json!(false));
    }
    Value::Object(sent)
}
