//! Why: A tool outside the list would be offered to nobody and served by nobody, silently.
//! Repair: Add its path to the `registry!` list of the crate.

use ui_tests::*;

/// List things.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Listing")]
pub async fn list_things(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// List classes.
#[agent_tool(scope = school, posture = casl(Read, Class), roles = [Rover], label = "Listing")]
pub async fn list_classes(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [list_things]; }

fn main() {}
