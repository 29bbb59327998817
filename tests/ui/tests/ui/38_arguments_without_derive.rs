//! Why: The derive is what proves that no identity and no free-form JSON hide in the arguments.
//! Repair: Write a struct with named fields and derive `Deserialize, JsonSchema, ToolArgs`.

use ui_tests::*;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unchecked {
    pub user_id: String,
}

/// Get a thing.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Getting",
    say = ["get the thing"],
)]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: Unchecked) -> ToolResult<u32> {
    Ok(1)
}

/// Get a day.
#[agent_tool(scope = school, posture = casl(Read, Term), roles = [Rover], label = "Getting")]
pub async fn get_day(_cx: &ToolCx<impl Things>, _args: Weekday) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing, get_day]; }

fn main() {}
