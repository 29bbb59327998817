//! Why: The graph has tools of its own, and the model cannot tell two of one name apart.
//! Repair: Choose another name.

use ui_tests::*;

/// Load a skill.
#[agent_tool(local, roles = [Rover], label = "Loading")]
pub async fn load_skill(_cx: &ToolCx<impl Send + Sync>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [load_skill]; }

fn main() {}
