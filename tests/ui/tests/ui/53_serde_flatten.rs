//! Why: A flattened struct is one object for serde and, in a closed schema, two that contradict each other.
//! Repair: Write the inner fields out, or keep the struct as one argument.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Fields of another struct among these.
    #[serde(flatten)]
    pub inner: Inner,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Inner {
    /// A word.
    pub name: String,
}

fn main() {}
