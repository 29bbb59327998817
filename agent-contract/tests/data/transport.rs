//! The way within one process.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent_contract::{
    EndReason, EventEndpoint, EventTransport, Hop, InProcessEvents, InProcessTools, InProcessTurns,
    Timestamp, ToolEndpoint, ToolTransport, TransportError, TurnEndpoint, TurnEvent, TurnEventKind,
    TurnId, TurnTransport, WireMessage, WireReply,
};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::{Notify, mpsc};

fn in_a_minute() -> Timestamp {
    Timestamp::now().after(Duration::from_mins(1))
}

/// Answers with what it was sent; not at all to an empty body.
struct Echo;

impl ToolEndpoint for Echo {
    fn handle(&self, message: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
        let reply = WireReply { headers: message.headers, body: message.body };
        async move { (!reply.body.is_empty()).then_some(reply) }.boxed()
    }
}

#[tokio::test]
async fn the_server_sees_the_bytes_and_headers_that_were_sent() {
    let message =
        WireMessage::new(vec![0, 159, 146, 150]).with_header("x-rover-ctx", "v4.public.x");
    let reply =
        InProcessTools::new(Arc::new(Echo)).call(message.clone().into(), in_a_minute()).await;
    assert_eq!(reply, Ok(WireReply { headers: message.headers, body: message.body }));
}

#[tokio::test]
async fn a_message_that_is_not_answered_says_so_at_once() {
    let tools = InProcessTools::new(Arc::new(Echo));
    let reply = tools.call(WireMessage::default().into(), in_a_minute()).await;
    assert_eq!(reply, Err(TransportError::Unanswered));
}

/// Tells when it begins, waits until it may go on, and tells that it finished.
struct Slow {
    go_on: Notify,
    stages: mpsc::UnboundedSender<&'static str>,
}

impl ToolEndpoint for Slow {
    fn handle(&self, _: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
        async move {
            self.stages.send("begun").ok();
            self.go_on.notified().await;
            self.stages.send("finished").ok();
            Some(WireReply::default())
        }
        .boxed()
    }
}

#[tokio::test]
async fn a_call_whose_caller_gave_up_still_runs_to_its_end() {
    let (stages, mut seen) = mpsc::unbounded_channel();
    let endpoint = Arc::new(Slow { go_on: Notify::new(), stages });
    let tools = InProcessTools::new(endpoint.clone());
    let soon = Timestamp::now().after(Duration::from_millis(30));
    assert_eq!(
        tools.call(WireMessage::default().into(), soon).await,
        Err(TransportError::Deadline)
    );
    assert_eq!(seen.recv().await, Some("begun"));
    endpoint.go_on.notify_one();
    assert_eq!(seen.recv().await, Some("finished"));
}

#[tokio::test]
async fn a_call_past_its_deadline_is_not_begun() {
    let (stages, mut seen) = mpsc::unbounded_channel();
    let tools = InProcessTools::new(Arc::new(Slow { go_on: Notify::new(), stages }));
    let past: Timestamp = "2020-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(
        tools.call(WireMessage::default().into(), past).await,
        Err(TransportError::Deadline)
    );
    drop(tools);
    assert_eq!(seen.recv().await, None);
}

struct Broken;

impl ToolEndpoint for Broken {
    fn handle(&self, _: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
        async { panic!("a fault of the server") }.boxed()
    }
}

#[tokio::test]
async fn a_server_that_panics_is_a_lost_call_and_not_a_lost_worker() {
    let tools = InProcessTools::new(Arc::new(Broken));
    let reply = tools.call(WireMessage::default().into(), in_a_minute()).await;
    assert_eq!(reply, Err(TransportError::Lost));
}

/// Tells what it was asked.
struct Worker(mpsc::UnboundedSender<String>);

impl TurnEndpoint for Worker {
    fn run(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        async move {
            self.0.send(String::from_utf8(message.body).unwrap()).ok();
        }
        .boxed()
    }

    fn stop(&self, turn: &TurnId) {
        self.0.send(format!("stop {turn}")).ok();
    }
}

#[tokio::test]
async fn turns_and_stops_reach_the_worker() {
    let (asked, mut seen) = mpsc::unbounded_channel();
    let turns = InProcessTurns::new(Arc::new(Worker(asked)));
    turns.dispatch(WireMessage::new(b"a turn".to_vec())).await.unwrap();
    assert_eq!(seen.recv().await.as_deref(), Some("a turn"));
    turns.stop(TurnId::new("t1").unwrap()).await.unwrap();
    assert_eq!(seen.recv().await.as_deref(), Some("stop t1"));
}

#[derive(Default)]
struct Log(Mutex<Vec<TurnEvent>>);

impl EventEndpoint for Log {
    fn receive(&self, event: WireMessage) -> BoxFuture<'_, ()> {
        let event = TurnEvent::of_message(&event).unwrap();
        async move { self.0.lock().unwrap().push(event) }.boxed()
    }
}

#[tokio::test]
async fn events_arrive_in_the_order_they_were_published() {
    let log = Arc::new(Log::default());
    let events = InProcessEvents::new(log.clone());
    let sent: Vec<_> = (0..50)
        .map(|seq| TurnEvent {
            turn_id: TurnId::new("t1").unwrap(),
            seq,
            at: Timestamp::now(),
            hop: Hop::Worker,
            kind: TurnEventKind::Finished { reason: EndReason::Done, message: None },
        })
        .collect();
    for event in &sent {
        events.publish(event.to_message().unwrap()).await.unwrap();
    }
    assert_eq!(*log.0.lock().unwrap(), sent);
}
