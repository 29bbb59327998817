//! Why: A tool with sentences is found by them; without a slot for it the argument could only be guessed.
//! Repair: Write a sentence with the slot.

use ui_tests::*;

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    say = ["create something", "make something"],
    examples = [{ name: "Globe" }],
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing]; }

fn main() {}
