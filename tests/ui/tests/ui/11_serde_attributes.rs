//! Why: These attributes make what is parsed differ from the schema that the model was shown.
//! Repair: Leave the attribute out; the message lists those that keep both of one mind.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, tag = "kind", content = "value")]
pub enum Adjacent {
    A {
        /// A word.
        word: String,
    },
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(untagged)]
pub enum Untagged {
    A {
        /// A word.
        word: String,
    },
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Dangerous {
    /// Under another name.
    #[serde(alias = "title")]
    pub name: String,
    /// By another parser.
    #[serde(deserialize_with = "parse")]
    pub count: u32,
    /// Of another type in the schema.
    #[schemars(with = "String")]
    pub other: u32,
}

fn parse<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    u32::deserialize(deserializer)
}

fn main() {}
