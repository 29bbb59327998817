//! What is accepted, and the lines that explain what is not.

use agent_contract::{ToolError, decode};
use serde_json::{Value, json};

use crate::sample::{Everything, Kind, When, least};

/// The least arguments with one of them replaced.
fn with(name: &str, value: Value) -> Value {
    let mut args = least();
    args[name] = value;
    args
}

fn refusal(args: &Value) -> String {
    match decode::<Everything>(args.clone()) {
        Err(error @ ToolError::Invalid(_)) => {
            let text = error.to_string();
            let (_, lines) = text.split_once('\n').expect("a line for each fault");
            lines.to_owned()
        }
        other => panic!("{args} was not refused as invalid: {other:?}"),
    }
}

#[test]
fn what_fits_is_read() {
    let decoded = decode::<Everything>(json!({
        "name": "Physics", "capacity": 40, "kind": "academic", "day": "2026-02-01",
        "when": { "by": "week", "number": 7, "weekdays": ["friday"] },
    }))
    .unwrap();
    assert_eq!(decoded.args.name, "Physics");
    assert_eq!(decoded.args.capacity, 40);
    assert_eq!(decoded.args.kind, Kind::Academic);
    assert_eq!(decoded.args.tries, 3);
    assert_eq!(decoded.args.day.unwrap().to_string(), "2026-02-01");
    assert!(matches!(decoded.args.when, Some(When::Week { number: 7, .. })));
    assert_eq!(decoded.repairs, []);
}

#[test]
fn a_line_says_where_what_and_instead_of_what() {
    let lines = [
        (with("name", json!(5)), "args.name: expected string, got number 5"),
        (with("name", json!("")), "args.name: expected text that is not empty, got string \"\""),
        (with("capacity", json!("many")), "args.capacity: expected integer, got string \"many\""),
        (with("capacity", json!(0)), "args.capacity: expected at least 1, got number 0"),
        (with("capacity", json!(501)), "args.capacity: expected at most 500, got number 501"),
        (with("capacity", json!(1.5)), "args.capacity: expected integer, got number 1.5"),
        (with("small", json!(128)), "args.small: expected at most 127, got number 128"),
        (
            with("kind", json!("ACADEMIC")),
            "args.kind: expected one of \"academic\", \"non_academic\", got string \"ACADEMIC\"",
        ),
        (
            with("day", json!("1st Feb 2026")),
            "args.day: expected a date such as 2026-02-01, got string \"1st Feb 2026\"",
        ),
        (
            with("day", json!("01/02/2026")),
            "args.day: expected a date such as 2026-02-01, got string \"01/02/2026\"",
        ),
        (
            with("at", json!("2026-02-01T08:30:00")),
            "args.at: expected an instant such as 2026-02-01T08:30:00Z, got string \"2026-02-01T08:30:00\"",
        ),
        (
            with("labels", json!("red, green")),
            "args.labels: expected array, got string \"red, green\"",
        ),
        (with("labels", json!(["a", 1])), "args.labels[1]: expected string, got number 1"),
        (
            with("campusId", json!("")),
            "args.campusId: expected text that is not empty, got string \"\"",
        ),
        (with("urgent", json!("yes")), "args.urgent: expected boolean, got string \"yes\""),
        (with("urgent", json!(1)), "args.urgent: expected boolean, got number 1"),
        (
            with("contact", json!({ "email": "nobody" })),
            "args.contact.email: expected text in email form, got string \"nobody\"",
        ),
        (
            with("contact", json!({})),
            "args.contact.email: expected text in email form, got nothing",
        ),
        (
            with("contacts", json!([{ "email": "a@b.example", "perDay": 70000 }])),
            "args.contacts[0].perDay: expected at most 65535, got number 70000",
        ),
        (
            with("when", json!({ "by": "day" })),
            "args.when.onDay: expected a date such as 2026-02-01, got nothing",
        ),
        (
            with("when", json!({ "by": "week", "number": 7, "weekdays": ["sunday"] })),
            "args.when.weekdays[0]: expected one of \"monday\", \"friday\", got string \"sunday\"",
        ),
        (json!({ "capacity": 1, "kind": "academic" }), "args.name: expected string, got nothing"),
        (
            json!({ "args": { "name": "Physics", "capacity": 1, "kind": "academic" } }),
            "args: expected the arguments themselves, got them wrapped in \"args\"; leave that level out",
        ),
        (json!([1, 2]), "args: expected object, got an array of 2"),
        (json!("hello"), "args: expected object, got string \"hello\""),
    ];
    for (args, line) in lines {
        assert_eq!(refusal(&args), line, "{args}");
    }
}

#[test]
fn an_unknown_field_is_told_its_nearest_neighbour() {
    let line = refusal(&with("campus", json!("Lakeside")));
    assert!(line.starts_with("args.campus: expected one of the fields name, capacity,"), "{line}");
    assert!(line.ends_with("(nearest: campusId), got an unknown field"), "{line}");
}

#[test]
fn no_more_than_eight_lines() {
    let labels: Vec<u32> = (0..20).collect();
    assert_eq!(refusal(&with("labels", json!(labels))).lines().count(), 8);
}

/// A name that the model made up is a text of its own: it cannot begin a line, and it has an end.
#[test]
fn a_made_up_name_stays_on_its_line() {
    let line = refusal(&with("day\nargs.name: expected nothing", json!(1)));
    assert!(
        line.starts_with(r"args.day\u{a}args.name: expected nothing: expected one of"),
        "{line}"
    );
    let line = refusal(&with(&"x".repeat(5000), json!(1)));
    assert!(line.len() < 500 && line.contains('…'), "{line}");
}

#[test]
fn a_long_value_is_cut() {
    let line = refusal(&with("capacity", json!("x".repeat(500))));
    assert!(line.len() < 130, "{line}");
}

#[test]
fn control_characters_are_refused_wherever_they_stand() {
    let expected = "expected text without control characters, got string";
    for (args, line) in [
        (with("name", json!("N\u{0}ul")), format!(r#"args.name: {expected} "N\u0000ul""#)),
        (with("name", json!("\u{7}bell")), format!(r#"args.name: {expected} "\u0007bell""#)),
        (with("name", json!("a\u{9f}")), format!(r#"args.name: {expected} "a\u{{9f}}""#)),
        (with("a\u{0}", json!(1)), format!(r#"args: {expected} "a\u0000""#)),
        (
            with("when", json!({ "by": "week", "number": 7, "weekdays": ["\u{1b}"] })),
            format!(r#"args.when.weekdays[0]: {expected} "\u001b""#),
        ),
    ] {
        assert_eq!(refusal(&args), line);
    }
    let hidden = json!(with("name", json!("N\u{0}ul")).to_string());
    assert_eq!(refusal(&hidden), format!(r#"args.name: {expected} "N\u0000ul""#));
    let lines = decode::<Everything>(with("name", json!("two\nlines\tand a tab"))).unwrap();
    assert_eq!(lines.args.name, "two\nlines\tand a tab");
}
