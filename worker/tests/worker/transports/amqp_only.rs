//! What only a broker can do wrong.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_contract::{
    EventTransport, ToolTransport, TransportError, TurnEndpoint, TurnId, TurnTransport, WireMessage,
};
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use worker::amqp::{AmqpError, AmqpSettings, Outbound};

use super::broker::{Server, broker, settings, worker};
use super::cable::Cable;
use super::parts::{Echo, Tellers, event};
use super::{call, soon};

/// How long what should happen at once may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn without_a_queue_a_call_fails_at_once_and_changed_nothing() {
    let tellers = Tellers::default();
    let settings = settings(&broker());
    let server = Server::start(&settings).await;
    let (sender, amqp) = worker(settings, tellers.stage.clone()).await;
    let began = Instant::now();
    let error = sender.call(call("x").into(), soon()).await.unwrap_err();
    assert_eq!(error, TransportError::NoServer);
    assert!(!error.may_have_run());
    assert!(began.elapsed() < Duration::from_secs(5), "long before the deadline");
    // The channel outlives the return, and a server that comes is found.
    server.serve_tools(tellers.tools.clone()).await;
    assert!(sender.call(call("y").into(), soon()).await.is_ok());
    amqp.drain(Duration::from_secs(5)).await;
    server.sweep().await;
}

/// A server that left keeps its durable queue, which takes a call and holds it.
#[tokio::test]
async fn a_queue_that_nobody_serves_is_no_server() {
    let tellers = Tellers::default();
    let settings = settings(&broker());
    let server = Server::start(&settings).await;
    server.leave_the_queue().await;
    let (sender, amqp) = worker(settings, tellers.stage.clone()).await;
    let began = Instant::now();
    let error = sender.call(call("x").into(), soon()).await.unwrap_err();
    assert_eq!(error, TransportError::NoServer);
    assert!(!error.may_have_run());
    assert!(began.elapsed() < Duration::from_secs(5), "long before the deadline");
    server.answer_calls(tellers.tools.clone()).await;
    assert!(sender.call(call("y").into(), soon()).await.is_ok());
    assert_eq!(tellers.tools.seen(), ["y"], "the first was never sent");
    amqp.drain(Duration::from_secs(5)).await;
    server.sweep().await;
}

#[tokio::test]
async fn a_cut_connection_fails_what_is_out_at_once_and_is_built_anew() {
    let tellers = Tellers::default();
    let cable = Cable::laid().await;
    let settings = settings(cable.url());
    let server = Server::start(&settings).await;
    server.serve_tools(tellers.tools.clone()).await;
    let (sender, amqp) = worker(settings, tellers.stage.clone()).await;

    let out = tokio::spawn({
        let sender = sender.clone();
        async move { sender.call(call(Echo::SILENT).into(), soon()).await }
    });
    while tellers.tools.seen().is_empty() {
        tokio::task::yield_now().await;
    }
    let began = Instant::now();
    cable.cut();
    let error = out.await.unwrap().unwrap_err();
    assert_eq!(error, TransportError::Lost);
    assert!(error.may_have_run());
    assert!(began.elapsed() < Duration::from_secs(5), "long before the deadline");

    // Calls, events and turns find the new connections.
    assert!(sender.call(call("after").into(), soon()).await.is_ok());
    sender.publish(event(7)).await.unwrap();
    server.keep_events(tellers.events.clone()).await;
    tellers.events.until(1).await;
    amqp.ready().await.unwrap();
    server.dispatch(call("trn_2")).await.unwrap();
    tellers.stage.until(&["run trn_2"]).await;
    server.stop("trn_2".parse().unwrap()).await.unwrap();
    amqp.drain(Duration::from_secs(5)).await;
    server.sweep().await;
}

