//! Students and their enrolment: list, find, read and change the record, enrol, move to another class, withdraw.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Date, ListQuery, Order, Page, PageSize, ToolArgs, ToolCx,
    ToolResult, Version, agent_tool, sort_keys,
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

/// All that is on record about one student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "student")]
pub struct StudentRecord {
    /// Id of the student.
    #[audit(id)]
    pub id: String,
    /// Full name.
    pub name: String,
    /// The school's own number for the student.
    pub admission_number: String,
    /// Gender, if it is on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    /// Date of birth, if it is on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_of_birth: Option<Date>,
    /// Display name of the campus.
    pub campus_name: String,
    /// Whether the student still attends.
    pub status: StudentStatus,
    /// The classes they were in, the latest first.
    pub enrolments: Vec<Enrolment>,
    /// Grows by one with every change; guards against lost updates.
    pub version: Version,
}

/// A student in a class, from one day to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Enrolment {
    /// Id of the class.
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Display name of the academic year.
    pub academic_year: String,
    /// First day.
    pub from: Date,
    /// Last day; absent while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
}

/// Gender, as the register has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToolArgs)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Gender {
    /// A girl.
    Female,
    /// A boy.
    Male,
}

/// What is changed in a student's record; what is none stays.
#[derive(Clone, Debug, Default)]
pub struct StudentChange {
    /// Full name.
    pub name: Option<String>,
    /// Gender.
    pub gender: Option<Gender>,
    /// Date of birth.
    pub date_of_birth: Option<Date>,
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

    /// All that is on record about one student.
    fn record(&self, student_id: String) -> impl Future<Output = ToolResult<StudentRecord>> + Send;

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

    /// Changes the record of a student; refused if it is no longer at the version that was seen.
    fn update(
        &self,
        student_id: String,
        change: StudentChange,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<StudentRecord>> + Send;

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

/// What the model supplies to get a student's record.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetStudent {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
}

/// Get a student's record: date of birth, status, and the classes they were in with their dates.
#[agent_tool(
    scope = general,
    posture = casl(Read, Student),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Reading a student's record",
    say = [
        "(show|give|get) [me] the record of [student] {student_id}",
        "(which|what) classes was {student_id} in",
        "when was {student_id} born",
    ],
    examples = [{ student_id: "naalya-student-001" }],
)]
pub async fn get_student(
    cx: &ToolCx<impl Students>,
    args: GetStudent,
) -> ToolResult<StudentRecord> {
    cx.services().record(args.student_id).await
}

/// What the model supplies to update a student.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateStudent {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// The new full name; leave out to keep it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 80))]
    pub name: Option<String>,
    /// Gender; leave out to keep it.
    #[serde(default)]
    pub gender: Option<Gender>,
    /// Date of birth; leave out to keep it.
    #[serde(default)]
    pub date_of_birth: Option<Date>,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Change a student's name, gender or date of birth on record.
#[agent_tool(
    scope = general,
    posture = casl(Update, Student),
    roles = [Rover],
    label = "Updating a student's record",
    say = [
        "rename [the] student {student_id} to {name}",
        "set the date of birth of [student] {student_id} to {date_of_birth}",
        "{student_id} was born on {date_of_birth}",
    ],
    examples = [{ student_id: "naalya-student-001", date_of_birth: "2013-04-05" }],
)]
pub async fn update_student(
    cx: &ToolCx<impl EditStudents>,
    args: UpdateStudent,
) -> ToolResult<StudentRecord> {
    let UpdateStudent { student_id, name, gender, date_of_birth, version } = args;
    let change = StudentChange { name, gender, date_of_birth };
    cx.services().update(student_id, change, version).await
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
