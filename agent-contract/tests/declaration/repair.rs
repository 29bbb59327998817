//! Damaged arguments from public bug reports, and what becomes of each.

use agent_contract::{RepairKind, decode, repair_text};
use serde_json::{Value, json};

use crate::sample::{Everything, least};

/// The arguments after repair, with the repairs, or none if they are refused.
fn repaired(args: &Value) -> Option<(Value, Vec<String>)> {
    let decoded = decode::<Everything>(args.clone()).ok()?;
    Some((decoded.canonical, decoded.repairs.iter().map(|repair| repair.path.clone()).collect()))
}

fn with(name: &str, value: Value) -> Value {
    let mut args = least();
    args[name] = value;
    args
}

#[test]
fn one_meaning_is_restored() {
    let rows = [
        (with("capacity", json!("40")), with("capacity", json!(40)), "args.capacity"),
        (with("capacity", json!(40.0)), with("capacity", json!(40)), "args.capacity"),
        (with("capacity", json!("40.0")), with("capacity", json!(40)), "args.capacity"),
        (with("capacity", json!(4e1)), with("capacity", json!(40)), "args.capacity"),
        (with("small", json!(-0.0)), with("small", json!(0)), "args.small"),
        (with("share", json!("0.5")), with("share", json!(0.5)), "args.share"),
        (with("urgent", json!("true")), with("urgent", json!(true)), "args.urgent"),
        (with("urgent", json!("false")), with("urgent", json!(false)), "args.urgent"),
        (with("labels", json!("[\"a\"]")), with("labels", json!(["a"])), "args.labels"),
        (
            with("contact", json!("{\"email\":\"a@b.example\"}")),
            with("contact", json!({ "email": "a@b.example" })),
            "args.contact",
        ),
        (
            with("when", json!("{\"by\":\"whenever\"}")),
            with("when", json!({ "by": "whenever" })),
            "args.when",
        ),
        (
            with("when", json!({ "by": "week", "number": "7" })),
            with("when", json!({ "by": "week", "number": 7 })),
            "args.when.number",
        ),
        (with("day", Value::Null), least(), "args.day"),
        (with("day", json!("")), least(), "args.day"),
        (with("campusId", Value::Null), least(), "args.campusId"),
        (json!(least().to_string()), least(), "args"),
    ];
    for (damaged, whole, path) in rows {
        let (canonical, paths) =
            repaired(&damaged).unwrap_or_else(|| panic!("{damaged} was refused"));
        assert_eq!(canonical, whole, "{damaged}");
        assert_eq!(paths, [path], "{damaged}");
    }
}

#[test]
fn two_levels_are_repaired_together() {
    let damaged = with("contacts", json!("[{\"email\":\"a@b.example\",\"perDay\":\"2\"}]"));
    let (canonical, paths) = repaired(&damaged).unwrap();
    assert_eq!(canonical, with("contacts", json!([{ "email": "a@b.example", "perDay": 2 }])));
    assert_eq!(paths, ["args.contacts", "args.contacts[0].perDay"]);
}

#[test]
fn two_meanings_are_refused() {
    let rows = [
        with("capacity", json!("007")),
        with("capacity", json!("+40")),
        with("capacity", json!(" 40")),
        with("capacity", json!("forty")),
        with("capacity", json!("")),
        with("capacity", Value::Null),
        with("urgent", json!("True")),
        with("labels", json!("red, green")),
        with("labels", json!("red")),
        with("kind", json!("Academic")),
        with("contact", json!("{\"email\": \"a@b.example\"")),
        with("big", json!(1e19)),
        json!(format!("{0}{0}", least())),
    ];
    for damaged in rows {
        assert_eq!(repaired(&damaged), None, "{damaged}");
    }
}

#[test]
fn a_string_stays_a_string() {
    for word in ["40", "true", "null", "{}", "[1]"] {
        let args = with("name", json!(word));
        assert_eq!(repaired(&args), Some((args, Vec::new())));
    }
}

/// A repair that does not make the whole valid is not made: the fault speaks of what the model wrote.
#[test]
fn all_or_nothing() {
    let mut damaged = with("capacity", json!("40"));
    damaged["kind"] = json!("wrong");
    let error = decode::<Everything>(damaged).unwrap_err().to_string();
    assert!(error.contains("args.capacity: expected integer, got string \"40\""), "{error}");
}

#[test]
fn text_becomes_an_object_or_nothing() {
    let rows = [
        ("", Some(json!({})), vec![RepairKind::EmptyToObject]),
        ("  \n", Some(json!({})), vec![RepairKind::EmptyToObject]),
        ("null", Some(json!({})), vec![RepairKind::EmptyToObject]),
        ("{}", Some(json!({})), vec![]),
        ("\"{}\"", Some(json!({})), vec![RepairKind::Unquoted]),
        ("{\"a\":\"x\ny\"}", Some(json!({ "a": "x\ny" })), vec![RepairKind::ControlsEscaped]),
        ("{\"a\":\n1}", Some(json!({ "a": 1 })), vec![]),
        ("{\"a\":\"\\d\"}", None, vec![]),
        ("{\"a\":1}{\"a\":1}", None, vec![]),
        ("{\"a\": \"cut off", None, vec![]),
        ("Sure! {\"a\":1}", None, vec![]),
    ];
    for (text, value, kinds) in rows {
        let repaired = repair_text(text).ok();
        assert_eq!(repaired.as_ref().map(|repaired| &repaired.value), value.as_ref(), "{text}");
        let found: Vec<RepairKind> = repaired
            .iter()
            .flat_map(|repaired| &repaired.repairs)
            .map(|repair| repair.kind)
            .collect();
        assert_eq!(found, kinds, "{text}");
    }
}
