//! Files on the way of calls: a turn reads what is on its own conversation and makes what belongs to it, and nothing else.

use std::time::Duration;

use agent_contract::wire::encode_request;
use agent_contract::{AttachmentId, FilePiece, ThreadId, Timestamp, TurnId, WireMessage};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::bench::{Bench, Caller, GRACE, RUTH, claims, envelope, files, offer};
use crate::chat::Owner;
use crate::files::{FileLimits, NewFile, attach};
use crate::identity::TurnClaims;

const READ: &str = "agent.file.read";
const WRITE: &str = "agent.file.write";
const MARKS: &[u8] = b"name,mark\nRuth,81\n";

/// Somebody in a turn, whose token names its conversation.
async fn sitting(bench: &Bench, email: &str) -> (Caller, ThreadId) {
    let caller = bench.caller(email, agent_contract::AgentRunMode::School).await;
    let thread = format!("SELECT thread_id FROM turn WHERE id = '{}'", caller.turn);
    let thread = ThreadId::new(bench.sql().await.texts(&thread).await.remove(0)).unwrap();
    let Caller { identity, mode, turn, .. } = &caller;
    let claims = TurnClaims { thread_id: thread.clone(), ..claims(identity, mode, turn) };
    let minted = bench.tokens.mint(claims, Timestamp::now(), Duration::from_mins(5)).unwrap();
    bench.begin(identity, turn, &minted.token, &offer(mode)).await;
    (Caller { token: minted.token, ..caller }, thread)
}

fn owner(caller: &Caller) -> Owner {
    Owner {
        school: caller.identity.school_id.as_deref().unwrap().parse().unwrap(),
        account: caller.identity.sub.parse().unwrap(),
    }
}

/// A file of this person, on their message if they said so.
async fn brought(bench: &Bench, caller: &Caller, on: Option<(&ThreadId, &TurnId)>) -> AttachmentId {
    let file = NewFile::new("marks.csv", "text/csv", MARKS.to_vec(), FileLimits::default());
    let kept = files(&bench.database).upload(&owner(caller), file.unwrap()).await.unwrap();
    if let Some(place) = on {
        let mut frame = bench.database.system_write().await.unwrap();
        attach(&mut frame, &owner(caller), place, std::slice::from_ref(&kept.id)).await.unwrap();
        frame.commit().await.unwrap();
    }
    kept.id
}

async fn read(bench: &Bench, caller: &Caller, id: &AttachmentId, from: u64) -> Value {
    let question = json!({ "id": id, "from": from });
    envelope(&bench.executor, caller.message(READ, "read", &question)).await
}

async fn write(bench: &Bench, caller: &Caller, piece: &FilePiece) -> Value {
    envelope(&bench.executor, caller.message(WRITE, "write", &json!(piece))).await
}

fn piece(name: &str, media_type: &str, bytes: &[u8]) -> FilePiece {
    FilePiece {
        id: AttachmentId::mint(),
        filename: name.to_owned(),
        media_type: media_type.to_owned(),
        seq: 0,
        bytes: STANDARD.encode(bytes),
        last: true,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_reads_what_is_on_its_conversation_and_no_other_file() {
    let bench = Bench::new().await;
    let (grace, thread) = sitting(&bench, GRACE).await;
    let (elsewhere, _) = sitting(&bench, GRACE).await;
    let (ruth, _) = sitting(&bench, RUTH).await;
    let (stranger, _) = sitting(&bench, "victor.otieno@riverbend.example").await;
    let said = brought(&bench, &grace, Some((&thread, &grace.turn))).await;
    let unsaid = brought(&bench, &grace, None).await;

    let answer = read(&bench, &grace, &said, 0).await;
    let whole = json!({ "size": MARKS.len(), "bytes": STANDARD.encode(MARKS) });
    assert_eq!(answer["data"], whole);
    let answer = read(&bench, &grace, &said, 5).await;
    assert_eq!(answer["data"]["bytes"], STANDARD.encode(&MARKS[5..]));
    for past in [MARKS.len() as u64, u64::from(u32::MAX), u64::MAX] {
        assert_eq!(read(&bench, &grace, &said, past).await["data"]["bytes"], "", "{past}");
    }

    let nothing = read(&bench, &grace, &AttachmentId::mint(), 0).await;
    assert!(nothing["error"].is_string(), "{nothing}");
    for (who, id) in [(&grace, &unsaid), (&elsewhere, &said), (&ruth, &said), (&stranger, &said)] {
        assert_eq!(read(&bench, who, id, 0).await, nothing, "as if it were not there");
    }
    bench
        .run(&format!(
            "UPDATE turn SET state = 'closed', end_reason = 'done' WHERE id = '{}'",
            grace.turn
        ))
        .await;
    let late = read(&bench, &grace, &said, 0).await;
    assert!(late["error"].as_str().unwrap().contains("this turn is over"), "{late}");
    let bare = WireMessage::new(encode_request(READ, &json!({ "id": said, "from": 0 }), "p"));
    let bare = envelope(&bench.executor, bare).await;
    assert!(bare["error"].as_str().unwrap().contains("no signed context"), "{bare}");
    assert_eq!(bench.smells().await, ["dead_turn", "no_token"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_makes_a_file_once_and_it_is_what_it_says() {
    let bench = Bench::new().await;
    let (grace, _) = sitting(&bench, GRACE).await;
    let (ruth, _) = sitting(&bench, RUTH).await;
    let made = piece("../../report.csv", "text/csv", MARKS);
    let expected = json!({
        "id": made.id, "filename": "report.csv", "mediaType": "text/csv", "size": MARKS.len(),
    });
    for _ in 0..2 {
        assert_eq!(write(&bench, &grace, &made).await["data"], expected, "it is one file");
    }
    assert_eq!(read(&bench, &grace, &made.id, 0).await["data"]["bytes"], STANDARD.encode(MARKS));
    assert_eq!(bench.count("attachment WHERE origin = 'artifact' AND sealed").await, 1);

    let before = bench.rows().await;
    let other = FilePiece { bytes: STANDARD.encode("x"), ..made.clone() };
    let taken = write(&bench, &ruth, &other).await;
    assert!(taken["error"].is_string(), "the name of another person's file is no way to it");
    for (wrong, says) in [
        (piece("page.html", "text/html", b"<script>alert(1)</script>"), "not taken"),
        (piece("a.png", "image/png", b"no picture"), "no PNG picture"),
        (piece("", "text/csv", MARKS), "a name"),
        (FilePiece { bytes: "%".to_owned(), ..piece("a.csv", "text/csv", MARKS) }, "pieces"),
        (FilePiece { last: false, ..piece("a.csv", "text/csv", MARKS) }, "pieces"),
        (FilePiece { seq: u32::MAX, ..piece("a.csv", "text/csv", MARKS) }, "are allowed"),
        (FilePiece { seq: 1, ..piece("a.csv", "text/csv", MARKS) }, "pieces"),
    ] {
        let answer = write(&bench, &grace, &wrong).await;
        assert!(answer["error"].as_str().unwrap().contains(says), "{wrong:?}: {answer}");
    }
    assert_eq!(bench.rows().await, before, "nothing is left of them");
    let odd = envelope(&bench.executor, grace.message(WRITE, "write", &json!({ "id": 7 }))).await;
    assert!(odd["error"].as_str().unwrap().contains("cannot be read"), "{odd}");
}
