//! Against a real broker, with queues of the test's own. Nothing sleeps: every wait is for a reply, a readiness or a
//! returned message. `ROVER_TEST_AMQP` names another broker than the local one.

#[path = "tests/drain.rs"]
mod drain_on_postgres;
#[path = "tests/drain.rs"]
mod drain_on_sqlite;
#[path = "tests/several.rs"]
mod several;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{HEADER_OUTCOME, Packet, classify, encode_no_handler, encode_request};
use agent_contract::{
    EndReason, EventEndpoint, Hop, Outcome, Timestamp, TransportError, TurnEvent, TurnEventKind,
    TurnId, WireMessage, WireReply,
};
use broker::Standing;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use lapin::message::Delivery;
use lapin::options::{
    BasicConsumeOptions, BasicPublishOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties, Consumer};
use serde_json::json;
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

use super::{Amqp, AmqpError, AmqpSettings, Calls, Endpoints, Names, ParkedError, ParkingPlace};
use crate::rpc::Taken;

const PATIENCE: Duration = Duration::from_secs(20);
const REPLY_TO: &str = "amq.rabbitmq.reply-to";

/// Answers every call as one that nobody handles, once it may.
struct Echo {
    begun: Semaphore,
    may: Semaphore,
}

impl Calls for Echo {
    fn take(&self, message: WireMessage) -> BoxFuture<'_, Taken> {
        Box::pin(async move {
            self.begun.add_permits(1);
            self.may.acquire().await.unwrap().forget();
            let Packet::Request { id, .. } = classify(&message.body) else {
                return Taken::default();
            };
            let reply = WireReply::new(encode_no_handler(&id));
            let ours = message.headers.contains_key("x-rover-call");
            let reply = Some(if ours { reply.with_outcome(Outcome::Ok) } else { reply });
            // A real one is given up when it has come too often; a replay counts anew.
            let given_up = message.header("x-rover-attempt") == Some("3");
            Taken { reply, given_up, refused: given_up }
        })
    }
}

struct Heard(mpsc::UnboundedSender<TurnEvent>);

impl EventEndpoint for Heard {
    fn receive(&self, event: WireMessage) -> BoxFuture<'_, ()> {
        // What is no event is for the relay to refuse; here it only must hold up nobody.
        if let Ok(event) = TurnEvent::of_message(&event) {
            self.0.send(event).unwrap();
        }
        Box::pin(async {})
    }
}

/// A server on queues of its own, and a client that knows nothing of our code.
struct Post {
    amqp: Amqp,
    settings: AmqpSettings,
    echo: Arc<Echo>,
    kept: mpsc::UnboundedReceiver<TurnEvent>,
    live: mpsc::UnboundedReceiver<TurnEvent>,
    client: Connection,
    channel: Channel,
    replies: Consumer,
}

impl Post {
    async fn new(permits: usize) -> Self {
        let url = std::env::var("ROVER_TEST_AMQP")
            .unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672/%2f".to_owned());
        let own = |name: &str| format!("rover-test-{name}-{}", Uuid::new_v4());
        let settings = AmqpSettings {
            names: Names::of(&own("tool"), &own("")),
            prefetch: 4,
            ..AmqpSettings::at(&url)
        };
        let echo = Arc::new(Echo { begun: Semaphore::new(0), may: Semaphore::new(permits) });
        let (kept_by, kept) = mpsc::unbounded_channel();
        let (live_by, live) = mpsc::unbounded_channel();
        let endpoints = Endpoints {
            tools: Arc::clone(&echo) as _,
            kept: Arc::new(Heard(kept_by)),
            live: Arc::new(Heard(live_by)),
        };
        let amqp = Amqp::start(settings.clone(), endpoints).unwrap();
        soon(amqp.ready()).await.unwrap();
        let client = Connection::connect(&url, ConnectionProperties::default()).await.unwrap();
        let channel = client.create_channel().await.unwrap();
        let no_ack = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
        let replies = channel
            .basic_consume(REPLY_TO.into(), "".into(), no_ack, FieldTable::default())
            .await
            .unwrap();
        Self { amqp, settings, echo, kept, live, client, channel, replies }
    }

    async fn publish(&self, exchange: &str, key: &str, body: &[u8], properties: BasicProperties) {
        self.channel
            .basic_publish(
                exchange.into(),
                key.into(),
                BasicPublishOptions::default(),
                body,
                properties,
            )
            .await
            .unwrap();
    }

