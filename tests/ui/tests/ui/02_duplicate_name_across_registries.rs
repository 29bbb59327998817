//! Why: `join!` puts the tools of several crates before one model; a name is unique among all of them.
//! Repair: Rename the tool in one of the two places that the message names.

use ui_tests::*;

/// List things.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Listing")]
pub async fn list_things(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod more_tools = [list_things]; }

join! { pub mod all_tools = [strict_tools, more_tools]; }

fn main() {}
