//! Turn events that nobody should believe: none is kept or shown, and each leaves exactly one line.

use std::sync::Arc;

use agent_contract::wire::{HEADER_CTX, HEADER_PROOF, HEADER_TAKEOVER};
use agent_contract::{
    EndReason, EventEndpoint as _, EventKind, Hop, Timestamp, TurnEvent, TurnEventKind, TurnId,
    TurnSeal, WireMessage, WorkerKey,
};

use super::bench::{Bench, Caller, GRACE, MAIN, PETER, campus};
use crate::chat::{Door, Relay, Threads};
use crate::identity::{Enrolment, IdentityMode};

/// A turn that a worker tells of, and a server that listens.
struct Listening {
    bench: Bench,
    relay: Relay,
    door: Door,
    worker: Arc<WorkerKey>,
    second: Arc<WorkerKey>,
    stranger: Arc<WorkerKey>,
}

impl Listening {
    async fn new() -> Self {
        let bench = Bench::new().await;
        let [worker, second, stranger] = [(); 3].map(|()| Arc::new(WorkerKey::generate()));
        let keys = [worker.public(), second.public()];
        let enrolment = Arc::new(Enrolment::new(IdentityMode::Required, keys));
        let threads = Threads::new(bench.database.clone());
        let relay = Relay::new(threads, bench.log.clone(), enrolment);
        let door = relay.endpoint();
        Self { bench, relay, door, worker, second, stranger }
    }

    async fn kept(&self) -> i64 {
        self.bench.log.settle().await;
        self.bench.count("turn_event").await
    }

    async fn state(&self, turn: &TurnId) -> i64 {
        self.bench.count(&format!("turn WHERE id = '{turn}' AND state = 'open'")).await
    }
}

fn said(turn: &TurnId, seq: u64, text: &str) -> TurnEvent {
    let kind = TurnEventKind::TextDelta { text: text.to_owned() };
    TurnEvent { turn_id: turn.clone(), seq, at: Timestamp::now(), hop: Hop::Worker, kind }
}

fn finished(turn: &TurnId, seq: u64) -> TurnEvent {
    let kind = TurnEventKind::Finished { reason: EndReason::Done, message: None };
    TurnEvent { kind, ..said(turn, seq, "") }
}

fn sealed(
    key: &Arc<WorkerKey>,
    caller: &Caller,
    kind: EventKind,
    event: &TurnEvent,
) -> WireMessage {
    let dispatch = WireMessage::default().with_header(HEADER_CTX, &caller.token);
    TurnSeal::new(Some(Arc::clone(key)), &dispatch).seal(kind, event).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_worker_of_a_turn_is_heard() {
    let listening = Listening::new().await;
    let Listening { bench, worker, second, stranger, .. } = &listening;
    let grace = bench.caller(GRACE, campus(MAIN, "Main Campus")).await;
    let peter = bench.caller(PETER, campus(MAIN, "Main Campus")).await;
    let (told, over) = (EventKind::Told, EventKind::Takeover);
    let honest = |seq| sealed(worker, &grace, told, &said(&grace.turn, seq, "hello"));
    // The first event makes the turn the worker's.
    listening.door.receive(honest(0)).await;
    assert_eq!(listening.kept().await, 1);
    listening.relay.close();

    let end = finished(&grace.turn, 1);
    let forged =
        |event: &TurnEvent| WireMessage { body: serde_json::to_vec(event).unwrap(), ..honest(1) };
    let server = TurnEvent { hop: Hop::Server, ..end.clone() };
    let nowhere = TurnId::mint();
    let no_token = TurnSeal::new(Some(Arc::clone(worker)), &WireMessage::default());
    let cases = [
        ("unsigned", end.to_message().unwrap(), "no_proof"),
        (
            "signed with a key that nobody enrolled",
            sealed(stranger, &grace, told, &end),
            "unknown_worker",
        ),
        (
            "another enrolled worker, who knows the token",
            sealed(second, &grace, told, &end),
            "other_worker",
        ),
        (
            "other words under an honest signature",
            forged(&said(&grace.turn, 1, "bye")),
            "bad_proof",
        ),
        ("another number under it", forged(&said(&grace.turn, 2, "hello")), "bad_proof"),
        ("another end under it", forged(&end), "bad_proof"),
        (
            "a worker in a turn whose token it has not",
            no_token.seal(told, &end).unwrap(),
            "bad_proof",
        ),
        (
            "of a turn of somebody else",
            sealed(worker, &grace, told, &finished(&peter.turn, 0)),
            "bad_proof",
        ),
        (
            "of a turn that never was",
            sealed(worker, &grace, told, &finished(&nowhere, 0)),
            "dead_turn",
        ),
        ("in the name of the server", sealed(worker, &grace, told, &server), "bad_proof"),
        ("no event", WireMessage { body: b"hello".to_vec(), ..honest(1) }, "unreadable"),
        ("no proof, but some text", honest(1).with_header(HEADER_PROOF, "hello"), "bad_proof"),
        (
            "an honest event made a takeover",
            sealed(second, &grace, told, &end).with_header(HEADER_TAKEOVER, "1"),
            "bad_proof",
        ),
        (
            "a takeover by a key that nobody enrolled",
            sealed(stranger, &grace, over, &end),
            "unknown_worker",
        ),
    ];
    let mut smells = Vec::<String>::new();
    for (what, message, smell) in cases {
        listening.door.receive(message).await;
        smells.push(smell.to_owned());
        assert_eq!(bench.smells().await, smells, "{what}");
        assert_eq!(listening.kept().await, 1, "{what}");
        assert_eq!(listening.state(&grace.turn).await, 1, "{what}");
        assert_eq!(listening.state(&peter.turn).await, 1, "{what}");
        assert_eq!(listening.relay.running(), 1, "{what}: nothing of another turn is shown");
    }
    // An event that comes again changes nothing, and is no attack: the broker may do that.
    listening.door.receive(honest(0)).await;
    assert_eq!(listening.kept().await, 1);
    assert_eq!(bench.smells().await, smells);
    // The worker's own end ends it.
    listening.door.receive(sealed(worker, &grace, told, &end)).await;
    assert_eq!(listening.state(&grace.turn).await, 0);
    assert_eq!(bench.smells().await, smells);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_workers_turn_is_heard_from_the_next() {
    let listening = Listening::new().await;
    let Listening { bench, worker, second, .. } = &listening;
    let grace = bench.caller(GRACE, campus(MAIN, "Main Campus")).await;
    let say = |key, kind, seq| sealed(key, &grace, kind, &said(&grace.turn, seq, "hello"));
    listening.door.receive(say(worker, EventKind::Told, 0)).await;
    let takeover = say(second, EventKind::Takeover, 1);
    listening.door.receive(takeover.clone()).await;
    listening.door.receive(say(second, EventKind::Told, 2)).await;
    assert_eq!(bench.smells().await, [""; 0]);
    assert_eq!(listening.bench.log.events(&grace.turn).await.unwrap().len(), 3);

    // The one that was taken for lost is not.
    let end = finished(&grace.turn, 3);
    listening.door.receive(sealed(worker, &grace, EventKind::Told, &end)).await;
    assert_eq!(bench.smells().await, ["other_worker"]);
    // It gets the turn back if the broker gives it back, and then the takeover of before counts for nothing.
    listening.door.receive(say(worker, EventKind::Takeover, 4)).await;
    listening.door.receive(takeover).await;
    assert_eq!(bench.smells().await, ["other_worker", "other_worker"]);
    listening.door.receive(sealed(worker, &grace, EventKind::Told, &end)).await;
    assert_eq!(listening.state(&grace.turn).await, 0);
}
