//! Why: Providers take schemas of a few levels in which everything is inlined; one that holds itself has no end.
//! Repair: Give the inner values a type of their own, or let the model name them by id.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// What is below.
    pub children: Vec<Node>,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, tag = "kind")]
pub enum Filter {
    Name {
        /// The name.
        name: String,
    },
    Either {
        /// One of these.
        of: Vec<Self>,
    },
}

/// Get a thing.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Getting",
    examples = [{ children: [] }],
)]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: Node) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_thing]; }

fn main() {}
