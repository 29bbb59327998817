//! Guardians: who is called about a student, and in which order.
//!
//! A guardian comes into the records with a student, and hangs in the school where their students do: who may see the
//! students may see whom to call.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, ToolArgs, ToolCx, ToolResult, Version, agent_tool,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A guardian of one or more students.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "guardian")]
pub struct Guardian {
    /// Id of the guardian.
    #[audit(id)]
    pub id: String,
    /// Full name.
    pub name: String,
    /// Telephone number, if one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// E-mail address, if one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Names of their students here.
    pub students: Vec<String>,
    /// Grows by one with every change; guards against lost updates.
    pub version: Version,
}

/// A guardian as one student has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "guardian")]
pub struct StudentGuardian {
    /// Id of the guardian.
    #[audit(id)]
    pub id: String,
    /// Full name of the guardian.
    pub name: String,
    /// What they are to the student.
    pub relation: GuardianRelation,
    /// Whom to call first: 1 before 2.
    pub priority: i64,
    /// Telephone number, if one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// E-mail address, if one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Name of the student.
    pub student_name: String,
}

/// What a guardian is to a student.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToolArgs)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum GuardianRelation {
    /// The mother.
    Mother,
    /// The father.
    Father,
    /// A grandmother or grandfather.
    Grandparent,
    /// A grown brother or sister.
    Sibling,
    /// Another relative.
    Relative,
    /// Somebody else who has the care of them.
    Guardian,
}

/// How a guardian is reached.
#[derive(Clone, Debug, Default)]
pub struct Contact {
    /// Full name.
    pub name: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// Address.
    pub email: Option<String>,
}

/// What reading guardians needs of the domain.
pub trait Guardians: Send + Sync {
    /// The guardians of a student, whom to call first at the top.
    fn of_student(
        &self,
        student_id: String,
    ) -> impl Future<Output = ToolResult<Vec<StudentGuardian>>> + Send;

    /// Guardians whose name resembles `name`, best match first; misspelling is forgiven.
    fn find(
        &self,
        name: String,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<Guardian>>> + Send;
}

/// What changing guardians needs of the domain.
pub trait EditGuardians: Guardians {
    /// Adds a guardian of a student.
    fn create(
        &self,
        contact: Contact,
        student_id: String,
        relation: GuardianRelation,
        priority: Option<i64>,
    ) -> impl Future<Output = ToolResult<StudentGuardian>> + Send;

    /// Changes name or contact; what is left out stays.
    fn update(
        &self,
        guardian_id: String,
        contact: Contact,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<Guardian>> + Send;

    /// Makes a known guardian one of a student, or says anew what they are to them.
    fn assign(
        &self,
        student_id: String,
        guardian_id: String,
        relation: GuardianRelation,
        priority: Option<i64>,
    ) -> impl Future<Output = ToolResult<StudentGuardian>> + Send;

    /// Takes a guardian away from a student; the guardian stays on record.
    fn unassign(
        &self,
        student_id: String,
        guardian_id: String,
    ) -> impl Future<Output = ToolResult<Guardian>> + Send;
}

/// What the model supplies to list a student's guardians.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListGuardians {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
}

/// List a student's guardians, whom to call first at the top. Use it for "whom do we call about …".
#[agent_tool(
    scope = general,
    posture = casl(Read, Guardian),
    roles = [Rover, ClassTeacher],
    label = "Looking up guardians",
    say = [
        "list [the|all] guardians of [student] {student_id}",
        "(show|give) [me] [the] guardians of [student] {student_id}",
        "who (is|are) the (guardian|guardians|parents) of {student_id}",
        "whom do we call about {student_id}",
    ],
    examples = [{ student_id: "naalya-student-001" }],
)]
pub async fn list_guardians(
    cx: &ToolCx<impl Guardians>,
    args: ListGuardians,
) -> ToolResult<Vec<StudentGuardian>> {
    cx.services().of_student(args.student_id).await
}

/// What the model supplies to find guardians.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FindGuardians {
    /// Name or part of a name, e.g. "Nakato".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Campus of their students; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Find guardians by name. Use it to turn a guardian's name into their id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Guardian),
    roles = [Rover, ClassTeacher],
    label = "Looking up a guardian",
    say = [
        "(find|look up|search for) [the] guardian [called|named] {name}",
        "(find|look up|search for) [the] guardians (called|named) {name}",
        "what is the (phone|telephone) [number] of guardian {name}",
    ],
    examples = [{ name: "Nakato" }],
)]
pub async fn find_guardians(
    cx: &ToolCx<impl Guardians>,
    args: FindGuardians,
) -> ToolResult<Vec<Guardian>> {
    cx.services().find(args.name, args.campus_id.filter()).await
}

