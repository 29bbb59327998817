//! The words that a schema carries, by where they stand.

use std::collections::BTreeMap;

use serde_json::Value;

/// The descriptions of a schema, by the pointer to the node that each describes.
pub fn descriptions(schema: &Value) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    walk(schema, "", &mut |pointer, node| {
        if let Some(text) = node.get("description").and_then(Value::as_str) {
            found.insert(pointer.to_owned(), text.to_owned());
        }
    });
    found
}

/// The default values of a schema, by the pointer to the node that each stands in for.
pub(super) fn defaults(schema: &Value) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    walk(schema, "", &mut |pointer, node| {
        if let Some(default) = node.get("default").filter(|default| !default.is_null()) {
            found.insert(pointer.to_owned(), default.clone());
        }
    });
    found
}

fn walk(node: &Value, pointer: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(pointer, node);
    for (name, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        let name = name.replace('~', "~0").replace('/', "~1");
        walk(property, &format!("{pointer}/properties/{name}"), visit);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner @ Value::Object(_)) = node.get(key) {
            walk(inner, &format!("{pointer}/{key}"), visit);
        }
    }
    // Choices are all `anyOf` in the portable dialect, whatever the generator called them.
    for branches in ["anyOf", "oneOf"].iter().filter_map(|key| node.get(key)?.as_array()) {
        for (index, branch) in branches.iter().enumerate() {
            walk(branch, &format!("{pointer}/anyOf/{index}"), visit);
        }
    }
}
