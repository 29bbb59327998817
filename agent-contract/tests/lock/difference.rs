//! Where two versions of a tool differ first.

use agent_contract::lock::{Shape, first_difference};
use serde_json::{Value, json};

use crate::sample::shape;

#[test]
fn the_first_place_is_named_with_what_stood_there() {
    type Edit = fn(&mut Shape);
    let edits: [(Edit, Option<&str>); 9] = [
        (|_| {}, None),
        (|shape| shape.event = None, Some("/event is gone: it was \"create.room\"")),
        (
            |shape| shape.args["properties"]["seats"]["maximum"] = json!(400),
            Some("/args/properties/seats/maximum was 500 and is 400"),
        ),
        (
            |shape| shape.args["properties"]["a/b~c"] = json!({ "type": "string" }),
            Some("/args/properties/a~1b~0c is new: {\"type\":\"string\"}"),
        ),
        (
            |shape| {
                shape.args["properties"]["kind"]["enum"].as_array_mut().unwrap().truncate(1);
            },
            Some("/args/properties/kind/enum/1 is gone: it was \"lab\""),
        ),
        (
            |shape| shape.args["required"] = json!(["name", "seats"]),
            Some("/args/required/1 is new: \"seats\""),
        ),
        (
            |shape| shape.result["properties"]["note"] = json!({ "type": "string" }),
            Some(
                "/result/properties/note/anyOf is gone: it was [{\"type\":\"string\"},{\"type\":\"null\"}]",
            ),
        ),
        (
            |shape| {
                shape.args["required"] = json!([]);
                shape.event = Some("add.room".into());
            },
            Some("/event was \"create.room\" and is \"add.room\""),
        ),
        (
            |shape| shape.args = Value::Bool(true),
            Some(
                "/args was {\"additionalProperties\":false,\"properties\":{\"code\":{\"anyOf\":… and is true",
            ),
        ),
    ];
    for (edit, expected) in edits {
        let mut new = shape();
        edit(&mut new);
        let told = first_difference(&shape(), &new).map(|difference| difference.to_string());
        assert_eq!(told.as_deref(), expected);
    }
}
