//! Why: Its format is one that no validator knows.
//! Repair: Write `String` with a pattern.

use std::net::IpAddr;

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Risky {
    /// In a form that no validator knows.
    pub value: IpAddr,
}

fn main() {}
