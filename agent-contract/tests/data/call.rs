//! Ids: never empty, and a call's id from its place alone.

use std::collections::HashSet;

use agent_contract::{CallId, SchoolId, TurnId};
use proptest::prelude::*;
use serde_json::json;

fn turn(text: &str) -> TurnId {
    TurnId::new(text).unwrap()
}

#[test]
fn an_empty_id_is_refused_everywhere() {
    assert_eq!(SchoolId::new("").unwrap_err().to_string(), "a school id must not be empty");
    assert!(serde_json::from_value::<SchoolId>(json!("")).is_err());
    assert!("".parse::<CallId>().is_err());
    assert_eq!(serde_json::from_value::<SchoolId>(json!("sch_1")).unwrap().as_str(), "sch_1");
}

#[test]
fn an_id_is_a_string_and_never_a_number() {
    // A JavaScript peer rounds numbers above 2^53.
    assert!(serde_json::from_value::<SchoolId>(json!(7)).is_err());
    assert_eq!(serde_json::to_value(turn("t1")).unwrap(), json!("t1"));
}

#[test]
fn the_call_id_follows_from_the_place() {
    let id = CallId::derive(&turn("t1"), 0, 1, "call_a");
    assert_eq!(id, CallId::derive(&turn("t1"), 0, 1, "call_a"));
    // sha256 of "2:t1" "1:0" "1:1" "6:call_a"
    assert_eq!(id.as_str(), agent_contract::sha256_hex("2:t11:01:16:call_a"));
}

#[test]
fn places_that_read_alike_differ() {
    let places = [
        ("t", 11, 1, "x"),
        ("t1", 1, 1, "x"),
        ("t", 1, 11, "x"),
        ("t", 1, 1, "1x"),
        ("t", 1, 1, "x"),
        ("t", 1, 1, ""),
    ];
    let ids: HashSet<_> = places
        .into_iter()
        .map(|(id, step, index, call)| CallId::derive(&turn(id), step, index, call))
        .collect();
    assert_eq!(ids.len(), places.len());
}

#[test]
fn minted_ids_are_new_and_sort_by_age() {
    let ids: Vec<_> = (0..100).map(|_| TurnId::mint()).collect();
    assert!(ids.is_sorted());
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

proptest! {
    #[test]
    fn two_places_share_no_id(
        a in ("[a-z0-9:]{1,6}", 0_u32..200, 0_u32..200, "[a-z0-9:]{0,6}"),
        b in ("[a-z0-9:]{1,6}", 0_u32..200, 0_u32..200, "[a-z0-9:]{0,6}"),
    ) {
        let derive = |(id, step, index, call): &(String, u32, u32, String)| {
            CallId::derive(&turn(id), *step, *index, call)
        };
        prop_assert_eq!(a == b, derive(&a) == derive(&b));
    }
}
