//! Proof by structure: each thing that the reader demands follows from something that the sender promises.
//!
//! It knows the keywords of the portable dialect and gives up at any other, because a keyword that is not understood
//! may demand anything. What it proves is true; what it does not prove may be true too.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::subsume::{proven, validator};

/// Keywords that demand nothing by themselves.
const SILENT: &[&str] = &["$schema", "$comment", "title", "description", "examples", "default"];
/// Types of JSON, with the numbers as one.
const TYPES: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

/// Whether every value of `sent` is a value of `read`, as far as structure shows.
pub(super) fn covers(read: &Value, sent: &Value) -> bool {
    let (read, sent) = match (read, sent) {
        (Value::Bool(true), _) | (_, Value::Bool(false)) => return true,
        (Value::Object(read), _) if read.keys().all(|key| SILENT.contains(&key.as_str())) => {
            return true;
        }
        (Value::Object(read), Value::Object(sent)) => (read, sent),
        _ => return false,
    };
    // A reference means something only inside its own document.
    if read.contains_key("$ref") || sent.contains_key("$ref") {
        return false;
    }
    if let Some(values) = finite(sent) {
        return all_valid(read, &values);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(branches) = sent.get(choice).and_then(Value::as_array) {
            // Siblings of the choice only narrow what is sent.
            return branches.iter().all(|branch| proven(&Value::Object(read.clone()), branch));
        }
    }
    if let Some(branches) = read.get("anyOf").and_then(Value::as_array) {
        return read.len() == 1
            && branches.iter().any(|branch| proven(branch, &Value::Object(sent.clone())));
    }
    types(sent).iter().all(|name| types(read).iter().any(|wider| takes(wider, name)))
        && read.iter().all(|(key, demand)| follows(key, demand, read, sent))
}

/// Whether one demand of the reader follows from what is sent.
fn follows(
    key: &str,
    demand: &Value,
    read: &Map<String, Value>,
    sent: &Map<String, Value>,
) -> bool {
    let promised = sent.get(key);
    let is_sent = |name: &str| types(sent).iter().any(|sent| takes(name, sent));
    match key {
        "type" => true,
        _ if SILENT.contains(&key) => true,
        "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum" => {
            !is_sent("number") || bounded(key, demand, sent)
        }
        "multipleOf" => !is_sent("number") || divides(demand, promised, sent),
        "minLength" => !is_sent("string") || at_least(promised, demand),
        "maxLength" => !is_sent("string") || at_most(promised, demand),
        "pattern" | "format" => !is_sent("string") || promised == Some(demand),
        "minItems" => !is_sent("array") || at_least(promised, demand),
        "maxItems" => !is_sent("array") || at_most(promised, demand),
        "uniqueItems" => {
            !is_sent("array") || *demand == Value::Bool(false) || promised == Some(demand)
        }
        "items" => {
            !is_sent("array")
                || !sent.contains_key("prefixItems")
                    && !read.contains_key("prefixItems")
                    && proven(demand, promised.unwrap_or(&Value::Bool(true)))
        }
        "required" => {
            let promised = texts(promised);
            !is_sent("object") || texts(Some(demand)).iter().all(|name| promised.contains(name))
        }
        "properties" | "additionalProperties" => !is_sent("object") || fields(read, sent),
        _ => false,
    }
}

/// Whether each field that may be sent is one that is read.
fn fields(read: &Map<String, Value>, sent: &Map<String, Value>) -> bool {
    if read.contains_key("patternProperties") || sent.contains_key("patternProperties") {
        return false;
    }
    let any = Value::Bool(true);
    let other = |schema: &Map<String, Value>| {
        schema.get("additionalProperties").cloned().unwrap_or_else(|| any.clone())
    };
    let (read_other, sent_other) = (other(read), other(sent));
    let empty = Map::new();
    let declared = |schema: &Map<String, Value>| {
        schema.get("properties").and_then(Value::as_object).unwrap_or(&empty).clone()
    };
    let (reads, sends) = (declared(read), declared(sent));
    let mut names = reads.keys().chain(sends.keys());
    proven(&read_other, &sent_other)
        && names.all(|name| {
            proven(reads.get(name).unwrap_or(&read_other), sends.get(name).unwrap_or(&sent_other))
        })
}

/// The values of a schema that lists them.
fn finite(schema: &Map<String, Value>) -> Option<Vec<Value>> {
    if let Some(value) = schema.get("const") {
        return Some(vec![value.clone()]);
    }
    schema.get("enum").and_then(Value::as_array).cloned()
}

fn all_valid(read: &Map<String, Value>, values: &[Value]) -> bool {
    validator(&Value::Object(read.clone()))
        .is_some_and(|reader| values.iter().all(|value| reader.is_valid(value)))
}

fn types(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(names @ Value::Array(_)) => texts(Some(names)),
        _ => TYPES.to_vec(),
    }
}

fn takes(wider: &str, name: &str) -> bool {
    wider == name || (wider == "number" && name == "integer")
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn at_least(promised: Option<&Value>, demand: &Value) -> bool {
    demand.as_u64() == Some(0)
        || promised.is_some_and(|promised| order(promised, demand).is_some_and(Ordering::is_ge))
}

fn at_most(promised: Option<&Value>, demand: &Value) -> bool {
    promised.is_some_and(|promised| order(promised, demand).is_some_and(Ordering::is_le))
}

/// Whether the numbers that are sent keep to a bound of the reader.
fn bounded(key: &str, demand: &Value, sent: &Map<String, Value>) -> bool {
    let (inclusive, exclusive, towards) = if key.ends_with("inimum") {
        ("minimum", "exclusiveMinimum", Ordering::Greater)
    } else {
        ("maximum", "exclusiveMaximum", Ordering::Less)
    };
    let by = |key: &str| sent.get(key).and_then(|promised| order(promised, demand));
    let within = |found: Option<Ordering>, or_equal: bool| {
        found.is_some_and(|found| found == towards || or_equal && found == Ordering::Equal)
    };
    let demands_strictly = key.starts_with("exclusive");
    within(by(inclusive), !demands_strictly) || within(by(exclusive), true)
}

/// Whether every number that is sent is a multiple of what the reader demands.
fn divides(demand: &Value, promised: Option<&Value>, sent: &Map<String, Value>) -> bool {
    let Some(demand) = demand.as_u64().filter(|demand| *demand > 0) else {
        return promised == Some(demand);
    };
    let whole = demand == 1 && types(sent).iter().all(|name| *name != "number");
    whole || promised.and_then(Value::as_u64).is_some_and(|promised| promised % demand == 0)
}

/// The order of two numbers, where it can be told without rounding.
fn order(one: &Value, other: &Value) -> Option<Ordering> {
    /// Up to here every integer is a float of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole =
        |value: &Value| value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    if let (Some(one), Some(other)) = (whole(one), whole(other)) {
        return Some(one.cmp(&other));
    }
    let (one, other) = (one.as_f64()?, other.as_f64()?);
    (one.abs() <= EXACT && other.abs() <= EXACT).then(|| one.partial_cmp(&other)).flatten()
}
