//! Why: Its members are known by place, which no provider's schema can say.
//! Repair: Write a struct with names.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// By place and not by name.
    pub value: (String, u32),
}

fn main() {}
