//! Why: Free-form JSON has no schema for the model, and anything may hide in it.
//! Repair: Write a struct with the fields that there are, and derive `ToolArgs` for it.

use std::collections::HashMap;

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Free-form JSON.
    pub anything: serde_json::Value,
    /// A map.
    pub extra: HashMap<String, String>,
}

fn main() {}
