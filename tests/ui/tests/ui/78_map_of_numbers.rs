//! Why: A map is open, and its keys here are numbers that JSON writes as text.
//! Repair: Write a list of a struct that holds key and value.

use std::collections::BTreeMap;

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Keys that are no names.
    pub value: BTreeMap<u32, String>,
}

fn main() {}
