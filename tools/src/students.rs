//! Students and their enrolment: list, find, enrol, move to another class, withdraw.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, ListQuery, Order, Page, PageSize, ToolArgs, ToolCx,
    ToolResult, agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A student and where they are enrolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "student")]
pub struct Student {
    /// Id of the student.
    #[audit(id)]
    pub id: String,
    /// Full name.
    pub name: String,
    /// The school's own number for the student.
    pub admission_number: String,
    /// Id of the class, while enrolled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_id: Option<String>,
    /// Display name of that class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_name: Option<String>,
    /// Display name of the campus.
    pub campus_name: String,
    /// Whether the student still attends.
    pub status: StudentStatus,
}

/// Whether a student attends the school.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToolArgs,
)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StudentStatus {
    /// Enrolled in a class.
    #[default]
    Enrolled,
    /// Left the school.
    Withdrawn,
}

sort_keys! {
    /// What students can be sorted by.
    pub enum StudentSort {
        /// By name.
        Name = "name",
        /// By class, then by name.
        Class = "class",
        /// By the school's own number.
        AdmissionNumber = "admission_number",
    }
}

/// Which students to list.
#[derive(Clone, Debug, Default)]
pub struct StudentFilter {
    /// Those of this class only.
    pub class_id: Option<String>,
    /// Those of this campus only.
    pub campus: Option<CampusId>,
    /// Those who attend, or those who left.
    pub status: StudentStatus,
}

/// What reading students needs of the domain.
pub trait Students: Send + Sync {
    /// A page of the students the caller may see.
    fn list(
        &self,
        filter: StudentFilter,
        query: ListQuery<StudentSort>,
    ) -> impl Future<Output = ToolResult<Page<Student>>> + Send;

    /// Students whose name resembles `name`, best match first; misspelling is forgiven.
    fn find(
        &self,
        name: String,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<Student>>> + Send;
}

/// What changing students needs of the domain.
pub trait EditStudents: Students {
    /// Adds a student and enrols them in a class.
    fn enrol(
        &self,
        name: String,
        class_id: String,
    ) -> impl Future<Output = ToolResult<Student>> + Send;

    /// Moves a student to another class.
    fn move_to(
        &self,
        student_id: String,
        class_id: String,
    ) -> impl Future<Output = ToolResult<Student>> + Send;

    /// Ends a student's enrolment; the record stays.
    fn withdraw(&self, student_id: String) -> impl Future<Output = ToolResult<Student>> + Send;
}

/// What the model supplies to list students.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListStudents {
    /// Id of the class to list; leave out for every class in scope.
    #[serde(default)]
    #[arg(lookup = find_classes)]
    pub class_id: Option<String>,
    /// Campus to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// Those who attend or those who left; leave out for those who attend.
    #[serde(default)]
    pub status: Option<StudentStatus>,
    /// What to sort by; leave out for the name.
    #[serde(default)]
    pub sort: Option<StudentSort>,
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

/// List students, of one class or of everything the caller may see; those who left if asked for.
#[agent_tool(
    scope = general,
    posture = casl(Read, Student),
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Listing students",
    say = [
        "list [all] [the] students",
        "list [all] [the] students in [class] {class_id}",
        "(show|give) [me] [all] [the] students",
        "(show|give) [me] [all] [the] students in [class] {class_id}",
        "who is in [class] {class_id}",
    ],
    examples = [{ class_id: "naalya-class-s1-east" }, { campus_id: "naalya-campus-lakeside" }],
)]
pub async fn list_students(
    cx: &ToolCx<impl Students>,
    args: ListStudents,
) -> ToolResult<Page<Student>> {
    let query = ListQuery::new(args.sort, args.order, args.limit, args.cursor.as_deref())?;
    let filter = StudentFilter {
        class_id: args.class_id,
        campus: args.campus_id.filter().cloned(),
        status: args.status.unwrap_or_default(),
    };
    cx.services().list(filter, query).await
}

/// What the model supplies to find students.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FindStudents {
    /// Name or part of a name, e.g. "Achieng".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Campus to look on; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Find students by name. Use it to turn a student's name into their id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Student),
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Looking up a student",
    say = [
        "(find|look up|search for) [the] student [called|named] {name}",
        "(find|look up|search for) [the] students (called|named) {name}",
        "(what|which) class is {name} in",
    ],
    examples = [{ name: "Nakato" }],
)]
pub async fn find_students(
    cx: &ToolCx<impl Students>,
    args: FindStudents,
) -> ToolResult<Vec<Student>> {
    cx.services().find(args.name, args.campus_id.filter()).await
}

/// What the model supplies to enrol a student.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EnrolStudent {
    /// Full name of the student, e.g. "Amina Nakato".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Id of the class to enrol in.
    #[arg(lookup = find_classes)]
    pub class_id: String,
}

/// Enrol a new student in a class.
#[agent_tool(
    scope = general,
    posture = casl(Create, Student),
    roles = [Rover],
    label = "Enrolling a student",
    say = [
        "enrol [a] [new] [student] [called|named] {name} in [class] {class_id}",
        "enroll [a] [new] [student] [called|named] {name} in [class] {class_id}",
        "(enrol|enroll) {name} into [class] {class_id}",
        "add [a] [new] student [called|named] {name} to [class] {class_id}",
        "(enrol|enroll) [a] [new] student [called|named] {name} into [class] {class_id}",
        "register [a] [new] [student] [called|named] {name} in [class] {class_id}",
    ],
    examples = [{ name: "Prossy Nambi", class_id: "naalya-class-s1-east" }],
)]
pub async fn enrol_student(
    cx: &ToolCx<impl EditStudents>,
    args: EnrolStudent,
) -> ToolResult<Student> {
    cx.services().enrol(args.name, args.class_id).await
}

/// What the model supplies to move a student.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MoveStudent {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// Id of the class to move to.
    #[arg(lookup = find_classes)]
    pub class_id: String,
}

/// Move a student to another class.
#[agent_tool(
    scope = general,
    posture = casl(Update, Student),
    roles = [Rover],
    label = "Moving a student",
    say = [
        "move [student] {student_id} to [class] {class_id}",
        "transfer [student] {student_id} to [class] {class_id}",
        "put [student] {student_id} in [class] {class_id}",
    ],
    examples = [{ student_id: "naalya-student-001", class_id: "naalya-class-s1-west" }],
)]
pub async fn move_student(
    cx: &ToolCx<impl EditStudents>,
    args: MoveStudent,
) -> ToolResult<Student> {
    cx.services().move_to(args.student_id, args.class_id).await
}

/// What the model supplies to withdraw a student.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WithdrawStudent {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
}

/// Withdraw a student from the school. The record stays, the enrolment ends.
#[agent_tool(
    scope = general,
    posture = casl(Update, Student),
    roles = [Rover],
    label = "Withdrawing a student",
    say = [
        "withdraw [the] [student] {student_id}",
        "withdraw [the] [student] {student_id} from [the] school",
        "end the enrolment of {student_id}",
    ],
    examples = [{ student_id: "naalya-student-001" }],
)]
pub async fn withdraw_student(
    cx: &ToolCx<impl EditStudents>,
    args: WithdrawStudent,
) -> ToolResult<Student> {
    cx.services().withdraw(args.student_id).await
}
