//! Why: Templates are expanded when the tool is compiled, so their grammar is judged there.
//! Repair: Close, open or shorten as the message says.

use ui_tests::*;

/// Get a thing.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Getting",
    say = [
        "get [the thing",
        "get the) thing",
        "get {the thing}",
        "[get]",
        "[a|b|c] [a|b|c] [a|b|c] [a|b|c] thing",
    ],
)]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing]; }

fn main() {}
