//! Classes and who teaches in them: create, list, find, assign a teacher, and the caller's own.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Owned, Proof, Relation, ToolArgs, ToolCx, ToolResult,
    agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A class (a year group's stream) of one campus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "class")]
pub struct Class {
    /// Id of the class.
    #[audit(id)]
    pub id: String,
    /// Display name, e.g. "S1 East".
    pub name: String,
    /// Campus it belongs to.
    pub campus_id: String,
    /// Display name of that campus.
    pub campus_name: String,
    /// Name of the class teacher, if one is appointed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_teacher: Option<String>,
    /// Students enrolled in it.
    pub students: i64,
}

/// One subject that one person teaches in one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "teaching_assignment")]
pub struct TeachingAssignment {
    /// Id of the assignment.
    #[audit(id)]
    pub id: String,
    /// Id of the class.
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Id of the subject.
    pub subject_id: String,
    /// Display name of the subject.
    pub subject: String,
    /// Name of the teacher.
    pub teacher: String,
    /// Display name of the campus.
    pub campus_name: String,
}

/// What reading classes needs of the domain.
pub trait Classes: Send + Sync {
    /// The classes the caller may see, by name; of one campus if one is given.
    fn list(
        &self,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<Class>>> + Send;

    /// The classes whose name resembles `name`, best match first.
    fn find(
        &self,
        name: String,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<Class>>> + Send;
}

/// What reading the caller's own teaching needs of the domain.
pub trait OwnTeaching: agent_contract::ProveRelation {
    /// The assignments of the person that the proof names.
    fn assignments(
        &self,
        proof: &Proof,
    ) -> impl Future<Output = ToolResult<Vec<TeachingAssignment>>> + Send;
}

/// What changing classes needs of the domain.
pub trait EditClasses: Classes {
    /// Adds a class; refuses a name that the campus already has this year.
    fn create(
        &self,
        name: String,
        campus: &CampusId,
    ) -> impl Future<Output = ToolResult<Class>> + Send;

    /// Lets a teacher teach a subject in a class; refuses what is already so.
    fn assign_teacher(
        &self,
        teacher_id: String,
        class_id: String,
        subject: String,
    ) -> impl Future<Output = ToolResult<TeachingAssignment>> + Send;
}

/// What the model supplies to create a class.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateClass {
    /// Name of the class, e.g. "S2 West".
    #[schemars(length(min = 1, max = 40))]
    pub name: String,
    /// Campus it belongs to; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Create a class for the current academic year. Use it to open a class or stream.
#[agent_tool(
    scope = general,
    posture = casl(Create, Class),
    roles = [Rover, DirectorOfStudies],
    label = "Creating a class",
    say = [
        "(create|add|open) [a|the] [new] class [called|named] {name}",
        "create [a|the] [new] class [called|named] {name} (at|on|in) {campus_id}",
        "(add|open) [a|the] class [called|named] {name} (at|on|in) {campus_id}",
        "(create|add|open) [a|the] [new] stream [called|named] {name}",
    ],
    examples = [{ name: "S3 East" }],
)]
pub async fn create_class(cx: &ToolCx<impl EditClasses>, args: CreateClass) -> ToolResult<Class> {
    cx.services().create(args.name, args.campus_id.required()?).await
}

/// What the model supplies to list classes.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListClasses {
    /// Campus to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// List the classes of the current academic year that the caller may see.
#[agent_tool(
    scope = general,
    posture = casl(Read, Class),
    roles = [Rover, DirectorOfStudies],
    label = "Listing classes",
    say = [
        "list [all] [the] classes",
        "list [all] [the] classes (at|on|in|of) {campus_id}",
        "(show|give) [me] [all] [the] classes",
        "(what|which) classes (are there|do we have)",
    ],
    examples = [{}, { campus_id: "naalya-campus-lakeside" }],
)]
pub async fn list_classes(cx: &ToolCx<impl Classes>, args: ListClasses) -> ToolResult<Vec<Class>> {
    cx.services().list(args.campus_id.filter()).await
}

/// What the model supplies to find classes.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FindClasses {
    /// Name or part of a name, e.g. "S1".
    #[schemars(length(min = 1, max = 40))]
    pub name: String,
    /// Campus to look on; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Find classes by name. Use it to turn a class's name into its id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Class),
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Looking up a class",
    say = [
        "(find|look up|search for) [the] class [called|named] {name}",
        "is there a class [called|named] {name}",
        "who is the class teacher of {name}",
    ],
    examples = [{ name: "S1" }],
)]
pub async fn find_classes(cx: &ToolCx<impl Classes>, args: FindClasses) -> ToolResult<Vec<Class>> {
    cx.services().find(args.name, args.campus_id.filter()).await
}

/// Listing one's own classes takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListMyClasses {}

/// List the classes and subjects that the person chatting teaches.
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [Rover, ClassTeacher, SubjectTeacher],
    label = "Looking up your classes",
    say = [
        "(what|which) classes do i (teach|have)",
        "(what|which) subjects do i teach",
        "(list|show) [me] my classes",
        "what do i teach",
    ],
)]
pub async fn list_my_classes(
    cx: &ToolCx<impl OwnTeaching>,
    _args: ListMyClasses,
) -> ToolResult<Owned<Vec<TeachingAssignment>>> {
    let proof = cx.prove(Relation::OwnProfile).await?;
    let assignments = cx.services().assignments(&proof).await?;
    Ok(Owned::new(proof, assignments))
}

/// What the model supplies to assign a teacher.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AssignTeacher {
    /// Id of the member of staff who will teach.
    #[arg(lookup = find_staff)]
    pub teacher_id: String,
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Name of the subject, e.g. "Physics".
    #[schemars(length(min = 1, max = 60))]
    pub subject: String,
}

/// Assign a teacher to a subject in a class.
#[agent_tool(
    scope = general,
    posture = casl(Create, Assignment),
    roles = [Rover, DirectorOfStudies],
    label = "Assigning a teacher",
    say = [
        "assign {teacher_id} to teach {subject} in {class_id}",
        "assign {teacher_id} to {subject} in {class_id}",
        "let {teacher_id} teach {subject} in {class_id}",
        "assign {teacher_id} to [class] {class_id} for {subject}",
    ],
    examples = [
        {
            teacher_id: "naalya-staff-peter.mukasa",
            class_id: "naalya-class-s2-west",
            subject: "Physics",
        },
    ],
)]
pub async fn assign_teacher(
    cx: &ToolCx<impl EditClasses>,
    args: AssignTeacher,
) -> ToolResult<TeachingAssignment> {
    cx.services().assign_teacher(args.teacher_id, args.class_id, args.subject).await
}
