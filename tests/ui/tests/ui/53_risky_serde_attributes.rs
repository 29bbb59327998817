//! Why: These keys of `serde` make the parser take values that the schema does not show, or refuse values that it does.
//! Repair: Write what the message names instead; what is not named is left out.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Fields of another struct among these.
    #[serde(flatten)]
    pub inner: Inner,
    /// Left out when it is written, which it never is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<u32>,
    /// One of several words.
    pub word: Word,
    /// One of two forms.
    pub form: Form,
    /// From another type.
    pub converted: Converted,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Inner {
    /// A word.
    pub name: String,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
pub enum Word {
    Known,
    #[serde(alias = "usual")]
    Common,
    #[serde(other)]
    Unknown,
}

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

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, from = "Inner")]
pub struct Converted {
    /// A word.
    pub name: String,
}

impl From<Inner> for Converted {
    fn from(inner: Inner) -> Self {
        Self { name: inner.name }
    }
}

fn main() {}