/// What the model supplies to create a guardian.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateGuardian {
    /// Full name of the guardian, e.g. "Rose Nakato".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// What they are to the student.
    pub relation: GuardianRelation,
    /// Telephone number, e.g. "+256 772 123456".
    #[serde(default)]
    #[schemars(length(max = 40))]
    pub phone: Option<String>,
    /// E-mail address.
    #[serde(default)]
    #[schemars(length(max = 120))]
    pub email: Option<String>,
    /// Whom to call first: 1 before 2; leave out to come after those who are there.
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    pub priority: Option<i64>,
}

/// Add a guardian of a student, who is not on record yet.
#[agent_tool(
    scope = general,
    posture = casl(Create, Guardian),
    roles = [Rover],
    label = "Adding a guardian",
    say = [
        "add [the] guardian {name} (as|who is) [the] {relation} of [student] {student_id}",
        "create [a] guardian [called|named] {name} (as|who is) [the] {relation} of [student] {student_id}",
    ],
    examples = [{
        name: "Rose Nabukenya",
        student_id: "naalya-student-001",
        relation: "mother",
        phone: "+256 772 000001",
    }],
)]
pub async fn create_guardian(
    cx: &ToolCx<impl EditGuardians>,
    args: CreateGuardian,
) -> ToolResult<StudentGuardian> {
    let contact = Contact { name: Some(args.name), phone: args.phone, email: args.email };
    cx.services().create(contact, args.student_id, args.relation, args.priority).await
}

/// What the model supplies to update a guardian.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateGuardian {
    /// Id of the guardian.
    #[arg(lookup = find_guardians)]
    pub guardian_id: String,
    /// The new full name; leave out to keep it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 80))]
    pub name: Option<String>,
    /// The new telephone number; leave out to keep it, empty for none.
    #[serde(default)]
    #[schemars(length(max = 40))]
    pub phone: Option<String>,
    /// The new address; leave out to keep it, empty for none.
    #[serde(default)]
    #[schemars(length(max = 120))]
    pub email: Option<String>,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Change a guardian's name, telephone number or address.
#[agent_tool(
    scope = general,
    posture = casl(Update, Guardian),
    roles = [Rover],
    label = "Updating a guardian",
    say = [
        "set the (phone|telephone) [number] of guardian {guardian_id} to {phone}",
        "change the (phone|telephone) [number] of guardian {guardian_id} to {phone}",
        "rename [the] guardian {guardian_id} to {name}",
    ],
    examples = [{ guardian_id: "naalya-guardian-001", phone: "+256 772 000002" }],
)]
pub async fn update_guardian(
    cx: &ToolCx<impl EditGuardians>,
    args: UpdateGuardian,
) -> ToolResult<Guardian> {
    let contact = Contact { name: args.name, phone: args.phone, email: args.email };
    cx.services().update(args.guardian_id, contact, args.version).await
}

/// What the model supplies to assign a guardian.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AssignGuardian {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// Id of the guardian.
    #[arg(lookup = find_guardians)]
    pub guardian_id: String,
    /// What they are to the student.
    pub relation: GuardianRelation,
    /// Whom to call first: 1 before 2; leave out to come after those who are there.
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    pub priority: Option<i64>,
}

/// Make a guardian who is on record a guardian of a student, or change what they are to them and when they are called.
#[agent_tool(
    scope = general,
    posture = casl(Update, Guardian),
    roles = [Rover],
    label = "Assigning a guardian",
    say = [
        "assign [the] guardian {guardian_id} to [student] {student_id} as {relation}",
        "make [the] guardian {guardian_id} [the] {relation} of [student] {student_id}",
    ],
    examples = [{
        student_id: "naalya-student-002",
        guardian_id: "naalya-guardian-001",
        relation: "relative",
        priority: 2,
    }],
)]
pub async fn assign_guardian(
    cx: &ToolCx<impl EditGuardians>,
    args: AssignGuardian,
) -> ToolResult<StudentGuardian> {
    let AssignGuardian { student_id, guardian_id, relation, priority } = args;
    cx.services().assign(student_id, guardian_id, relation, priority).await
}

/// What the model supplies to unassign a guardian.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UnassignGuardian {
    /// Id of the student.
    #[arg(lookup = find_students)]
    pub student_id: String,
    /// Id of the guardian.
    #[arg(lookup = find_guardians)]
    pub guardian_id: String,
}

/// Take a guardian away from a student. The guardian stays on record.
#[agent_tool(
    scope = general,
    posture = casl(Update, Guardian),
    roles = [Rover],
    label = "Taking a guardian away",
    say = [
        "unassign [the] guardian {guardian_id} from [student] {student_id}",
        "{guardian_id} is no [longer a] guardian of {student_id} [any more]",
    ],
    examples = [{ student_id: "naalya-student-001", guardian_id: "naalya-guardian-001" }],
)]
pub async fn unassign_guardian(
    cx: &ToolCx<impl EditGuardians>,
    args: UnassignGuardian,
) -> ToolResult<Guardian> {
    cx.services().unassign(args.student_id, args.guardian_id).await
}
