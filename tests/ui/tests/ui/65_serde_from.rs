//! Why: The parser would read another type than the one that the schema shows.
//! Repair: Write the fields as they stand in JSON, and convert in the handler.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, from = "Inner")]
pub struct Converted {
    /// A word.
    pub name: String,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Inner {
    /// A word.
    pub name: String,
}

impl From<Inner> for Converted {
    fn from(inner: Inner) -> Self {
        Self { name: inner.name }
    }
}

fn main() {}
