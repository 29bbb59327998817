//! Why: Arguments arrive as JSON, and parsing is what makes them a value of the type.
//! Repair: Derive all three: `#[derive(Deserialize, JsonSchema, ToolArgs)]`.

use ui_tests::*;

#[derive(JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct NotRead {
    /// The name.
    pub name: String,
}

/// Get a thing.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Getting",
    examples = [{ name: "Globe" }],
)]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NotRead) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing]; }

fn main() {}
