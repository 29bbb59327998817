//! Why: A permission that the policy does not know is one that nobody has; a typo must not become a denial.
//! Repair: Take a word of the list, or add a `grant(...)` fact with the new one to
//! `agent-contract/policy/grants.polar`.

use ui_tests::*;

/// Get a department.
#[agent_tool(scope = school, posture = casl(Read, Departmnet), roles = [Rover], label = "Getting")]
pub async fn get_department(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// Get a class.
#[agent_tool(scope = school, posture = casl(Peek, Class), roles = [Rover], label = "Getting")]
pub async fn get_class(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_department, get_class]; }

fn main() {}
