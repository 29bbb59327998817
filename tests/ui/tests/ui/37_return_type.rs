//! Why: Only `ToolResult<T>` can be turned into the envelope, so that no fault is thrown to the broker.
//! Repair: Return `ToolResult<T>`; `?` turns a `ToolError` into `{error}`.

use ui_tests::*;

/// Get a thing.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> Option<u32> {
    Some(1)
}

/// List things.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Listing")]
pub async fn list_things(_cx: &ToolCx<impl Things>, _args: NoArgs) -> std::io::Result<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing, list_things]; }

fn main() {}
