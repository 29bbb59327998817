//! Conversations as they are read again, and the trace of a turn: one's own, and nobody else's.

use agent_contract::{CallId, TurnEventKind, Visibility};
use serde_json::json;

use super::hall::{DANIEL, GRACE, Hall, LAKESIDE, RUTH, on_campus, saying};

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