    /// Calls as a Nest client does.
    async fn call(&self, id: &str) {
        let properties = BasicProperties::default()
            .with_reply_to(REPLY_TO.into())
            .with_correlation_id(format!("corr-{id}").into())
            .with_headers(FieldTable::default());
        let body = encode_request("echo", &json!(1), id);
        self.publish("", &self.settings.names.tool_queue, &body, properties).await;
    }

    async fn reply(&mut self) -> Delivery {
        soon(self.replies.next()).await.unwrap().unwrap()
    }

    /// Leaves the broker as it was.
    async fn clear(self) {
        soon(self.amqp.drain(PATIENCE)).await;
        for queue in [
            &self.settings.names.parking_queue(),
            &self.settings.names.tool_queue,
            &self.settings.names.turn_queue,
            &self.settings.names.events_queue,
        ] {
            self.channel
                .queue_delete(queue.as_str().into(), QueueDeleteOptions::default())
                .await
                .unwrap();
        }
        for exchange in [&self.settings.names.stop_exchange, &self.settings.names.events_exchange] {
            let options = lapin::options::ExchangeDeleteOptions::default();
            self.channel.exchange_delete(exchange.as_str().into(), options).await.unwrap();
        }
        self.client.close(200, "done".into()).await.unwrap();
    }
}

async fn soon<T>(waited_for: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, waited_for).await.expect("it happens soon")
}

fn turn_message() -> WireMessage {
    let mut message = WireMessage::new(encode_request("agent.turn", &json!({}), "t1"))
        .with_header("x-rover-ctx", "token");
    message.correlation_id = Some("t1".to_owned());
    message
}

