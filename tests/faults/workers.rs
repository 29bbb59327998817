//! A worker that dies in the middle of a call, in a real turn.

use serde_json::{Value, json};

use crate::support::school::School;
use crate::support::{Queues, until};

const HEAD_TEACHER: &str = "grace.namutebi@naalya.example";

/// The next worker takes the turn over. The call runs once, whether the first had sent it or not, and nobody sees an error.
#[tokio::test(flavor = "multi_thread")]
async fn broker_runs_the_call_of_a_dead_worker_once() {
    for point in ["before_publish", "after_publish"] {
        let queues = Queues::of(&format!("worker-{point}"));
        let school = School::on_sqlite(&queues);
        let server = school.serve_signed();
        let mut worker = school.work(&format!("{point}=abort"));
        let token = school.ask(&["token", HEAD_TEACHER]).trim().to_owned();
        let turn = tokio::spawn(said(
            server.address().to_owned(),
            token,
            "create a department called Astronomy at Main Campus".to_owned(),
        ));
        until("the worker is dead", || worker.has_ended()).await;
        let _next = school.work("");
        let shown = turn.await.expect("no panic");
        assert!(shown.contains("data: [DONE]") && shown.contains("Astronomy"), "{shown}");
        assert!(!shown.contains("\"type\":\"error\""), "{shown}");
        queues.settled(1).await;
        let made = school.rows("SELECT id FROM main.department WHERE name = 'Astronomy'");
        assert_eq!(made.len(), 1, "{point}");
        let audited =
            school.rows("SELECT seq FROM main.audit_log WHERE event = 'create.department'");
        assert_eq!(audited.len(), 1, "{point}");
        queues.sweep().await;
    }
}

/// What the stream of a turn says.
pub(crate) async fn said(address: String, token: String, sentence: String) -> String {
    let said = json!({ "role": "user", "parts": [{ "type": "text", "text": sentence }] });
    let body: Value = json!({
        "id": format!("thread-{:x}", fnv(&sentence)), "runMode": { "mode": "school" }, "messages": [said],
    });
    let asked = reqwest::Client::new()
        .post(format!("{address}/api/naalya-ai/chat"))
        .bearer_auth(token)
        .json(&body)
        .send()
        .await;
    match asked {
        Ok(answer) => answer.text().await.unwrap_or_else(|error| format!("broke off: {error}")),
        Err(error) => format!("not taken: {error}"),
    }
}

/// A thread of its own for each sentence.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
