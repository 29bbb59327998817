//! Why: What the model supplies is one object with named fields; a bare value has no name to be supplied by.
//! Repair: Write a struct with a field for each value and derive `Deserialize, JsonSchema, ToolArgs`.

use ui_tests::*;

/// Get a thing.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _name: String) -> ToolResult<u32> {
    Ok(1)
}

/// Get things.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub async fn get_things(_cx: &ToolCx<impl Things>, _ids: Vec<i64>) -> ToolResult<u32> {
    Ok(1)
}

/// Get a thing by name.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub async fn get_named_thing(_cx: &ToolCx<impl Things>, _name: &str) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing, get_things, get_named_thing]; }

fn main() {}
