//! Rover asks back; the answer continues the same turn.

use agent_contract::{Answer, CallId, EndReason, TurnEventKind};
use serde_json::json;

use super::hall::{GRACE, Hall, RUTH, answering, saying};

const CHAT: &str = "/api/naalya-ai/chat";

#[tokio::test]
async fn an_answer_continues_the_same_turn() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "create a department")).await;
    let mut first = hall.taken().await;
    first.ask("q1").await;
    let asked = reading.await.unwrap();
    assert_eq!(asked.end_reason(), "waiting");
    assert_eq!(asked.chunks().last().unwrap()["finishReason"], "tool-calls");

    let reading = hall.chat(GRACE, answering("t1", "q1", "Main Campus")).await;
    let mut second = hall.taken().await;
    assert_eq!(second.request.turn_id, first.request.turn_id);
    assert_eq!(second.request.message, "create a department");
    assert_eq!(second.request.history, []);
    let resume = second.request.resume.clone().unwrap();
    assert_eq!(resume.call_id.as_str(), "q1");
    assert_eq!(resume.checkpoint, json!({ "kept": "q1" }));
    assert_eq!(resume.answer, Answer::Text { text: "Main Campus".into() });
    assert_ne!(second.context.jti(), first.context.jti(), "a run has its own token");
    assert_eq!(second.request.first_seq, 4, "past the four events of the first run");

    second.answered("q1", "Main Campus").await;
    second.answer("Done.").await;
    let reply = reading.await.unwrap();
    assert_eq!(reply.chunks()[0]["messageId"], first.request.turn_id.as_str());
    assert_eq!(
        reply.types(),
        [
            "start",
            "tool-output-available",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "finish-step",
            "finish",
        ]
    );
    assert_eq!(reply.chunks()[1]["output"], json!({ "answer": "Main Campus" }));

    let thread = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    assert_eq!(thread["messages"].as_array().unwrap().len(), 2, "one question, one message");
    assert_eq!(thread["messages"][1]["parts"][1]["state"], "output-available");
    assert_eq!(thread["messages"][1]["metadata"]["endReason"], "done");
}

#[tokio::test]
async fn a_question_is_answered_once_by_whom_it_was_put_to() {
    let hall = Hall::open().await;
    let refused = async |email: &str, body: &_| hall.post(email, CHAT, body).await.problem(409);
    refused(GRACE, &answering("t1", "q1", "Main")).await;

    let reading = hall.chat(GRACE, saying("t1", "create a department")).await;
    hall.taken().await.ask("q1").await;
    reading.await.unwrap();
    refused(RUTH, &answering("t1", "q1", "Main")).await;
    refused(GRACE, &answering("t1", "another", "Main")).await;
    assert!(hall.nothing_taken().await);

    let reading = hall.chat(GRACE, answering("t1", "q1", "Main")).await;
    let mut run = hall.taken().await;
    refused(GRACE, &answering("t1", "q1", "Lakeside")).await;
    run.answered("q1", "Main").await;
    run.answer("Done.").await;
    reading.await.unwrap();
    refused(GRACE, &answering("t1", "q1", "Lakeside")).await;
    assert!(hall.nothing_taken().await);
}

#[tokio::test]
async fn words_approve_nothing_and_a_decision_is_no_answer() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "archive it")).await;
    let mut run = hall.taken().await;
    run.step().await;
    let call_id = CallId::new("c1").unwrap();
    run.say(TurnEventKind::ToolStarted {
        call_id: call_id.clone(),
        tool_call_id: "m1".into(),
        name: "archive_department".into(),
        label: "Archiving a department".into(),
        args: json!({ "departmentId": "d1" }),
        agent: "rover".into(),
        parent: None,
    })
    .await;
    run.say(TurnEventKind::Approval { call_id, summary: "Archive Mathematics".into() }).await;
    run.say(TurnEventKind::Waiting { checkpoint: json!(1) }).await;
    run.finish(EndReason::Waiting).await;
    assert!(reading.await.unwrap().types().contains(&"tool-approval-request".to_owned()));

    hall.post(GRACE, CHAT, &answering("t1", "c1", "yes")).await.problem(409);
    let mut decided = answering("t1", "c1", "");
    decided["messages"][1]["parts"][0] = json!({
        "type": "dynamic-tool", "toolName": "archive_department", "toolCallId": "c1",
        "providerExecuted": true, "state": "approval-responded", "input": {},
        "approval": { "id": "c1", "approved": false, "reason": "not now" },
    });
    let reading = hall.chat(GRACE, decided).await;
    let mut run = hall.taken().await;
    let resume = run.request.resume.clone().unwrap();
    assert_eq!(resume.answer, Answer::Rejected { reason: Some("not now".into()) });
    run.answer("Left as it is.").await;
    reading.await.unwrap();
}

#[tokio::test]
async fn a_message_in_place_of_an_answer_ends_the_turn_that_waited() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "create a department")).await;
    hall.taken().await.ask("q1").await;
    reading.await.unwrap();

    let reading = hall.chat(GRACE, saying("t1", "never mind")).await;
    let mut run = hall.taken().await;
    assert_eq!(run.request.resume, None);
    run.answer("All right.").await;
    reading.await.unwrap();
    let thread = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    let first = &thread["messages"][1];
    assert_eq!(first["metadata"]["endReason"], "superseded", "nobody asked it to stop");
    assert_eq!(first["parts"][1]["state"], "output-error", "the question is open no more");
}

#[tokio::test]
async fn a_turn_that_goes_on_can_be_read_from_its_start() {
    let hall = Hall::open().await;
    let reading = hall.chat(GRACE, saying("t1", "create a department")).await;
    hall.taken().await.ask("q1").await;
    reading.await.unwrap();
    let waiting = hall.get(GRACE, "/api/naalya-ai/chat/t1/stream").await;
    assert_eq!(waiting.status, 204, "a turn that waits does not run");

    let answered = hall.chat(GRACE, answering("t1", "q1", "Main")).await;
    let mut run = hall.taken().await;
    run.answered("q1", "Main").await;
    let bearer = hall.bearer(GRACE).await;
    let resumed = super::hall::request("GET", "/api/naalya-ai/chat/t1/stream", Some(&bearer), None);
    let replaying = hall.start(resumed).await;
    let stored = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    assert_eq!(stored["messages"].as_array().unwrap().len(), 1, "the stream brings the answer");
    run.answer("Done.").await;
    answered.await.unwrap();
    assert_eq!(
        replaying.await.unwrap().types(),
        [
            "start",
            "start-step",
            "tool-input-start",
            "tool-input-available",
            "finish-step",
            "tool-output-available",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "finish-step",
            "finish",
        ]
    );
}
