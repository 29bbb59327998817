//! The edits that turn one schema into another, field by field as deep as both are plain.

use serde_json::{Map, Value, json};

/// One edit that turns a part of the older schema into the newer.
#[derive(Debug)]
pub(super) struct Edit {
    /// Pointer to the node that is edited.
    pub(super) node: String,
    /// What is done to it.
    pub(super) kind: EditKind,
}

/// What is done to a node.
#[derive(Debug)]
pub(super) enum EditKind {
    /// A field is there or not.
    Added(String),
    Removed(String),
    /// The same field under another name.
    Renamed {
        from: String,
        to: String,
    },
    /// A field must be given or not.
    Required(String),
    /// Everything of the node, but its fields.
    Node,
    /// The whole node.
    Whole,
}

/// Every edit that turns `old` into `new`.
pub(super) fn edits(old: &Value, new: &Value) -> Vec<Edit> {
    let mut edits = Vec::new();
    collect(old, new, "", &mut edits);
    edits
}

fn collect(old: &Value, new: &Value, pointer: &str, edits: &mut Vec<Edit>) {
    if old == new {
        return;
    }
    let mut edit = |kind| edits.push(Edit { node: pointer.to_owned(), kind });
    let (Some(olds), Some(news)) = (fields(old), fields(new)) else {
        if let (Some(old_items), Some(new_items)) = (items(old), items(new)) {
            if without(old, &["items"]) != without(new, &["items"]) {
                edit(EditKind::Node);
            }
            return collect(old_items, new_items, &format!("{pointer}/items"), edits);
        }
        if let Some((index, old_branch, new_branch)) = one_branch(old, new) {
            return collect(old_branch, new_branch, &format!("{pointer}/anyOf/{index}"), edits);
        }
        return edit(EditKind::Whole);
    };
    if without(old, &["properties", "required"]) != without(new, &["properties", "required"]) {
        edit(EditKind::Node);
    }
    let mut removed: Vec<&String> = olds.keys().filter(|name| !news.contains_key(*name)).collect();
    let mut added: Vec<&String> = news.keys().filter(|name| !olds.contains_key(*name)).collect();
    for (from, to) in renamed(old, new, &removed, &added) {
        removed.retain(|name| **name != from);
        added.retain(|name| **name != to);
        edit(EditKind::Renamed { from, to });
    }
    for name in removed {
        edit(EditKind::Removed(name.clone()));
    }
    for name in added {
        edit(EditKind::Added(name.clone()));
    }
    let common: Vec<&String> = olds.keys().filter(|name| news.contains_key(*name)).collect();
    for name in &common {
        if is_required(old, name) != is_required(new, name) {
            edit(EditKind::Required((*name).clone()));
        }
    }
    for name in common {
        let inner = format!("{pointer}/properties/{}", escaped(name));
        collect(&olds[name], &news[name], &inner, edits);
    }
}

/// The only branch of a choice that differs, such as the object of one that may be null.
fn one_branch<'v>(old: &'v Value, new: &'v Value) -> Option<(usize, &'v Value, &'v Value)> {
    let (olds, news) = (old.get("anyOf")?.as_array()?, new.get("anyOf")?.as_array()?);
    if olds.len() != news.len() || without(old, &["anyOf"]) != without(new, &["anyOf"]) {
        return None;
    }
    let mut differing = olds.iter().zip(news).enumerate().filter(|(_, (old, new))| old != new);
    match (differing.next(), differing.next()) {
        (Some((index, (old, new))), None) => Some((index, old, new)),
        _ => None,
    }
}

/// Fields that are gone beside fields that are new and the same, where there is no doubt which became which.
fn renamed(
    old: &Value,
    new: &Value,
    removed: &[&String],
    added: &[&String],
) -> Vec<(String, String)> {
    let same = |from: &str, to: &str| {
        old["properties"][from] == new["properties"][to]
            && is_required(old, from) == is_required(new, to)
    };
    let mut found = Vec::new();
    for from in removed {
        let candidates: Vec<_> = added.iter().filter(|to| same(from, to)).collect();
        if let [to] = candidates[..]
            && removed.iter().filter(|from| same(from, to)).count() == 1
        {
            found.push(((*from).clone(), (*to).clone()));
        }
    }
    found
}

/// The schema `sent` with this one edit taken over from `other`.
pub(super) fn with_edit(sent: &Value, other: &Value, edit: &Edit) -> Option<Value> {
    let mut edited = sent.clone();
    let (node, other) = (edited.pointer_mut(&edit.node)?, other.pointer(&edit.node)?);
    match &edit.kind {
        EditKind::Added(name) | EditKind::Removed(name) | EditKind::Required(name) => {
            take_over(node, other, name);
        }
        EditKind::Renamed { from, to } => {
            take_over(node, other, from);
            take_over(node, other, to);
        }
        EditKind::Whole => *node = other.clone(),
        EditKind::Node => {
            let kept = ["properties", "required", "items"];
            let mut merged = without(other, &kept);
            for key in kept {
                if let (Some(merged), Some(value)) = (merged.as_object_mut(), node.get(key)) {
                    merged.insert(key.to_owned(), value.clone());
                }
            }
            *node = merged;
        }
    }
    Some(edited)
}

/// Makes a field of an object what it is in another.
fn take_over(node: &mut Value, other: &Value, name: &str) {
    let Some(node) = node.as_object_mut() else { return };
    let properties = node.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        match other["properties"].get(name) {
            Some(schema) => properties.insert(name.to_owned(), schema.clone()),
            None => properties.remove(name),
        };
    }
    let required = node.entry("required").or_insert_with(|| json!([]));
    if let Some(required) = required.as_array_mut() {
        required.retain(|required| required != name);
        if is_required(other, name) {
            required.push(json!(name));
        }
    }
}

/// The fields of a node that is nothing but an object.
fn fields(node: &Value) -> Option<&Map<String, Value>> {
    let plain = ["anyOf", "oneOf", "allOf", "not", "$ref", "patternProperties", "enum", "const"];
    let is_plain = node["type"] == "object" && plain.iter().all(|key| node.get(key).is_none());
    node.get("properties").filter(|_| is_plain)?.as_object()
}

/// The items of a node that is nothing but a list.
fn items(node: &Value) -> Option<&Value> {
    node.get("items").filter(|_| node["type"] == "array" && node.get("prefixItems").is_none())
}

/// A node without some of its members.
pub(super) fn without(node: &Value, keys: &[&str]) -> Value {
    let mut node = node.clone();
    if let Some(members) = node.as_object_mut() {
        members.retain(|key, _| !keys.contains(&key.as_str()));
    }
    node
}

/// Whether an object must have a field.
pub(super) fn is_required(node: &Value, name: &str) -> bool {
    let required = node.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|required| required == name))
}

/// A name as a token of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
