//! What lies between worker and server: replies that are lost, peers that hang, queues that are full or empty.

use std::time::{Duration, Instant};

use agent_contract::wire::encode_request;
use agent_contract::{Timestamp, TransportError, WireMessage};
use serde_json::{Value, json};

use crate::support::cable::Cable;
use crate::support::client::{CLASS, Client};
use crate::support::history::Told;
use crate::support::school::School;
use crate::support::{PATIENCE, Queues, call_id, until};

fn students(school: &School, name: &str) -> usize {
    school.rows(&format!("SELECT id FROM main.student WHERE full_name = '{name}'")).len()
}

/// The reply is lost on its way. The caller asks again under the same id, and is told what came of it.
#[tokio::test(flavor = "multi_thread")]
async fn broker_is_asked_again_when_a_reply_is_lost() {
    let queues = Queues::of("reply");
    let school = School::on_sqlite(&queues);
    let _server = school.serve("");
    let cable = Cable::laid(queues.broker()).await;
    let client = Client::connect(cable.url(), &queues.names).await;
    let service = client.service(PATIENCE).await;
    let call = call_id("reply");
    cable.lose_replies();
    let args = json!({ "name": "Fault reply", "classId": CLASS });
    let calling = client.call_with(&service, "enrol_student", &call, args);
    let cutting = async {
        until("it is done", || students(&school, "Fault reply") == 1).await;
        cable.cut();
    };
    let (result, ()) = tokio::join!(calling, cutting);
    let told = Told::of(&result);
    assert!(matches!(told, Told::Done(_)), "{told:?}");
    assert_eq!(students(&school, "Fault reply"), 1);
    queues.sweep().await;
}

/// A peer that hangs says nothing, not even that it is gone. Two silent heartbeats are enough.
#[tokio::test(flavor = "multi_thread")]
async fn broker_that_hangs_is_given_up_after_two_heartbeats() {
    let queues = Queues::of("hangs");
    let school = School::on_sqlite(&queues);
    let _server = school.serve("");
    let cable = Cable::laid(queues.broker()).await;
    let client = Client::connect(&format!("{}?heartbeat=2", cable.url()), &queues.names).await;
    let service = client.service(PATIENCE).await;
    cable.stall();
    let began = Instant::now();
    let args = json!({ "name": "Fault hangs", "classId": CLASS });
    let result = client.call_with(&service, "enrol_student", &call_id("hangs"), args).await;
    let told = Told::of(&result);
    assert!(matches!(told, Told::Done(_)), "{told:?}");
    assert!(began.elapsed() < Duration::from_secs(20), "long before the deadline");
    cable.go_on();
    assert_eq!(students(&school, "Fault hangs"), 1);
    queues.sweep().await;
}

/// A server that stands still with a call before it: the caller gives up, and the call is never run.
#[tokio::test(flavor = "multi_thread")]
async fn broker_drops_a_call_whose_caller_gave_up() {
    let queues = Queues::of("gave-up");
    let school = School::on_sqlite(&queues);
    let server = school.serve("");
    let client = Client::connect(queues.broker(), &queues.names).await;
    let service = client.service(Duration::from_secs(2)).await;
    server.freeze();
    let args = json!({ "name": "Fault gave up", "classId": CLASS });
    let result = client.call_with(&service, "enrol_student", &call_id("gave-up"), args).await;
    let told = Told::of(&result);
    assert!(matches!(told, Told::Unknown(_)), "{told:?}");
    server.thaw();
    queues.settled(1).await;
    // The next one comes through, so whatever waited before it has been looked at.
    let next = client.enrol(&call_id("next"), "Fault next", PATIENCE).await;
    assert!(next.is_ok(), "{next:?}");
    assert_eq!(students(&school, "Fault gave up"), 0);
    queues.sweep().await;
}

