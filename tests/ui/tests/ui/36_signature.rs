//! Why: Both sides call the function, so it has one shape.
//! Repair: Write `async fn name(cx: &ToolCx<impl Ports>, args: Args) -> ToolResult<T>`.

use ui_tests::*;

/// Get a thing.
#[agent_tool(scope = school, posture = casl(Read, Department), roles = [Rover], label = "Getting")]
pub fn get_thing(_cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// Get a class.
#[agent_tool(scope = school, posture = casl(Read, Class), roles = [Rover], label = "Getting")]
pub async fn get_class(_args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// Get a student.
#[agent_tool(scope = school, posture = casl(Read, Student), roles = [Rover], label = "Getting")]
pub async fn get_student<S: Things>(_cx: &ToolCx<S>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// Get a term.
#[agent_tool(scope = school, posture = casl(Read, Term), roles = [Rover], label = "Getting")]
pub async fn get_term(_cx: ToolCx<u32>, _args: NoArgs) -> ToolResult<u32> {
    Ok(1)
}

/// Update a term.
#[agent_tool(scope = school, posture = casl(Update, Term), roles = [Rover], label = "Updating")]
pub async fn update_term(_cx: &ToolCx<impl Things>, _args: NoArgs) {
    std::future::ready(()).await;
}

registry! { pub mod tools = [get_thing, get_class, get_student, get_term, update_term]; }

struct Frame;
struct Server;

impl Host for Server {
    type Read = Frame;
    type Write = Frame;
}

fn main() {
    tools::routes::<Server>();
}
