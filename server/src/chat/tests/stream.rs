//! The stream against the rules of the client: research/wire-protocols.md 2.2 to 2.4.

use std::collections::HashSet;

use agent_contract::{
    AgentToolResult, CallId, EndReason, Hop, Timestamp, TurnEvent, TurnEventKind, TurnId,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::chat::{UiMessage, UiStream};

fn turn() -> TurnId {
    TurnId::new("turn-1").unwrap()
}

fn call(id: &str) -> CallId {
    CallId::new(id).unwrap()
}

fn event(seq: u64, kind: TurnEventKind) -> TurnEvent {
    let at = Timestamp::from_millisecond(0).unwrap();
    TurnEvent { turn_id: turn(), seq, at, hop: Hop::Worker, kind }
}

fn step() -> TurnEventKind {
    TurnEventKind::StepStarted { step: 0 }
}

fn text(text: &str) -> TurnEventKind {
    TurnEventKind::TextDelta { text: text.into() }
}

fn started(id: &str) -> TurnEventKind {
    TurnEventKind::ToolStarted {
        call_id: call(id),
        tool_call_id: "model-1".into(),
        name: "create_department".into(),
        label: "Creating a department".into(),
        args: json!({ "name": "Mathematics" }),
        agent: "rover".into(),
        parent: None,
    }
}

fn ended(id: &str, result: AgentToolResult) -> TurnEventKind {
    TurnEventKind::ToolFinished { call_id: call(id), name: "create_department".into(), result }
}

fn question(id: &str) -> TurnEventKind {
    TurnEventKind::Question {
        call_id: call(id),
        tool_call_id: "model-2".into(),
        question: "Which campus?".into(),
        options: vec!["Main Campus".into(), "Lakeside Campus".into()],
    }
}

fn finished(reason: EndReason) -> TurnEventKind {
    TurnEventKind::Finished { reason, message: None }
}

/// The chunks of these events as a client reads them, with the first one.
fn drawn(kinds: impl IntoIterator<Item = TurnEventKind>) -> Vec<Value> {
    let mut stream = UiStream::new(turn());
    let mut chunks = vec![stream.start()];
    for (seq, kind) in (0..).zip(kinds) {
        chunks.extend(stream.take(&event(seq, kind)));
    }
    chunks.iter().map(|chunk| serde_json::to_value(chunk).unwrap()).collect()
}

fn types(chunks: &[Value]) -> Vec<&str> {
    chunks.iter().map(|chunk| chunk["type"].as_str().unwrap()).collect()
}

#[test]
fn a_turn_with_one_write() {
    insta::assert_json_snapshot!(drawn([
        step(),
        text("I will "),
        text("do that."),
        started("c1"),
        ended("c1", AgentToolResult::ok(json!({ "id": "d1" }), "Data covers the whole school.")),
        step(),
        text("Mathematics is there now."),
        TurnEventKind::TextDone,
        finished(EndReason::Done),
    ]));
}

#[test]
fn a_refused_call_is_an_error_of_that_call_alone() {
    let chunks = drawn([
        step(),
        started("c1"),
        ended("c1", AgentToolResult::err("Permission denied: you may not add a department")),
        step(),
        text("You may not do that."),
        finished(EndReason::Done),
    ]);
    let refused = chunks.iter().find(|chunk| chunk["type"] == "tool-output-error").unwrap();
    assert_eq!(
        *refused,
        json!({
            "type": "tool-output-error",
            "toolCallId": "c1",
            "providerExecuted": true,
            "dynamic": true,
            "errorText": "Permission denied: you may not add a department",
        })
    );
    let last = chunks.last().unwrap();
    assert_eq!((&last["type"], &last["finishReason"]), (&json!("finish"), &json!("stop")));
}

#[test]
fn a_question_is_a_call_that_the_client_answers() {
    let chunks = drawn([step(), question("q1"), finished(EndReason::Waiting)]);
    assert_eq!(
        chunks[1..],
        [
            json!({ "type": "start-step" }),
            json!({ "type": "tool-input-start", "toolCallId": "q1", "toolName": "ask_staffer" }),
            json!({
                "type": "tool-input-available",
                "toolCallId": "q1",
                "toolName": "ask_staffer",
                "input": {
                    "question": "Which campus?",
                    "options": ["Main Campus", "Lakeside Campus"],
                },
            }),
            json!({ "type": "finish-step" }),
            json!({
                "type": "finish",
                "finishReason": "tool-calls",
                "messageMetadata": { "endReason": "waiting" },
            }),
        ]
    );
}

#[test]
fn an_approval_names_the_call_that_waits() {
    let approval =
        TurnEventKind::Approval { call_id: call("c1"), summary: "Archive Mathematics".into() };
    let chunks = drawn([step(), started("c1"), approval, finished(EndReason::Waiting)]);
    assert!(chunks.contains(&json!({
        "type": "tool-approval-request",
        "approvalId": "c1",
        "toolCallId": "c1",
    })));
    assert!(!types(&chunks).contains(&"tool-output-error"), "a call that waits has not failed");
}

#[test]
fn an_answered_turn_goes_on_in_the_same_message() {
    let mut stream = UiStream::new(turn());
    let first = [step(), question("q1"), finished(EndReason::Waiting)];
    let earlier: Vec<_> =
        (0..).zip(first).flat_map(|(seq, kind)| stream.replay(&event(seq, kind))).collect();
    let answer = AgentToolResult::ok(json!({ "answer": "Main Campus" }), "");
    let second = [ended("q1", answer), step(), text("Done."), finished(EndReason::Done)];
    let later: Vec<_> =
        (3..).zip(second).flat_map(|(seq, kind)| stream.take(&event(seq, kind))).collect();

    let whole = std::iter::once(stream.start()).chain(earlier).chain(later);
    insta::assert_json_snapshot!(UiMessage::assistant(whole));
}

#[test]
fn how_each_ending_reads() {
    let endings = [
        EndReason::Done,
        EndReason::Stopped,
        EndReason::Superseded,
        EndReason::StepLimit,
        EndReason::ModelFailed,
        EndReason::WorkerLost,
        EndReason::Failed,
        EndReason::Deadline,
    ];
    let read: Vec<_> = endings
        .into_iter()
        .map(|reason| {
            let chunks = drawn([step(), started("c1"), finished(reason)]);
            let said =
                chunks.iter().filter_map(|chunk| chunk["delta"].as_str()).collect::<String>();
            let finish = chunks.last().unwrap();
            (said, finish["finishReason"].clone(), finish["messageMetadata"].clone())
        })
        .collect();
    insta::assert_json_snapshot!(read);
}

#[test]
fn what_the_worker_says_at_the_end_is_the_last_word() {
    let chunks = drawn([
        step(),
        text("So far"),
        TurnEventKind::Finished {
            reason: EndReason::ModelFailed,
            message: Some("The model gave no answer.".into()),
        },
    ]);
    assert_eq!(
        types(&chunks)[4..],
        [
            "text-end",
            "finish-step",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "finish-step",
            "finish"
        ]
    );
}

#[test]
fn nothing_follows_the_end() {
    let chunks = drawn([step(), text("a"), finished(EndReason::Done), step(), text("b")]);
    assert_eq!(types(&chunks).last(), Some(&"finish"));
}

#[test]
fn a_stored_message_is_what_the_chunks_build() {
    let mut stream = UiStream::new(turn());
    let mut chunks = vec![stream.start()];
    let kinds = [
        step(),
        started("c1"),
        ended("c1", AgentToolResult::err("Permission denied: no")),
        step(),
        text("That is "),
        text("not allowed."),
        finished(EndReason::Done),
    ];
    for (seq, kind) in (0..).zip(kinds) {
        chunks.extend(stream.take(&event(seq, kind)));
    }
    insta::assert_json_snapshot!(UiMessage::assistant(chunks));
}

fn any_kind() -> impl Strategy<Value = TurnEventKind> {
    let id = prop::sample::select(vec!["c1", "c2", "c3"]);
    prop_oneof![
        Just(step()),
        ".{0,3}".prop_map(|said| text(&said)),
        Just(TurnEventKind::TextDone),
        id.clone().prop_map(started),
        (id.clone(), any::<bool>()).prop_map(|(id, ok)| ended(
            id,
            if ok { AgentToolResult::ok(Value::Null, "") } else { AgentToolResult::err("no") }
        )),
        id.clone().prop_map(question),
        id.prop_map(|id| TurnEventKind::Approval { call_id: call(id), summary: "x".into() }),
        Just(TurnEventKind::Waiting { checkpoint: Value::Null }),
    ]
}

fn any_end() -> impl Strategy<Value = EndReason> {
    prop::sample::select(vec![
        EndReason::Done,
        EndReason::Waiting,
        EndReason::Stopped,
        EndReason::StepLimit,
        EndReason::ModelFailed,
        EndReason::WorkerLost,
        EndReason::Failed,
        EndReason::Deadline,
    ])
}

proptest! {
    /// Whatever a worker sends, in whatever order, the client can read it and the turn comes to an end.
    #[test]
    fn no_events_break_a_client(kinds in prop::collection::vec(any_kind(), 0..24), end in any_end()) {
        let chunks = drawn(kinds.into_iter().chain([finished(end)]));
        let (mut texts, mut calls, mut open) = (HashSet::new(), HashSet::new(), HashSet::new());
        let (mut in_step, mut words_last) = (false, false);
        for chunk in &chunks {
            prop_assert!(no_null_key(chunk), "an optional field that is null: {chunk}");
            let id = chunk["id"].as_str().unwrap_or_default().to_owned();
            let call = chunk["toolCallId"].as_str().unwrap_or_default().to_owned();
            match chunk["type"].as_str().unwrap() {
                "start" | "data-activity" => {}
                "start-step" => { prop_assert!(!in_step); in_step = true; words_last = false; }
                "finish-step" => { prop_assert!(in_step && texts.is_empty()); in_step = false; }
                "text-start" => { prop_assert!(in_step && texts.insert(id)); }
                "text-delta" => { prop_assert!(texts.contains(&id)); words_last = true; }
                "text-end" => { prop_assert!(texts.remove(&id)); }
                "tool-input-start" => { prop_assert!(in_step && calls.insert(call)); }
                "tool-input-available" => {
                    prop_assert!(calls.contains(&call) && texts.is_empty());
                    words_last = false;
                    open.insert(call);
                }
                "tool-approval-request" => prop_assert!(open.contains(&call)),
                "tool-output-available" | "tool-output-error" => prop_assert!(open.remove(&call)),
                "finish" => {
                    prop_assert!(!in_step && texts.is_empty());
                    prop_assert!(end == EndReason::Waiting || (open.is_empty() && words_last));
                }
                other => prop_assert!(false, "unknown chunk {other}"),
            }
        }
        prop_assert_eq!(&chunks.last().unwrap()["type"], "finish");
    }
}

/// `input` and `output` may be any JSON; no other key may be null.
fn no_null_key(chunk: &Value) -> bool {
    let free = |key: &str| key == "input" || key == "output";
    match chunk {
        Value::Object(keys) => {
            keys.iter().all(|(key, value)| free(key) || (!value.is_null() && no_null_key(value)))
        }
        _ => true,
    }
}

fn taken_over() -> TurnEventKind {
    TurnEventKind::TakenOver { takeover: 1 }
}

fn complete(text: &str) -> TurnEventKind {
    TurnEventKind::Message { message: agent_contract::HistoryMessage::assistant(text) }
}

/// The texts of the message that a client makes of these events.
fn texts(kinds: Vec<TurnEventKind>) -> Vec<String> {
    let mut stream = UiStream::new(turn());
    let mut chunks = vec![stream.start()];
    for (seq, kind) in (0..).zip(kinds) {
        chunks.extend(stream.take(&event(seq, kind)));
    }
    UiMessage::assistant(chunks).texts().map(str::to_owned).collect()
}

#[test]
fn what_another_worker_says_again_is_read_once() {
    let lost = |said: &[&str]| {
        let mut kinds = vec![step()];
        kinds.extend(said.iter().map(|piece| text(piece)));
        kinds.extend([taken_over(), step()]);
        kinds
    };
    let cases: [(&[&str], &[&str], &[&str]); 8] = [
        (&["I am ", "looking"], &["I am ", "looking into it."], &["I am looking into it."]),
        (&["I am looking"], &["I ", "am ", "looking", " into it."], &["I am looking into it."]),
        (&["I am looking into it."], &["I am looking", " into it."], &["I am looking into it."]),
        (&["I am looking"], &["I am here."], &["I am looking", "I am here."]),
        (&["I am looking"], &["I am", " here."], &["I am looking", "I am here."]),
        (&["I am looking"], &["Yes."], &["I am looking", "Yes."]),
        (&["I am looking"], &["I am"], &["I am looking", "I am"]),
        (&[], &["Yes."], &["Yes."]),
    ];
    for (before, after, read) in cases {
        let mut kinds = lost(before);
        kinds.extend(after.iter().map(|piece| text(piece)));
        kinds.extend([
            TurnEventKind::TextDone,
            complete(&after.concat()),
            finished(EndReason::Done),
        ]);
        assert_eq!(texts(kinds), read, "{before:?} then {after:?}");
    }
}

#[test]
fn a_lost_worker_that_is_lost_again_is_still_read_once() {
    let kinds = vec![
        step(),
        text("I am looking"),
        taken_over(),
        step(),
        text("I am"),
        taken_over(),
        step(),
        text("I am looking into it."),
        TurnEventKind::TextDone,
        complete("I am looking into it."),
        finished(EndReason::Done),
    ];
    assert_eq!(texts(kinds), ["I am looking into it."]);
}

#[test]
fn what_was_complete_is_not_waited_for_again() {
    let kinds = vec![
        step(),
        text("One moment."),
        TurnEventKind::TextDone,
        complete("One moment."),
        started("c1"),
        taken_over(),
        started("c1"),
        ended("c1", AgentToolResult::ok(json!(1), "")),
        step(),
        text("Done."),
        TurnEventKind::TextDone,
        complete("Done."),
        finished(EndReason::Done),
    ];
    assert_eq!(texts(kinds.clone()), ["One moment.", "Done."]);
    let begun = drawn(kinds);
    assert_eq!(types(&begun).iter().filter(|kind| **kind == "tool-input-start").count(), 1);
}
