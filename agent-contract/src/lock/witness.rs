//! Values worth trying when a reader may not take all that a sender may send.
//!
//! They stand where two schemas part: at the bounds of either, at the words of either, with and without each field.
//! A candidate proves nothing; the validators decide. So a schema that is not understood costs a witness, never a
//! wrong one.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use super::subsume::{lost, validator};

/// How deep a candidate is built.
const DEPTH: u8 = 6;
/// How many candidates of one node go on to the node above it.
const WIDTH: usize = 12;
/// How many nodes one search visits, so that wide schemas cost a witness and not an hour.
const NODES: u32 = 400;
/// The longest text or list that is worth building.
const LENGTH: u64 = 5_000;
/// A text of each format, and one of none.
const TEXTS: &[&str] = &[
    "",
    "a",
    "1",
    "A b",
    "é",
    "2026-02-01",
    "2026-02-01T08:30:00Z",
    "08:30:00Z",
    "ada@naalya.example",
    "6b0e7a32-3c5d-4f0e-9a51-1f4a5d3c2b10",
    "192.0.2.1",
    "2001:db8::1",
    "https://naalya.example/a",
    "naalya.example",
];
/// Types of JSON, simplest first.
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/// Values that `sent` may allow and `read` may refuse: those that the set algebra points at, and if they will not do,
/// those around every place where the two part.
pub(super) fn candidates(read: &Value, sent: &Value) -> impl Iterator<Item = Vec<Value>> {
    let pointed = lost(read, sent).map(|lost| search(&lost.to_json_schema(), read));
    pointed.into_iter().chain(std::iter::once_with(|| search(sent, read)))
}

fn search(node: &Value, other: &Value) -> Vec<Value> {
    Search { nodes: Cell::new(NODES) }.samples(node, other, DEPTH)
}

/// A field of an object, with values to try and one that nobody minds.
struct Field {
    name: String,
    values: Vec<Value>,
    usual: Option<Value>,
}

/// One search, which spends from one budget.
struct Search {
    nodes: Cell<u32>,
}

impl Search {
    /// Values of `node`, those that `other` refuses first.
    fn samples(&self, node: &Value, other: &Value, depth: u8) -> Vec<Value> {
        let (Some(below), Some(left)) = (depth.checked_sub(1), self.nodes.get().checked_sub(1))
        else {
            return Vec::new();
        };
        self.nodes.set(left);
        let mut found = self.raw(node, other, below);
        // A reference cannot be followed from a part of its document, so nothing is sorted out there.
        if let Some(accepts) = validator(node) {
            found.retain(|value| accepts.is_valid(value));
        }
        if let Some(refuses) = validator(other) {
            found.sort_by_key(|value| refuses.is_valid(value));
        }
        found
    }

    fn raw(&self, node: &Value, other: &Value, depth: u8) -> Vec<Value> {
        let mut found = words(node);
        if !found.is_empty() {
            return found;
        }
        for choice in ["anyOf", "oneOf", "allOf"] {
            for branch in node.get(choice).and_then(Value::as_array).into_iter().flatten() {
                found.extend(self.samples(branch, other, depth));
            }
        }
        found.extend(words(other));
        for name in types(node) {
            match name {
                "null" => found.push(Value::Null),
                "boolean" => found.extend([json!(true), json!(false)]),
                "integer" => found.extend(integers(node, other)),
                "number" => {
                    found.extend(integers(node, other));
                    found.extend(reals(node, other));
                }
                "string" => found.extend(texts(node, other)),
                // Where neither side says anything of what is inside, there is nothing to look for.
                "array" if !says(node, other, OF_LISTS) => found.extend([json!([]), json!([null])]),
                "array" => found.extend(self.lists(node, other, depth)),
                "object" if !says(node, other, OF_OBJECTS) => {
                    found.extend([json!({}), json!({ "extra": null })]);
                }
                "object" => found.extend(self.objects(node, other, depth)),
                _ => {}
            }
        }
        found
    }

    fn lists(&self, node: &Value, other: &Value, depth: u8) -> Vec<Value> {
        let any = Value::Bool(true);
        let at = |schema: &Value, index: usize| {
            let fixed = schema.get("prefixItems").and_then(|items| items.get(index));
            fixed.or_else(|| schema.get("items")).unwrap_or(&any).clone()
        };
        let fixed = |schema: &Value| schema["prefixItems"].as_array().map_or(0, Vec::len);
        let places = fixed(node).max(fixed(other)) + 1;
        let items: Vec<Vec<Value>> = (0..places)
            .map(|place| {
                let mut items = self.samples(&at(node, place), &at(other, place), depth);
                items.truncate(WIDTH);
                items
            })
            .collect();
        let item = |index: usize, turn: usize| {
            let choices = items.get(index).or(items.last())?;
            choices.get(turn % choices.len().max(1)).cloned()
        };
        let mut found = Vec::new();
        for length in lengths(node, other, &["minItems", "maxItems"]).into_iter().chain([places]) {
            // All alike, all different, and each choice in each place.
            found.push((0..length).filter_map(|index| item(index, 0)).collect());
            found.push((0..length).filter_map(|index| item(index, index)).collect());
            for (place, choices) in items.iter().enumerate().take(length) {
                for turn in 0..choices.len() {
                    let at = |index| item(index, if index == place { turn } else { index });
                    found.push((0..length).filter_map(at).collect());
                }
            }
        }
        found.into_iter().map(Value::Array).collect()
    }

