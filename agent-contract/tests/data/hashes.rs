//! The canonical text and its hash.

use agent_contract::{canonical_hash, canonical_json, sha256_hex};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

#[test]
fn keys_are_sorted_at_every_depth_and_nothing_else_changes() {
    let rows = [
        (
            json!({"b": 1, "a": {"d": [2, {"z": null, "y": true}], "c": "x"}}),
            r#"{"a":{"c":"x","d":[2,{"y":true,"z":null}]},"b":1}"#,
        ),
        (json!([3, 1, 2]), "[3,1,2]"),
        (json!({}), "{}"),
        (json!([]), "[]"),
        (json!({"a\"b": "c\n"}), r#"{"a\"b":"c\n"}"#),
        (json!("Ölçü"), "\"Ölçü\""),
        (json!(1.0), "1.0"),
        (json!(1), "1"),
    ];
    for (value, text) in rows {
        assert_eq!(canonical_json(&value), text);
    }
}

#[test]
fn the_digest_is_sha_256_in_hexadecimal() {
    // FIPS 180-2, appendix B.1.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256_hex("abc"), abc);
    assert_eq!(canonical_hash(&json!({"b": 1, "a": 2})), sha256_hex(r#"{"a":2,"b":1}"#));
}

/// Any JSON without fractions.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("\\PC{0,4}", inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The same value with the keys of every object the other way round.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let members = map.iter().rev().map(|(key, value)| (key.clone(), reversed(value)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(reversed).collect(),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn the_order_of_keys_does_not_matter(value in any_json()) {
        prop_assert_eq!(canonical_hash(&reversed(&value)), canonical_hash(&value));
    }

    #[test]
    fn the_canonical_text_is_the_value(value in any_json()) {
        prop_assert_eq!(serde_json::from_str::<Value>(&canonical_json(&value)).unwrap(), value);
    }

    #[test]
    fn different_values_have_different_texts(a in any_json(), b in any_json()) {
        prop_assert_eq!(a == b, canonical_json(&a) == canonical_json(&b));
    }
}
