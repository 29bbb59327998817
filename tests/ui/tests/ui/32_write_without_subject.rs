use ui_tests::*;

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Done {}

/// Create a thing.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
)]
pub async fn create_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Done> {
    Err(ToolError::Busy)
}

/// Create things.
#[agent_tool(
    scope = school,
    posture = casl(Create, Department),
    roles = [Rover],
    label = "Creating",
)]
pub async fn create_things(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Vec<Done>> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [create_thing, create_things]; }

fn main() {}
