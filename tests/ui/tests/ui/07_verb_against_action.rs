//! Why: A tool that creates and is gated by the right to read lets everybody create.
//! Repair: Name the action that the verb stands for, or the verb that the action allows.

use ui_tests::*;

/// Create a department.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Creating")]
pub async fn create_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_department]; }

fn main() {}
