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
