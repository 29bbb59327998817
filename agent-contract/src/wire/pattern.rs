//! The route of a packet, in the one form that Nest compares.

use std::fmt;

use serde_json::Value;

/// A normalised pattern. Text stays as it is; an object, or text that reads as one, becomes JSON
/// text without spaces and with its keys in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern(String);

impl Pattern {
    /// Normalises a packet's `pattern`.
    pub fn of(pattern: &Value) -> Self {
        let Value::String(text) = pattern else { return Self(route(pattern)) };
        match serde_json::from_str(text) {
            Ok(parsed) => Self(route(&parsed)),
            Err(_) => Self(text.clone()),
        }
    }

    /// The route as text, e.g. `create.department`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Text is put between quotes unescaped inside an object, and bare outside of one: so does Nest.
fn route(pattern: &Value) -> String {
    match pattern {
        Value::String(text) => text.clone(),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            let members = entries.into_iter().map(|(key, value)| match value {
                Value::String(text) => format!("\"{key}\":\"{text}\""),
                other => format!("\"{key}\":{}", route(other)),
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}
