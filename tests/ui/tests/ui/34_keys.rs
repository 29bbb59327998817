//! Why: A key that nobody reads is a wish that nobody grants.
//! Repair: Correct the key, or keep one of the two.

use ui_tests::*;

/// Get a thing.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    role = [Rover],
    roles = [Rover],
    label = "Getting",
    label = "Getting a thing",
)]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing]; }

fn main() {}
