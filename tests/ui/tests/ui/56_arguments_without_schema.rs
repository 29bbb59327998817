//! Why: The schema is what the model reads and what the server validates by; parsing follows it.
//! Repair: Derive all three: `#[derive(Deserialize, JsonSchema, ToolArgs)]`.

use ui_tests::*;

#[derive(Deserialize, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct NoSchema {
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
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NoSchema) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing]; }

fn main() {}
