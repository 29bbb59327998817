//! Why: An example is written like the JSON that it becomes, with Rust names for keys.
//! Repair: Write `{ name: "Mathematics" }`; leave an argument out that is not given.

use ui_tests::*;

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    examples = ["Globe"],
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    examples = [{ name: null }],
)]
pub async fn create_null_thing(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    examples = [{ name: "Globe", name: "Map" }],
)]
pub async fn create_two_things(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing, create_null_thing, create_two_things]; }

fn main() {}
