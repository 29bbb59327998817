//! Why: A second name is taken by the parser and not shown by the schema.
//! Repair: Leave it out, or rename the field.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
pub enum Word {
    Known,
    #[serde(alias = "usual")]
    Common,
}

fn main() {}
