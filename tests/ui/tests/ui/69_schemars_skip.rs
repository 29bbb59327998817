//! Why: A field that only the parser knows cannot be filled by a model.
//! Repair: Leave it out, or skip the field for both with `serde`.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// In the parser alone.
    #[schemars(skip)]
    #[serde(default)]
    pub hidden: u32,
}

fn main() {}
