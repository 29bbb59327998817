//! Why: These keys of `schemars` change the schema alone, so the model is shown what the parser does not take.
//! Repair: Write what the message names instead.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Under another name in the schema.
    #[schemars(rename = "title")]
    pub name: String,
    /// Of another type in the schema.
    #[schemars(with = "String")]
    pub count: u32,
    /// By a schema of its own.
    #[schemars(schema_with = "any")]
    pub other: u32,
    /// With a key of its own.
    #[schemars(extend("const" = 1))]
    pub one: u32,
    /// In the parser alone.
    #[schemars(skip)]
    #[serde(default)]
    pub hidden: u32,
    /// In the schema alone.
    #[schemars(required)]
    pub must: Option<u32>,
    /// With an example that the docs do not know.
    #[schemars(example = 3)]
    pub shown: u32,
}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    true.into()
}

fn main() {}
