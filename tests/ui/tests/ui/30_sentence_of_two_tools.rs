//! Why: One sentence of two tools would make the offline planner guess.
//! Repair: Reword the sentence in one of the two tools, or drop it there.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Titled {
    /// The title.
    pub title: String,
}

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    say = ["(create|add) [a] thing {name}"],
    examples = [{ name: "Globe" }],
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

/// Add a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Adding",
    say = ["put {title} on the list", "Add thing {title}"],
    examples = [{ title: "Globe" }],
)]
pub async fn add_thing(_cx: &ToolCx<impl Things>, _args: Titled) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing, add_thing]; }

fn main() {}
