//! Why: Forms that do not name themselves are told apart by trying, so a damaged one becomes another one.
//! Repair: Give each form its name with `tag`.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(untagged)]
pub enum Form {
    A {
        /// A word.
        word: String,
    },
    B {
        /// A number.
        number: u32,
    },
}

fn main() {}
