//! Why: The model calls a tool by its name, so two tools of one name would be one tool.
//! Repair: Rename one of the two; the message says where the other is declared.

use ui_tests::*;

mod department {
    use super::*;

    /// Create a department.
    #[agent_tool(
        scope = school,
        posture = casl(Create, Department),
        roles = [Rover],
        label = "Creating",
    )]
    pub async fn create_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
        Err(ToolError::Busy)
    }
}

/// Create a class.
#[agent_tool(
    name = "create_department",
    event = "create.class",
    scope = school,
    posture = casl(Create, Class),
    roles = [Rover],
    label = "Creating",
)]
pub async fn create_class(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Thing> {
    Err(ToolError::Busy)
}

registry! { pub mod tools = [department::create_department, create_class]; }

fn main() {}
