//! Why: Arguments outlive the packet that they came in, so they own their values.
//! Repair: Write `String`, and leave the lifetime out.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Borrowed<'a> {
    /// The name.
    pub name: &'a str,
}

fn main() {}
