//! What two builds must agree on to serve each other's calls of one tool, in sixteen characters.
//!
//! It covers the event, the arguments and the result, and no words: a better description changes nothing on the wire.
//! The text that is hashed is made here, so that an update of a schema library changes no hash by itself.

use serde_json::{Map, Value, json};

use crate::definition::ToolDefinition;
use crate::hash::canonical_hash;

/// Grows when the envelope of all tools changes.
const ENVELOPE: u32 = 1;
const LENGTH: usize = 16;
/// Words about a schema that no validator reads.
const WORDS: [&str; 5] = ["title", "description", "examples", "default", "$comment"];
/// Lists whose order means nothing.
const SETS: [&str; 3] = ["required", "enum", "type"];
/// Keys whose members are named by authors, so that an argument called `title` is no annotation.
const NAMES: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];

impl ToolDefinition {
    /// Hash of what the wire must agree on.
    pub fn wire_hash(&self) -> String {
        let mut hash = canonical_hash(&json!({
            "envelope": ENVELOPE,
            "event": self.event,
            "args": bare((self.args_schema)()),
            "result": bare((self.output_schema)()),
        }));
        hash.truncate(LENGTH);
        hash
    }
}

/// A schema without words, its sets in order.
fn bare(schema: Value) -> Value {
    match schema {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .filter(|(key, _)| !WORDS.contains(&key.as_str()))
                .map(|(key, value)| {
                    let value = match value {
                        Value::Object(named) if NAMES.contains(&key.as_str()) => {
                            Value::Object(each(named))
                        }
                        Value::Array(items) if SETS.contains(&key.as_str()) => in_order(items),
                        other => bare(other),
                    };
                    (key, value)
                })
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(bare).collect()),
        other => other,
    }
}

fn each(named: Map<String, Value>) -> Map<String, Value> {
    named.into_iter().map(|(name, schema)| (name, bare(schema))).collect()
}

fn in_order(mut items: Vec<Value>) -> Value {
    items.sort_by_cached_key(Value::to_string);
    Value::Array(items)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::bare;

    #[test]
    fn words_and_order_do_not_count_and_names_do() {
        let written = json!({
            "title": "CreateThing", "type": "object", "description": "A thing.",
            "properties": { "title": { "type": "string", "description": "Its title.", "enum": ["b", "a"] } },
            "required": ["title", "name"],
        });
        let bared = json!({
            "type": "object",
            "properties": { "title": { "type": "string", "enum": ["a", "b"] } },
            "required": ["name", "title"],
        });
        assert_eq!(bare(written), bared);
        assert_ne!(
            bare(json!({ "properties": { "title": {} } })),
            bare(json!({ "properties": { "name": {} } }))
        );
    }
}
