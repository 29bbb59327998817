//! One tool to change.

use std::collections::BTreeMap;

use agent_contract::lock::{
    Access, Deprecated, Docs, Lock, LockedPosture, LockedTool, Permission, Shape,
};
use agent_contract::{Date, Effect, ToolScope};
use serde_json::{Value, json};

pub(crate) const NAME: &str = "create_room";

pub(crate) fn access() -> Access {
    let permission = Permission { action: "create".into(), resource: "room".into() };
    Access {
        scope: ToolScope::General,
        posture: Some(LockedPosture::Casl(permission)),
        effect: Effect::Write,
        approval: None,
        roles: vec!["rover".into()],
    }
}

pub(crate) fn docs() -> Docs {
    Docs {
        description: "Create a room.".into(),
        label: "Creating a room".into(),
        say: vec!["create a room called {name}".into()],
        args: BTreeMap::from([("/properties/name".into(), "Name of the room.".into())]),
        defaults: BTreeMap::from([("/properties/seats".into(), json!(30))]),
        result: BTreeMap::new(),
    }
}

/// Arguments with a bit of everything that can change.
pub(crate) fn args() -> Value {
    json!({
        "additionalProperties": false,
        "properties": {
            "code": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
            "kind": { "enum": ["hall", "lab"], "type": "string" },
            "name": { "maxLength": 80, "minLength": 1, "type": "string" },
            "slots": {
                "items": {
                    "additionalProperties": false,
                    "properties": { "day": { "format": "date", "type": "string" } },
                    "required": ["day"],
                    "type": "object",
                },
                "type": "array",
            },
            "seats": { "maximum": 500, "minimum": 1, "type": "integer" },
        },
        "required": ["name"],
        "type": "object",
    })
}

/// A result: open, with a field that may be null and a closed object.
pub(crate) fn result() -> Value {
    json!({
        "properties": {
            "by": {
                "additionalProperties": false,
                "properties": { "name": { "type": "string" } },
                "required": ["name"],
                "type": "object",
            },
            "id": { "type": "string" },
            "kind": { "enum": ["hall", "lab"], "type": "string" },
            "site": {
                "anyOf": [
                    {
                        "properties": { "street": { "type": "string" } },
                        "required": ["street"],
                        "type": "object",
                    },
                    { "type": "null" },
                ],
            },
            "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
        },
        "required": ["id", "kind", "note"],
        "type": "object",
    })
}

pub(crate) fn shape() -> Shape {
    Shape { event: Some("create.room".into()), args: args(), result: result() }
}

pub(crate) fn tool() -> LockedTool {
    LockedTool::new(NAME, access(), shape(), docs())
}

pub(crate) fn deprecated() -> Deprecated {
    Deprecated { since: Date::new(2026, 2, 1).unwrap(), reason: "use add_room".into() }
}

pub(crate) fn lock_of_none() -> Lock {
    Lock::of(&[])
}

/// A lock with this one tool.
pub(crate) fn lock_of(name: &str, tool: LockedTool) -> Lock {
    let mut lock = lock_of_none();
    lock.tools.insert(name.into(), tool);
    lock
}
