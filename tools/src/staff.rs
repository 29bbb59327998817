//! Staff of the school: list, find, add, change, their roles and whether they may still sign in; and the profile of the
//! person chatting.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, ListQuery, Order, Owned, Page, PageSize, Proof,
    ProveRelation, Relation, ToolArgs, ToolCx, ToolResult, Version, agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A member of staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "staff")]
pub struct StaffMember {
    /// Id of the member of staff.
    #[audit(id)]
    pub id: String,
    /// Full name.
    pub name: String,
    /// Work address.
    pub email: String,
    /// What they are here, e.g. "Class teacher".
    pub roles: Vec<String>,
    /// Display names of the campuses they work on.
    pub campuses: Vec<String>,
    /// Whether they work here now; who does not cannot sign in.
    pub active: bool,
    /// Grows by one with every change; guards against lost updates.
    pub version: Version,
}

/// The profile of the person chatting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyProfile {
    /// Full name.
    pub name: String,
    /// Work address.
    pub email: String,
    /// Display name of the school.
    pub school: String,
    /// What they are here, e.g. "Class teacher".
    pub roles: Vec<String>,
    /// Display names of the campuses they work on.
    pub campuses: Vec<String>,
    /// Class they are class teacher of, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_teacher_of: Option<String>,
}

/// What a member of staff is at the school.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToolArgs)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StaffRoleArg {
    /// Leads the school.
    HeadTeacher,
    /// Leads the academic work.
    DirectorOfStudies,
    /// Runs one campus.
    CampusAdmin,
    /// Keeps the student records.
    Registrar,
    /// Looks after one class.
    ClassTeacher,
    /// Teaches subjects.
    Teacher,
    /// Keeps the accounts.
    Bursar,
}

sort_keys! {
    /// What staff can be sorted by.
    pub enum StaffSort {
        /// By name.
        Name = "name",
        /// By work address.
        Email = "email",
    }
}

/// What reading staff needs of the domain.
pub trait Staff: Send + Sync {
    /// A page of the staff the caller may see; of one role or campus if given.
    fn list(
        &self,
        role: Option<StaffRoleArg>,
        campus: Option<&CampusId>,
        query: ListQuery<StaffSort>,
    ) -> impl Future<Output = ToolResult<Page<StaffMember>>> + Send;

    /// Staff whose name resembles `name`, best match first; misspelling is forgiven.
    fn find(
        &self,
        name: String,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<StaffMember>>> + Send;
}

/// What changing staff needs of the domain.
pub trait EditStaff: Staff {
    /// Adds a member of staff on one campus.
    fn add(
        &self,
        name: String,
        email: String,
        roles: Vec<StaffRoleArg>,
        campus: &CampusId,
    ) -> impl Future<Output = ToolResult<StaffMember>> + Send;

    /// Changes name or address; what is none stays.
    fn update(
        &self,
        member_id: String,
        name: Option<String>,
        email: Option<String>,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<StaffMember>> + Send;

    /// Gives them these roles and no others.
    fn set_roles(
        &self,
        member_id: String,
        roles: Vec<StaffRoleArg>,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<StaffMember>> + Send;

    /// Lets them work here, or not any more.
    fn set_active(
        &self,
        member_id: String,
        active: bool,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<StaffMember>> + Send;
}

/// What reading the caller's own profile needs of the domain.
pub trait OwnProfile: ProveRelation {
    /// The profile of the person that the proof names.
    fn profile(&self, proof: &Proof) -> impl Future<Output = ToolResult<MyProfile>> + Send;
}

/// What the model supplies to list staff.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListStaff {
    /// Only people with this role.
    #[serde(default)]
    pub role: Option<StaffRoleArg>,
    /// Campus to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// What to sort by; leave out for the name.
    #[serde(default)]
    pub sort: Option<StaffSort>,
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

/// List the staff the caller may see, with their roles and campuses.
#[agent_tool(
    scope = general,
    posture = casl(Read, Staff),
    roles = [Rover, DirectorOfStudies],
    label = "Listing staff",
    say = [
        "list [all] [the] (staff|teachers)",
        "list [all] [the] staff (at|on|of) {campus_id}",
        "(show|give) [me] [all] [the] staff",
        "list [all] [the] staff with [the] role {role}",
        "who works (here|at the school)",
        "who works (at|on) {campus_id}",
        "(list|show) [me] [all] [the] {role}",
        "who is [the] {role}",
    ],
    examples = [{}, { role: "class_teacher", campus_id: "naalya-campus-lakeside" }],
)]
pub async fn list_staff(cx: &ToolCx<impl Staff>, args: ListStaff) -> ToolResult<Page<StaffMember>> {
    let query = ListQuery::new(args.sort, args.order, args.limit, args.cursor.as_deref())?;
    cx.services().list(args.role, args.campus_id.filter(), query).await
}

/// What the model supplies to find staff.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FindStaff {
    /// Name or part of a name, e.g. "Okello".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Campus to look on; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Find staff by name. Use it to turn a person's name into their id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Staff),
    roles = [Rover, DirectorOfStudies],
    label = "Looking up a member of staff",
    say = [
        "(find|look up|search for) [the] (teacher|colleague) [called|named] {name}",
        "(find|look up|search for) [the] (staff member|member of staff) [called|named] {name}",
        "what is the (email|address) of {name}",
        "what (is|are) the (role|roles) of {name}",
    ],
    examples = [{ name: "Okello" }],
)]
pub async fn find_staff(cx: &ToolCx<impl Staff>, args: FindStaff) -> ToolResult<Vec<StaffMember>> {
    cx.services().find(args.name, args.campus_id.filter()).await
}

