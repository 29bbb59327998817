//! A random schema of our dialect, a random edit of it, random values: what is called safe refuses none of them.
//!
//! The values are made here, from the schema alone, and not by the search that looks for witnesses.

use agent_contract::lock::{LockedTool, Shape, Verdict, compare, covers};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

use crate::sample::{NAME, access, docs, lock_of};

/// A schema of the portable dialect: closed if it is of arguments, open if it is of a result.
fn schema(closed: bool) -> BoxedStrategy<Value> {
    node(closed).prop_recursive(3, 24, 4, move |inner| object(inner, closed)).boxed()
}

/// The root of arguments.
fn arguments() -> BoxedStrategy<Value> {
    object(schema(true), true)
}

fn node(closed: bool) -> BoxedStrategy<Value> {
    let words = || prop::collection::btree_set(select(vec!["a", "b", "c", "hall"]), 1..4);
    let leaf = prop_oneof![
        Just(json!({ "type": "boolean" })),
        words().prop_map(|words| json!({ "type": "string", "enum": words })),
        (0_u64..3, 3_u64..6).prop_map(
            |(low, high)| json!({ "type": "string", "minLength": low, "maxLength": high })
        ),
        select(vec!["date", "date-time", "email"])
            .prop_map(|format| json!({ "type": "string", "format": format })),
        (-3_i64..3, 3_i64..9)
            .prop_map(|(low, high)| json!({ "type": "integer", "minimum": low, "maximum": high })),
        Just(json!({ "type": "number", "exclusiveMinimum": 0 })),
        Just(json!({ "type": "string" })),
        Just(json!({ "type": "integer" })),
    ];
    let list = (leaf.clone(), 0_u64..2, 2_u64..4).prop_map(
        |(items, low, high)| json!({ "type": "array", "items": items, "minItems": low, "maxItems": high }),
    );
    let either =
        (leaf.clone(), leaf.clone()).prop_map(|(one, other)| json!({ "anyOf": [one, other] }));
    let nullable = leaf.clone().prop_map(move |one| {
        if closed { one } else { json!({ "anyOf": [one, { "type": "null" }] }) }
    });
    prop_oneof![4 => leaf, 1 => list, 1 => either, 1 => nullable].boxed()
}

fn object(inner: impl Strategy<Value = Value> + 'static, closed: bool) -> BoxedStrategy<Value> {
    let fields =
        prop::collection::btree_map(select(vec!["p", "q", "r", "s"]), (inner, any::<bool>()), 0..4);
    fields
        .prop_map(move |fields| {
            let required: Vec<_> = fields
                .iter()
                .filter(|(_, (_, required))| *required)
                .map(|(name, _)| *name)
                .collect();
            let properties: Map<String, Value> = fields
                .iter()
                .map(|(name, (schema, _))| ((*name).to_owned(), schema.clone()))
                .collect();
            let mut object =
                json!({ "type": "object", "properties": properties, "required": required });
            if closed {
                object["additionalProperties"] = json!(false);
            }
            object
        })
        .boxed()
}

/// One edit: in which node, which, and how far.
#[derive(Clone, Debug)]
struct Edit {
    node: Index,
    kind: Index,
    by: i64,
    other: Value,
}

fn edit() -> impl Strategy<Value = Edit> {
    (any::<Index>(), any::<Index>(), -2_i64..3, node(true))
        .prop_map(|(node, kind, by, other)| Edit { node, kind, by, other })
}

/// The schema after an edit.
fn edited(schema: &Value, Edit { node, kind, by, other }: &Edit) -> Value {
    let mut edited = schema.clone();
    let mut pointers = Vec::new();
    nodes(schema, "", &mut pointers);
    let pointer: &String = node.get(&pointers);
    let at = edited.pointer_mut(pointer).unwrap();
    match kind.index(5) {
        0 => move_a_bound(at, *by),
        1 => move_a_word(at, *by),
        2 => move_a_field(at, *by, other),
        3 => move_a_requirement(at, *by),
        _ => move_the_type(at, *by, other),
    }
    edited
}

