//! Random values of a schema, which shrink: instances, and instances with one place damaged.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use serde_json::{Map, Value, json};

use crate::edges::edges;
use crate::formats;
use crate::simple::{is_required, length};

/// Values that the schema should take.
pub fn instances(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(branches) = schema["anyOf"].as_array() {
        return Union::new(branches.iter().map(instances)).boxed();
    }
    if let Some(words) = schema["enum"].as_array() {
        return select(words.clone()).boxed();
    }
    match schema["type"].as_str() {
        Some("object") => object(schema, None),
        Some("array") => {
            let low = length(schema, "minItems").unwrap_or(0);
            let high = length(schema, "maxItems").unwrap_or(low + 4).min(low + 4);
            prop::collection::vec(instances(&schema["items"]), low..=high)
                .prop_map(Value::Array)
                .boxed()
        }
        Some("boolean") => any::<bool>().prop_map(Value::Bool).boxed(),
        Some("number") => number(schema),
        Some("integer") => integer(schema),
        Some("null") => Just(Value::Null).boxed(),
        _ => text(schema),
    }
}

/// Instances with one place at any depth changed to an edge of that place.
pub fn neighbours(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(branches) = schema["anyOf"].as_array() {
        return Union::new(branches.iter().map(neighbours)).boxed();
    }
    let here = select(edges(schema)).boxed();
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().cloned().unwrap_or_default();
            let names: Vec<String> = properties.keys().cloned().collect();
            if names.is_empty() {
                return here;
            }
            let schema = schema.clone();
            let damaged = select(names).prop_flat_map(move |name| object(&schema, Some(&name)));
            prop_oneof![1 => here, 4 => damaged].boxed()
        }
        Some("array") => {
            let items = prop::collection::vec(instances(&schema["items"]), 0..3);
            let damaged = (items, neighbours(&schema["items"])).prop_map(|(mut items, one)| {
                items.push(one);
                Value::Array(items)
            });
            prop_oneof![1 => here, 3 => damaged].boxed()
        }
        _ => here,
    }
}

/// An object; the field of this name is a neighbour of what it should be.
fn object(schema: &Value, damaged: Option<&str>) -> BoxedStrategy<Value> {
    let mut fields: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let name = name.clone();
        let hit = damaged == Some(name.as_str());
        let always = hit || is_required(schema, &name);
        let value = if hit { neighbours(property) } else { instances(property) };
        fields = (fields, any::<bool>(), value)
            .prop_map(move |(mut fields, given, value)| {
                if always || given {
                    fields.insert(name.clone(), value);
                }
                fields
            })
            .boxed();
    }
    fields.prop_map(Value::Object).boxed()
}

/// Integers within the bounds, some of them written as JSON allows: with a point and zeros after it.
fn integer(schema: &Value) -> BoxedStrategy<Value> {
    let low = schema["minimum"].as_i64().unwrap_or(i64::MIN);
    if let Some(high) = schema["maximum"].as_u64().filter(|high| i64::try_from(*high).is_err()) {
        return (u64::try_from(low).unwrap_or(0)..=high).prop_map(Value::from).boxed();
    }
    let high = schema["maximum"].as_i64().unwrap_or(i64::MAX).max(low);
    let plain = (low..=high).prop_map(Value::from);
    let narrow =
        |bound: i64| i32::try_from(bound).unwrap_or(if bound < 0 { i32::MIN } else { i32::MAX });
    let pointed = (narrow(low)..=narrow(high)).prop_map(|number| json!(f64::from(number)));
    prop_oneof![3 => plain, 1 => pointed].boxed()
}

fn number(schema: &Value) -> BoxedStrategy<Value> {
    let low = schema["minimum"].as_f64().unwrap_or(f64::MIN);
    let high = schema["maximum"].as_f64().unwrap_or(f64::MAX);
    let near = low.max(-1e6)..=high.min(1e6).max(low.max(-1e6));
    let any = any::<f64>()
        .prop_map(move |number| if number.is_finite() { number.clamp(low, high) } else { low });
    prop_oneof![near, any].prop_map(Value::from).boxed()
}

fn text(schema: &Value) -> BoxedStrategy<Value> {
    match schema["format"].as_str() {
        Some("date") => (0..=9999_u16, 1..=12_u8, 1..=28_u8)
            .prop_map(|(year, month, day)| json!(format!("{year:04}-{month:02}-{day:02}")))
            .boxed(),
        Some("date-time") => (1..=9998_u16, 1..=12_u8, 1..=28_u8, 0..=23_u8, 0..=59_u8)
            .prop_map(|(y, mo, d, h, mi)| {
                json!(format!("{y:04}-{mo:02}-{d:02}T{h:02}:{mi:02}:59.5+03:00"))
            })
            .boxed(),
        Some("email") => "[a-z]{1,8}@[a-z]{1,8}\\.example".prop_map(Value::from).boxed(),
        Some(format) => Just(json!(formats::around(format)[0])).boxed(),
        None => match schema["pattern"]
            .as_str()
            .and_then(|pattern| prop::string::string_regex(pattern).ok())
        {
            Some(texts) => texts.prop_map(Value::from).boxed(),
            None => letters(schema),
        },
    }
}

fn letters(schema: &Value) -> BoxedStrategy<Value> {
    let low = length(schema, "minLength").unwrap_or(0);
    let high = length(schema, "maxLength").unwrap_or(low + 20);
    // Control characters are refused whatever the schema says.
    let letter = any::<char>().prop_filter("plain", |letter| !letter.is_control());
    prop::collection::vec(letter, low..=high)
        .prop_map(|letters| json!(letters.into_iter().collect::<String>()))
        .boxed()
}
