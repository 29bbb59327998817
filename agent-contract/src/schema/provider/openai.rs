//! `OpenAI`'s form, plain and strict.
//!
//! Strict holds the model to the schema and wants every property required. What may be left out becomes a choice with
//! null there, and [`leave_out_nulls`] takes that null for leaving out again.

use serde_json::{Map, Value, json};

use super::measure::required;
use super::{ToolText, bounds, each_child};
use crate::repair::is_tagged;

/// What strict has no key for.
const UNKNOWN: &[&str] = &["minLength", "maxLength", "uniqueItems"];

/// The declaration as it stands in a request.
pub(super) fn declaration(tool: ToolText<'_>, schema: &Value, strict: bool) -> Value {
    let mut function = json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": schema,
    });
    if strict {
        function["strict"] = json!(true);
    }
    json!({ "type": "function", "function": function })
}

/// The schema as strict wants it.
pub(super) fn strict(node: &Value) -> Value {
    let Some(node) = node.as_object() else { return node.clone() };
    let mut out = each_child(node, &strict);
    bounds::into_words(&mut out, UNKNOWN);
    let Some(properties) = out.get_mut("properties").and_then(Value::as_object_mut) else {
        return Value::Object(out);
    };
    let required = required(node);
    for (name, property) in properties.iter_mut() {
        if !required.contains(name.as_str()) {
            *property = or_null(property);
        }
    }
    let names: Vec<&String> = properties.keys().collect();
    let names = json!(names);
    out.insert("required".to_owned(), names);
    Value::Object(out)
}

/// The arguments that a strict model wrote, without the nulls that stand for leaving out.
pub(super) fn leave_out_nulls(args: &Value, schema: &Value) -> Value {
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        let branch = branches.iter().find(|branch| is_tagged(args, branch));
        return branch.map_or_else(|| args.clone(), |branch| leave_out_nulls(args, branch));
    }
    match (args, schema.as_object()) {
        (Value::Object(fields), Some(object)) => {
            let properties = object.get("properties").and_then(Value::as_object);
            let required = required(object);
            let kept = fields.iter().filter_map(|(name, value)| {
                let Some(property) = properties.and_then(|properties| properties.get(name)) else {
                    return Some((name.clone(), value.clone()));
                };
                if value.is_null() && !required.contains(name.as_str()) {
                    return None;
                }
                Some((name.clone(), leave_out_nulls(value, property)))
            });
            Value::Object(kept.collect())
        }
        (Value::Array(items), Some(array)) => {
            let Some(schema) = array.get("items") else { return args.clone() };
            items.iter().map(|item| leave_out_nulls(item, schema)).collect()
        }
        _ => args.clone(),
    }
}

/// The schema, or null. The description stays outside, where it is read first.
fn or_null(node: &Value) -> Value {
    let mut node = node.as_object().cloned().unwrap_or_default();
    let nothing = json!({ "type": "null" });
    if let Some(branches) = node.get_mut("anyOf").and_then(Value::as_array_mut) {
        branches.push(nothing);
        return Value::Object(node);
    }
    let mut out = Map::new();
    if let Some(description) = node.shift_remove("description") {
        out.insert("description".to_owned(), description);
    }
    out.insert("anyOf".to_owned(), json!([node, nothing]));
    Value::Object(out)
}
