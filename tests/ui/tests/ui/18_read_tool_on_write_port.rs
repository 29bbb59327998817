//! Why: A tool that reads runs in a frame that cannot write, so that no read can change anything.
//! Repair: Ask for the reading port, or name the tool with a verb that writes.

use ui_tests::*;

/// List things, and add one on the way.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Listing")]
pub async fn list_things(cx: &ToolCx<impl EditThings>, _args: NoArgs) -> ToolResult<Vec<Thing>> {
    cx.services().add("more".to_owned()).await?;
    cx.services().all(None).await
}

registry! { pub mod tools = [list_things]; }

struct ReadFrame;
struct WriteFrame;
struct Server;

impl Things for ReadFrame {
    async fn all(&self, _campus: Option<&CampusId>) -> ToolResult<Vec<Thing>> {
        Ok(Vec::new())
    }
}

impl Host for Server {
    type Read = ReadFrame;
    type Write = WriteFrame;
}

fn main() {
    tools::routes::<Server>();
}
