//! Why: Only `cx.prove(…)` makes a proof, after it has asked the database.
//! Repair: Call `cx.prove(…)` with the relation.

use ui_tests::*;

/// List my things.
#[agent_tool(scope = school, posture = relationship, roles = [Rover], label = "Listing")]
pub async fn list_my_things(cx: &ToolCx<impl Things>, _args: NoArgs) -> ToolResult<Owned<Vec<Thing>>> {
    let things = cx.services().all(None).await?;
    Ok(Owned::new(Proof { relation: Relation::OwnProfile }, things))
}

registry! { pub mod tools = [list_my_things]; }

fn main() {}