#[tokio::test]
async fn a_turn_that_panics_holds_no_place_and_does_not_come_again() {
    let tellers = Tellers::default();
    let settings = AmqpSettings { turns: 1, ..settings(&broker()) };
    let server = Server::start(&settings).await;
    let (_sender, amqp) = worker(settings.clone(), tellers.stage.clone()).await;
    // The stage panics at a turn without its header. The one place is free again for the next.
    server.dispatch(WireMessage::default()).await.unwrap();
    server.dispatch(call("trn_2")).await.unwrap();
    tellers.stage.until(&["run trn_2"]).await;
    server.stop("trn_2".parse().unwrap()).await.unwrap();
    amqp.drain(Duration::from_secs(20)).await;

    let next = Tellers::default();
    let (_sender, amqp) = worker(settings, next.stage.clone()).await;
    server.dispatch(call("trn_3")).await.unwrap();
    next.stage.until(&["run trn_3"]).await;
    server.stop("trn_3".parse().unwrap()).await.unwrap();
    amqp.drain(Duration::from_secs(20)).await;
    server.sweep().await;
}

#[tokio::test]
async fn a_drained_worker_ends_its_turns_and_takes_no_more() {
    let tellers = Tellers::default();
    let settings = settings(&broker());
    let server = Server::start(&settings).await;
    let (_sender, amqp) = worker(settings.clone(), tellers.stage.clone()).await;
    server.dispatch(call("trn_1")).await.unwrap();
    tellers.stage.until(&["run trn_1"]).await;
    let draining = tokio::spawn(async move { amqp.drain(Duration::from_secs(20)).await });
    server.until_nobody_takes_turns().await;
    // A stop still reaches the turn that runs; a new turn waits for the next worker.
    server.dispatch(call("trn_2")).await.unwrap();
    server.stop("trn_1".parse().unwrap()).await.unwrap();
    draining.await.unwrap();

    let next = Tellers::default();
    let (_sender, amqp) = worker(settings, next.stage.clone()).await;
    next.stage.until(&["run trn_2"]).await;
    server.stop("trn_2".parse().unwrap()).await.unwrap();
    amqp.drain(Duration::from_secs(20)).await;
    server.sweep().await;
    tellers.stage.until(&["run trn_1", "stop trn_1", "end trn_1"]).await;
}

#[tokio::test]
async fn a_refusal_is_told_to_who_waits() {
    let end: lapin::uri::AMQPUri = broker().parse().unwrap();
    let (host, port) = (&end.authority.host, end.authority.port);
    let user = &end.authority.userinfo;
    for (url, words) in [
        (format!("amqp://{}:wrong@{host}:{port}", user.username), "Login was refused"),
        (
            format!("amqp://{}:{}@{host}:{port}/no-such", user.username, user.password),
            "vhost no-such not found",
        ),
    ] {
        let outbound = Outbound::start(settings(&url)).unwrap();
        let refused = tokio::time::timeout(PATIENCE, outbound.ready()).await.expect("at once");
        assert!(
            matches!(&refused, Err(AmqpError::Refused(said)) if said.contains(words)),
            "{refused:?}"
        );
    }
}

/// Counts how often it is to ask the servers.
#[derive(Default)]
struct Greeted(watch::Sender<u32>);

impl TurnEndpoint for Greeted {
    fn run(&self, _: WireMessage) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn stop(&self, _: &TurnId) {}

    fn greet(&self) -> BoxFuture<'_, ()> {
        self.0.send_modify(|times| *times += 1);
        Box::pin(async {})
    }
}

impl Greeted {
    /// Waits until it was asked again after so many times, and not only for the connection's own sake.
    async fn more_than(&self, times: u32) -> u32 {
        let mut greeted = self.0.subscribe();
        let asked = tokio::time::timeout(PATIENCE, greeted.wait_for(|now| *now > times)).await;
        *asked.expect("it asks soon").unwrap()
    }
}

#[tokio::test]
async fn the_servers_are_asked_at_each_connection_and_when_one_comes_or_goes() {
    let greeted = Arc::new(Greeted::default());
    let cable = Cable::laid().await;
    let settings = settings(cable.url());
    let server = Server::start(&settings).await;
    let (_sender, amqp) = worker(settings, greeted.clone()).await;
    // Both connections are a reason: one to ask, the other because it may have missed a word.
    let mut times = greeted.more_than(1).await;
    for _ in 0..3 {
        server.registry_changed().await;
        times = greeted.more_than(times).await;
    }
    cable.cut();
    times = greeted.more_than(times).await;
    amqp.ready().await.unwrap();
    server.registry_changed().await;
    greeted.more_than(times).await;
    amqp.drain(Duration::from_secs(5)).await;
    server.sweep().await;
}
