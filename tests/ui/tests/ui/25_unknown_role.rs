//! Why: An agent that does not exist would never offer the tool.
//! Repair: Take a role of the list.

use ui_tests::*;

/// Get a department.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover, ClasTeacher],
    label = "Getting",
)]
pub async fn get_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_department]; }

fn main() {}
