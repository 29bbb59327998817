//! The example of the design, as it stands there.

use std::future::Future;

use agent_contract::{CampusArg, CampusId, ToolArgs, ToolCx, ToolResult, agent_tool, registry};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema, agent_contract::AuditSubject)]
#[audit(kind = "department")]
pub struct Department {
    #[audit(id)]
    pub id: String,
}

pub trait Departments: Send + Sync {
    fn create(
        &self,
        name: String,
        campus: &CampusId,
    ) -> impl Future<Output = ToolResult<Department>> + Send;
}

/// What the model supplies.
#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateDepartment {
    /// Name of the department, e.g. "Mathematics".
    pub name: String,
    /// Campus it belongs to; leave out for the campus in use.
    #[serde(default)]
    pub campus_id: CampusArg,
}

/// Create a department. Use it when someone asks to add or open a department.
#[agent_tool(
    scope = general,                             // general | campus | school: run modes that are offered it
    posture = casl(Create, Department),          // or: relationship
    roles = [Rover, DirectorOfStudies],          // agents that are offered it
    label = "Creating a department",             // the Hub's activity line
    say = ["create a department [called|named] {name}", "(add|open) [the] {name} department"],
    examples = [{ name: "Mathematics" }],        // run by a test on the demo school
)]
pub async fn create_department(
    cx: &ToolCx<impl Departments>, // injected: identity, pinned scope, ports
    args: CreateDepartment,        // parsed, validated and pinned before this runs
) -> ToolResult<Department> {
    cx.services().create(args.name, args.campus_id.required()?).await
}

registry! { pub mod tools = [create_department]; }

#[test]
fn it_is_a_tool() {
    let [definition] = tools::DEFS else { panic!("one tool") };
    assert_eq!(definition.name, "create_department");
    assert_eq!(definition.event, Some("create.department"));
    assert_eq!(
        tools::ToolName::CreateDepartment.event(),
        tools::ToolEvent::parse("create.department")
    );
}
