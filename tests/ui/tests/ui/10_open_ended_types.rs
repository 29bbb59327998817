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