/// What the model supplies to add a member of staff.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AddStaff {
    /// Full name, e.g. "Esther Nansubuga".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Work address, e.g. "esther.nansubuga@naalya.example".
    #[schemars(length(min = 3, max = 120))]
    pub email: String,
    /// What they are here.
    #[schemars(length(min = 1, max = 7))]
    pub roles: Vec<StaffRoleArg>,
    /// Campus they work on; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Add a member of staff. They can sign in when an account is made for their address.
#[agent_tool(
    scope = general,
    posture = casl(Create, Staff),
    roles = [Rover],
    label = "Adding a member of staff",
    examples = [{
        name: "Esther Nansubuga",
        email: "esther.nansubuga@naalya.example",
        roles: ["teacher"],
        campus_id: "naalya-campus-main",
    }],
)]
pub async fn add_staff(cx: &ToolCx<impl EditStaff>, args: AddStaff) -> ToolResult<StaffMember> {
    let campus = args.campus_id.required()?;
    cx.services().add(args.name, args.email, args.roles, campus).await
}

/// What the model supplies to update a member of staff.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateStaff {
    /// Id of the member of staff.
    #[arg(lookup = find_staff)]
    pub member_id: String,
    /// The new full name; leave out to keep it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 80))]
    pub name: Option<String>,
    /// The new work address; leave out to keep it. They sign in with the old one until the account is changed.
    #[serde(default)]
    #[schemars(length(min = 3, max = 120))]
    pub email: Option<String>,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Change the name or the work address of a member of staff on record.
#[agent_tool(
    scope = general,
    posture = casl(Update, Staff),
    roles = [Rover],
    label = "Updating a member of staff",
    say = [
        "rename [the] (teacher|colleague) {member_id} to {name}",
        "change the name of [the] (teacher|colleague) {member_id} to {name}",
    ],
    examples = [{ member_id: "naalya-staff-peter.mukasa", name: "Peter Mukasa Lule" }],
)]
pub async fn update_staff(
    cx: &ToolCx<impl EditStaff>,
    args: UpdateStaff,
) -> ToolResult<StaffMember> {
    cx.services().update(args.member_id, args.name, args.email, args.version).await
}

/// What the model supplies to set somebody's roles.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SetStaffRoles {
    /// Id of the member of staff.
    #[arg(lookup = find_staff)]
    pub member_id: String,
    /// All the roles they are to have.
    #[schemars(length(min = 1, max = 7))]
    pub roles: Vec<StaffRoleArg>,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Set the roles of a member of staff: these and no others. It holds from their next call on.
#[agent_tool(
    scope = general,
    posture = casl(Update, Staff),
    roles = [Rover],
    label = "Setting roles",
    approval = always,
    examples = [{ member_id: "naalya-staff-peter.mukasa", roles: ["teacher", "class_teacher"] }],
)]
pub async fn set_staff_roles(
    cx: &ToolCx<impl EditStaff>,
    args: SetStaffRoles,
) -> ToolResult<StaffMember> {
    cx.services().set_roles(args.member_id, args.roles, args.version).await
}

/// What the model supplies to let somebody work here or not.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SetStaffActive {
    /// Id of the member of staff.
    #[arg(lookup = find_staff)]
    pub member_id: String,
    /// Whether they work here from now on.
    pub active: bool,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Say whether a member of staff works here. Who does not can no longer sign in, and a call they began is refused.
#[agent_tool(
    scope = general,
    posture = casl(Update, Staff),
    roles = [Rover],
    label = "Setting who works here",
    approval = always,
    examples = [{ member_id: "naalya-staff-peter.mukasa", active: false }],
)]
pub async fn set_staff_active(
    cx: &ToolCx<impl EditStaff>,
    args: SetStaffActive,
) -> ToolResult<StaffMember> {
    cx.services().set_active(args.member_id, args.active, args.version).await
}

/// Reading one's own profile takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetMyProfile {}

/// Get the profile of the person chatting: name, roles, campuses. Use it for "who am I".
#[agent_tool(
    scope = general,
    posture = relationship,
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Looking up your profile",
    say = [
        "who am i",
        "(show|give) [me] my profile",
        "(what is|what are|what's) my (role|roles|profile|email)",
        "what do you know about me",
    ],
)]
pub async fn get_my_profile(
    cx: &ToolCx<impl OwnProfile>,
    _args: GetMyProfile,
) -> ToolResult<Owned<MyProfile>> {
    let proof = cx.prove(Relation::OwnProfile).await?;
    let profile = cx.services().profile(&proof).await?;
    Ok(Owned::new(proof, profile))
}
