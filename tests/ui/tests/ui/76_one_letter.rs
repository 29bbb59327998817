//! Why: What one letter is, schema and parser count differently.
//! Repair: Write `String` with a length.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// One letter.
    pub value: char,
}

fn main() {}
