//! Why: Names read `verb_subject` and events `verb.subject` with the same verb, because effect, approval and the
//! Hub's fallback label follow from that verb.
//! Repair: Write the name that the message derives, or `legacy_event = "…"` for an event that was there before the
//! name.

use ui_tests::*;

/// A.
#[agent_tool(
    name = "departments",
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "A",
)]
pub async fn a(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// B.
#[agent_tool(
    event = "list_things",
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "B",
)]
pub async fn list_things(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// C.
#[agent_tool(
    event = "get.classes",
    scope = school,
    posture = casl(Read, Class),
    roles = [Rover],
    label = "C",
)]
pub async fn list_classes(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [a, list_things, list_classes]; }

fn main() {}
