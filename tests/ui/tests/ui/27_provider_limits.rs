//! Why: What one provider refuses fails the whole request, for every tool in it.
//! Repair: Shorten or rename as the message says.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Odd {
    /// A name with a dot.
    #[serde(rename = "given.name")]
    pub name: String,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dashed {
    /// A word.
    pub a_word: String,
}

/// A.
#[agent_tool(
    name = "list_departments_of_every_campus_of_the_school_that_the_caller_may_see_today",
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "A",
)]
pub async fn a(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// B.
#[agent_tool(
    name = "list_départements",
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "B",
)]
pub async fn b(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// C. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. It is long. 
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "C")]
pub async fn get_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [a, b, get_thing]; }

fn main() {}
