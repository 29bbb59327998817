//! Examples as authors write them become the JSON that the tool takes, whatever the argument's type.

use agent_contract::{ToolArgs as _, ToolCx, ToolResult, agent_tool, decode, registry};
use serde_json::json;

use crate::sample::Everything;

/// Get everything.
#[agent_tool(
    scope = school,
    posture = casl(Read, Department),
    roles = [Rover],
    label = "Getting everything",
    examples = [
        { name: "Physics", capacity: 40, kind: "academic" },
        {
            name: "Physics", capacity: 40, big: -7, share: 0.5, urgent: true, day: "2026-02-28",
            at: "2026-02-28T08:00:00Z", kind: "non_academic", campus_id: "main", to_campus: "lake",
            labels: ["a", "b"], contact: { email: "a@b.example", per_day: 2 },
            contacts: [{ email: "c@d.example" }],
            when: { by: "week", number: 3, weekdays: ["monday"] },
        },
        { name: "Physics", capacity: 40, kind: "academic", when: { by: "day", on_day: "2026-02-28" } },
        { name: "Physics", capacity: 40, kind: "academic", share: 2, when: { by: "whenever" } },
    ],
)]
async fn get_everything(_cx: &ToolCx<impl Send + Sync>, _args: Everything) -> ToolResult<u32> {
    Ok(1)
}

registry! { pub(crate) mod tools = [get_everything]; }

#[test]
fn an_example_is_json_by_wire_names_and_is_taken() {
    let [least, most, day, whenever] = tools::DEFS[0].examples else { panic!("four examples") };
    assert_eq!(least.to_json(Everything::FIELDS), crate::sample::least());
    assert_eq!(
        most.to_json(Everything::FIELDS),
        json!({
            "name": "Physics", "capacity": 40, "big": -7, "share": 0.5, "urgent": true,
            "day": "2026-02-28", "at": "2026-02-28T08:00:00Z", "kind": "non_academic",
            "campusId": "main", "toCampus": "lake", "labels": ["a", "b"],
            "contact": { "email": "a@b.example", "perDay": 2 },
            "contacts": [{ "email": "c@d.example" }],
            "when": { "by": "week", "number": 3, "weekdays": ["monday"] },
        })
    );
    assert_eq!(
        day.to_json(Everything::FIELDS)["when"],
        json!({ "by": "day", "onDay": "2026-02-28" })
    );
    for example in [least, most, day, whenever] {
        let decoded = decode::<Everything>(example.to_json(Everything::FIELDS)).expect("taken");
        assert!(decoded.repairs.is_empty(), "{:?}", decoded.repairs);
    }
}
