//! Why: The server listens to the event; two tools of one event would answer each other's calls.
//! Repair: Leave `event` out, so that it follows from the name, or give one of them another event.

use ui_tests::*;

/// Create a department.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
)]
pub async fn create_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

/// Create a class.
#[agent_tool(
    event = "create.department",
    scope = school,
    posture = casl(Create, Class),
    roles = [Rover],
    label = "Creating",
)]
pub async fn create_class(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_department, create_class]; }

fn main() {}
