//! Conversations as they are read again, and the trace of a turn: one's own, and nobody else's.

use std::time::Duration;

use agent_contract::{CallId, Timestamp, TurnEventKind, Visibility};
use serde_json::json;

use super::hall::{DANIEL, GRACE, Hall, LAKESIDE, RUTH, on_campus, request, saying};
use crate::db::testing::shape::tenant_tables;

#[tokio::test]
async fn conversations_are_listed_with_the_latest_first() {
    let hall = Hall::open().await;
    let long =
        format!("{} and more", "List the departments of every campus that we have ".repeat(3));
    for (thread, text) in [("t1", "Who am I?\nsecond line"), ("t2", long.as_str()), ("t1", "again")]
    {
        let reading = hall.chat(GRACE, saying(thread, text)).await;
        hall.taken().await.answer("Here.").await;
        reading.await.unwrap();
    }
    let listed = hall.get(GRACE, "/api/naalya-ai/threads").await.json();
    let listed: Vec<_> = listed["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thread| (thread["id"].as_str().unwrap(), thread["title"].as_str().unwrap()))
        .collect();
    assert_eq!(
        listed,
        [
            ("t1", "Who am I?"),
            ("t2", "List the departments of every campus that we have List the…"),
        ]
    );
}

#[tokio::test]
async fn a_conversation_is_read_as_messages() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "Who am I?")).await;
    let mut run = hall.taken().await;
    run.answer("You are Grace.").await;
    reading.await.unwrap();
    let turn = run.request.turn_id.as_str();
    assert_eq!(
        hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json(),
        json!({
            "id": "t1",
            "messages": [
                {
                    "id": format!("{turn}-said"),
                    "role": "user",
                    "parts": [{ "type": "text", "text": "Who am I?" }],
                    "metadata": {},
                },
                {
                    "id": turn,
                    "role": "assistant",
                    "parts": [
                        { "type": "step-start" },
                        { "type": "text", "text": "You are Grace." },
                    ],
                    "metadata": { "turnId": turn, "endReason": "done" },
                },
            ],
        })
    );
}

#[tokio::test]
async fn a_conversation_of_somebody_else_does_not_exist() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "Who am I?")).await;
    let mut run = hall.taken().await;
    run.answer("You are Grace.").await;
    reading.await.unwrap();
    let turn = run.request.turn_id.as_str().to_owned();

    assert_eq!(hall.get(RUTH, "/api/naalya-ai/threads").await.json(), json!({ "threads": [] }));
    let hers = hall.get(RUTH, "/api/naalya-ai/threads/t1").await.problem(404);
    let nobodys = hall.get(RUTH, "/api/naalya-ai/threads/t9").await.problem(404);
    assert_eq!(hers, nobodys);
    hall.post(RUTH, "/api/naalya-ai/chat", &saying("t1", "mine now")).await.problem(404);
    hall.get(RUTH, &format!("/api/turns/{turn}")).await.problem(404);
    hall.get(DANIEL, &format!("/api/turns/{turn}")).await.problem(404);
    hall.get(RUTH, "/api/turns/no-such-turn").await.problem(404);
    assert!(hall.nothing_taken().await);
}

#[tokio::test]
async fn the_trace_has_every_event_in_order() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, on_campus("t1", "Who am I?", LAKESIDE)).await;
    let mut run = hall.taken().await;
    run.say(TurnEventKind::Started { model: "offline".into(), registry: "r1".into() }).await;
    let shown =
        TurnEventKind::Shown { call_id: CallId::new("c1").unwrap(), visibility: Visibility::Row };
    run.say(shown).await;
    run.answer("You are Grace.").await;
    reading.await.unwrap();

    let trace = hall.get(GRACE, &format!("/api/turns/{}", run.request.turn_id)).await.json();
    let head = &trace["turn"];
    assert_eq!(head["threadId"], "t1");
    assert_eq!(head["sentence"], "Who am I?");
    assert_eq!(head["person"], "Grace Namutebi");
    assert_eq!(head["mode"], "Lakeside Campus");
    assert_eq!(head["state"], "closed");
    let kinds: Vec<_> = trace["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| (event["seq"].as_u64().unwrap(), event["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(
        kinds,
        [
            (0, "started"),
            (1, "shown"),
            (2, "step.started"),
            (3, "text.delta"),
            (4, "message"),
            (5, "finished"),
        ]
    );
}

