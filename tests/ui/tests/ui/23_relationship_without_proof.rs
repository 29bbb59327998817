//! Why: `relationship` means that the handler proves whose record it is; a bare result proves nothing.
//! Repair: Call `cx.prove(…)`, pass the proof to the port and return `Owned::new(proof, value)`.

use ui_tests::*;

/// List my things.
#[agent_tool(scope = school, posture = relationship, roles = [Rover], label = "Listing")]
pub async fn list_my_things(cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Vec<Thing>> {
    cx.services().all(None).await
}

registry! { pub mod tools = [list_my_things]; }

fn main() {}
