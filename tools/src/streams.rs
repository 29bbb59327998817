//! Streams: a year group ("S1") is taught in streams ("S1 East", "S1 West"), and each stream is a class with a class
//! teacher, a register and a size.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, ToolArgs, ToolCx, ToolResult, Version, agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::students::Student;

/// A class with all that is set for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "class")]
pub struct ClassDetails {
    /// Id of the class.
    #[audit(id)]
    pub id: String,
    /// Display name, e.g. "S1 East".
    pub name: String,
    /// Year group, e.g. "S1".
    pub year_group: String,
    /// Name of the stream, e.g. "East"; a year group that is not divided has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<String>,
    /// Display name of the campus.
    pub campus_name: String,
    /// Name of the class teacher, if one is appointed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_teacher: Option<String>,
    /// Students enrolled in it.
    pub students: i64,
    /// Students that it has room for, if that is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<i64>,
    /// The subjects that it takes, by name.
    pub subjects: Vec<TaughtSubject>,
    /// Counts its changes; say it again to change the class.
    pub version: Version,
}

/// A subject of a class, and who teaches it there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaughtSubject {
    /// Id of the subject.
    pub subject_id: String,
    /// Display name of the subject.
    pub subject: String,
    /// Names of its teachers in this class; none if it is offered and nobody is assigned.
    pub teachers: Vec<String>,
}

/// A stream of a year group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stream {
    /// Id of the class.
    pub id: String,
    /// Display name, e.g. "S1 East".
    pub name: String,
    /// Year group, e.g. "S1".
    pub year_group: String,
    /// Display name of the campus.
    pub campus_name: String,
    /// Name of the class teacher, if one is appointed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_teacher: Option<String>,
    /// Students enrolled in it.
    pub students: i64,
    /// Students that it has room for, if that is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<i64>,
}

/// What is to change about a class; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassChange {
    /// Another name.
    pub name: Option<String>,
    /// Another class teacher.
    pub class_teacher_id: Option<String>,
    /// Another capacity.
    pub capacity: Option<i64>,
    /// The version that the change was made for.
    pub version: Option<Version>,
}

/// What reading streams needs of the domain.
pub trait Streams: Send + Sync {
    /// One class of this year with all that is set for it.
    fn class_details(
        &self,
        class_id: String,
    ) -> impl Future<Output = ToolResult<ClassDetails>> + Send;

    /// The streams of a year group, or of every year group, that the caller may see.
    fn streams(
        &self,
        year_group: Option<String>,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<Stream>>> + Send;
}

/// What changing streams needs of the domain.
pub trait EditStreams: Streams {
    /// Changes a class; refuses one that somebody changed since the version that the change names.
    fn update_class(
        &self,
        class_id: String,
        change: ClassChange,
    ) -> impl Future<Output = ToolResult<ClassDetails>> + Send;

    /// Moves a student to another stream of the same year group and campus; refuses a full one.
    fn move_to_stream(
        &self,
        student_id: String,
        stream: String,
    ) -> impl Future<Output = ToolResult<Student>> + Send;
}

/// What the model supplies to get a class.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetClass {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
}

/// Get one class: its size, its class teacher, the subjects that it takes and who teaches them.
#[agent_tool(
    scope = general,
    posture = casl(Read, Class),
    roles = [Rover, ClassTeacher, DirectorOfStudies],
    label = "Looking at a class",
    say = [
        "(show|tell) me about [the] class {class_id}",
        "who teaches [in] [the] class {class_id}",
        "how (big|large) is [the] [class] {class_id}",
        "how many students are (in|there in) [class] {class_id}",
    ],
    examples = [{ class_id: "naalya-class-s1-east" }],
)]
pub async fn get_class(cx: &ToolCx<impl Streams>, args: GetClass) -> ToolResult<ClassDetails> {
    cx.services().class_details(args.class_id).await
}

/// What the model supplies to list streams.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListStreams {
    /// Year group, e.g. "S1"; leave out for every year group.
    #[serde(default)]
    #[schemars(length(min = 1, max = 40))]
    pub year_group: Option<String>,
    /// Campus to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// List the streams of a year group with their sizes. Use it to see where there is room.
#[agent_tool(
    scope = general,
    posture = casl(Read, Class),
    roles = [Rover, DirectorOfStudies],
    label = "Listing streams",
    say = [
        "list [all] [the] streams",
        "list [all] [the] streams of {year_group}",
        "(what|which) streams does {year_group} have",
        "(what|which) streams of {year_group} have room",
    ],
    examples = [{ year_group: "S1" }, { campus_id: "naalya-campus-lakeside" }],
)]
pub async fn list_streams(cx: &ToolCx<impl Streams>, args: ListStreams) -> ToolResult<Vec<Stream>> {
    cx.services().streams(args.year_group, args.campus_id.filter()).await
}

/// What the model supplies to update a class.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateClass {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Another name, e.g. "S2 North".
    #[serde(default)]
    #[schemars(length(min = 1, max = 40))]
    pub name: Option<String>,
    /// Id of the member of staff who becomes class teacher.
    #[serde(default)]
    #[arg(lookup = find_staff)]
    pub class_teacher_id: Option<String>,
    /// Students that it has room for.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    pub capacity: Option<i64>,
    /// Version of the class as it was read; the change is refused if somebody else changed it since.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Change a class: its name, its class teacher or how many students it has room for.
#[agent_tool(
    scope = general,
    posture = casl(Update, Class),
    roles = [Rover, DirectorOfStudies],
    label = "Updating a class",
    say = [
        "rename [the] class {class_id} to {name}",
        "make {class_teacher_id} [the] class teacher of [class] {class_id}",
        "set the (capacity|size) of [class] {class_id} to {capacity}",
    ],
    examples = [
        { class_id: "naalya-class-s2-west", class_teacher_id: "naalya-staff-peter.mukasa" },
        { class_id: "naalya-class-s1-east", capacity: 45 },
    ],
)]
pub async fn update_class(
    cx: &ToolCx<impl EditStreams>,
    args: UpdateClass,
) -> ToolResult<ClassDetails> {
    let UpdateClass { class_id, name, class_teacher_id, capacity, version } = args;
    let change = ClassChange { name, class_teacher_id, capacity, version };
    cx.services().update_class(class_id, change).await
}

/// What the model supplies to move a student between streams.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MoveStudentToStream {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// Name of the stream, e.g. "West".
    #[schemars(length(min = 1, max = 40))]
    pub stream: String,
}

/// Move a student to another stream of the same year group. Marks of this term move along.
#[agent_tool(
    scope = general,
    posture = casl(Update, Student),
    roles = [Rover, DirectorOfStudies],
    label = "Moving a student to a stream",
    say = [
        "move [student] {student_id} to [the] stream {stream}",
        "move [student] {student_id} to the {stream} stream",
    ],
    examples = [{ student_id: "naalya-student-001", stream: "West" }],
)]
pub async fn move_student_to_stream(
    cx: &ToolCx<impl EditStreams>,
    args: MoveStudentToStream,
) -> ToolResult<Student> {
    cx.services().move_to_stream(args.student_id, args.stream).await
}
