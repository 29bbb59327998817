//! Subjects: what is taught at the school, under which department of a campus, and in which classes.

use std::future::Future;

use agent_contract::{
    AuditSubject, Deleted, ListQuery, Order, Page, PageSize, ToolArgs, ToolCx, ToolResult, Version,
    agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A subject of the school.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "subject")]
pub struct Subject {
    /// Id of the subject.
    #[audit(id)]
    pub id: String,
    /// Display name, e.g. "Mathematics".
    pub name: String,
    /// Short code on timetables and report cards, e.g. "MTC".
    pub code: String,
    /// The departments that look after it, at most one a campus, e.g. "Sciences (Main Campus)".
    pub departments: Vec<String>,
    /// Counts its changes; say it again to change the subject.
    pub version: Version,
}

/// A subject that a class takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "class_subject")]
pub struct ClassSubject {
    /// Id of the class.
    #[audit(id)]
    pub class_id: String,
    /// Display name of the class.
    pub class_name: String,
    /// Id of the subject.
    pub subject_id: String,
    /// Display name of the subject.
    pub subject: String,
}

sort_keys! {
    /// What subjects can be sorted by.
    pub enum SubjectSort {
        /// By name.
        Name = "name",
        /// By code.
        Code = "code",
    }
}

/// What reading subjects needs of the domain.
pub trait Subjects: Send + Sync {
    /// A page of the subjects in use; of one department or one class if given.
    fn subjects(
        &self,
        department_id: Option<String>,
        class_id: Option<String>,
        query: ListQuery<SubjectSort>,
    ) -> impl Future<Output = ToolResult<Page<Subject>>> + Send;

    /// The subjects whose name or code resembles `name`, best match first.
    fn find_subjects(&self, name: String) -> impl Future<Output = ToolResult<Vec<Subject>>> + Send;
}

/// What changing subjects needs of the domain.
pub trait EditSubjects: Subjects {
    /// Adds a subject; refuses a name or a code that the school has.
    fn create_subject(
        &self,
        name: String,
        code: String,
        department_id: Option<String>,
    ) -> impl Future<Output = ToolResult<Subject>> + Send;

    /// Gives a subject another name; refuses one that somebody changed since `version`.
    fn rename_subject(
        &self,
        subject_id: String,
        name: String,
        version: Option<Version>,
    ) -> impl Future<Output = ToolResult<Subject>> + Send;

    /// Puts a subject under a department, in place of the one that it has on that campus.
    fn move_subject(
        &self,
        subject_id: String,
        department_id: String,
    ) -> impl Future<Output = ToolResult<Subject>> + Send;

    /// Takes a subject out of use; refuses one that somebody teaches this year.
    fn archive_subject(
        &self,
        subject_id: String,
    ) -> impl Future<Output = ToolResult<Deleted<Subject>>> + Send;

    /// Offers a subject to a class; refuses what is so already.
    fn add_class_subject(
        &self,
        class_id: String,
        subject_id: String,
    ) -> impl Future<Output = ToolResult<ClassSubject>> + Send;

    /// Ends the offer; refuses while somebody teaches the subject in the class.
    fn remove_class_subject(
        &self,
        class_id: String,
        subject_id: String,
    ) -> impl Future<Output = ToolResult<Deleted<ClassSubject>>> + Send;
}

/// What the model supplies to create a subject.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateSubject {
    /// Name of the subject, e.g. "Fine Art".
    #[schemars(length(min = 1, max = 60))]
    pub name: String,
    /// Short code, e.g. "ART".
    #[schemars(length(min = 1, max = 8))]
    pub code: String,
    /// Id of the department that looks after it.
    #[serde(default)]
    #[arg(lookup = find_departments)]
    pub department_id: Option<String>,
}

/// Create a subject of the school. Use it when the school begins to teach something new.
#[agent_tool(
    scope = general,
    posture = casl(Create, Subject),
    roles = [Rover, DirectorOfStudies],
    label = "Creating a subject",
    say = [
        "(create|add) [a|the] [new] subject [called|named] {name} with code {code}",
        "(create|add) [a|the] [new] subject [called|named] {name} with code {code} in the {department_id} department",
    ],
    examples = [
        { name: "Computer Studies", code: "ICT" },
        { name: "Music", code: "MUS", department_id: "naalya-campus-main-department-humanities" },
    ],
)]
pub async fn create_subject(
    cx: &ToolCx<impl EditSubjects>,
    args: CreateSubject,
) -> ToolResult<Subject> {
    cx.services().create_subject(args.name, args.code, args.department_id).await
}

/// What the model supplies to list subjects.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListSubjects {
    /// Id of the department whose subjects to list; leave out for all.
    #[serde(default)]
    #[arg(lookup = find_departments)]
    pub department_id: Option<String>,
    /// Id of the class whose subjects to list; leave out for all.
    #[serde(default)]
    #[arg(lookup = find_classes)]
    pub class_id: Option<String>,
    /// What to sort by; leave out for the name.
    #[serde(default)]
    pub sort: Option<SubjectSort>,
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

/// List the subjects in use, of the school, of one department or of one class.
#[agent_tool(
    scope = general,
    posture = casl(Read, Subject),
    roles = [Rover, SubjectTeacher, ClassTeacher, DirectorOfStudies],
    label = "Listing subjects",
    say = [
        "list [all] [the] subjects",
        "list [all] [the] subjects of [class] {class_id}",
        "(show|give) [me] [all] [the] subjects",
        "(what|which) subjects (are there|do we have|do we teach)",
        "(what|which) subjects are (taught|offered) in [class] {class_id}",
        "(what|which) subjects belong to [the] {department_id} department",
    ],
    examples = [{}, { class_id: "naalya-class-s1-east" }],
)]
pub async fn list_subjects(
    cx: &ToolCx<impl Subjects>,
    args: ListSubjects,
) -> ToolResult<Page<Subject>> {
    let query = ListQuery::new(args.sort, args.order, args.limit, args.cursor.as_deref())?;
    cx.services().subjects(args.department_id, args.class_id, query).await
}

