//! Why: JSON's numbers end before 128 bits do, so a value could change on its way.
//! Repair: Write one of the types that the message lists.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Wider still.
    pub value: u128,
}

fn main() {}
