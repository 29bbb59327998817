//! What goes wrong, and what the model and the person are told.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::TurnEndpoint;
use agent_contract::{AssistantPart, CallFault, EndReason, HistoryMessage, TurnEventKind, TurnId};
use serde_json::{Value, json};
use worker::WorkerConfig;

use crate::bench::{Bench, end, packet, returned, said, text, turn, words};
use crate::script::Line;

fn faults(events: &[TurnEventKind]) -> Vec<CallFault> {
    let fault = |kind: &TurnEventKind| match kind {
        TurnEventKind::ToolRejected { fault, .. } => Some(fault.clone()),
        _ => None,
    };
    events.iter().filter_map(fault).collect()
}

fn message(events: &[TurnEventKind]) -> String {
    match events.last() {
        Some(TurnEventKind::Finished { message: Some(message), .. }) => message.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_named_and_its_siblings_run() {
    let bench = Bench::with([
        Line::Calls(vec![
            ("call_1", "create_departments", json!({"name": "Art"})),
            ("call_2", "compare_campuses", json!({})),
            ("call_3", "fly_to_the_moon", json!({})),
            ("call_4", "list_departments", json!({})),
        ]),
        Line::Says("Sorry."),
    ])
    .await;
    let events = bench.run(turn("do it all")).await;
    assert_eq!(end(&events), EndReason::Done);
    let request = &bench.script.requests()[1];
    assert!(returned(request, "call_1").contains("did you mean create_department?"));
    assert!(returned(request, "call_2").contains("not there in campus mode"));
    assert!(returned(request, "call_3").contains("there is no tool fly_to_the_moon"));
    assert!(returned(request, "call_4").contains("\"data\""));
    assert!(matches!(
        &faults(&events)[..],
        [
            CallFault::UnknownTool { nearest: Some(nearest) },
            CallFault::Withheld { .. },
            CallFault::UnknownTool { nearest: None }
        ] if nearest == "create_department"
    ));
}

#[tokio::test]
async fn a_worker_that_waits_for_its_model_says_that_it_lives() {
    let config = WorkerConfig { alive_every: Duration::from_millis(5), ..WorkerConfig::default() };
    let bench = Bench::set(config, [Line::Hangs("One moment")]).await;
    let worker = Arc::clone(&bench.worker);
    let running = tokio::spawn(async move { worker.run(packet(&turn("hello"))).await });
    bench.events.until(|kind| matches!(kind, TurnEventKind::Alive)).await;
    bench.worker.stop(&TurnId::new("trn_1").unwrap());
    running.await.unwrap();
    let events: Vec<_> = bench.events.all().into_iter().map(|event| event.kind).collect();
    assert_eq!(end(&events), EndReason::Stopped, "and nothing follows the end");
}

#[tokio::test]
async fn damaged_arguments_are_mended_if_they_have_one_meaning() {
    let bench = Bench::with([
        Line::Raw("call_1", "create_department", "{\"name\": \"Fine\tArt\"}"),
        Line::Says("Open."),
    ])
    .await;
    let events = bench.run(turn("create it")).await;
    assert_eq!(bench.school.departments(), ["Fine\tArt @ cmp_main"]);
    assert!(words(&events).contains(&"tool.repaired".to_owned()));
}

#[tokio::test]
async fn arguments_that_are_none_reach_no_tool() {
    let bench = Bench::with([
        Line::Raw("call_1", "create_department", "{\"name\": \"Art"),
        Line::Says("Sorry."),
    ])
    .await;
    let events = bench.run(turn("create it")).await;
    assert_eq!(end(&events), EndReason::Done);
    assert!(bench.school.messages().is_empty(), "nothing was sent");
    assert_eq!(
        faults(&events),
        [CallFault::MalformedArguments { text: "{\"name\": \"Art".to_owned() }]
    );
    let back = returned(&bench.script.requests()[1], "call_1");
    assert!(back.contains("args: expected a whole JSON object"), "{back}");
}

/// Serde would take the last of the two, and so would JavaScript.
#[tokio::test]
async fn a_call_that_says_two_things_does_neither() {
    let text = r#"{"name": "Art", "name": "Music"}"#;
    let bench =
        Bench::with([Line::Raw("call_1", "create_department", text), Line::Says("Sorry.")]).await;
    let events = bench.run(turn("create it")).await;
    assert!(bench.school.messages().is_empty(), "nothing was sent");
    assert_eq!(faults(&events), [CallFault::MalformedArguments { text: text.to_owned() }]);
    let back = returned(&bench.script.requests()[1], "call_1");
    assert!(back.contains("each field once") && back.contains("name"), "{back}");
}

/// Half a call is never run, nor is what a provider puts in its place.
#[tokio::test]
async fn a_call_that_was_cut_off_is_told_so() {
    for text in ["{\"name\": \"Art", "{}", "{\"name\": \"Art\"}"] {
        let bench = Bench::with([
            Line::Short("call_1", "create_department", text),
            Line::Says("I will be shorter."),
        ])
        .await;
        let events = bench.run(turn("create it")).await;
        assert_eq!(end(&events), EndReason::Done, "{text}");
        assert!(bench.school.messages().is_empty(), "{text}: nothing was sent");
        assert_eq!(faults(&events), [CallFault::CutOff { text: text.to_owned() }]);
        let back = returned(&bench.script.requests()[1], "call_1");
        assert!(back.contains("cut off"), "{back}");
    }
}

#[tokio::test]
async fn repairs_of_every_kind_of_tool_are_told() {
    let bench = Bench::with([
        Line::Raw("call_1", "create_department", "\"{\\\"name\\\":\\\"Art\\\"}\""),
        Line::Raw("call_2", "search_tools", "\"{\\\"text\\\":\\\"classes\\\"}\""),
        Line::Says("There."),
    ])
    .await;
    let events = bench.run(turn("look around")).await;
    let repairs: Vec<&String> = events
        .iter()
        .filter_map(|event| match event {
            TurnEventKind::ToolRepaired { repairs, .. } => Some(repairs),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(repairs, ["args: JSON inside a string was read"; 2]);
    assert_eq!(bench.school.departments(), ["Art @ cmp_main"]);
    assert_eq!(faults(&events), []);
}

#[tokio::test]
async fn a_model_that_only_calls_is_ended_at_the_step_limit() {
    let call = || Line::Calls(vec![("call_1", "list_departments", json!({}))]);
    let bench = Bench::with([call(), call(), call(), call()]).await;
    let events = bench.run(turn("go on for ever")).await;
    assert_eq!(end(&events), EndReason::StepLimit);
    assert_eq!(bench.script.requests().len(), 4);
    assert!(message(&events).contains("as many steps as I may"));
}

#[tokio::test]
async fn a_model_that_fails_ends_the_turn_in_a_sentence_without_its_own() {
    for line in [Line::Fails(500), Line::Cut("I was about to"), Line::Says(" ")] {
        let bench = Bench::with([line]).await;
        let events = bench.run(turn("hello")).await;
        assert_eq!(end(&events), EndReason::ModelFailed);
        let message = message(&events);
        assert!(message.contains("Try again") && !message.contains("/srv"), "{message}");
    }
}

#[tokio::test]
async fn a_stop_cuts_the_model_short_and_keeps_what_was_read() {
    let bench = Bench::with([Line::Hangs("Once upon a time ")]).await;
    let turn_id = "trn_1".parse().unwrap();
    let request = turn("tell me a story");
    let running = bench.worker.run(packet(&request));
    let stopping = async {
        bench.events.until(|kind| matches!(kind, TurnEventKind::TextDelta { .. })).await;
        bench.worker.stop(&turn_id);
        bench.script.hung_up().await;
    };
    tokio::join!(running, stopping);
    let events: Vec<_> = bench.events.all().into_iter().map(|event| event.kind).collect();
    assert_eq!(end(&events), EndReason::Stopped);
    let kept = events.iter().any(|kind| match kind {
        TurnEventKind::Message { message } => *message == HistoryMessage::assistant(text(&events)),
        _ => false,
    });
    assert!(kept, "{events:?}");
    // A stop for a turn that is over, or was never here, does nothing.
    bench.worker.stop(&turn_id);
}

#[tokio::test]
async fn a_turn_that_a_shutdown_cuts_is_not_told_that_somebody_asked() {
    let bench = Bench::with([Line::Hangs("Once upon a time ")]).await;
    let request = turn("tell me a story");
    let running = bench.worker.run(packet(&request));
    let leaving = async {
        bench.events.until(|kind| matches!(kind, TurnEventKind::TextDelta { .. })).await;
        bench.worker.drain(std::time::Duration::ZERO).await;
    };
    tokio::join!(running, leaving);
    let events: Vec<_> = bench.events.all().into_iter().map(|event| event.kind).collect();
    assert_eq!(end(&events), EndReason::WorkerLost);
}

#[tokio::test]
async fn calls_that_an_earlier_turn_left_open_are_closed_before_the_model_is_asked() {
    let bench = Bench::with([Line::Says("Hello again.")]).await;
    let mut request = turn("hello");
    request["history"] = json!([
        said(&HistoryMessage::user("create Art")),
        said(&HistoryMessage::Assistant {
            parts: vec![AssistantPart::ToolCall {
                cut_off: false,
                tool_call_id: "old_1".to_owned(),
                name: "create_department".to_owned(),
                args: json!({"name": "Art"}),
            }]
        }),
        {"role": "tool", "parts": [{"toolCallId": "nobody's", "name": "x", "result": {"error": "x"}}]},
    ]);
    let events = bench.run(request).await;
    assert_eq!(end(&events), EndReason::Done);
    let request = &bench.script.requests()[0];
    assert!(returned(request, "old_1").contains("its outcome is unknown"));
    let messages = request["messages"].as_array().unwrap();
    assert!(!messages.iter().any(|message| message["tool_call_id"] == "nobody's"));
}

#[tokio::test]
async fn a_turn_that_cannot_be_read_still_ends() {
    let bench = Bench::with([]).await;
    let mut campus = turn("hello");
    campus["runtimeContext"]["runMode"] = json!({"mode": "campus"});
    let mut zone = turn("hello");
    zone["runtimeContext"]["timeZone"] = json!("Mars/Olympus");
    for request in [json!({"turnId": "trn_1"}), campus, zone] {
        let events = bench.run(request).await;
        assert_eq!(end(&events), EndReason::Failed);
        assert_eq!(message(&events), "This turn could not be read by the worker.");
    }
    // Whose turn it is cannot be told, or it is no turn.
    for request in [Value::Null, json!({}), json!([1])] {
        assert!(bench.run(request).await.is_empty());
    }
}

#[tokio::test]
async fn a_turn_that_comes_again_begins_nothing() {
    let bench = Bench::with([]).await;
    let mut message = packet(&turn("create a department"));
    message.redelivered = true;
    bench.worker.run(message).await;
    let events = bench.events.all();
    assert_eq!(events.len(), 1);
    assert!(events[0].seq > u64::from(u32::MAX), "past all that the lost worker said");
    assert!(matches!(
        events[0].kind,
        TurnEventKind::Finished { reason: EndReason::WorkerLost, message: Some(_) }
    ));
}
