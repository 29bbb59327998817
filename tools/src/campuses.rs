//! Campuses of the school: list them; rename, close and compare them when the whole school is in scope.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Date, ToolArgs, ToolCx, ToolResult, Version, agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A campus of the caller's school.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "campus")]
pub struct Campus {
    /// Id of the campus.
    #[audit(id)]
    pub id: String,
    /// Display name.
    pub name: String,
    /// The day from which it is closed, if that is planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_on: Option<Date>,
    /// Grows by one with every change; guards against lost updates.
    pub version: Version,
}

/// One campus in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CampusFigures {
    /// Id of the campus.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Departments in use.
    pub departments: i64,
    /// Classes of the current academic year.
    pub classes: i64,
    /// Students enrolled.
    pub students: i64,
    /// Staff who work there.
    pub staff: i64,
}

/// What reading campuses needs of the domain.
pub trait Campuses: Send + Sync {
    /// The campuses the caller may see, by name.
    fn list(&self) -> impl Future<Output = ToolResult<Vec<Campus>>> + Send;

    /// The same campuses in numbers.
    fn compare(&self) -> impl Future<Output = ToolResult<Vec<CampusFigures>>> + Send;
}

/// What changing campuses needs of the domain.
pub trait EditCampuses: Campuses {
    /// Gives a campus another name.
    fn rename(
        &self,
        campus: &CampusId,
        name: String,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<Campus>> + Send;

    /// Takes a campus out of sight from a day on; refused from today on while students attend there.
    fn close(
        &self,
        campus: &CampusId,
        closes_on: Date,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<Campus>> + Send;
}

/// Listing campuses takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListCampuses {}

/// List the campuses the caller may work on. Use it to turn a campus name into its id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Campus),
    roles = [Rover, DirectorOfStudies],
    label = "Listing campuses",
    say = [
        "list [all] [the|our] campuses",
        "(show|give) [me] [all] [the|our] campuses",
        "(what|which) campuses (are there|do we have)",
    ],
)]
pub async fn list_campuses(
    cx: &ToolCx<impl Campuses>,
    _args: ListCampuses,
) -> ToolResult<Vec<Campus>> {
    cx.services().list().await
}

/// Comparing campuses takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CompareCampuses {}

/// Compare the campuses in numbers: departments, classes, students and staff of each.
#[agent_tool(
    scope = school,
    posture = casl(Read, Campus),
    roles = [Rover, DirectorOfStudies],
    label = "Comparing campuses",
    say = [
        "compare [all] [the|our] campuses",
        "how do (the|our) campuses compare",
        "(show|give) [me] [the] figures (of|for) [each|every] campus",
        "(show|give) [me] a comparison of [the|our] campuses",
    ],
)]
pub async fn compare_campuses(
    cx: &ToolCx<impl Campuses>,
    _args: CompareCampuses,
) -> ToolResult<Vec<CampusFigures>> {
    cx.services().compare().await
}

/// What the model supplies to rename a campus.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RenameCampus {
    /// Campus to rename.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// The new name, e.g. "Hill Campus".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Rename a campus.
#[agent_tool(
    scope = school,
    posture = casl(Update, Campus),
    roles = [Rover],
    label = "Renaming a campus",
    say = ["rename [the] campus {campus_id} to {name}", "call [the] campus {campus_id} {name} from now on"],
    examples = [{ campus_id: "naalya-campus-lakeside", name: "Lakeview Campus" }],
)]
pub async fn rename_campus(
    cx: &ToolCx<impl EditCampuses>,
    args: RenameCampus,
) -> ToolResult<Campus> {
    cx.services().rename(args.campus_id.required()?, args.name, args.version).await
}

/// What the model supplies to close a campus.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CloseCampus {
    /// Campus to close.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// The day from which it is closed, e.g. "2027-12-31".
    pub closes_on: Date,
    /// Version that you saw; leave out to close it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Close a campus from a day on. Its records stay, and nobody can work on it from then; until then its students must
/// be moved or withdrawn.
#[agent_tool(
    scope = school,
    posture = casl(Update, Campus),
    roles = [Rover],
    label = "Closing a campus",
    approval = always,
    say = ["close [down] [the] campus {campus_id} (on|from) {closes_on}"],
    examples = [{ campus_id: "naalya-campus-lakeside", closes_on: "2036-12-31" }],
)]
pub async fn close_campus(cx: &ToolCx<impl EditCampuses>, args: CloseCampus) -> ToolResult<Campus> {
    cx.services().close(args.campus_id.required()?, args.closes_on, args.version).await
}
