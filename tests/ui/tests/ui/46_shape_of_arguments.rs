//! Why: Providers take one closed object with named, inlined properties.
//! Repair: Write a struct with named fields, or an enum with `#[serde(tag = "kind")]`.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
pub struct Tuple(String);

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Generic<T: ToolArg> {
    /// Anything.
    pub inner: T,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, tag = "user")]
pub enum ByUser {
    A {
        /// A word.
        word: String,
    },
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub enum NoTag {
    A {
        /// A word.
        word: String,
    },
}

fn main() {}
