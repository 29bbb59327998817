//! Why: The schema would demand what the parser lets be absent.
//! Repair: Take `Option` away, or this key.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// In the schema alone.
    #[schemars(required)]
    pub must: Option<u32>,
}

fn main() {}
