//! Why: The schema states its bounds by half.
//! Repair: Write the plain integer with a range.

use std::num::NonZeroU32;

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// With a bound that the schema says by half.
    pub value: NonZeroU32,
}

fn main() {}
