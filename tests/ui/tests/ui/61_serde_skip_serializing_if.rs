//! Why: An argument is never written, so the key does nothing here; where it is meant to do something, it hides a field that the schema shows.
//! Repair: Leave it out.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Left out when it is written, which it never is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<u32>,
}

fn main() {}
