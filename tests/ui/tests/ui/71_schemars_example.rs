//! Why: Examples belong to the tool, where the documentation shows them and a test runs them.
//! Repair: Write it into the doc comment, or into `examples` of the tool.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// With an example that the docs do not know.
    #[schemars(example = 3)]
    pub shown: u32,
}

fn main() {}
