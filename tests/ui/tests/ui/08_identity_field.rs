//! Why: Who is calling comes from the signed context; an argument of the model would let the model choose.
//! Repair: Delete the field and read `cx.identity()`; a person who is acted on gets a name of their part, e.g.
//! `student_id`.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Direct {
    /// Who.
    pub user_id: String,
    /// Renamed.
    #[serde(rename = "staffID")]
    pub who: String,
    /// Under another name.
    #[serde(alias = "School_Id")]
    pub place: String,
}

fn main() {}
