//! Why: This key of `schemars` adds words to the schema that the parser does not know.
//! Repair: Leave it out.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// With a key of its own.
    #[schemars(extend("const" = 1))]
    pub one: u32,
}

fn main() {}
