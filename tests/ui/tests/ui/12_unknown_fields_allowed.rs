//! Why: A misspelt argument that is ignored becomes a call that did something else.
//! Repair: Write `#[serde(deny_unknown_fields)]` above the type.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
pub struct Open {
    /// A word.
    pub word: String,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(tag = "kind")]
pub enum OpenToo {
    A {
        /// A word.
        word: String,
    },
}

fn main() {}
