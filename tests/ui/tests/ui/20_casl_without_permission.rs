//! Why: `casl` means: gated by this permission.
//! Repair: Write `posture = casl(Action, Resource)`.

use ui_tests::*;

/// Get a department.
#[agent_tool(scope = school, posture = casl, roles = [Rover], label = "Getting")]
pub async fn get_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_department]; }

fn main() {}
