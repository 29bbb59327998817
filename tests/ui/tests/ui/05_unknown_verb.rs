//! Why: The verb decides whether a tool reads or writes, so a verb that nobody knows decides nothing.
//! Repair: Take the verb that the message suggests, or say `effect = read` or `effect = write` for a new one.

use ui_tests::*;

/// Create a department.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
)]
pub async fn creat_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// Frobnicate a department.
#[agent_tool(
    scope = school,
    posture = casl(Update, Department),
    roles = [Rover],
    label = "Frobnicating",
)]
pub async fn frobnicate_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [creat_department, frobnicate_department]; }

fn main() {}
