//! The tools of a turn as its model is sent them, and what it sends back.

use agent_contract::wire::classify;
use agent_contract::{Form, Packet, PacketData, ToolText, TurnEventKind};
use serde_json::{Value, json};

use crate::bench::{Bench, returned, turn, words};
use crate::script::Line;

/// The declared tools of the first request, which are all that it holds.
fn sent(bench: &Bench) -> Vec<Value> {
    bench.script.requests()[0]["tools"].as_array().expect("tools").clone()
}

fn offered_to_rover(events: &[TurnEventKind]) -> Vec<String> {
    let tools = events.iter().find_map(|event| match event {
        TurnEventKind::Offered { tools, .. } => Some(tools),
        _ => None,
    });
    let tools = tools.expect("it is told").iter();
    tools.filter(|tool| tool.agent == "rover").map(|tool| tool.name.clone()).collect()
}

/// What this form makes of a tool of the registry.
fn declared(form: Form, name: &str) -> Value {
    let def = tools::agent_tools::DEFS.iter().find(|def| def.name == name).expect("registered");
    let schema = (def.args_schema)();
    let text = ToolText { name, description: def.description, schema: &schema };
    form.declare(&[text]).expect("one tool").tools.remove(0).json
}

#[tokio::test]
async fn a_model_is_sent_exactly_what_was_offered_in_the_form_of_its_provider() {
    for (bench, form) in [
        (Bench::with([Line::Says("Hello.")]).await, Form::OpenAi),
        (Bench::strict([Line::Says("Hello.")]).await, Form::OpenAiStrict),
    ] {
        let events = bench.run(turn("hello")).await;
        let sent = sent(&bench);
        let names: Vec<&str> =
            sent.iter().filter_map(|tool| tool["function"]["name"].as_str()).collect();
        assert_eq!(names, offered_to_rover(&events));
        for name in ["create_department", "list_departments", "ask_staffer"] {
            let tool = sent.iter().find(|tool| tool["function"]["name"] == name);
            assert_eq!(tool, Some(&declared(form, name)), "{form:?}");
        }
        let strict = sent.iter().filter(|tool| tool["function"]["strict"] == true).count();
        assert_eq!(strict, if form == Form::OpenAiStrict { sent.len() } else { 0 });
    }
}

#[tokio::test]
async fn the_null_of_a_strict_model_reaches_nobody() {
    let bench = Bench::strict([
        Line::Calls(vec![(
            "call_1",
            "create_department",
            json!({ "name": "Mathematics", "campusId": null }),
        )]),
        Line::Says("Done."),
    ])
    .await;
    let events = bench.run(turn("create a department called Mathematics")).await;

    assert_eq!(bench.school.departments(), ["Mathematics @ cmp_main"]);
    let messages = bench.school.messages();
    let Packet::Request { data: PacketData::Json(data), .. } = classify(&messages[0].body) else {
        panic!("not a request")
    };
    // A Nest server would refuse the null.
    assert_eq!(data["args"], json!({ "name": "Mathematics" }));
    let shown = events.iter().find_map(|event| match event {
        TurnEventKind::ToolStarted { args, .. } => Some(args.clone()),
        _ => None,
    });
    assert_eq!(shown, Some(json!({ "name": "Mathematics" })));
    assert!(!words(&events).iter().any(|word| word.starts_with("tool.repaired")));
    let back: Value =
        serde_json::from_str(&returned(&bench.script.requests()[1], "call_1")).unwrap();
    assert_eq!(back["data"]["name"], "Mathematics");
}

#[tokio::test]
async fn a_null_that_nobody_asked_for_is_repaired_where_the_handler_runs() {
    let bench = Bench::with([
        Line::Calls(vec![(
            "call_1",
            "create_department",
            json!({ "name": "Mathematics", "campusId": null }),
        )]),
        Line::Says("Done."),
    ])
    .await;
    let _ = bench.run(turn("create a department called Mathematics")).await;
    assert_eq!(bench.school.departments(), ["Mathematics @ cmp_main"]);
}
