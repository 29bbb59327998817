//! The tool of `docs/adding-a-local-tool.md`, compiled and run: the page's snippets are parts of this file.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use agent_contract::{
    AgentCallScope, AgentIdentity, AgentTool, Date, ToolArgs, ToolCx, ToolResult, UserType,
    agent_tool, registry,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tools::local::{Clock, CurrentDate};

/// The weekday of today.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodaysWeekday {
    /// Its name, e.g. "Tuesday".
    pub weekday: String,
}

/// Getting the weekday takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetWeekday {}

/// Get the weekday of today at the school.
#[agent_tool(
    local,
    roles = [Rover],
    label = "Checking the weekday",
    say = ["(which|what) weekday is it"],
)]
pub async fn get_weekday(cx: &ToolCx<impl Clock>, _args: GetWeekday) -> ToolResult<TodaysWeekday> {
    Ok(TodaysWeekday { weekday: cx.services().today().weekday })
}

registry! {
    pub mod agent_tools = [
        get_weekday,
    ];
}

/// A worker whose clock stands.
struct Desk;

impl Clock for Desk {
    fn today(&self) -> CurrentDate {
        CurrentDate {
            date: Date::new(2026, 12, 1).expect("a day"),
            weekday: "Tuesday".to_owned(),
            time: "08:05".to_owned(),
            time_zone: "Africa/Kampala".to_owned(),
            note: None,
        }
    }
}

#[test]
fn the_tool_of_the_walkthrough_runs_in_the_worker() {
    let proxies = agent_tools::proxies::<Desk>();
    let [AgentTool::Local(definition, prepare)] = &proxies[..] else { panic!("one local tool") };
    assert_eq!((definition.event, definition.posture), (None, None));
    let call = prepare(json!({}), &AgentCallScope::School).expect("no arguments are needed");
    let identity = AgentIdentity {
        sub: "u1".to_owned(),
        email: "u1@school.example".to_owned(),
        user_type: UserType::Staff,
        profile_id: "p1".to_owned(),
        school_id: None,
        campus_id: None,
    };
    let cx = ToolCx::new(Desk, identity, AgentCallScope::School);
    let mut running = pin!(call.call(&cx));
    let Poll::Ready(reply) = running.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("nothing to wait for")
    };
    assert_eq!(reply.expect("told").data, json!({ "weekday": "Tuesday" }));
}