    fn objects(&self, node: &Value, other: &Value, depth: u8) -> Vec<Value> {
        let any = Value::Bool(true);
        let field = |schema: &Value, name: &str| {
            let named = schema.get("properties").and_then(|properties| properties.get(name));
            named.or_else(|| schema.get("additionalProperties")).unwrap_or(&any).clone()
        };
        let mut names: Vec<String> = Vec::new();
        let strange = ["extra", "x", "foo", "more"].map(str::to_owned);
        for name in names_in(node).into_iter().chain(names_in(other)).chain(strange) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let choices: Vec<Field> = names
            .into_iter()
            .map(|name| {
                let (own, others) = (field(node, &name), field(other, &name));
                let mut values = self.samples(&own, &others, depth);
                // What both sides take is the better ground to stand one odd value on.
                let takes = validator(&others);
                let is_taken =
                    |value: &&Value| takes.as_ref().is_some_and(|takes| takes.is_valid(value));
                let usual = values.iter().find(is_taken).or(values.first()).cloned();
                values.truncate(WIDTH);
                Field { name, values, usual }
            })
            .collect();
        let is_required = |name: &str| {
            let required = node.get("required").and_then(Value::as_array);
            required.is_some_and(|required| required.iter().any(|required| required == name))
        };
        let of = |keep: &dyn Fn(&str) -> bool| -> Map<String, Value> {
            let kept = choices.iter().filter(|field| keep(&field.name));
            kept.filter_map(|field| Some((field.name.clone(), field.usual.clone()?))).collect()
        };
        let declared = |name: &str| node["properties"].get(name).is_some();
        let (least, most) = (of(&is_required), of(&|name| is_required(name) || declared(name)));
        let mut found = vec![least.clone(), most.clone()];
        for Field { name, values, .. } in &choices {
            let mut without = most.clone();
            without.shift_remove(name);
            found.push(without);
            for value in values {
                for ground in [&least, &most] {
                    let mut with = ground.clone();
                    with.insert(name.clone(), value.clone());
                    found.push(with);
                }
            }
        }
        let mut crowd = most;
        for size in 0..lengths(node, other, &["minProperties", "maxProperties"]).len() * 2 {
            crowd.insert(format!("k{size}"), json!(size));
            found.push(crowd.clone());
        }
        found.into_iter().map(Value::Object).collect()
    }
}

fn types(node: &Value) -> Vec<&str> {
    match node.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => TYPES.to_vec(),
    }
}

/// The values that a schema lists, at its root or in a choice.
fn words(node: &Value) -> Vec<Value> {
    let listed = node.get("enum").and_then(Value::as_array).into_iter().flatten();
    listed.chain(node.get("const")).cloned().collect()
}

/// The numbers that either schema writes under these keys.
fn limits<'s>(
    node: &'s Value,
    other: &'s Value,
    keys: &'s [&str],
) -> impl Iterator<Item = &'s Value> {
    [node, other].into_iter().flat_map(|schema| keys.iter().filter_map(|key| schema.get(*key)))
}

/// Keywords about what is inside a list, and inside an object.
const OF_LISTS: &[&str] =
    &["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"];
const OF_OBJECTS: &[&str] = &[
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
];

fn says(node: &Value, other: &Value, keys: &[&str]) -> bool {
    limits(node, other, keys).next().is_some()
}

const BOUNDS: &[&str] =
    &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

fn integers(node: &Value, other: &Value) -> Vec<Value> {
    let mut found: Vec<i128> = vec![1, 0, -1, 2, 3];
    for limit in limits(node, other, BOUNDS) {
        let whole = limit.as_i64().map(i128::from).or_else(|| limit.as_u64().map(i128::from));
        for near in whole.into_iter().flat_map(|limit| [limit, limit - 1, limit + 1, limit * 2]) {
            found.push(near);
        }
    }
    let fits = |number: i128| {
        let small = i64::try_from(number).ok().map(Value::from);
        small.or_else(|| u64::try_from(number).ok().map(Value::from))
    };
    found.into_iter().filter_map(fits).collect()
}

fn reals(node: &Value, other: &Value) -> Vec<Value> {
    let near = limits(node, other, BOUNDS).filter_map(Value::as_f64).flat_map(|limit| {
        [limit, limit - 0.5, limit + 0.5, limit / 2.0, limit * 2.0, limit - 1.0, limit + 1.0]
    });
    [0.5, -0.5].into_iter().chain(near).map(|number| json!(number)).collect()
}

/// Lengths at which either schema changes its mind.
fn lengths(node: &Value, other: &Value, keys: &[&str]) -> Vec<usize> {
    let mut found = vec![0, 1, 2];
    for limit in limits(node, other, keys).filter_map(Value::as_u64) {
        for length in [limit, limit.saturating_sub(1), limit.saturating_add(1)] {
            found.extend(usize::try_from(length).ok().filter(|_| length <= LENGTH));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn texts(node: &Value, other: &Value) -> Vec<Value> {
    let plain =
        lengths(node, other, &["minLength", "maxLength"]).into_iter().map(|n| "a".repeat(n));
    let near = words(other).into_iter().filter_map(|word| Some(format!("{}x", word.as_str()?)));
    let known = TEXTS.iter().map(|text| (*text).to_owned());
    plain.chain(near).chain(known).map(Value::String).collect()
}

/// The names that a schema of objects speaks of.
fn names_in(schema: &Value) -> Vec<String> {
    let declared = schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned();
    let required = schema["required"].as_array().into_iter().flatten();
    declared.chain(required.filter_map(|name| name.as_str().map(str::to_owned))).collect()
}
