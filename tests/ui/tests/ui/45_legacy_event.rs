//! Why: An old event may keep its verb, but not promise another effect than the tool has.
//! Repair: Use a verb of the same effect, as it stands in the verb table.

use ui_tests::*;

/// List things.
#[agent_tool(
    legacy_event = "store.things",
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Listing",
)]
pub async fn list_things(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// List classes.
#[agent_tool(
    legacy_event = "fetsh.classes",
    scope = school,
    posture = casl(Read, Class),
    roles = [Rover],
    label = "Listing",
)]
pub async fn list_classes(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [list_things, list_classes]; }

fn main() {}
