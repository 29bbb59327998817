//! Types are recognised by trait: an alias works wherever the type does.

use ui_tests::*;

type Cx<S> = ToolCx<S>;
type Answer<T> = ToolResult<T>;
type Things = Answer<Vec<Thing>>;
type Maybe<T> = Option<T>;
type Place = CampusArg;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
pub struct Aliased {
    /// A word, if there is one. No sentence needs to give it.
    pub word: Maybe<String>,
    /// The campus.
    #[serde(default)]
    pub campus_id: Place,
}

/// List things.
#[agent_tool(
    scope = general,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Listing",
    say = ["list everything"],
    examples = [{ word: "all" }],
)]
pub async fn list_things(cx: &Cx<impl ui_tests::Things>, args: Aliased) -> Things {
    cx.services().all(args.campus_id.filter()).await
}

registry! { pub mod tools = [list_things]; }

#[test]
fn an_alias_of_option_is_optional() {
    let required: Vec<bool> = tools::DEFS[0].fields.iter().map(|field| field.required).collect();
    assert_eq!(required, [false, false]);
}
