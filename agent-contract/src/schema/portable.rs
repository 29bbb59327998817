//! From what schemars writes to the portable dialect. Each node is written anew, key by key in a fixed order, so
//! nothing that is not known to be portable can slip through.

use serde_json::{Map, Value, json};

/// Which way the values of a schema travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the model: closed, and optional means absent.
    Args,
    /// To the model: open, and null is a value.
    Output,
}

/// Keys that only narrow a value and that providers take or ignore.
pub(super) const NARROWING: &[&str] = &[
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
];

/// Formats that every provider and the validator know.
const FORMATS: &[&str] = &["date", "date-time", "time", "email", "uuid", "ipv4", "ipv6"];

/// The node in the portable dialect.
pub(super) fn portable(node: &Value, direction: Direction) -> Value {
    let Some(node) = node.as_object() else { return node.clone() };
    if let Some(branches) = branches(node) {
        return any_of(node, &branches, direction);
    }
    let types = types(node);
    let (nulls, plain): (Vec<&str>, Vec<&str>) = types.iter().partition(|name| **name == "null");
    if plain.len() > 1 || (!nulls.is_empty() && !plain.is_empty() && direction == Direction::Output)
    {
        let branches: Vec<Value> = types.iter().map(|name| of_type(node, name)).collect();
        return any_of(node, &branches, direction);
    }
    plain_node(node, plain.first().or(nulls.first()).copied(), direction)
}

fn plain_node(node: &Map<String, Value>, name: Option<&str>, direction: Direction) -> Value {
    let mut out = Map::new();
    let words = words(node, direction);
    let name = name.or_else(|| words.as_ref()?.first().map(type_of));
    if let Some(name) = name {
        out.insert("type".to_owned(), json!(name));
    }
    describe(&mut out, node);
    if let Some(words) = words {
        out.insert("enum".to_owned(), Value::Array(words));
    }
    copy_format(&mut out, node);
    for key in NARROWING {
        if let Some(value) = node.get(*key) {
            out.insert((*key).to_owned(), value.clone());
        }
    }
    bound(&mut out, node);
    if name == Some("array")
        && let Some(items) = node.get("items")
    {
        out.insert("items".to_owned(), portable(items, direction));
    }
    if name == Some("object") {
        object(&mut out, node, direction);
    }
    Value::Object(out)
}

fn object(out: &mut Map<String, Value>, node: &Map<String, Value>, direction: Direction) {
    let mut properties = Map::new();
    for (name, property) in node.get("properties").and_then(Value::as_object).into_iter().flatten()
    {
        properties.insert(name.clone(), portable(property, direction));
    }
    out.insert("properties".to_owned(), Value::Object(properties));
    let required = node.get("required").cloned().unwrap_or_else(|| json!([]));
    out.insert("required".to_owned(), required);
    let open = node.get("additionalProperties");
    match direction {
        Direction::Args => {
            out.insert("additionalProperties".to_owned(), json!(false));
        }
        Direction::Output => {
            if let Some(open @ Value::Object(_)) = open {
                out.insert("additionalProperties".to_owned(), portable(open, direction));
            }
        }
    }
}

/// A choice: words become one `enum`, a choice with null becomes the other branch, what is left is `anyOf`.
fn any_of(node: &Map<String, Value>, branches: &[Value], direction: Direction) -> Value {
    let branches: Vec<Value> = branches
        .iter()
        .filter(|branch| direction == Direction::Output || branch["type"] != "null")
        .map(|branch| portable(branch, direction))
        .collect();
    if let Some(one) = one_enum(node, &branches) {
        return one;
    }
    if let [only] = &branches[..] {
        let mut only = only.as_object().cloned().unwrap_or_default();
        if let Some(description) = described(node).or_else(|| text(&only, "description")) {
            only.insert("description".to_owned(), json!(description));
        }
        return in_order(only);
    }
    let mut out = Map::new();
    describe(&mut out, node);
    out.insert("anyOf".to_owned(), Value::Array(branches));
    Value::Object(out)
}

