//! Why: A tool that no role may run would be offered and always refused.
//! Repair: Grant it to a role in `agent-contract/policy/grants.polar`, or gate the tool by another permission.

use ui_tests::*;

/// Delete a campus.
#[agent_tool(scope = school, posture = casl(Delete, Campus), roles = [Rover], label = "Deleting")]
pub async fn delete_campus(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Deleted<Thing>> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [delete_campus]; }

fn main() {}
