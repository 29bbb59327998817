//! A server that dies, stalls or fails in the middle of a call.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;

use crate::support::client::Client;
use crate::support::history::Told;
use crate::support::school::School;
use crate::support::{PATIENCE, Queues, call_id, until};

/// How often this student is there, and how often the call is in the audit log.
fn kept(school: &School, call: &str, name: &str) -> (String, String) {
    let count = |question: String| school.rows(&question).concat();
    (
        count(format!("SELECT count(*) FROM main.student WHERE full_name = '{name}'")),
        count(format!("SELECT count(*) FROM main.audit_log WHERE call_id = '{call}'")),
    )
}

fn once() -> (String, String) {
    ("1".to_owned(), "1".to_owned())
}

fn never() -> (String, String) {
    ("0".to_owned(), "0".to_owned())
}

/// Wherever in a call the server dies, the next one brings it to its end, once, and its caller is told.
#[tokio::test(flavor = "multi_thread")]
async fn broker_brings_the_call_of_a_dead_server_to_its_end_once() {
    for point in ["handler", "before_commit", "after_commit", "before_ack"] {
        let queues = Queues::of(&format!("dies-{point}"));
        let school = School::on_sqlite(&queues);
        let mut first = school.serve(&format!("{point}=abort"));
        let client = Client::connect(queues.broker(), &queues.names).await;
        let (call, name) = (call_id(point), format!("Fault {point}"));
        let calling = tokio::spawn({
            let (client, call, name) = (client.clone(), call.clone(), name.clone());
            async move { client.enrol(&call, &name, PATIENCE).await }
        });
        until("the first server is dead", || first.has_ended()).await;
        assert!(!first.ended().success(), "it did not end well");
        let _second = school.serve("");
        let told = Told::of(&calling.await.expect("no panic"));
        assert!(matches!(told, Told::Done(_)), "{point}: {told:?}");
        queues.settled(1).await;
        assert_eq!(kept(&school, call.as_str(), &name), once(), "{point}");
        // Whoever asks again under this id is told the same.
        let again = Told::of(&client.enrol(&call, &name, PATIENCE).await);
        assert_eq!(again, told, "{point}");
        queues.sweep().await;
    }
}

/// What came to nothing inside the server is told as such; what was kept and not confirmed is found under its call id.
#[tokio::test(flavor = "multi_thread")]
async fn broker_carries_an_error_that_says_what_it_knows() {
    for (point, kept_then) in
        [("handler", never()), ("before_commit", never()), ("after_commit", once())]
    {
        let queues = Queues::of(&format!("errs-{point}"));
        let school = School::on_sqlite(&queues);
        let _server = school.serve(&format!("{point}=error@1"));
        let client = Client::connect(queues.broker(), &queues.names).await;
        let (call, name) = (call_id(&format!("error-{point}")), format!("Fault {point}"));
        let told = Told::of(&client.enrol(&call, &name, PATIENCE).await);
        assert_eq!(kept(&school, call.as_str(), &name), kept_then, "{point}");
        match point {
            "after_commit" => assert!(matches!(told, Told::Done(_)), "{told:?}"),
            _ => assert!(matches!(told, Told::Not(_)), "{told:?}"),
        }
        // The same id is safe: it runs now, or it ran then.
        let again = Told::of(&client.enrol(&call, &name, PATIENCE).await);
        assert!(matches!(again, Told::Done(_)), "{point}: {again:?}");
        assert_eq!(kept(&school, call.as_str(), &name), once(), "{point}");
        queues.sweep().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn broker_delivers_one_call_five_times_and_it_runs_once() {
    let queues = Queues::of("twins");
    let school = School::on_postgres(&queues);
    let _servers = (school.serve(""), school.serve(""));
    let client = Client::connect(queues.broker(), &queues.names).await;
    let service = client.service(PATIENCE).await;
    let call = call_id("twins");
    let args = json!({ "name": "Fault twins", "classId": crate::support::client::CLASS });
    let calls = (0..5).map(|_| client.call_with(&service, "enrol_student", &call, args.clone()));
    let told: Vec<_> = join_all(calls).await.iter().map(Told::of).collect();
    assert!(matches!(told[0], Told::Done(_)), "{told:?}");
    assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
    assert_eq!(kept(&school, call.as_str(), "Fault twins"), once());
    queues.sweep().await;
}

/// A handler that takes longer than its caller waits keeps nothing, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn broker_waits_for_no_slow_handler() {
    let queues = Queues::of("slow");
    let school = School::on_sqlite(&queues);
    let _server = school.serve("handler=stall:6000@1");
    let client = Client::connect(queues.broker(), &queues.names).await;
    let call = call_id("slow");
    let began = Instant::now();
    let told = Told::of(&client.enrol(&call, "Fault slow", Duration::from_secs(2)).await);
    assert!(!matches!(told, Told::Done(_)), "{told:?}");
    assert!(began.elapsed() < Duration::from_secs(5), "it was told in time");
    queues.settled(1).await;
    assert_eq!(kept(&school, call.as_str(), "Fault slow"), never());
    queues.sweep().await;
}

/// A call that kills server after server is begun three times, then set aside; its caller is told, and so is whoever
/// looks after the system.
#[tokio::test(flavor = "multi_thread")]
async fn broker_sets_a_poisonous_call_aside_after_three_deliveries() {
    for flags in [&[][..], &["--queues", "quorum"]] {
        let queues = Queues::of(&format!("poison-{}", flags.len()));
        let school = School::on_sqlite(&queues).with(flags);
        let mut server = school.serve("handler=abort");
        let client = Client::connect(queues.broker(), &queues.names).await;
        let call = call_id(&format!("poison-{}", flags.len()));
        let calling = tokio::spawn({
            let (client, call) = (client.clone(), call.clone());
            async move { client.enrol(&call, "Fault poison", PATIENCE * 2).await }
        });
        for death in 1..=3 {
            until(&format!("death {death}"), || server.has_ended()).await;
            server = school.serve("handler=abort");
        }
        let told = Told::of(&calling.await.expect("no panic"));
        assert!(matches!(&told, Told::Unknown(said) if said.contains("given up")), "{told:?}");
        assert!(!server.has_ended(), "three died of it, and the fourth does not");
        queues.settled(1).await;
        assert_eq!(kept(&school, call.as_str(), "Fault poison"), never());
        let smells = school.rows("SELECT kind FROM main.security_line WHERE kind = 'poison'");
        assert_eq!(smells.len(), 1, "one line says so");

        let listed = school.ask(&["parked", "list"]);
        assert!(listed.contains(call.as_str()) && listed.contains("enrol.student"), "{listed}");
        drop(server);
        // The cause is mended: a replay carries it out, once, and it is no longer set aside.
        let _mended = school.serve("");
        let replayed = school.ask(&["parked", "replay", call.as_str()]);
        assert!(replayed.contains("Fault poison"), "{replayed}");
        assert_eq!(kept(&school, call.as_str(), "Fault poison"), once());
        until("nothing is set aside", || school.ask(&["parked", "list"]).is_empty()).await;
        queues.sweep().await;
    }
}