/// What the model supplies to find subjects.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FindSubjects {
    /// Name, part of a name, or code, e.g. "Math" or "MTC".
    #[schemars(length(min = 1, max = 60))]
    pub name: String,
}

/// Find subjects by name or code. Use it to turn a subject's name into its id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Subject),
    roles = [Rover, SubjectTeacher, ClassTeacher, DirectorOfStudies],
    label = "Looking up a subject",
    say = [
        "(find|look up|search for) [the] subject [called|named] {name}",
        "is there a subject [called|named] {name}",
    ],
    examples = [{ name: "Math" }, { name: "KIS" }],
)]
pub async fn find_subjects(
    cx: &ToolCx<impl Subjects>,
    args: FindSubjects,
) -> ToolResult<Vec<Subject>> {
    cx.services().find_subjects(args.name).await
}

/// What the model supplies to rename a subject.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RenameSubject {
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
    /// The new name.
    #[schemars(length(min = 1, max = 60))]
    pub name: String,
    /// Version of the subject as it was read; the change is refused if somebody else changed it since.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Rename a subject. Its code stays.
#[agent_tool(
    scope = general,
    posture = casl(Update, Subject),
    roles = [Rover, DirectorOfStudies],
    label = "Renaming a subject",
    say = [
        "rename [the] subject {subject_id} to {name}",
        "call [the] subject {subject_id} {name} from now on",
    ],
    examples = [{ subject_id: "naalya-subject-kis", name: "Swahili" }],
)]
pub async fn rename_subject(
    cx: &ToolCx<impl EditSubjects>,
    args: RenameSubject,
) -> ToolResult<Subject> {
    cx.services().rename_subject(args.subject_id, args.name, args.version).await
}

/// What the model supplies to move a subject.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MoveSubject {
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
    /// Id of the department that will look after it on its campus.
    #[arg(lookup = find_departments)]
    pub department_id: String,
}

/// Move a subject to another department of a campus. What other campuses do with it stays.
#[agent_tool(
    scope = general,
    posture = casl(Update, Subject),
    roles = [Rover, DirectorOfStudies],
    label = "Moving a subject",
    say = [
        "move [the] subject {subject_id} to [the] {department_id} department",
        "put [the] subject {subject_id} (under|in) [the] {department_id} department",
    ],
    examples = [
        {
            subject_id: "naalya-subject-geo",
            department_id: "naalya-campus-main-department-sciences",
        },
    ],
)]
pub async fn move_subject(
    cx: &ToolCx<impl EditSubjects>,
    args: MoveSubject,
) -> ToolResult<Subject> {
    cx.services().move_subject(args.subject_id, args.department_id).await
}

/// What the model supplies to archive a subject.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ArchiveSubject {
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
}

/// Take a subject out of use. Marks and reports of earlier terms stay. It is refused while somebody teaches it.
#[agent_tool(
    scope = general,
    posture = casl(Delete, Subject),
    roles = [Rover, DirectorOfStudies],
    label = "Archiving a subject",
    say = ["archive [the] subject {subject_id}", "(stop|no longer) teach the subject {subject_id}"],
    examples = [{ subject_id: "naalya-subject-art" }],
)]
pub async fn archive_subject(
    cx: &ToolCx<impl EditSubjects>,
    args: ArchiveSubject,
) -> ToolResult<Deleted<Subject>> {
    cx.services().archive_subject(args.subject_id).await
}

/// What the model supplies to offer a subject to a class.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AddClassSubject {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
}

/// Offer a subject to a class. Who teaches it there is assigned apart.
#[agent_tool(
    scope = general,
    posture = casl(Update, Class),
    roles = [Rover, DirectorOfStudies],
    label = "Adding a subject to a class",
    say = [
        "offer [the] [subject] {subject_id} (to|in) [class] {class_id}",
        "add [the] subject {subject_id} to [class] {class_id}",
    ],
    examples = [{ class_id: "naalya-class-s1-east", subject_id: "naalya-subject-kis" }],
)]
pub async fn add_class_subject(
    cx: &ToolCx<impl EditSubjects>,
    args: AddClassSubject,
) -> ToolResult<ClassSubject> {
    cx.services().add_class_subject(args.class_id, args.subject_id).await
}

/// What the model supplies to end the offer of a subject to a class.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RemoveClassSubject {
    /// Id of the class.
    #[arg(lookup = find_classes)]
    pub class_id: String,
    /// Id of the subject.
    #[arg(lookup = find_subjects)]
    pub subject_id: String,
}

/// Stop offering a subject to a class. It is refused while somebody teaches it there.
#[agent_tool(
    scope = general,
    posture = casl(Delete, Subject),
    roles = [Rover, DirectorOfStudies],
    label = "Removing a subject from a class",
    say = [
        "(stop offering|no longer offer) [the] [subject] {subject_id} (to|in) [class] {class_id}",
        "remove [the] subject {subject_id} from [class] {class_id}",
    ],
    examples = [{ class_id: "naalya-class-s1-west", subject_id: "naalya-subject-geo" }],
)]
pub async fn remove_class_subject(
    cx: &ToolCx<impl EditSubjects>,
    args: RemoveClassSubject,
) -> ToolResult<Deleted<ClassSubject>> {
    cx.services().remove_class_subject(args.class_id, args.subject_id).await
}
