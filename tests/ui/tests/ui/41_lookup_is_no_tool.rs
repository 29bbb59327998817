//! Why: `lookup` names the tool that turns a name into an id; a tool that is not there finds nothing.
//! Repair: List the lookup tool in the registry, or name another.

use ui_tests::*;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct OneStudent {
    /// Id of the student.
    #[arg(lookup = find_student)]
    pub student_id: String,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct OneClass {
    /// Id of the class.
    #[arg(find = find_classes)]
    pub class_id: String,
}

/// Get a student.
#[agent_tool(
    scope = school,
    posture = casl(Read, Student),
    roles = [Rover],
    label = "Getting",
    examples = [{ student_id: "s1" }],
)]
pub async fn get_student(_cx: &ToolCx<impl Things>, _args: OneStudent) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub mod tools = [get_student]; }

fn main() {}