/// Branches that are nothing but words, as one list of words; what each means goes into the description.
fn one_enum(node: &Map<String, Value>, branches: &[Value]) -> Option<Value> {
    let mut words = Vec::new();
    let mut meanings = Vec::new();
    for branch in branches {
        let branch_words = branch.get("enum")?.as_array()?;
        if branch["type"] != "string" {
            return None;
        }
        if let ([word], Some(meaning)) = (&branch_words[..], branch.get("description")) {
            meanings.push(format!("{}: {}", word.as_str()?, meaning.as_str()?));
        }
        words.extend(branch_words.iter().cloned());
    }
    let mut out = Map::new();
    out.insert("type".to_owned(), json!("string"));
    let description: Vec<String> = described(node).into_iter().chain(meanings).collect();
    if !description.is_empty() {
        out.insert("description".to_owned(), json!(description.join("\n")));
    }
    out.insert("enum".to_owned(), Value::Array(words));
    (!branches.is_empty()).then_some(Value::Object(out))
}

fn branches(node: &Map<String, Value>) -> Option<Vec<Value>> {
    let key = ["anyOf", "oneOf"].into_iter().find(|key| node.contains_key(*key))?;
    node.get(key)?.as_array().cloned()
}

fn types(node: &Map<String, Value>) -> Vec<&str> {
    match node.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The node as if only this type were allowed.
fn of_type(node: &Map<String, Value>, name: &str) -> Value {
    if name == "null" {
        return json!({ "type": "null" });
    }
    let mut one = node.clone();
    one.insert("type".to_owned(), json!(name));
    one.shift_remove("description");
    Value::Object(one)
}

fn words(node: &Map<String, Value>, direction: Direction) -> Option<Vec<Value>> {
    if let Some(word) = node.get("const") {
        return Some(vec![word.clone()]);
    }
    let words = node.get("enum")?.as_array()?;
    let kept = words.iter().filter(|word| direction == Direction::Output || !word.is_null());
    Some(kept.cloned().collect())
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Null => "null",
        Value::String(_) => "string",
    }
}

fn describe(out: &mut Map<String, Value>, node: &Map<String, Value>) {
    if let Some(description) = described(node) {
        out.insert("description".to_owned(), json!(description));
    }
}

/// The description, with the default value as its last words: `default` itself is not portable.
fn described(node: &Map<String, Value>) -> Option<String> {
    let description = text(node, "description").unwrap_or_default();
    let default = node
        .get("default")
        .filter(|default| !default.is_null() && **default != json!("") && **default != json!([]))
        .map(|default| format!("Default: {default}."));
    let parts: Vec<String> =
        [description].into_iter().filter(|text| !text.is_empty()).chain(default).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn text(node: &Map<String, Value>, key: &str) -> Option<String> {
    node.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn copy_format(out: &mut Map<String, Value>, node: &Map<String, Value>) {
    if let Some(format) = node.get("format").and_then(Value::as_str)
        && FORMATS.contains(&format)
    {
        out.insert("format".to_owned(), json!(format));
    }
}

/// Schemars writes the width of a number as a format, which no validator checks and some providers refuse.
fn bound(out: &mut Map<String, Value>, node: &Map<String, Value>) {
    let (low, high) = match node.get("format").and_then(Value::as_str) {
        Some("int8") => (json!(i8::MIN), json!(i8::MAX)),
        Some("int16") => (json!(i16::MIN), json!(i16::MAX)),
        Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
        Some("int64") => (json!(i64::MIN), json!(i64::MAX)),
        Some("int") => (json!(isize::MIN), json!(isize::MAX)),
        Some("uint8") => (json!(0), json!(u8::MAX)),
        Some("uint16") => (json!(0), json!(u16::MAX)),
        Some("uint32") => (json!(0), json!(u32::MAX)),
        Some("uint64") => (json!(0), json!(u64::MAX)),
        Some("uint") => (json!(0), json!(usize::MAX)),
        Some("float") => (json!(f32::MIN), json!(f32::MAX)),
        _ => return,
    };
    for (key, bound) in [("minimum", low), ("maximum", high)] {
        if !out.contains_key(key) {
            out.insert(key.to_owned(), bound);
        }
    }
}

/// `type` and `description` first, whatever was written into the node later.
fn in_order(node: Map<String, Value>) -> Value {
    let mut out = Map::new();
    for key in ["type", "description"] {
        if let Some(value) = node.get(key) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    for (key, value) in node {
        out.entry(key).or_insert(value);
    }
    Value::Object(out)
}
