//! Departments of a campus: create, list, find, rename, archive.
//!
//! A name is unique among the departments of one campus that are not archived; the service refuses
//! a second one in a sentence rather than with a database error.

use std::future::Future;

use agent_contract::{
    AuditSubject, CampusArg, CampusId, Deleted, ListQuery, Order, Page, PageSize, ToolArgs, ToolCx,
    ToolResult, Version, agent_tool, sort_keys,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A department of one campus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, AuditSubject)]
#[serde(rename_all = "camelCase")]
#[audit(kind = "department")]
pub struct Department {
    /// Id of the department.
    #[audit(id)]
    pub id: String,
    /// Display name, unique on its campus.
    pub name: String,
    /// Campus it belongs to.
    pub campus_id: String,
    /// Display name of that campus.
    pub campus_name: String,
    /// Grows by one with every change; guards against lost updates.
    pub version: Version,
}

sort_keys! {
    /// What departments can be sorted by.
    pub enum DepartmentSort {
        /// By name.
        Name = "name",
        /// By campus, then by name.
        Campus = "campus",
    }
}

/// What reading departments needs of the domain.
pub trait Departments: Send + Sync {
    /// A page of the departments the caller may see; of one campus if one is given.
    fn list(
        &self,
        campus: Option<&CampusId>,
        query: ListQuery<DepartmentSort>,
    ) -> impl Future<Output = ToolResult<Page<Department>>> + Send;

    /// The departments whose name resembles `name`, best match first; misspelling is forgiven.
    fn find(
        &self,
        name: String,
        campus: Option<&CampusId>,
    ) -> impl Future<Output = ToolResult<Vec<Department>>> + Send;
}

/// What changing departments needs of the domain.
pub trait EditDepartments: Departments {
    /// Adds a department; refuses a name that the campus already has.
    fn create(
        &self,
        name: String,
        campus: &CampusId,
    ) -> impl Future<Output = ToolResult<Department>> + Send;

    /// Gives a department another name; refused if it is no longer at the version that was seen.
    fn rename(
        &self,
        department_id: String,
        name: String,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<Department>> + Send;

    /// Takes a department out of use; its history stays.
    fn archive(
        &self,
        department_id: String,
        seen: Option<Version>,
    ) -> impl Future<Output = ToolResult<Deleted<Department>>> + Send;
}

/// What the model supplies to create a department.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateDepartment {
    /// Name of the department, e.g. "Mathematics".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Campus it belongs to; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Create a department. Use it when someone asks to add or open a department.
#[agent_tool(
    scope = general,
    posture = casl(Create, Department),
    roles = [Rover, DirectorOfStudies],
    label = "Creating a department",
    say = [
        "create [a|the] [new] department [called|named] {name}",
        "create [a|the] [new] department [called|named] {name} (at|on|in) {campus_id}",
        "(add|open|create) [a|the] [new] {name} department",
        "(add|open|create) [a|the] [new] {name} department (at|on|in) {campus_id}",
        "(add|open) [a|the] [new] department [called|named] {name}",
        "(add|open) [a|the] department [called|named] {name} (at|on|in) {campus_id}",
        "set up [a|the] [new] department [called|named|for] {name}",
        "(add|open|create) [a|the] [new] department for {name}",
    ],
    examples = [
        { name: "Mathematics" },
        { name: "Mathematics", campus_id: "naalya-campus-lakeside" },
    ],
)]
pub async fn create_department(
    cx: &ToolCx<impl EditDepartments>,
    args: CreateDepartment,
) -> ToolResult<Department> {
    cx.services().create(args.name, args.campus_id.required()?).await
}

/// What the model supplies to list departments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListDepartments {
    /// Campus to list; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
    /// What to sort by; leave out for the name.
    #[serde(default)]
    pub sort: Option<DepartmentSort>,
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

/// List the departments the caller may see. Use it for "which departments do we have".
#[agent_tool(
    scope = general,
    posture = casl(Read, Department),
    roles = [Rover, DirectorOfStudies],
    label = "Listing departments",
    say = [
        "list [all] [the] departments",
        "list [all] [the] departments (at|on|in|of) {campus_id}",
        "(show|give) [me] [all] [the] departments",
        "(what|which) departments (are there|do we have)",
        "(what|which) departments (are there|do we have) (at|on|in) {campus_id}",
    ],
    examples = [{}, { campus_id: "naalya-campus-lakeside" }],
)]
pub async fn list_departments(
    cx: &ToolCx<impl Departments>,
    args: ListDepartments,
) -> ToolResult<Page<Department>> {
    let query = ListQuery::new(args.sort, args.order, args.limit, args.cursor.as_deref())?;
    cx.services().list(args.campus_id.filter(), query).await
}

/// What the model supplies to find departments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FindDepartments {
    /// Name or part of a name, e.g. "Math".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Campus to look on; leave out for every campus in scope.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Find departments by name. Use it to turn a department's name into its id.
#[agent_tool(
    scope = general,
    posture = casl(Read, Department),
    roles = [Rover, DirectorOfStudies],
    label = "Looking up a department",
    say = [
        "(find|look up|search for) [the] department [called|named] {name}",
        "(find|look up|search for) [the] {name} department",
        "is there [a|an] {name} department",
        "is there a department (called|named) {name}",
    ],
    examples = [{ name: "Scien" }],
)]
pub async fn find_departments(
    cx: &ToolCx<impl Departments>,
    args: FindDepartments,
) -> ToolResult<Vec<Department>> {
    cx.services().find(args.name, args.campus_id.filter()).await
}

/// What the model supplies to rename a department.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RenameDepartment {
    /// Id of the department to rename.
    #[arg(lookup = find_departments)]
    pub department_id: String,
    /// The new name, e.g. "Pure Mathematics".
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Rename a department. Use it when someone asks to change a department's name.
#[agent_tool(
    scope = general,
    posture = casl(Update, Department),
    roles = [Rover, DirectorOfStudies],
    label = "Renaming a department",
    say = [
        "rename [the] {department_id} department to {name}",
        "rename [the] department {department_id} to {name}",
        "call [the] {department_id} department {name} (from now on|instead)",
        "rename {department_id} to {name}",
        "change the name of [the] {department_id} department to {name}",
    ],
    examples = [
        { department_id: "naalya-campus-main-department-sciences", name: "Natural Sciences" },
    ],
)]
pub async fn rename_department(
    cx: &ToolCx<impl EditDepartments>,
    args: RenameDepartment,
) -> ToolResult<Department> {
    cx.services().rename(args.department_id, args.name, args.version).await
}

/// What the model supplies to archive a department.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ArchiveDepartment {
    /// Id of the department to take out of use.
    #[arg(lookup = find_departments)]
    pub department_id: String,
    /// Version that you saw; leave out to change it whatever it is by now.
    #[serde(default)]
    pub version: Option<Version>,
}

/// Archive a department. Use it when a department closes; its history stays.
#[agent_tool(
    scope = general,
    posture = casl(Delete, Department),
    roles = [Rover],
    label = "Archiving a department",
    say = [
        "archive [the] {department_id} department",
        "archive [the] department [called|named] {department_id}",
        "close down [the] {department_id} department",
        "close [down] [the] department [called|named] {department_id}",
    ],
    examples = [{ department_id: "naalya-campus-main-department-humanities" }],
)]
pub async fn archive_department(
    cx: &ToolCx<impl EditDepartments>,
    args: ArchiveDepartment,
) -> ToolResult<Deleted<Department>> {
    cx.services().archive(args.department_id, args.version).await
}
