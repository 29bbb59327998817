//! Files over HTTP: brought, put on a message, read again by their person and by nobody else.

use agent_contract::{HistoryMessage, UserPart};
use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};

use super::hall::{DANIEL, GRACE, Hall, RUTH, Reply, request, saying};

const FILES: &str = "/api/naalya-ai/attachments";
const CHAT: &str = "/api/naalya-ai/chat";
const CSV: &str = "name,mark\nRuth,81\n";

async fn upload(hall: &Hall, email: &str, name: &str, kind: &str, bytes: &[u8]) -> Reply {
    let bearer = hall.bearer(email).await;
    let request = Request::builder()
        .method("POST")
        .uri(format!("{FILES}?filename={name}"))
        .header(header::AUTHORIZATION, format!("Bearer {bearer}"))
        .header(header::CONTENT_TYPE, kind)
        .body(Body::from(bytes.to_vec()))
        .unwrap();
    hall.send(request).await
}

fn with_file(thread: &str, url: &str) -> Value {
    let mut body = saying(thread, "What is in this?");
    let part =
        json!({"type": "file", "filename": "marks.csv", "mediaType": "text/csv", "url": url});
    body["messages"][0]["parts"].as_array_mut().unwrap().push(part);
    body
}

#[tokio::test]
async fn a_file_goes_onto_a_message_and_with_its_conversation() {
    let hall = Hall::open().await;
    let kept = upload(&hall, GRACE, "marks.csv", "text/csv", CSV.as_bytes()).await;
    assert_eq!(kept.status, 201, "{}", kept.text);
    let kept = kept.json();
    let url = kept["url"].as_str().unwrap().to_owned();
    let reading = hall.chat(GRACE, with_file("t1", &url)).await;
    let mut run = hall.taken().await;
    let [attachment] = &run.request.attachments[..] else {
        panic!("{:?}", run.request.attachments)
    };
    assert_eq!(json!(attachment)["id"], kept["id"]);
    assert_eq!(
        run.request.runtime_context.attachments.as_deref(),
        Some(&run.request.attachments[..])
    );
    run.answer("Marks.").await;
    reading.await.unwrap();

    // The next turn reads of it in what was said.
    let reading = hall.chat(GRACE, saying("t1", "and now?")).await;
    let mut run = hall.taken().await;
    let HistoryMessage::User { parts } = &run.request.history[0] else { panic!("the person") };
    assert!(parts.iter().any(|part| matches!(part, UserPart::Attachment { .. })), "{parts:?}");
    run.answer("Still marks.").await;
    reading.await.unwrap();

    let shown = hall.get(GRACE, "/api/naalya-ai/threads/t1").await.json();
    assert_eq!(
        shown["messages"][0]["parts"][1],
        json!({"type": "file", "filename": "marks.csv", "mediaType": "text/csv", "url": url})
    );
    let read = hall.get(GRACE, &url).await;
    assert_eq!((read.status.as_u16(), read.text.as_str()), (200, CSV));
    assert_eq!(read.headers[header::CONTENT_TYPE], "text/csv");
    assert_eq!(read.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert_eq!(
        read.headers[header::CONTENT_DISPOSITION],
        "attachment; filename=\"marks.csv\"; filename*=UTF-8''marks.csv"
    );
    for other in [RUTH, DANIEL] {
        hall.get(other, &url).await.problem(404);
        hall.post(other, CHAT, &with_file("t9", &url)).await.problem(404);
    }
    hall.post(GRACE, CHAT, &with_file("t2", &url)).await.problem(404);
    let bearer = hall.bearer(GRACE).await;
    let gone = request("DELETE", "/api/naalya-ai/threads/t1", Some(&bearer), None);
    assert_eq!(hall.send(gone).await.status, 204);
    hall.get(GRACE, &url).await.problem(404);
    assert!(hall.nothing_taken().await);
}

#[tokio::test]
async fn a_file_may_come_in_the_post_as_the_sdk_sends_it() {
    let hall = Hall::open().await;
    let url = "data:text/csv;base64,bmFtZSxtYXJrClJ1dGgsODEK";
    let reading = hall.chat(GRACE, with_file("t1", url)).await;
    let mut run = hall.taken().await;
    assert_eq!(run.request.attachments[0].filename, "marks.csv");
    assert_eq!(run.request.attachments[0].size, CSV.len() as u64);
    run.answer("Marks.").await;
    reading.await.unwrap();
    // Asked for another answer, the client posts the same message again.
    let mut again = with_file("t1", url);
    again["trigger"] = json!("regenerate-message");
    let reading = hall.chat(GRACE, again).await;
    let mut run = hall.taken().await;
    assert_eq!(run.request.attachments.len(), 1);
    run.answer("Marks, again.").await;
    reading.await.unwrap();
}

#[tokio::test]
async fn what_is_not_taken_is_told_why() {
    let hall = Hall::open().await;
    let large = vec![b'x'; (5 << 20) + 1];
    for (name, kind, bytes, status, says) in [
        ("a.html", "text/html", &b"<p>"[..], 415, "are not taken"),
        ("a.png", "image/png", &b"name,mark"[..], 415, "no PNG picture"),
        ("a.csv", "text/csv", &b""[..], 422, "empty"),
        ("%2F", "text/csv", &b"x"[..], 422, "needs a name"),
        ("a.csv", "text/csv", &large[..], 413, "too large"),
    ] {
        let told = upload(&hall, GRACE, name, kind, bytes).await.problem(status);
        assert!(told.contains(says), "{told}");
    }
    let mut many = saying("t1", "all of these");
    let part = json!({"type": "file", "filename": "a.csv", "mediaType": "text/csv", "url": "data:text/csv;base64,eA=="});
    many["messages"][0]["parts"].as_array_mut().unwrap().extend(vec![part; 6]);
    assert!(hall.post(GRACE, CHAT, &many).await.problem(422).contains("5 files"));
    for url in ["https://elsewhere.example/a.csv", "data:text/csv,plain", "data:text/csv;base64,!"]
    {
        let told = hall.post(GRACE, CHAT, &with_file("t1", url)).await.problem(422);
        assert!(told.contains("marks.csv"), "{told}");
    }
    assert!(hall.nothing_taken().await);
}