/// How many rows of any table hang on a conversation or one of its turns. The tables are the schema's own, so that none
/// is forgotten.
async fn rows_of(hall: &Hall, thread: &str, turns: &[String]) -> i64 {
    let mut sql = hall.sql().await;
    let tables = tenant_tables(&mut sql).await;
    let columns: Vec<(&str, &str)> = tables
        .iter()
        .flat_map(|table| {
            table.columns.iter().map(|column| (table.name.as_str(), column.name.as_str()))
        })
        .filter(|(table, column)| match *column {
            "thread_id" | "turn_id" => true,
            "id" => ["thread", "turn"].contains(table),
            _ => false,
        })
        .collect();
    assert!(columns.len() >= 7, "{columns:?}");
    let mut rows = 0;
    for (table, column) in columns {
        for id in turns.iter().map(String::as_str).chain([thread]) {
            rows += sql.count(&format!("main.{table} WHERE {column} = '{id}'")).await;
        }
    }
    rows
}

#[tokio::test]
async fn a_conversation_is_deleted_with_all_that_hangs_on_it() {
    let hall = Hall::open().await;
    let mut turns = Vec::new();
    for thread in ["t1", "t2"] {
        let reading = hall.chat(GRACE, saying(thread, "hello")).await;
        let mut run = hall.taken().await;
        run.ask("q1").await;
        turns.push(run.request.turn_id.to_string());
        reading.await.unwrap();
        let reading = hall.chat(GRACE, saying(thread, "something else")).await;
        let mut run = hall.taken().await;
        run.answer("Here.").await;
        turns.push(run.request.turn_id.to_string());
        reading.await.unwrap();
    }
    let delete = async |email: &str, thread: &str| {
        let (bearer, path) = (hall.bearer(email).await, format!("/api/naalya-ai/threads/{thread}"));
        hall.send(request("DELETE", &path, Some(&bearer), None)).await
    };
    let kept = rows_of(&hall, "t2", &turns[2..]).await;
    delete(RUTH, "t1").await.problem(404);
    assert!(rows_of(&hall, "t1", &turns[..2]).await >= 10);
    assert_eq!(delete(GRACE, "t1").await.status, 204);
    assert_eq!(rows_of(&hall, "t1", &turns[..2]).await, 0);
    assert_eq!(rows_of(&hall, "t2", &turns[2..]).await, kept, "the other is as it was");
    delete(GRACE, "t1").await.problem(404);
    hall.get(GRACE, "/api/naalya-ai/threads/t1").await.problem(404);
}

#[tokio::test]
async fn a_conversation_whose_turn_runs_is_stopped_and_deleted() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "hello")).await;
    let mut run = hall.taken().await;
    run.text("I am").await;
    let bearer = hall.bearer(GRACE).await;
    let path = "/api/naalya-ai/threads/t1";
    assert_eq!(hall.send(request("DELETE", path, Some(&bearer), None)).await.status, 204);
    assert_eq!(reading.await.unwrap().end_reason(), "stopped");
    assert_eq!(hall.stopped(), [run.request.turn_id.clone()]);
    // What its worker still says comes too late for everybody.
    run.answer("Here.").await;
    assert_eq!(rows_of(&hall, "t1", &[run.request.turn_id.to_string()]).await, 0);
}

#[tokio::test]
async fn old_conversations_go_and_what_runs_stays() {
    let hall = Hall::open().await;
    let old = hall.chat(GRACE, saying("t1", "hello")).await;
    hall.taken().await.answer("Here.").await;
    old.await.unwrap();
    let running = hall.chat(GRACE, saying("t2", "hello")).await;
    let mut run = hall.taken().await;
    let count = async |since| hall.chat.forget_stale(since).await.unwrap();
    assert_eq!(count(Timestamp::now().before(Duration::from_hours(1))).await, 0, "nothing is old");
    assert_eq!(count(Timestamp::now().after(Duration::from_hours(1))).await, 1);
    hall.get(GRACE, "/api/naalya-ai/threads/t1").await.problem(404);
    run.answer("Here.").await;
    running.await.unwrap();
    assert_eq!(count(Timestamp::now().after(Duration::from_hours(1))).await, 1);
    assert_eq!(hall.get(GRACE, "/api/naalya-ai/threads").await.json()["threads"], json!([]));
}
