//! Gemini's form: the `parameters` of a function declaration, which are no JSON Schema but a dialect of `OpenAPI` 3.0
//! with types in capitals, words only in an enum, and a choice that stands alone.

use serde_json::{Map, Value, json};

use super::{ToolText, bounds, each_child};

/// What the dialect has no key for.
const UNKNOWN: &[&str] = &["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems"];
/// The only format of a text that it takes beside `enum`.
const DATE_TIME: &str = "date-time";

/// The declaration as it stands in a request. A tool without arguments has no parameters: an object without
/// properties is refused.
pub(super) fn declaration(tool: ToolText<'_>, schema: &Value) -> Value {
    let mut declaration = json!({ "name": tool.name, "description": tool.description });
    let properties = schema.get("properties").and_then(Value::as_object);
    if properties.is_some_and(|properties| !properties.is_empty()) {
        declaration["parameters"] = schema.clone();
    }
    declaration
}

/// The schema in the dialect.
pub(super) fn parameters(node: &Value) -> Value {
    let Some(node) = node.as_object() else { return node.clone() };
    let mut out = each_child(node, &parameters);
    let mut unknown = UNKNOWN.to_vec();
    if out.get("format").is_some_and(|format| format != DATE_TIME) {
        unknown.push("format");
    }
    let words = out.get("enum").and_then(Value::as_array);
    if words.is_some_and(|words| words.iter().any(|word| !word.is_string())) {
        unknown.push("enum");
    }
    bounds::into_words(&mut out, &unknown);
    if let Some(name) = out.get("type").and_then(Value::as_str).map(str::to_uppercase) {
        out.insert("type".to_owned(), json!(name));
    }
    // Objects are closed in any case; the older API does not know the key.
    out.shift_remove("additionalProperties");
    if out.get("required").is_some_and(|required| required == &json!([])) {
        out.shift_remove("required");
    }
    alone(&mut out);
    Value::Object(out)
}

/// Nothing may stand beside a choice, so its description goes to the front of its first branch.
fn alone(node: &mut Map<String, Value>) {
    if !node.contains_key("anyOf") {
        return;
    }
    let Some(said) = node.shift_remove("description") else { return };
    let Some(first) = node.get_mut("anyOf").and_then(|branches| branches.get_mut(0)) else {
        return;
    };
    let (said, own) = (said.as_str().unwrap_or_default(), first.get("description"));
    let text =
        own.and_then(Value::as_str).map_or_else(|| said.to_owned(), |own| format!("{said} {own}"));
    first["description"] = json!(text);
}
