//! Why: A local tool runs in the worker: no message is sent for it and no gate of the server stands before it.
//! Repair: Take the key out, or the word `local`.

use ui_tests::*;

/// Get the date.
#[agent_tool(
    local,
    event = "get.date",
    posture = casl(Read, Term),
    roles = [Rover],
    label = "Looking",
)]
pub async fn get_date(_cx: &ToolCx<impl Send + Sync>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// Ask someone.
#[agent_tool(scope = school, posture = casl(Read, Term), roles = [Rover], label = "Asking")]
pub async fn ask_someone(_cx: &ToolCx<impl Send + Sync>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_date, ask_someone]; }

fn main() {}
