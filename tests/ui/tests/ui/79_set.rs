//! Why: A double vanishes without a word.
//! Repair: Write `Vec`, and look for doubles in the handler.

use std::collections::BTreeSet;

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// Where a double vanishes.
    pub value: BTreeSet<String>,
}

fn main() {}
