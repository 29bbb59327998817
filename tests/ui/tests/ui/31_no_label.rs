//! Why: The Hub shows the label while the tool runs.
//! Repair: Write the label that the message suggests, or a better one.

use ui_tests::*;

/// Create a thing.
#[agent_tool(scope = school, posture = casl(Create, Department), roles = [Rover])]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing]; }

fn main() {}
