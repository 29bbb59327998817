//! Why: A writing tool that calls itself a reading one would run without audit and without being asked about.
//! Repair: Leave `effect` out, or name the tool with a verb of that effect.

use ui_tests::*;

/// Create a department.
#[agent_tool(
    effect = read,
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
)]
pub async fn create_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [create_department]; }

fn main() {}
