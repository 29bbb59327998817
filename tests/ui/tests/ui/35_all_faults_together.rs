//! Why: One build shows every fault of an attribute.
//! Repair: Repair them in any order.

use ui_tests::*;

#[agent_tool(
    scope = everywhere,
    posture = casl,
    roles = [Rover, Rover],
    label = "",
    effect = read,
    approval = maybe,
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing]; }

struct Frame;
struct Server;

impl Host for Server {
    type Read = Frame;
    type Write = Frame;
}

fn main() {
    tools::proxies::<Frame>();
}
