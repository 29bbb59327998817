//! Who teaches what where. A teacher's own classes, and their right to record marks, rest on these assignments.

use std::future::Future;

use agent_contract::{
    CampusArg, CampusId, Deleted, ListQuery, Order, Page, PageSize, ToolArgs, ToolCx, ToolResult,
    agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::classes::TeachingAssignment;

/// Which assignments are asked for; what is left out does not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TeachingFilter {
    /// Of one teacher.
    pub teacher_id: Option<String>,
    /// In one class.
    pub class_id: Option<String>,
    /// Of one subject.
    pub subject_id: Option<String>,
}

sort_keys! {
    /// What teaching assignments can be sorted by.
    pub enum TeachingSort {
        /// By class, then by subject.
        Class = "class",
        /// By teacher, then by class.
        Teacher = "teacher",
    }
}

/// What reading assignments needs of the domain.
pub trait Teaching: Send + Sync {
    /// A page of the assignments of this year that the caller may see.
    fn teaching(
        &self,
        filter: TeachingFilter,
        campus: Option<&CampusId>,
        query: ListQuery<TeachingSort>,
    ) -> impl Future<Output = ToolResult<Page<TeachingAssignment>>> + Send;
}

/// What changing assignments needs of the domain.
pub trait EditTeaching: Teaching {
    /// Ends an assignment; refuses one that is not there. Marks that the teacher recorded stay.
    fn unassign_teacher(
        &self,
        teacher_id: String,
        class_id: String,
        subject_id: String,
    ) -> impl Future<Output = ToolResult<Deleted<TeachingAssignment>>> + Send;
}

/// What the model supplies to list teaching assignments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListTeachingAssignments {
    /// Id of the teacher whose assignments to list; leave out for all.
    #[serde(default)]
    #[arg(lookup = find_staff)]
    pub teacher_id: Option<String>,
    /// Id of the class whose teachers to list; leave out for all.
    #[serde(default)]
    #[arg(lookup = find_classes)]
    pub class_id: Option<String>,
    /// Id of the subject whose teachers to list; leave out for all.
    #[serde(default)]
    #[arg(lookup = find_subjects)]
    pub subject_id: Option<String>,
    /// Campus to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// What to sort by; leave out for the class.
    #[serde(default)]
    pub sort: Option<TeachingSort>,
    /// Which end comes first; leave out for ascending.
    #[serde(default)]
    pub order: Option<Order>,
    /// How many to return, 1 to 100; leave out for 50.
    #[serde(default)]
    pub limit: Option<PageSize>,
    /// `nextCursor` of the page before; leave out for the first page.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// List who teaches which subject in which class this year.
#[agent_tool(
    scope = general,
    posture = casl(Read, Assignment),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Listing teaching assignments",
    say = [
        "list [all] [the] teaching assignments",
        "(what|which) (classes|subjects) does {teacher_id} teach",
        "who teaches {subject_id} in [class] {class_id}",
    ],
    examples = [
        { teacher_id: "naalya-staff-peter.mukasa" },
        { campus_id: "naalya-campus-lakeside" },
    ],
)]
pub async fn list_teaching_assignments(
    cx: &ToolCx<impl Teaching>,
    args: ListTeachingAssignments,
) -> ToolResult<Page<TeachingAssignment>> {
    let query = ListQuery::new(args.sort, args.order, args.limit, args.cursor.as_deref())?;
    let ListTeachingAssignments { teacher_id, class_id, subject_id, campus_id, .. } = args;
    let filter = TeachingFilter { teacher_id, class_id, subject_id };
    cx.services().teaching(filter, campus_id.filter(), query).await
}

/// What the model supplies to unassign a teacher.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UnassignTeacher {
    /// Id of the teacher.
    #[arg(lookup = find_staff)]
    pub teacher_id: String,
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
}

/// End the assignment of a teacher to a subject in a class. Marks that they recorded stay.
#[agent_tool(
    scope = general,
    posture = casl(Update, Assignment),
    roles = [Rover, DirectorOfStudies],
    label = "Unassigning a teacher",
    say = [
        "unassign {teacher_id} from {subject_id} in [class] {class_id}",
        "{teacher_id} no longer teaches {subject_id} in [class] {class_id}",
    ],
    examples = [
        {
            teacher_id: "naalya-staff-peter.mukasa",
            class_id: "naalya-class-s2-east",
            subject_id: "naalya-subject-phy",
        },
    ],
)]
pub async fn unassign_teacher(
    cx: &ToolCx<impl EditTeaching>,
    args: UnassignTeacher,
) -> ToolResult<Deleted<TeachingAssignment>> {
    cx.services().unassign_teacher(args.teacher_id, args.class_id, args.subject_id).await
}
