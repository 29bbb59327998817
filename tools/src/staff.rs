//! Staff of the school: list, find, and the profile of the person chatting.

use std::future::Future;

use agent_contract::{
    CampusArg, CampusId, ListQuery, Order, Owned, Page, PageSize, Proof, ProveRelation, Relation,
    ToolArgs, ToolCx, ToolResult, agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A member of staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffMember {
    /// Id of the member of staff.
    pub id: String,
    /// Full name.
    pub name: String,
    /// Work address.
    pub email: String,
    /// What they are here, e.g. "Class teacher".
    pub roles: Vec<String>,
    /// Display names of the campuses they work on.
    pub campuses: Vec<String>,
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
