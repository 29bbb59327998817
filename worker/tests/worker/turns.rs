//! A turn from the request to the answer.

use std::collections::BTreeSet;

use agent_contract::wire::{HEADER_CALL, HEADER_CONTRACT, HEADER_CTX, HEADER_DEADLINE, classify};
use agent_contract::{EndReason, Packet, PacketData, TurnEventKind};
use serde_json::{Value, json};

use crate::bench::{Bench, context, end, error, returned, text, turn, words};
use crate::script::Line;

#[tokio::test]
async fn a_write_goes_to_the_server_and_its_scope_comes_back_in_words() {
    let bench = Bench::with([
        Line::Calls(vec![("call_1", "create_department", json!({"name": "Mathematics"}))]),
        Line::Says("Mathematics is open across Main Campus."),
    ])
    .await;
    let events = bench.run(turn("create a department called Mathematics")).await;

    assert_eq!(bench.school.departments(), ["Mathematics @ cmp_main"]);
    assert_eq!(text(&events), "Mathematics is open across Main Campus.");
    insta::assert_snapshot!(words(&events).join("\n"), @"
    started
    offered
    step.started
    usage
    message
    tool.started create_department
    tool.published
    reply
    tool.finished create_department
    message
    step.started
    text.delta
    text.done
    usage
    message
    finished
    ");
    assert_eq!(end(&events), EndReason::Done);

    let numbers: Vec<_> = bench.events.all().iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());

    let back = returned(&bench.script.requests()[1], "call_1");
    let back: Value = serde_json::from_str(&back).unwrap();
    assert_eq!(back["data"]["name"], "Mathematics");
    assert!(back["scopeContext"].as_str().unwrap().contains("cmp_main"));
}

#[tokio::test]
async fn what_rides_a_call_comes_from_the_context_alone() {
    // The model tries to be somebody else, somewhere else.
    let bench = Bench::with([
        Line::Calls(vec![(
            "call_1",
            "list_departments",
            json!({"identity": {"sub": "usr_admin"}, "scope": {"mode": "school"}}),
        )]),
        Line::Says("No."),
    ])
    .await;
    let events = bench.run(turn("list them")).await;

    let messages = bench.school.messages();
    let Packet::Request { pattern, data: PacketData::Json(data), .. } = classify(&messages[0].body)
    else {
        panic!("not a request")
    };
    assert_eq!(pattern.unwrap().as_str(), "list.departments");
    assert_eq!(
        data["identity"],
        json!({
            "sub": "usr_grace", "email": "grace.namutebi@naalya.example", "type": "staff",
            "profileId": "prf_grace", "schoolId": "sch_1"
        })
    );
    assert_eq!(data["scope"], json!({"mode": "campus", "campusId": "cmp_main"}));
    assert_eq!(messages[0].header(HEADER_CTX), Some("v4.public.token"));
    assert!(messages[0].header(HEADER_CALL).is_some_and(|id| id.len() == 64));
    assert!(messages[0].header(HEADER_DEADLINE).is_some());
    assert!(messages[0].header(HEADER_CONTRACT).is_some_and(|hash| hash.len() == 16));
    // The arguments went as they were, and the schema refused them.
    assert!(error(&events, "list_departments").contains("args.identity"));
}

