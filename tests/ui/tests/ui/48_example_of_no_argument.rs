//! Why: An example is compiled against the arguments; a name that is none of them is a typo.
//! Repair: Write the argument's Rust name.

use ui_tests::*;

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    examples = [{ nam: "Globe" }],
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
    examples = [{ name: "Globe" }],
)]
pub async fn create_other_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing, create_other_thing]; }

fn main() {}