fn finished(seq: u64) -> TurnEvent {
    TurnEvent {
        turn_id: TurnId::new("trn").unwrap(),
        seq,
        at: Timestamp::from_millisecond(0).unwrap(),
        hop: Hop::Worker,
        kind: TurnEventKind::Finished { reason: EndReason::Done, message: None },
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_has_the_properties_of_nests() {
    let mut post = Post::new(10).await;
    post.call("1").await;
    let reply = post.reply().await;
    let expected = BasicProperties::default()
        .with_headers(FieldTable::default())
        .with_correlation_id("corr-1".into());
    assert_eq!(reply.properties, expected);
    assert_eq!(reply.data, encode_no_handler(&json!("1")));

    // To a peer of ours the outcome goes in a header.
    let mut headers = FieldTable::default();
    headers.insert("x-rover-call".into(), lapin::types::AMQPValue::LongString("c".into()));
    let properties =
        BasicProperties::default().with_reply_to(REPLY_TO.into()).with_headers(headers);
    post.publish(
        "",
        &post.settings.names.tool_queue,
        &encode_request("echo", &json!(1), "2"),
        properties,
    )
    .await;
    let reply = post.reply().await;
    assert!(reply.properties.correlation_id().is_none());
    let headers: BTreeMap<_, _> = broker::message(&reply).headers;
    assert_eq!(headers, BTreeMap::from([(HEADER_OUTCOME.to_owned(), "ok".to_owned())]));
    post.clear().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_answered_holds_up_nobody() {
    let mut post = Post::new(10).await;
    let queue = post.settings.names.tool_queue.clone();
    let packet = encode_request("echo", &json!(1), "x");
    post.publish("", &queue, b"hello", BasicProperties::default()).await;
    post.publish("", &queue, &packet, BasicProperties::default()).await;
    let nowhere = BasicProperties::default().with_reply_to("no-such-queue".into());
    post.publish("", &queue, &packet, nowhere).await;
    let endless = BasicProperties::default().with_reply_to("x".repeat(255).into());
    post.publish("", &queue, &packet, endless).await;
    post.call("after").await;
    assert_eq!(post.reply().await.data, encode_no_handler(&json!("after")));
    post.clear().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_kept_once_and_shown_everywhere() {
    let mut post = Post::new(1).await;
    let exchange = post.settings.names.events_exchange.clone();
    let event = serde_json::to_vec(&finished(3)).unwrap();
    post.publish(&exchange, "", b"no event", BasicProperties::default()).await;
    post.publish(&exchange, "", &event, BasicProperties::default()).await;
    assert_eq!(soon(post.kept.recv()).await.unwrap(), finished(3));
    assert_eq!(soon(post.live.recv()).await.unwrap(), finished(3));
    post.clear().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_goes_to_a_worker_or_says_that_there_is_none() {
    let post = Post::new(1).await;
    let turns = post.amqp.turns();
    assert_eq!(soon(turns.dispatch(turn_message())).await, Err(TransportError::NoServer));
    assert!(!post.amqp.publisher.has_workers().await);

    let queue = post.settings.names.turn_queue.as_str();
    post.channel
        .queue_declare(queue.into(), QueueDeclareOptions::durable(), FieldTable::default())
        .await
        .unwrap();
    assert_eq!(soon(turns.dispatch(turn_message())).await, Err(TransportError::NoServer));

    let no_ack = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
    let mut worker = post
        .channel
        .basic_consume(queue.into(), "".into(), no_ack, FieldTable::default())
        .await
        .unwrap();
    assert_eq!(soon(turns.dispatch(turn_message())).await, Ok(()));
    assert!(post.amqp.publisher.has_workers().await);
    let taken = soon(worker.next()).await.unwrap().unwrap();
    assert_eq!(broker::message(&taken), turn_message());
    assert_eq!(*taken.properties.delivery_mode(), Some(2));

    let stops = post.client.create_channel().await.unwrap();
    let own = QueueDeclareOptions::exclusive().auto_delete();
    let own = stops.queue_declare("".into(), own, FieldTable::default()).await.unwrap();
    let exchange = post.settings.names.stop_exchange.as_str();
    let options = lapin::options::QueueBindOptions::default();
    stops
        .queue_bind(own.name().clone(), exchange.into(), "".into(), options, FieldTable::default())
        .await
        .unwrap();
    let mut told = stops
        .basic_consume(own.name().clone(), "".into(), no_ack, FieldTable::default())
        .await
        .unwrap();
    assert_eq!(soon(turns.stop(TurnId::new("trn").unwrap())).await, Ok(()));
    let told = soon(told.next()).await.unwrap().unwrap();
    assert_eq!(told.data, br#"{"pattern":"agent.turn.stop","data":{"turnId":"trn"}}"#);
    post.clear().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_answers_what_runs_and_takes_nothing_new() {
    let mut post = Post::new(0).await;
    post.call("running").await;
    soon(post.echo.begun.acquire()).await.unwrap().forget();

    let Post { amqp, settings, echo, channel, replies, .. } = &mut post;
    let mut standing = amqp.consuming.standing();
    let answered = async {
        // From here on nothing new is taken; what runs may now end.
        soon(standing.wait_for(|standing| *standing == Standing::Away)).await.unwrap();
        echo.may.add_permits(1);
        let reply = soon(replies.next()).await.unwrap().unwrap();
        assert_eq!(reply.data, encode_no_handler(&json!("running")));
    };
    tokio::join!(soon(amqp.drain(PATIENCE)), answered);

    let queue = settings.names.tool_queue.as_str();
    let passive = QueueDeclareOptions::durable().passive();
    let state = channel.queue_declare(queue.into(), passive, FieldTable::default()).await.unwrap();
    assert_eq!((state.consumer_count(), state.message_count()), (0, 0));
    post.clear().await;
}

/// What is given up is set aside, whole, and its caller is told all the same. Looking at it takes nothing away.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_given_up_waits_for_an_operator() {
    let mut post = Post::new(10).await;
    let headers = BTreeMap::from(
        [("x-rover-attempt", "3"), ("x-rover-call", "call-1")]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    let data = json!({ "identity": { "sub": "grace" }, "args": { "name": "Art" } });
    let properties = BasicProperties::default()
        .with_reply_to(REPLY_TO.into())
        .with_correlation_id("corr-1".into())
        .with_headers(broker::table(&headers));
    let body = encode_request("create.department", &data, "packet-1");
    post.publish("", &post.settings.names.tool_queue.clone(), &body, properties).await;
    assert_eq!(post.reply().await.data, encode_no_handler(&json!("packet-1")));

    let place = ParkingPlace::open(&post.settings).await.unwrap();
    for _ in 0..2 {
        let parked = soon(place.list()).await.unwrap();
        let [one] = &parked[..] else { panic!("{parked:?}") };
        assert_eq!((one.call.as_str(), one.sub.as_str()), ("call-1", "grace"));
        assert_eq!(
            (one.event.as_str(), one.args.as_str()),
            ("create.department", r#"{"name":"Art"}"#)
        );
    }
    let unknown = soon(place.drop_one("call-2")).await;
    assert!(matches!(unknown, Err(ParkedError::Unknown(_))), "{unknown:?}");
    // Nobody knows the tool here, so it stays; once it was dropped it is gone.
    let replayed = soon(place.replay("call-1")).await.unwrap();
    assert_eq!(replayed.error(), Some("no server knows this tool any more"));
    soon(async { while soon(place.list()).await.unwrap().is_empty() {} }).await;
    soon(place.drop_one("call-1")).await.unwrap();
    post.clear().await;
}

/// A queue that is deleted ends its consumer without an error. The server makes it again and goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_consumer_that_dies_is_replaced() {
    let mut post = Post::new(10).await;
    let queue = post.settings.names.tool_queue.clone();
    let mut standing = post.amqp.consuming.standing();
    standing.mark_unchanged();
    post.channel.queue_delete(queue.as_str().into(), QueueDeleteOptions::default()).await.unwrap();
    soon(standing.wait_for(|standing| *standing == Standing::Away)).await.unwrap();
    soon(post.amqp.ready()).await.unwrap();
    post.call("again").await;
    assert_eq!(post.reply().await.data, encode_no_handler(&json!("again")));
    post.clear().await;
}

/// A Nest peer that declares the queue as it always does must not meet another declaration.
#[tokio::test(flavor = "multi_thread")]
async fn the_queue_is_declared_as_nest_declares_it() {
    let post = Post::new(1).await;
    let queue = post.settings.names.tool_queue.as_str();
    let as_nest = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
    post.channel.queue_declare(queue.into(), as_nest, FieldTable::default()).await.unwrap();
    broker::tools(&post.channel, &post.settings.names).await.unwrap();
    post.clear().await;
}

#[test]
fn a_wrong_address_stops_the_start() {
    for url in ["", "http://127.0.0.1:5672", "127.0.0.1"] {
        let wrong = AmqpSettings::at(url).checked();
        assert!(matches!(wrong, Err(AmqpError::Address(_))), "{url}");
    }
    let none = AmqpSettings { prefetch: 0, ..AmqpSettings::at("amqp://127.0.0.1") }.checked();
    assert!(matches!(none, Err(AmqpError::None(_))));
}

/// What the broker says no to is told at once: a wrong password, a vhost that is not there, a queue that is declared
/// otherwise. A broker that is not there is no refusal.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_told_and_an_absence_is_waited_for() {
    let post = Post::new(1).await;
    let url: lapin::uri::AMQPUri = post.settings.url.parse().unwrap();
    let place = format!("{}:{}", url.authority.host, url.authority.port);
    let user = &url.authority.userinfo;
    let wrong = [
        (format!("amqp://{}:wrong@{place}", user.username), "Login was refused"),
        (
            format!("amqp://{}:{}@{place}/no-such", user.username, user.password),
            "vhost no-such not found",
        ),
    ];
    for (url, words) in wrong {
        let refused = start(&AmqpSettings { url, ..post.settings.clone() }, &post);
        let refused = soon(refused.tried()).await;
        assert!(
            matches!(&refused, Err(AmqpError::Refused(said)) if said.contains(words)),
            "{refused:?}"
        );
        let told = refused.unwrap_err().to_string();
        assert!(!told.contains("wrong@") && told.contains("password"), "{told}");
    }
    let fleeting = format!("rover-test-fleeting-{}", Uuid::new_v4());
    let otherwise = QueueDeclareOptions { auto_delete: true, ..QueueDeclareOptions::default() };
    post.channel
        .queue_declare(fleeting.as_str().into(), otherwise, FieldTable::default())
        .await
        .unwrap();
    let mut settings = post.settings.clone();
    settings.names.tool_queue.clone_from(&fleeting);
    let refused = start(&settings, &post);
    let refused = soon(refused.tried()).await;
    assert!(
        matches!(&refused, Err(AmqpError::Declared(said)) if said.contains(&fleeting)),
        "{refused:?}"
    );
    post.channel
        .queue_delete(fleeting.as_str().into(), QueueDeleteOptions::default())
        .await
        .unwrap();

    let nobody = AmqpSettings { url: "amqp://127.0.0.1:1".to_owned(), ..post.settings.clone() };
    let waiting = start(&nobody, &post);
    soon(waiting.tried()).await.unwrap();
    assert!(!waiting.is_ready());
    post.clear().await;
}

fn start(settings: &AmqpSettings, post: &Post) -> Amqp {
    let silent = || Arc::new(Heard(mpsc::unbounded_channel().0));
    let endpoints =
        Endpoints { tools: Arc::clone(&post.echo) as _, kept: silent(), live: silent() };
    Amqp::start(settings.clone(), endpoints).unwrap()
}
