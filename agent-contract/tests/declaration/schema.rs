//! The portable dialect, seen on a type that uses all of it.

use agent_contract::schema::{of_args, of_output};
use agent_contract::{Date, FieldKind, ToolArgs, dialect_faults};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::sample::{Everything, Kind};

#[test]
fn arguments() {
    insta::assert_json_snapshot!(of_args::<Everything>());
}

#[test]
fn arguments_keep_to_the_dialect() {
    assert_eq!(dialect_faults(&of_args::<Everything>()), [""; 0]);
}

#[test]
fn the_same_bytes_every_time() {
    let one = serde_json::to_string(&of_args::<Everything>()).unwrap();
    let two = serde_json::to_string(&of_args::<Everything>()).unwrap();
    assert_eq!(one, two);
}

#[test]
fn fields_stand_in_source_order_and_agree_with_the_schema() {
    let schema = of_args::<Everything>();
    let wire: Vec<&str> = Everything::FIELDS.iter().map(|field| field.wire).collect();
    let properties: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(properties, wire);
    let required: Vec<&str> =
        Everything::FIELDS.iter().filter(|field| field.required).map(|field| field.wire).collect();
    assert_eq!(schema["required"], json!(required));
    assert_eq!(required, ["name", "capacity", "kind"]);
}

#[test]
fn kinds_of_fields() {
    use FieldKind::{Bool, Campus, Date, Enum, List, Number, Object, Text};
    let kinds: Vec<FieldKind> = Everything::FIELDS.iter().map(|field| field.kind).collect();
    assert_eq!(
        kinds,
        [
            Text, Number, Number, Number, Number, Number, Number, Number, Bool, Number, Date, Date,
            Enum, Enum, Campus, Campus, List, Object, List, Object
        ]
    );
}

#[test]
fn what_is_not_portable_is_found() {
    let faults = |schema| dialect_faults(&schema);
    assert_eq!(faults(json!({ "type": "string" })), ["args: the root must be an object"]);
    assert_eq!(
        faults(json!({ "type": "object", "properties": {
            "a": true,
            "b": { "type": ["string", "null"] },
            "c": { "oneOf": [] , "type": "string" },
            "d": { "type": "object", "properties": {}, "additionalProperties": true },
            "e f": { "type": "string" },
            "g": { "type": "array" },
            "h": { "anyOf": [{ "type": "string" }], "type": "string" },
        }, "required": [], "additionalProperties": false })),
        [
            "args.a: a schema must be an object, not `true`",
            "args.b: no single type",
            "args.c: `oneOf` is not portable",
            "args.d: not closed",
            "args.e f: not a name that every provider accepts",
            "args.g: an array must say what its items are",
            "args.h: `anyOf` must stand below the root, alone beside its description",
        ]
    );
}

/// A result with every way to be empty.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Answer {
    /// Its kind.
    kind: Kind,
    /// The day, or null.
    day: Option<Date>,
    /// A count that may be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
}

#[test]
fn results_stay_open_and_may_be_null() {
    insta::assert_json_snapshot!(of_output::<Answer>());
    insta::assert_json_snapshot!(of_output::<Vec<Kind>>());
}
