//! Why: A server that lacks a port of a tool could not run it, and would find that out at the first call.
//! Repair: Implement the port that the message names for the server's frame.

use ui_tests::*;

/// List things.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Listing")]
pub async fn list_things(cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Vec<Thing>> {
    cx.services().all(None).await
}

registry! { pub mod tools = [list_things]; }

struct Frame;
struct Server;

impl Host for Server {
    type Read = Frame;
    type Write = Frame;
}

fn main() {
    tools::routes::<Server>();
}
