//! The file: what is in it, what is no lock, what it remembers from one version to the next.

use agent_contract::lock::{Lock, LockedTool, Standing};
use agent_contract::{ToolArgs, ToolCx, ToolDefinition, ToolResult, agent_tool, sha256_hex};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::sample;

/// What the model supplies to ask for the weather.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct GetWeather {
    /// Where.
    place: String,
    /// How many days ahead.
    #[serde(default = "three")]
    days_ahead: u8,
}

fn three() -> u8 {
    3
}

/// Get the weather. Use it when someone plans a day outside.
#[agent_tool(
    scope = general,
    posture = casl(Read, Department),
    roles = [Rover, ClassTeacher],
    label = "Looking at the sky",
    examples = [{ place: "Kampala" }],
)]
async fn get_weather(_cx: &ToolCx<impl Send + Sync>, args: GetWeather) -> ToolResult<String> {
    Ok(format!("{} in {}", args.days_ahead, args.place))
}

agent_contract::registry! {
    mod weather = [get_weather];
}

const DEFS: &[&ToolDefinition] = weather::DEFS;

#[test]
fn a_definition_becomes_a_block() {
    let lock = Lock::of(DEFS);
    let written: Value = serde_json::from_str(&lock.text().unwrap()).unwrap();
    let args = json!({
        "additionalProperties": false,
        "properties": {
            "daysAhead": { "maximum": 255, "minimum": 0, "type": "integer" },
            "place": { "type": "string" },
        },
        "required": ["place"],
        "type": "object",
    });
    // The hashes are taken here of texts that are written out by hand.
    let hash = |text: &str| sha256_hex(text)[..16].to_owned();
    let wire = hash(
        r#"{"args":{"additionalProperties":false,"properties":{"daysAhead":{"maximum":255,"minimum":0,"type":"integer"},"place":{"type":"string"}},"required":["place"],"type":"object"},"envelope":1,"event":"get.weather","result":{"type":"string"}}"#,
    );
    let auth = hash(
        r#"{"effect":"read","posture":{"permission":{"action":"read","resource":"department"},"posture":"casl"},"roles":["class_teacher","rover"],"scope":"general"}"#,
    );
    let docs = json!({
        "description": "Get the weather. Use it when someone plans a day outside.",
        "label": "Looking at the sky",
        "args": {
            "": "What the model supplies to ask for the weather.",
            "/properties/daysAhead": "How many days ahead. Default: 3.",
            "/properties/place": "Where.",
        },
        "defaults": { "/properties/daysAhead": 3 },
    });
    let prompt = hash(
        r#"{"docs":{"args":{"":"What the model supplies to ask for the weather.","/properties/daysAhead":"How many days ahead. Default: 3.","/properties/place":"Where."},"defaults":{"/properties/daysAhead":3},"description":"Get the weather. Use it when someone plans a day outside.","label":"Looking at the sky"},"name":"get_weather"}"#,
    );
    assert_eq!(
        written["tools"],
        json!({ "get_weather": {
            "scope": "general",
            "posture": "casl",
            "permission": { "action": "read", "resource": "department" },
            "effect": "read",
            "roles": ["class_teacher", "rover"],
            "event": "get.weather",
            "args": args,
            "result": { "type": "string" },
            "docs": docs,
            "hashes": { "wire": wire, "auth": auth, "prompt": prompt },
        } })
    );
    assert_eq!(DEFS[0].wire_hash(), wire);
}

#[test]
fn a_lock_is_read_back_as_it_was_written() {
    let mut lock = Lock::of(DEFS);
    lock.tools.insert(sample::NAME.into(), sample::tool());
    let text = lock.text().unwrap();
    let read = Lock::parse(&text).unwrap();
    assert_eq!(read, lock);
    assert_eq!(read.text().unwrap(), text);
}

#[test]
fn what_is_no_lock_is_refused_with_the_way_out() {
    let good: Value = serde_json::from_str(&Lock::of(DEFS).text().unwrap()).unwrap();
    let edited = |pointer: &str, value: Value| {
        let mut lock = good.clone();
        *lock.pointer_mut(pointer).unwrap() = value;
        lock.to_string()
    };
    let tool = "/tools/get_weather";
    let with = |key: &str, value: Value| {
        let mut lock = good.clone();
        lock["tools"]["get_weather"][key] = value;
        lock.to_string()
    };
    let cases = [
        ("<<<<<<< HEAD".to_owned(), "this is no contract lock: "),
        ("{}".to_owned(), "this is no contract lock: missing field `format`"),
        (edited("/format", json!(2)), "has format 2, and this build reads format 1"),
        (
            edited(&format!("{tool}/args/required"), json!([])),
            "the lock of get_weather contradicts itself in `wire`",
        ),
        (edited(&format!("{tool}/roles"), json!(["rover"])), "in `auth`"),
        (edited(&format!("{tool}/docs/label"), json!("Looking up")), "in `prompt`"),
        (edited(&format!("{tool}/hashes/wire"), json!("xyz")), "expected 16 hexadecimal"),
        (
            with("history", json!([{ "wire": "0123456789abcdef", "args": {}, "result": {} }])),
            "in `history`",
        ),
        (with("accepts", json!(["0123456789abcdef"])), "in `accepts`"),
    ];
    for (text, expected) in cases {
        let error = Lock::parse(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.ends_with("write it anew with `cargo run -- contract lock`"), "{error}");
    }
}

#[test]
fn older_versions_are_remembered_newest_first_and_not_for_ever() {
    let built = LockedTool::of(DEFS[0]);
    let mut lock = Lock::of(DEFS);
    let mut wires = Vec::new();
    for limit in 1..=10 {
        let mut older = sample::tool();
        older.shape.args["properties"]["seats"]["maximum"] = json!(limit);
        older = LockedTool::new("get_weather", older.access, older.shape, older.docs);
        older.history = lock.renewed(DEFS).tools.remove("get_weather").unwrap().history;
        wires.insert(0, older.hashes.wire.clone());
        lock.tools.insert("get_weather".into(), older);
    }
    let renewed = lock.renewed(DEFS).tools.remove("get_weather").unwrap();
    let remembered: Vec<_> = renewed.history.iter().map(|version| version.wire.clone()).collect();
    assert_eq!(remembered, wires[..8]);
    assert_eq!(renewed.hashes, built.hashes);
    assert_eq!(renewed.standing(built.hashes.wire.as_str()), Standing::Same);
    assert_eq!(
        renewed.standing(wires[0].as_str()),
        Standing::Superseded(&renewed.history[0]),
        "nothing is accepted unproven"
    );
    assert_eq!(renewed.standing(wires[9].as_str()), Standing::Unknown);
}
