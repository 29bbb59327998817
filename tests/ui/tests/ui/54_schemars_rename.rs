//! Why: This key of `schemars` changes the schema alone: the model would be shown a name that the parser does not take.
//! Repair: Rename with `serde`, which both follow.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Under another name in the schema.
    #[schemars(rename = "title")]
    pub name: String,
}

fn main() {}
