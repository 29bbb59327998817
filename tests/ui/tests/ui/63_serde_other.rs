//! Why: A variant for every other word takes what the schema refuses.
//! Repair: List every word as a variant of its own.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
pub enum Word {
    Known,
    #[serde(other)]
    Unknown,
}

fn main() {}
