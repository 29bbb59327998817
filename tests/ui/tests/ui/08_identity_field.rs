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
