//! Why: One of several words is taken, as it stands on the wire; a day must be in the calendar.
//! Repair: Take a word of the list, or a day that there is.

use ui_tests::*;

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    examples = [
        { name: "Globe", due: { kind: "sometimes" } },
        { name: "Globe", due: { kind: "every", weekday: "Friday" } },
        { name: "Globe", due: { kind: "on", day: "2026-02-30" } },
    ],
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing]; }

fn main() {}
