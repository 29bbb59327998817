//! Turns that do not end by themselves. Each ends with its reason, and the conversation can go on.

use std::time::Duration;

use agent_contract::{CallId, EndReason, Hop, Timestamp, TurnEvent, TurnEventKind};
use serde_json::json;

use super::hall::{GRACE, Hall, RUTH, saying};

const CHAT: &str = "/api/naalya-ai/chat";

fn in_an_hour() -> Timestamp {
    Timestamp::now().after(Duration::from_hours(1))
}

#[tokio::test]
async fn stop_reaches_the_worker_which_ends_the_turn() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    run.step().await;
    hall.post(RUTH, &format!("{CHAT}/t1/stop"), &json!({})).await.problem(409);
    assert!(hall.stopped().is_empty(), "one stops one's own turns only");

    let stopped = hall.post(GRACE, &format!("{CHAT}/t1/stop"), &json!({})).await;
    assert_eq!(stopped.status, 202, "{}", stopped.text);
    assert_eq!(stopped.json()["turnId"], run.request.turn_id.as_str());
    assert_eq!(hall.stopped(), [run.request.turn_id.clone()]);
    run.finish(EndReason::Stopped).await;
    assert_eq!(reading.await.unwrap().end_reason(), "stopped");
    hall.post(GRACE, &format!("{CHAT}/t1/stop"), &json!({})).await.problem(409);
}

#[tokio::test]
async fn a_stop_that_no_worker_hears_ends_the_turn_all_the_same() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let _silent = hall.taken().await;
    hall.post(GRACE, &format!("{CHAT}/t1/stop"), &json!({})).await;
    hall.chat.sweep(Timestamp::now()).await.unwrap();
    assert!(!reading.is_finished(), "a worker has a moment to end it");
    hall.chat.sweep(Timestamp::now().after(Duration::from_secs(11))).await.unwrap();
    assert_eq!(reading.await.unwrap().end_reason(), "stopped");
}

#[tokio::test]
async fn a_turn_that_waits_is_stopped_at_once() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    hall.taken().await.ask("q1").await;
    reading.await.unwrap();
    let stopped = hall.post(GRACE, &format!("{CHAT}/t1/stop"), &json!({})).await;
    assert_eq!(stopped.status, 202);
    let thread = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    assert_eq!(thread["messages"][1]["metadata"]["endReason"], "stopped");
}

#[tokio::test]
async fn a_turn_whose_worker_died_ends_by_its_deadline() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    run.step().await;
    run.say(TurnEventKind::ToolStarted {
        call_id: CallId::new("c1").unwrap(),
        tool_call_id: "m1".into(),
        name: "list_departments".into(),
        label: "Listing departments".into(),
        args: json!({}),
        agent: "rover".into(),
        parent: None,
    })
    .await;
    hall.chat.sweep(Timestamp::now()).await.unwrap();
    assert!(!reading.is_finished(), "its time is not over");

    hall.chat.sweep(in_an_hour()).await.unwrap();
    let reply = reading.await.unwrap();
    assert_eq!(reply.end_reason(), "worker_lost");
    assert!(reply.types().contains(&"tool-output-error".to_owned()), "no row runs for ever");
    assert_eq!(hall.stopped(), [run.request.turn_id.clone()], "should it live, it is told");

    // It lives after all, and speaks: the turn is over, and stays so.
    run.answer("Here I am.").await;
    let thread = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    assert_eq!(thread["messages"][1]["metadata"]["endReason"], "worker_lost");
    let reading = hall.chat(GRACE, saying("t1", "still there?")).await;
    let mut next = hall.taken().await;
    assert_eq!(next.request.history.len(), 1, "what came too late is no part of the conversation");
    next.answer("Yes.").await;
    reading.await.unwrap();
}

#[tokio::test]
async fn a_turn_whose_worker_fell_silent_ends_long_before_its_deadline() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    let in_a_minute = Timestamp::now().after(Duration::from_mins(1));
    hall.chat.sweep(in_a_minute).await.unwrap();
    assert!(!reading.is_finished(), "no worker has it yet, so none can be lost");

    run.step().await;
    run.text("I was about to").await;
    let turn_id = run.request.turn_id.clone();
    run.again(TurnEvent {
        turn_id: turn_id.clone(),
        seq: run.request.first_seq,
        at: Timestamp::now(),
        hop: Hop::Worker,
        kind: TurnEventKind::Alive,
    })
    .await;
    hall.chat.sweep(Timestamp::now().after(Duration::from_secs(25))).await.unwrap();
    assert!(!reading.is_finished(), "it was heard a moment ago");
    let events = hall.relay.trace(&turn_id).await.unwrap();
    assert_eq!(events.len(), 2, "that it lives is no news to keep");

    hall.chat.sweep(Timestamp::now().after(Duration::from_secs(31))).await.unwrap();
    let reply = reading.await.unwrap();
    assert_eq!(reply.end_reason(), "worker_lost");
    let said = reply.said();
    assert!(said.starts_with("I was about to") && said.ends_with("Please ask again."), "{said}");
    assert_eq!(hall.stopped(), [turn_id], "should it live, it is told");
}

#[tokio::test]
async fn a_worker_that_is_only_slow_ran_out_of_time() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    run.step().await;
    // Its last word is of just before the deadline.
    let at = in_an_hour();
    let event =
        run.say(TurnEventKind::Usage { model: "m".into(), input_tokens: 1, output_tokens: 1 });
    let event = TurnEvent { at, seq: 7, ..event.await };
    run.again(event).await;
    hall.chat.sweep(at).await.unwrap();
    assert_eq!(reading.await.unwrap().end_reason(), "deadline");
}

#[tokio::test]
async fn turns_that_were_open_when_the_server_ended_are_ended_when_it_starts() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    run.step().await;
    run.text("I was about to").await;
    assert_eq!(hall.relay.end_orphans().await.unwrap(), 1);
    let reply = reading.await.unwrap();
    assert_eq!(reply.end_reason(), "worker_lost");
    assert!(reply.said().starts_with("I was about to"));
    assert_eq!(hall.relay.end_orphans().await.unwrap(), 0);

    let thread = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    assert_eq!(thread["messages"][1]["metadata"]["endReason"], "worker_lost");
}

#[tokio::test]
async fn a_server_that_closes_lets_go_of_its_readers_and_not_of_its_turns() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    run.step().await;
    hall.relay.close();
    let cut = reading.await.unwrap();
    assert!(!cut.text.contains("[DONE]"), "a stream that is cut short does not look complete");
    run.answer("Later.").await;
    let thread = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    assert_eq!(thread["messages"][1]["metadata"]["endReason"], "done");
}
