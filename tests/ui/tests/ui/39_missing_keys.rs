//! Why: Run modes, gate and agents are decisions; a default would make them silently.
//! Repair: Write the key that the message shows.

use ui_tests::*;

/// Create a thing.
#[agent_tool(label = "Creating a thing")]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing]; }

fn main() {}
