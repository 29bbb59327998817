//! Why: The value in an example is sent as JSON, and the schema takes another kind there.
//! Repair: Write a value of the kind that the message shows.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Room {
    /// The seats.
    pub seats: u8,
    /// How full it is.
    pub share: f64,
    /// Whether it is open.
    pub open: bool,
    /// What it is called.
    pub names: Vec<String>,
}

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    examples = [
        { seats: "40", share: 0.5, open: true, names: ["Hall"] },
        { seats: 1.5, share: 0.5, open: true, names: ["Hall"] },
        { seats: 40, share: true, open: true, names: ["Hall"] },
        { seats: 40, share: 0.5, open: 1, names: ["Hall"] },
        { seats: 40, share: 0.5, open: true, names: "Hall" },
        { seats: 40, share: 0.5, open: true, names: ["Hall", 1] },
        { seats: 40, share: 0.5, open: true, names: {} },
    ],
)]
pub async fn create_room(_cx: &ToolCx<impl Things>, _args: Room) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
    examples = [{ name: "Globe", due: "2026-02-28" }],
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: Named) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_room, create_thing]; }

fn main() {}
