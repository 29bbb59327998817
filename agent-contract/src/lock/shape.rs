//! What of a tool crosses the wire: its event, its arguments and its result, without a word of text.
//!
//! The text that is hashed is made here, so that an update of a schema library changes no hash by itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::envelope::ENVELOPE_VERSION;
use super::fingerprint::Fingerprint;
use crate::definition::ToolDefinition;

/// Words about a schema that no validator reads.
const WORDS: [&str; 5] = ["title", "description", "examples", "default", "$comment"];
/// Lists whose order means nothing.
const SETS: [&str; 3] = ["required", "enum", "type"];
/// Keys whose members are named by authors, so that an argument called `title` is no annotation.
const NAMES: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];

/// What two builds must agree on to serve each other's calls of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// The message pattern; none for a local tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Schema of the arguments.
    pub args: Value,
    /// Schema of the result.
    pub result: Value,
}

impl Shape {
    /// The shape of a definition.
    pub fn of(definition: &ToolDefinition) -> Self {
        Self {
            event: definition.event.map(str::to_owned),
            args: bare((definition.args_schema)()),
            result: bare((definition.output_schema)()),
        }
    }

    /// The wire hash.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint_in(ENVELOPE_VERSION)
    }

    /// The wire hash under an envelope of this version.
    pub(super) fn fingerprint_in(&self, envelope: u32) -> Fingerprint {
        Fingerprint::of(&json!({
            "envelope": envelope,
            "event": self.event,
            "args": self.args,
            "result": self.result,
        }))
    }
}

impl ToolDefinition {
    /// Hash of what the wire must agree on.
    pub fn wire_hash(&self) -> String {
        Shape::of(self).fingerprint().into()
    }
}

/// A schema without words, its keys and its sets in order.
pub(super) fn bare(schema: Value) -> Value {
    match schema {
        Value::Object(members) => {
            let members = members.into_iter().filter(|(key, _)| !WORDS.contains(&key.as_str()));
            sorted(members.map(|(key, value)| {
                let value = match value {
                    Value::Object(named) if NAMES.contains(&key.as_str()) => {
                        sorted(named.into_iter().map(|(name, schema)| (name, bare(schema))))
                    }
                    Value::Array(items) if SETS.contains(&key.as_str()) => in_order(items),
                    word if key == "const" => word,
                    other => bare(other),
                };
                (key, value)
            }))
        }
        Value::Array(items) => Value::Array(items.into_iter().map(bare).collect()),
        other => other,
    }
}

fn sorted(members: impl Iterator<Item = (String, Value)>) -> Value {
    let mut members: Vec<(String, Value)> = members.collect();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    Value::Object(members.into_iter().collect::<Map<String, Value>>())
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
            "properties": { "title": { "enum": ["a", "b"], "type": "string" } },
            "required": ["name", "title"],
            "type": "object",
        });
        assert_eq!(bare(written).to_string(), bared.to_string(), "the same bytes");
        assert_ne!(
            bare(json!({ "properties": { "title": {} } })),
            bare(json!({ "properties": { "name": {} } }))
        );
    }

    #[test]
    fn values_are_no_schemas() {
        let words = json!({ "enum": [{ "title": 1 }], "const": { "title": 1 } });
        assert_eq!(bare(words.clone()), words);
    }
}
