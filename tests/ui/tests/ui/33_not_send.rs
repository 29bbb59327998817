//! Why: Calls run on several threads.
//! Repair: Drop the value before the `await` that the message underlines, or hold an `Arc` instead of an `Rc`.

use ui_tests::*;

/// Get a thing.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    let shared = std::rc::Rc::new(1);
    std::future::ready(()).await;
    Ok(*shared)
}

registry! { pub mod tools = [get_thing]; }

fn main() {}
