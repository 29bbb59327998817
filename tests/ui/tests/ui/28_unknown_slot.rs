//! Why: A sentence fills the arguments of its tool; a slot of another name fills nothing.
//! Repair: Write the argument's Rust name.

use ui_tests::*;

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    say = ["create {nam}"],
    examples = [{ name: "Globe" }],
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing]; }

fn main() {}
