//! Why: Its bounds differ between two machines, so one schema cannot state them.
//! Repair: Write `u32` or `u64`.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// As wide as the machine.
    pub value: usize,
}

fn main() {}