fn move_a_bound(at: &mut Value, by: i64) {
    let bounds = ["minimum", "maximum", "exclusiveMinimum"];
    let lengths = ["minLength", "maxLength", "minItems", "maxItems"];
    for (key, least) in bounds.map(|key| (key, -9)).into_iter().chain(lengths.map(|key| (key, 0))) {
        if let Some(limit) = at.get(key).and_then(Value::as_i64) {
            at[key] = json!((limit + by).max(least));
            return;
        }
    }
}

fn move_a_word(at: &mut Value, by: i64) {
    let Some(words) = at.get_mut("enum").and_then(Value::as_array_mut) else { return };
    if by > 0 {
        words.push(json!("yard"));
    } else if words.len() > 1 {
        words.pop();
    }
}

fn move_a_field(at: &mut Value, by: i64, other: &Value) {
    let Some(fields) = at.get_mut("properties").and_then(Value::as_object_mut) else { return };
    if by > 0 {
        fields.insert("new".into(), other.clone());
    } else if let Some(name) = fields.keys().next().cloned() {
        fields.shift_remove(&name);
    }
}

fn move_a_requirement(at: &mut Value, by: i64) {
    let Some(name) = at["properties"].as_object().and_then(|fields| fields.keys().next_back())
    else {
        return;
    };
    let name = json!(name);
    if let Some(required) = at.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|required| *required != name);
        if by > 0 {
            required.push(name);
        }
    }
}

fn move_the_type(at: &mut Value, by: i64, other: &Value) {
    match at["type"].as_str() {
        Some("object") => {}
        Some("integer") if by > 0 => at["type"] = json!("number"),
        Some("number") if by > 0 => at["type"] = json!("integer"),
        Some("string") if by > 0 => at["format"] = json!("date"),
        _ => *at = other.clone(),
    }
}

fn nodes(schema: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        nodes(field, &format!("{pointer}/properties/{name}"), found);
    }
    if let Some(items) = schema.get("items") {
        nodes(items, &format!("{pointer}/items"), found);
    }
    for (index, branch) in schema["anyOf"].as_array().into_iter().flatten().enumerate() {
        nodes(branch, &format!("{pointer}/anyOf/{index}"), found);
    }
}

/// Values of a schema, its bounds more often than what lies between.
fn value(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(branches) = schema["anyOf"].as_array() {
        return proptest::strategy::Union::new(branches.iter().map(value)).boxed();
    }
    if let Some(words) = schema["enum"].as_array() {
        return select(words.clone()).boxed();
    }
    let limit = |key: &str, or: i64| schema.get(key).and_then(Value::as_i64).unwrap_or(or);
    let length = |key: &str, or: i64| usize::try_from(limit(key, or)).unwrap();
    match schema["type"].as_str() {
        Some("null") => Just(Value::Null).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => {
            let (low, high) = (limit("minimum", -20), limit("maximum", 20));
            prop_oneof![Just(low), Just(high), low.min(high)..=high].prop_map(Value::from).boxed()
        }
        Some("number") => {
            let low = limit("exclusiveMinimum", limit("minimum", -20));
            (1_u32..40)
                .prop_map(move |n| {
                    json!(f64::from(n) / 4.0 + f64::from(i32::try_from(low).unwrap()))
                })
                .boxed()
        }
        Some("array") => {
            let (low, high) = (length("minItems", 0), length("maxItems", 3));
            prop::collection::vec(value(&schema["items"]), low.min(high)..=high)
                .prop_map(Value::from)
                .boxed()
        }
        Some("object") => {
            let mut fields: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                let name = name.clone();
                let required = schema["required"].as_array().unwrap().contains(&json!(name));
                fields = (fields, any::<bool>(), value(field))
                    .prop_map(move |(mut fields, given, value)| {
                        if required || given {
                            fields.insert(name.clone(), value);
                        }
                        fields
                    })
                    .boxed();
            }
            fields.prop_map(Value::Object).boxed()
        }
        _ => match schema["format"].as_str() {
            Some("date") => {
                (1_u8..13).prop_map(|month| json!(format!("2026-{month:02}-01"))).boxed()
            }
            Some("date-time") => {
                (0_u8..24).prop_map(|hour| json!(format!("2026-02-01T{hour:02}:00:00Z"))).boxed()
            }
            Some(_) => "[a-z]{1,3}@naalya\\.example".prop_map(Value::from).boxed(),
            None => {
                let (low, high) = (length("minLength", 0), length("maxLength", 12));
                prop_oneof![Just(low), Just(high), low.min(high)..=high]
                    .prop_map(|length| json!("m".repeat(length)))
                    .boxed()
            }
        },
    }
}

