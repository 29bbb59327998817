//! Why: A campus that is plain text would let a caller who is pinned to one campus name another.
//! Repair: Write `#[serde(default)] campus_id: CampusArg`, or `CampusTarget` for a campus that something is sent
//! to.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct NotPinned {
    /// A campus.
    pub campus_id: String,
    /// A campus under another name.
    #[serde(rename = "fromCampus")]
    pub place: Option<String>,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct NoDefault {
    /// A campus.
    pub campus_id: CampusArg,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Wrapped {
    /// A campus.
    pub campus: Option<CampusArg>,
}

fn main() {}
