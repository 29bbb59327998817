//! The school's grading scale: which percentage earns which grade.

use std::future::Future;

use agent_contract::{AuditSubject, Hundredths, ToolArgs, ToolCx, ToolResult, agent_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A grading scale. A percentage earns the grade of the highest band that it reaches; it is not rounded before, so
/// 79.99 does not reach a band from 80.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "grading_scale")]
pub struct GradingScale {
    /// Id of the scale, which is the school's.
    #[audit(id)]
    pub id: String,
    /// The bands, highest first; the last begins at 0.
    pub bands: Vec<GradeBand>,
    /// Counts its changes, say it again to change the scale; 0 as long as the school has set none of its own.
    pub version: i64,
}

/// One grade of the scale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GradeBand {
    /// The grade, e.g. "A" or "D1".
    pub grade: String,
    /// The lowest percentage that earns it.
    pub from: Hundredths,
    /// What it means on a report card, e.g. "Outstanding".
    pub remark: String,
}

/// What reading the scale needs of the domain.
pub trait Grading: Send + Sync {
    /// The scale of the school.
    fn grading_scale(&self) -> impl Future<Output = ToolResult<GradingScale>> + Send;
}

/// What changing the scale needs of the domain.
pub trait EditGrading: Grading {
    /// Sets the scale; refuses one that has a gap, and one that somebody changed since `version`.
    fn set_grading_scale(
        &self,
        bands: Vec<GradeBand>,
        version: i64,
    ) -> impl Future<Output = ToolResult<GradingScale>> + Send;
}

/// Getting the grading scale takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetGradingScale {}

/// Get the grading scale of the school: which percentage earns which grade.
#[agent_tool(
    scope = general,
    posture = casl(Read, GradingScale),
    roles = [Rover, SubjectTeacher, ClassTeacher, DirectorOfStudies],
    label = "Getting the grading scale",
    say = [
        "(show|give|get) [me] the grading scale",
        "(what|which) (is|are) the (grading scale|grades)",
        "how do we grade",
    ],
)]
pub async fn get_grading_scale(
    cx: &ToolCx<impl Grading>,
    _args: GetGradingScale,
) -> ToolResult<GradingScale> {
    cx.services().grading_scale().await
}

/// One grade of a new scale.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NewBand {
    /// The grade, e.g. "A" or "D1".
    #[schemars(length(min = 1, max = 8))]
    pub grade: String,
    /// The lowest percentage that earns it.
    #[schemars(range(min = 0, max = 100))]
    pub from: Hundredths,
    /// What it means on a report card, e.g. "Outstanding".
    #[schemars(length(max = 60))]
    pub remark: String,
}

/// What the model supplies to set the grading scale.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SetGradingScale {
    /// Every band of the new scale; the lowest begins at 0.
    #[schemars(length(min = 1, max = 20))]
    pub bands: Vec<NewBand>,
    /// Version of the scale as it was read; the change is refused if somebody else changed it since.
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_i64))]
    pub version: i64,
}

/// Set the grading scale of the school. Results that are computed already keep their grades until they are recomputed.
#[agent_tool(
    scope = school,
    posture = casl(Update, GradingScale),
    approval = always,
    roles = [DirectorOfStudies],
    label = "Setting the grading scale",
    examples = [
        {
            bands: [
                { grade: "A", from: 80, remark: "Exceptional" },
                { grade: "B", from: 65, remark: "Good" },
                { grade: "C", from: 50, remark: "Satisfactory" },
                { grade: "F", from: 0, remark: "Needs support" },
            ],
            version: 1,
        },
    ],
)]
pub async fn set_grading_scale(
    cx: &ToolCx<impl EditGrading>,
    args: SetGradingScale,
) -> ToolResult<GradingScale> {
    let bands = args.bands.into_iter().map(|band| GradeBand {
        grade: band.grade,
        from: band.from,
        remark: band.remark,
    });
    cx.services().set_grading_scale(bands.collect(), args.version).await
}
