//! Why: The result is sent as JSON and its schema is published; a type without both cannot be.
//! Repair: Derive `Serialize` and `JsonSchema` for the type.

use ui_tests::*;

pub struct Plain;

#[derive(Serialize)]
pub struct NoSchema;

/// Get a department.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub async fn get_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Plain> {
    Ok(Plain)
}

/// List departments.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Listing")]
pub async fn list_departments(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Vec<NoSchema>> {
    Ok(Vec::new())
}

registry! { pub mod tools = [get_department, list_departments]; }

fn main() {}
