//! Why: This key of `schemars` gives the schema another type than the parser's.
//! Repair: Leave it out, or change the field's type.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Of another type in the schema.
    #[schemars(with = "String")]
    pub count: u32,
}

fn main() {}
