//! Why: All faults of one attribute are told at once, those of one value in one message.
//! Repair: Mend each name that the message holds.

use ui_tests::*;

/// Get a thing.
#[agent_tool(
    scope = school,
    posture = casl(Peek, Departmnet),
    roles = [Rovr, Rover, ClasTeacher],
    label = "Getting",
    examples = [],
)]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing]; }

fn main() {}
