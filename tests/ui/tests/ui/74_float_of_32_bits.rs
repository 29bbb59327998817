//! Why: A number beyond its range becomes infinite without a word.
//! Repair: Write `f64`.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Infinite beyond its range.
    pub value: f32,
}

fn main() {}