fn accepts(schema: &Value) -> jsonschema::Validator {
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
    options.should_validate_formats(true).build(schema).unwrap()
}

/// Two versions of arguments, two of a result, and values that the senders of either order may send.
#[derive(Clone, Debug)]
struct Case {
    args: [Value; 2],
    results: [Value; 2],
    sent_args: [Vec<Value>; 2],
    sent_results: [Vec<Value>; 2],
}

fn case() -> impl Strategy<Value = Case> {
    let versions = |schema: BoxedStrategy<Value>| {
        (schema, prop::collection::vec(edit(), 1..3)).prop_map(|(old, edits)| {
            let new = edits.iter().fold(old.clone(), |schema, edit| edited(&schema, edit));
            [old, new]
        })
    };
    let results = schema(false).prop_flat_map(|inner| object(Just(inner), false)).boxed();
    (versions(arguments()), versions(results)).prop_flat_map(|(args, results)| {
        let values = |schema: &Value| prop::collection::vec(value(schema), 12);
        let sent_args = [values(&args[0]), values(&args[1])];
        let sent_results = [values(&results[0]), values(&results[1])];
        (Just(args), Just(results), sent_args, sent_results).prop_map(
            |(args, results, sent_args, sent_results)| Case {
                args,
                results,
                sent_args,
                sent_results,
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_proven_to_be_covered_is_covered(Case { args: [old, new], sent_args: [olds, news], .. } in case()) {
        for (read, sent, values) in [(&new, &old, olds), (&old, &new, news)] {
            if covers(read, sent).is_proven() {
                let (reader, sender) = (accepts(read), accepts(sent));
                for value in values.iter().filter(|value| sender.is_valid(value)) {
                    prop_assert!(reader.is_valid(value), "{value} of {sent} is not of {read}");
                }
            }
        }
    }

    #[test]
    fn an_edit_that_is_called_safe_refuses_nothing(case in case()) {
        let Case { args, results, sent_args, sent_results } = case;
        let version = |index: usize| {
            let (args, result) = (args[index].clone(), results[index].clone());
            let shape = Shape { event: Some("create.room".into()), args, result };
            lock_of(NAME, LockedTool::new(NAME, access(), shape, docs()))
        };
        let findings = compare(&version(0), &version(1));
        let (old, new) = (0, 1);
        for (server_first, worker, server) in [(true, old, new), (false, new, old)] {
            let is_safe = findings.iter().all(|finding| {
                let one = if server_first { &finding.server_first } else { &finding.worker_first };
                one.verdict == Verdict::Safe
            });
            if !is_safe {
                continue;
            }
            for (sent, read, values) in [
                (&args[worker], &args[server], &sent_args[worker]),
                (&results[server], &results[worker], &sent_results[server]),
            ] {
                let (sender, reader) = (accepts(sent), accepts(read));
                for value in values.iter().filter(|value| sender.is_valid(value)) {
                    prop_assert!(reader.is_valid(value), "{value}\nof {sent}\nis not of {read}\n{findings:#?}");
                }
            }
        }
    }
}
