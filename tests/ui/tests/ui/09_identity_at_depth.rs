//! Why: A nested object is read from the same arguments, so identity may hide in none.
//! Repair: Derive `ToolArgs` for the inner type too and delete its identity fields.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, tag = "kind")]
pub enum Checked {
    Person {
        /// Who.
        caller: String,
    },
}

#[derive(Deserialize, JsonSchema)]
pub struct Unchecked {
    pub user_id: String,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Outer {
    /// Checked by its own derive.
    pub checked: Checked,
    /// Checked by nothing.
    pub unchecked: Option<Vec<Unchecked>>,
}

fn main() {}
