//! Why: A reader copies the example and a test runs it, so a tool of the server that takes arguments shows at least
//! one.
//! Repair: Write the `examples` that the message begins, with records of the demo school.

use ui_tests::*;

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
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
    examples = [],
)]
pub async fn create_empty_thing(_cx: &ToolCx<impl Things>, _args: OnCampus) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing, create_empty_thing]; }

fn main() {}
