//! One definition agrees with itself: whatever the schema accepts, the type reads.

use agent_contract::schema::of_args;
use agent_contract::{ToolError, decode};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::sample::Everything;

/// Values that the schema accepts, made from the schema alone.
fn instance(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(branches) = schema["anyOf"].as_array() {
        return proptest::strategy::Union::new(branches.iter().map(instance)).boxed();
    }
    if let Some(words) = schema["enum"].as_array() {
        return proptest::sample::select(words.clone()).boxed();
    }
    match schema["type"].as_str() {
        Some("object") => object(schema),
        Some("array") => {
            prop::collection::vec(instance(&schema["items"]), 0..4).prop_map(Value::Array).boxed()
        }
        Some("boolean") => any::<bool>().prop_map(Value::Bool).boxed(),
        Some("number") => {
            any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(|n| json!(n)).boxed()
        }
        Some("integer") => integer(schema),
        _ => text(schema),
    }
}

fn object(schema: &Value) -> BoxedStrategy<Value> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut fields: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let name = name.clone();
        let always = required.contains(&json!(name));
        fields = (fields, any::<bool>(), instance(property))
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
    let high = schema["maximum"].as_i64().unwrap_or(i64::MAX);
    let plain = (low..=high).prop_map(|number| json!(number));
    let high = i32::try_from(high).unwrap_or(i32::MAX);
    let low = i32::try_from(low).unwrap_or(i32::MIN);
    let pointed = (low..=high).prop_map(|number| json!(f64::from(number)));
    prop_oneof![3 => plain, 1 => pointed].boxed()
}

fn text(schema: &Value) -> BoxedStrategy<Value> {
    match schema["format"].as_str() {
        Some("date") => (0..=9999_i16, 1..=12_i8, 1..=28_i8)
            .prop_map(|(year, month, day)| json!(format!("{year:04}-{month:02}-{day:02}")))
            .boxed(),
        Some("date-time") => (1..=9998_i16, 1..=12_i8, 1..=28_i8, 0..=23_i8, 0..=59_i8)
            .prop_map(|(y, mo, d, h, mi)| {
                json!(format!("{y:04}-{mo:02}-{d:02}T{h:02}:{mi:02}:59.5+03:00"))
            })
            .boxed(),
        Some("email") => "[a-z]{1,8}@[a-z]{1,8}\\.example".prop_map(|text| json!(text)).boxed(),
        _ => {
            let low = usize::try_from(schema["minLength"].as_u64().unwrap_or(0)).expect("a length");
            let high =
                usize::try_from(schema["maxLength"].as_u64().unwrap_or(20)).expect("a length");
            // Control characters are refused whatever the schema says.
            let letter = any::<char>().prop_filter("plain", |letter| !letter.is_control());
            prop::collection::vec(letter, low..=high)
                .prop_map(|letters| json!(letters.into_iter().collect::<String>()))
                .boxed()
        }
    }
}

/// Any JSON, for what the schema does not say.
fn junk() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|number| json!(number)),
        any::<u64>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
        "[0-9]{1,3}|true|\\{\\}|\\[\\]|\\PC{0,6}".prop_map(|text| json!(text)),
        Just(json!([])),
        Just(json!({})),
    ]
    .boxed()
}

proptest! {
    #[test]
    fn what_the_schema_accepts_the_type_reads(args in instance(&of_args::<Everything>())) {
        let decoded = decode::<Everything>(args.clone());
        prop_assert!(decoded.is_ok(), "{args}: {decoded:?}");
    }

    /// Whatever stands in one place, the answer is a value or a line about that place, and never a third thing.
    #[test]
    fn damage_is_repaired_or_explained(
        mut args in instance(&of_args::<Everything>()),
        field in proptest::sample::select(vec!["name", "capacity", "small", "bigger", "share", "urgent", "day", "at", "kind", "campusId", "labels", "contact", "when"]),
        value in junk(),
    ) {
        args[field] = value;
        match decode::<Everything>(args.clone()) {
            Ok(decoded) => {
                let again = decode::<Everything>(decoded.canonical.clone()).unwrap();
                prop_assert_eq!(again.canonical, decoded.canonical);
                prop_assert_eq!(again.repairs, []);
            }
            Err(ToolError::Invalid(faults)) => {
                let place = format!("args.{field}");
                prop_assert!(!faults.is_empty());
                prop_assert!(faults.iter().all(|fault| fault.path().starts_with(&place)), "{args}: {faults:?}");
                let unreadable = "values that this tool can read";
                prop_assert!(faults.iter().all(|fault| fault.expected() != unreadable), "{args}");
            }
            Err(other) => prop_assert!(false, "{args}: {other}"),
        }
    }
}
