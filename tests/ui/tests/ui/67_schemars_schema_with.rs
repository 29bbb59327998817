//! Why: This key of `schemars` replaces the schema by one that nobody compares with the parser.
//! Repair: Leave it out; a rule that a length, a range or a pattern can say has a key of its own.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// By a schema of its own.
    #[schemars(schema_with = "any")]
    pub other: u32,
}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    true.into()
}

fn main() {}
