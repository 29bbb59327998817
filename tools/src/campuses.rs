//! Campuses of the school: list them, and compare them when the whole school is in scope.

use std::future::Future;

use agent_contract::{ToolArgs, ToolCx, ToolResult, agent_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A campus of the caller's school.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Campus {
    /// Id of the campus.
    pub id: String,
    /// Display name.
    pub name: String,
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
