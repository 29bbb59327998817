//! Why: What the model asked for is private to `CampusArg`; a handler gets the pinned campus or none.
//! Repair: Call `.required()` for one campus, or `.filter()` where none means the whole school.

use ui_tests::*;

/// List things.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Listing",
    examples = [{}],
)]
pub async fn list_things(cx: &ToolCx<impl Things>, args: OnCampus) -> ToolResult<Vec<Thing>> {
    let campus: &CampusId = &args.campus_id;
    cx.services().all(Some(campus)).await
}

registry! { pub mod tools = [list_things]; }

fn main() {}