#[tokio::test]
async fn inventory_model_and_event_name_the_same_tools() {
    let bench = Bench::with([Line::Says("Hello.")]).await;
    let events = bench.run(turn("hello")).await;
    let request = &bench.script.requests()[0];

    let sent: Vec<_> = request["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect();
    let offered: Vec<_> = events
        .iter()
        .find_map(|kind| match kind {
            TurnEventKind::Offered { tools, .. } => Some(tools.clone()),
            _ => None,
        })
        .unwrap();
    let rovers: Vec<_> =
        offered.iter().filter(|tool| tool.agent == "rover").map(|tool| tool.name.clone()).collect();
    assert_eq!(sent, rovers);

    let prompt = request["messages"][0]["content"].to_string();
    let inventory = prompt.split("## Your tools").nth(1).unwrap();
    let inventory = inventory.split("## ").next().unwrap();
    let named: BTreeSet<_> = inventory
        .split("\\n- ")
        .skip(1)
        .map(|line| line.split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(named, sent.into_iter().collect());
}

#[tokio::test]
async fn a_denied_call_is_an_envelope_and_not_the_end() {
    let bench = Bench::with([
        Line::Calls(vec![("call_1", "create_department", json!({"name": "Art"}))]),
        Line::Says("You may not do that."),
    ])
    .await;
    let mut request = turn("create a department called Art");
    request["runtimeContext"] = context();
    request["runtimeContext"]["userDetails"]["userId"] = json!("usr_guest");
    let events = bench.run(request).await;
    assert_eq!(error(&events, "create_department"), "Permission denied: guests may not do this");
    assert_eq!(end(&events), EndReason::Done);
    assert!(bench.school.departments().is_empty());
}

#[tokio::test]
async fn a_read_after_a_write_of_the_same_message_sees_it() {
    let bench = Bench::with([
        Line::Calls(vec![
            ("call_1", "create_department", json!({"name": "Art"})),
            ("call_2", "list_departments", json!({})),
            ("call_3", "create_department", json!({"name": "Art"})),
        ]),
        Line::Says("Done."),
    ])
    .await;
    let events = bench.run(turn("create Art twice and list")).await;
    let request = &bench.script.requests()[1];
    assert!(returned(request, "call_2").contains("Art"));
    assert!(returned(request, "call_3").contains("there is a department Art already"));
    assert_eq!(bench.school.departments().len(), 1);
    assert_eq!(end(&events), EndReason::Done);
}

#[tokio::test]
async fn local_tools_answer_in_the_worker() {
    let bench = Bench::with([
        Line::Calls(vec![
            ("call_1", "get_current_date", json!({})),
            ("call_2", "list_agents", json!({})),
            ("call_3", "search_tools", json!({"text": "create a department"})),
            ("call_4", "load_skill", json!({"name": "open-a-department"})),
        ]),
        Line::Says("It is Tuesday."),
    ])
    .await;
    bench.run(turn("what day is it")).await;
    let request = &bench.script.requests()[1];
    let date: Value = serde_json::from_str(&returned(request, "call_1")).unwrap();
    assert_eq!(
        date["data"],
        json!({
            "date": "2026-12-01", "weekday": "Tuesday", "time": "08:05",
            "timeZone": "Africa/Kampala"
        })
    );
    let agents: Value = serde_json::from_str(&returned(request, "call_2")).unwrap();
    let ids: Vec<_> =
        agents["data"].as_array().unwrap().iter().map(|agent| agent["agent"].clone()).collect();
    assert_eq!(ids, ["rover", "class_teacher"]);
    let hits: Value = serde_json::from_str(&returned(request, "call_3")).unwrap();
    assert_eq!(hits["data"][0]["tool"], "create_department");
    assert!(returned(request, "call_4").contains("Opening a department"));
    assert!(bench.school.messages().is_empty());
}

#[tokio::test]
async fn without_a_zone_the_date_is_utc_and_says_so() {
    let bench = Bench::with([
        Line::Calls(vec![("call_1", "get_current_date", json!({}))]),
        Line::Says("It is Tuesday."),
    ])
    .await;
    let mut request = turn("what day is it");
    request["runtimeContext"]["timeZone"] = Value::Null;
    bench.run(request).await;
    let date: Value =
        serde_json::from_str(&returned(&bench.script.requests()[1], "call_1")).unwrap();
    assert_eq!(date["data"]["timeZone"], "UTC");
    assert_eq!(date["data"]["time"], "05:05");
    assert!(date["data"]["note"].as_str().unwrap().contains("not known"));
}
