//! What a worker asks about a turn that it takes over, and what becomes of the calls of the one before it.

use agent_contract::wire::{HEADER_RUN, encode_request};
use agent_contract::{
    HistoryMessage, Hop, Timestamp, ToldMessage, TurnEvent, TurnEventKind, TurnProgress,
    WireMessage,
};
use serde_json::{Value, json};

use super::bench::{Bench, Caller, GRACE, MAIN, campus, envelope};
use crate::turn_log::EventSink as _;

const TAKE: &str = "agent.turn.take";
const PROGRESS: &str = "agent.turn.progress";

fn ask(caller: &Caller, pattern: &str, data: &Value) -> WireMessage {
    caller.message(pattern, "ask", data)
}

fn taken(takeover: u32) -> Value {
    json!({ "answer": "yours", "takeover": takeover })
}

async fn grace(bench: &Bench) -> Caller {
    bench.caller(GRACE, campus(MAIN, "Main Campus")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_taken_over_three_times_and_then_given_up() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    for takeover in 1..=3 {
        let answer = envelope(&bench.executor, ask(&grace, TAKE, &json!({}))).await;
        assert_eq!(answer["data"], taken(takeover));
    }
    for _ in 0..2 {
        let answer = envelope(&bench.executor, ask(&grace, TAKE, &json!({}))).await;
        assert_eq!(answer["data"], json!({ "answer": "over" }));
    }
    let lost = format!("turn WHERE id = '{}' AND end_reason = 'worker_lost'", grace.turn);
    assert_eq!(bench.count(&lost).await, 1);
    assert_eq!(bench.smells().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_waits_for_the_event_that_takes_over_and_has_all_before_it() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    let event = |seq, kind| TurnEvent {
        turn_id: grace.turn.clone(),
        seq,
        at: Timestamp::now(),
        hop: Hop::Worker,
        kind,
    };
    let said = |text: &str| HistoryMessage::assistant(text);
    let question = json!({ "since": 5, "mark": 100 });
    let asking = envelope(&bench.executor, ask(&grace, PROGRESS, &question));
    let telling = async {
        for (seq, text) in [(4, "of an earlier run"), (7, "first"), (6, "zeroth"), (100, "")] {
            let kind = match text {
                "" => TurnEventKind::TakenOver { takeover: 1 },
                text => TurnEventKind::Message { message: said(text) },
            };
            bench.log.receive(event(seq, kind)).await;
        }
    };
    let (answer, ()) = tokio::join!(asking, telling);
    let told = |text| ToldMessage { task: None, message: said(text) };
    let progress: TurnProgress = serde_json::from_value(answer["data"].clone()).unwrap();
    let expected = TurnProgress { stopping: false, told: vec![told("zeroth"), told("first")] };
    assert_eq!(progress, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_was_taken_for_lost_changes_nothing_more() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    envelope(&bench.executor, ask(&grace, TAKE, &json!({}))).await;
    let call = |id| grace.call("create.department", id, json!({ "name": "Mathematics" }));
    let before = bench.rows().await;
    let refused = envelope(&bench.executor, call("call-1")).await;
    assert!(refused["error"].as_str().unwrap().contains("another worker has taken"), "{refused}");
    assert_eq!(bench.rows().await, before);
    let done = envelope(&bench.executor, call("call-1").with_header(HEADER_RUN, "1")).await;
    assert_eq!(done["data"]["name"], "Mathematics");
    assert_eq!(bench.smells().await, [""; 0], "it was honest");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_turns_own_token_asks_about_it() {
    let bench = Bench::new().await;
    let grace = grace(&bench).await;
    let bare = WireMessage::new(encode_request(TAKE, &json!({}), "p"));
    let forged = Caller { token: "v4.public.forged".to_owned(), ..grace.clone() };
    let nowhere = agent_contract::TurnId::mint();
    let stray = bench.token(&grace.identity, &grace.mode, &nowhere, Timestamp::now());
    let stray = Caller { token: stray, ..grace.clone() };
    for (message, says) in [
        (bare, "no signed context"),
        (ask(&forged, TAKE, &json!({})), "not genuine"),
        (ask(&stray, PROGRESS, &json!({ "since": 0, "mark": 1 })), "no such turn"),
        (ask(&grace, PROGRESS, &json!({ "since": -1 })), "cannot be read"),
    ] {
        let answer = envelope(&bench.executor, message).await;
        assert!(answer["error"].as_str().unwrap().contains(says), "{answer}");
    }
    assert_eq!(bench.smells().await, ["no_token", "bad_token", "dead_turn"]);
    assert_eq!(bench.count("turn WHERE takeovers > 0").await, 0);
}
