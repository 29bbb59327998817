//! Why: The doc comment is all that the model knows of a tool and of an argument.
//! Repair: Write one sentence that says what it is, and for a tool when to use it.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Undocumented {
    pub name: String,
}

#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub async fn get_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

///
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Listing")]
pub async fn list_departments(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_department, list_departments]; }

fn main() {}
