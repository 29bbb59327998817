//! Whether a schema keeps to the portable dialect. The generator is built to; this is the proof, run over every tool.

use serde_json::{Map, Value};

use super::provider::{What, least};

/// Keys that the dialect has.
const KEYS: &[&str] = &[
    "type",
    "description",
    "enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "items",
    "properties",
    "required",
    "additionalProperties",
    "anyOf",
];

/// Half of what providers take: each level may get a choice with null of its own in a provider's form.
const DEPTH_LIMIT: usize = least(What::Depth) / 2;
const NAME_LIMIT: usize = least(What::PropertyName);
const DESCRIPTION_LIMIT: usize = least(What::Description);

/// What in the schema of a tool's arguments some provider would refuse; empty if nothing.
pub fn dialect_faults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    if schema["type"] != "object" {
        faults.push("args: the root must be an object".to_owned());
    }
    walk(schema, "args", 0, &mut faults);
    faults
}

fn walk(node: &Value, path: &str, depth: usize, faults: &mut Vec<String>) {
    let Some(node) = node.as_object() else {
        faults.push(format!("{path}: a schema must be an object, not `{node}`"));
        return;
    };
    if depth > DEPTH_LIMIT {
        faults.push(format!("{path}: deeper than {DEPTH_LIMIT} levels"));
        return;
    }
    for key in node.keys().filter(|key| !KEYS.contains(&key.as_str())) {
        faults.push(format!("{path}: `{key}` is not portable"));
    }
    let description = node.get("description").and_then(Value::as_str).unwrap_or_default();
    if description.chars().count() > DESCRIPTION_LIMIT {
        faults.push(format!("{path}: description longer than {DESCRIPTION_LIMIT} characters"));
    }
    if let Some(branches) = node.get("anyOf").and_then(Value::as_array) {
        if path == "args" || node.keys().any(|key| key != "anyOf" && key != "description") {
            faults.push(format!(
                "{path}: `anyOf` must stand below the root, alone beside its description"
            ));
        }
        for (i, branch) in branches.iter().enumerate() {
            walk(branch, &format!("{path}<{i}>"), depth + 1, faults);
        }
        return;
    }
    match node.get("type").and_then(Value::as_str) {
        Some("object") => object(node, path, depth, faults),
        Some("array") => match node.get("items") {
            Some(items) => walk(items, &format!("{path}[]"), depth + 1, faults),
            None => faults.push(format!("{path}: an array must say what its items are")),
        },
        Some("string" | "integer" | "number" | "boolean") => {}
        Some(other) => faults.push(format!("{path}: type `{other}` is not portable")),
        None => faults.push(format!("{path}: no single type")),
    }
}

fn object(node: &Map<String, Value>, path: &str, depth: usize, faults: &mut Vec<String>) {
    if node.get("additionalProperties") != Some(&Value::Bool(false)) {
        faults.push(format!("{path}: not closed"));
    }
    let Some(properties) = node.get("properties").and_then(Value::as_object) else {
        faults.push(format!("{path}: an object must have `properties`"));
        return;
    };
    for (name, property) in properties {
        let shaped = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            && name.len() <= NAME_LIMIT;
        if !shaped {
            faults.push(format!("{path}.{name}: not a name that every provider accepts"));
        }
        walk(property, &format!("{path}.{name}"), depth + 1, faults);
    }
}