/// A queue that is full says so at once.
#[tokio::test(flavor = "multi_thread")]
async fn broker_refuses_what_does_not_fit_in_the_queue() {
    let queues = Queues::of("full");
    let arguments = ["--tool-queue-arguments", "x-max-length=1,x-overflow=reject-publish"];
    let school = School::on_sqlite(&queues).with(&arguments).with(&["--prefetch", "1"]);
    let server = school.serve("");
    let client = Client::connect(queues.broker(), &queues.names).await;
    let service = client.service(PATIENCE).await;
    server.freeze();
    let enrol = |number: usize| {
        let args = json!({ "name": format!("Fault full {number}"), "classId": CLASS });
        let (client, service) = (client.clone(), service.clone());
        let call = call_id(&format!("full-{number}"));
        tokio::spawn(async move { client.call_with(&service, "enrol_student", &call, args).await })
    };
    // One is before the server, one in the queue. Which of the three is refused is the broker's affair.
    let mut waiting: Vec<_> = (0..3).map(enrol).collect();
    let began = Instant::now();
    until("one is refused", || waiting.iter().any(tokio::task::JoinHandle::is_finished)).await;
    assert!(began.elapsed() < Duration::from_secs(10), "long before the deadline");
    let refused = waiting.iter().position(tokio::task::JoinHandle::is_finished).expect("one is");
    let refused = Told::of(&waiting.swap_remove(refused).await.expect("no panic"));
    assert!(matches!(&refused, Told::Not(said) if said.contains("busy")), "{refused:?}");
    server.thaw();
    for calling in waiting {
        let told = Told::of(&calling.await.expect("no panic"));
        assert!(matches!(told, Told::Done(_)), "{told:?}");
    }
    let all = school.rows("SELECT id FROM main.student WHERE full_name LIKE 'Fault full %'");
    assert_eq!(all.len(), 2);
    queues.sweep().await;
}

/// Nobody is there and nobody ever was: that is told at once. One that was there is waited for.
#[tokio::test(flavor = "multi_thread")]
async fn broker_without_a_server_is_told_of_at_once_and_a_server_that_returns_is_waited_for() {
    let queues = Queues::of("nobody");
    let school = School::on_sqlite(&queues);
    let client = Client::connect(queues.broker(), &queues.names).await;
    let began = Instant::now();
    let told = Told::of(&client.enrol(&call_id("nobody"), "Fault nobody", PATIENCE).await);
    assert!(matches!(&told, Told::Not(said) if said.contains("no server is there")), "{told:?}");
    assert!(began.elapsed() < Duration::from_secs(10), "long before the deadline");

    let mut server = school.serve("");
    let service = client.service(PATIENCE).await;
    server.ask_to_end();
    assert!(server.ended().success(), "a drain is no fault");
    let calling = tokio::spawn({
        let client = client.clone();
        let args = json!({ "name": "Fault returns", "classId": CLASS });
        async move { client.call_with(&service, "enrol_student", &call_id("returns"), args).await }
    });
    let _again = school.serve("");
    let told = Told::of(&calling.await.expect("no panic"));
    assert!(matches!(told, Told::Done(_)), "{told:?}");
    assert_eq!(students(&school, "Fault returns"), 1);
    queues.sweep().await;
}

/// Packets that are no calls, and one that is far too large: each is answered or ignored, and the server lives.
#[tokio::test(flavor = "multi_thread")]
async fn broker_carries_rubbish_and_the_server_lives() {
    let queues = Queues::of("rubbish");
    let school = School::on_sqlite(&queues);
    let _server = school.serve("");
    let client = Client::connect(queues.broker(), &queues.names).await;
    let service = client.service(PATIENCE).await;
    let send = async |body: Vec<u8>, within| {
        let deadline = Timestamp::now().after(within);
        client.transport().call(WireMessage::new(body), deadline).await
    };
    for rubbish in [&b"hello"[..], b"", b"[1,2]", b"\xff\xfe", b"{\"pattern\":"] {
        let told = send(rubbish.to_vec(), Duration::from_millis(300)).await;
        assert_eq!(told, Err(TransportError::Deadline), "nobody answers {rubbish:?}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let packet = format!(r#"{{"pattern":"enrol.student","data":{deep},"id":"i"}}"#);
    let large = encode_request("enrol.student", &json!({ "args": "x".repeat(900_000) }), "i");
    for (body, says) in [(packet.into_bytes(), "deep"), (large, "too large")] {
        let reply = send(body, PATIENCE).await.expect("it is answered");
        let reply: Value = serde_json::from_slice(&reply.body).expect("it is JSON");
        let error = reply["response"]["error"].as_str().expect("an error");
        assert!(error.contains(says), "{error}");
    }
    let args = json!({ "name": "Fault after", "classId": CLASS });
    let after = client.call_with(&service, "enrol_student", &call_id("after"), args).await;
    assert!(after.is_ok(), "{after:?}");
    queues.sweep().await;
}
