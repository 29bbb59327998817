//! Anthropic's form. A tool is strict as long as the strict tools of its turn stay within the budgets that Anthropic
//! has for them together; each that would go over is offered plain, and says which budget it was.

use serde_json::{Value, json};

use super::{ToolText, bounds, each_child};
use crate::schema::portable::NARROWING;

/// The declaration as it stands in a request.
pub(super) fn declaration(tool: ToolText<'_>, schema: &Value, strict: bool) -> Value {
    let mut declaration = json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": schema,
    });
    if strict {
        declaration["strict"] = json!(true);
    }
    declaration
}

/// The schema as strict takes it: what it has no key for is said in words, an enum needs no type beside it, and of
/// the bounds only a list that may or may not be empty is kept.
pub(super) fn strict(node: &Value) -> Value {
    let Some(node) = node.as_object() else { return node.clone() };
    let mut out = each_child(node, &strict);
    let kept_min = out.get("minItems").is_some_and(|min| min == 0 || min == 1);
    let unknown: Vec<&str> =
        NARROWING.iter().copied().filter(|key| *key != "minItems" || !kept_min).collect();
    bounds::into_words(&mut out, &unknown);
    if out.contains_key("enum") {
        out.shift_remove("type");
    }
    Value::Object(out)
}
