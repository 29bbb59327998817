//! Why: The audit row names the record that was changed; it is read from the result.
//! Repair: Derive `AuditSubject` for the result with `#[audit(kind = "…")]` and `#[audit(id)]`; for a deletion
//! return `Deleted<T>`.

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
