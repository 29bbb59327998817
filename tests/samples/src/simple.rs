//! The plainest values that a schema takes.

use serde_json::{Map, Value, json};

use crate::formats;

/// Only what is required.
pub fn least(schema: &Value) -> Value {
    value(schema, false)
}

/// Every field, and one item in every list.
pub fn full(schema: &Value) -> Value {
    value(schema, true)
}

fn value(schema: &Value, all: bool) -> Value {
    if let Some([first, ..]) = schema["anyOf"].as_array().map(Vec::as_slice) {
        return value(first, all);
    }
    if let Some([first, ..]) = schema["enum"].as_array().map(Vec::as_slice) {
        return first.clone();
    }
    match schema["type"].as_str() {
        Some("object") => Value::Object(fields(schema, all)),
        Some("array") => {
            let items = schema["minItems"].as_u64().unwrap_or(0).max(u64::from(all));
            (0..items).map(|_| value(&schema["items"], all)).collect()
        }
        Some("integer" | "number") => lowest(schema),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        _ => match schema["format"].as_str() {
            Some(format) => json!(formats::around(format)[0]),
            None => json!("a".repeat(length(schema, "minLength").unwrap_or(0).max(1))),
        },
    }
}

fn fields(schema: &Value, all: bool) -> Map<String, Value> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .filter(|(name, _)| all || is_required(schema, name))
        .map(|(name, property)| (name.clone(), value(property, all)))
        .collect()
}

/// The number nearest to 1 that the bounds allow.
fn lowest(schema: &Value) -> Value {
    match (schema["minimum"].as_f64(), schema["maximum"].as_f64()) {
        (Some(low), _) if low > 1.0 => schema["minimum"].clone(),
        (_, Some(high)) if high < 1.0 => schema["maximum"].clone(),
        _ => json!(1),
    }
}

pub(crate) fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|one| one == name))
}

pub(crate) fn length(schema: &Value, key: &str) -> Option<usize> {
    schema[key].as_u64().and_then(|length| usize::try_from(length).ok())
}
