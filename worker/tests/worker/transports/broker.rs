//! The server's side of the broker, as small as it can be, and the worker's as it is.

use std::sync::Arc;

use agent_contract::wire::{AGENT_TURN_STOP_PATTERN, REGISTRY_CHANGED_PATTERN, encode_event};
use agent_contract::{
    EventEndpoint, ToolEndpoint, TransportError, TurnEndpoint, TurnId, TurnStop, TurnTransport,
    WireMessage, WireReply,
};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt};
use lapin::message::Delivery;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions,
    ExchangeDeleteOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties, Consumer};
use uuid::Uuid;
use worker::amqp::{Amqp, AmqpSettings, Names, Outbound};

use super::Way;
use super::parts::Tellers;

/// Where the broker is.
pub(crate) fn broker() -> String {
    std::env::var("ROVER_TEST_AMQP")
        .unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672".to_owned())
}

/// Names that no other test uses.
pub(crate) fn settings(url: &str) -> AmqpSettings {
    let name = format!("test-{}", Uuid::new_v4());
    AmqpSettings {
        names: Names::of(&format!("{name}-tool"), &format!("{name}-")),
        ..AmqpSettings::at(url)
    }
}

/// A whole way, both sides up.
pub(crate) async fn way(tellers: &Tellers) -> (Way, Server) {
    let settings = settings(&broker());
    let server = Server::start(&settings).await;
    server.serve_tools(tellers.tools.clone()).await;
    let outbound = Outbound::start(settings).unwrap();
    let sender = Arc::new(outbound.sender());
    let amqp = outbound.take_turns(tellers.stage.clone());
    amqp.ready().await.unwrap();
    server.keep_events(tellers.events.clone()).await;
    let way = Way {
        tools: sender.clone(),
        events: sender,
        turns: Arc::new(server.clone()),
        _stands: Box::new(amqp),
    };
    (way, server)
}

/// The worker's side alone.
pub(crate) async fn worker(
    settings: AmqpSettings,
    stage: Arc<dyn TurnEndpoint>,
) -> (worker::amqp::Sender, Amqp) {
    let outbound = Outbound::start(settings).unwrap();
    let sender = outbound.sender();
    let amqp = outbound.take_turns(stage);
    amqp.ready().await.unwrap();
    (sender, amqp)
}

/// The server's side. Its queues go when the test does.
#[derive(Clone)]
pub(crate) struct Server {
    connection: Arc<Connection>,
    channel: Channel,
    settings: AmqpSettings,
}

impl Server {
    pub(crate) async fn start(settings: &AmqpSettings) -> Self {
        let connection =
            Connection::connect(&broker(), ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        channel.confirm_select(ConfirmSelectOptions::default()).await.unwrap();
        Self { connection: Arc::new(connection), channel, settings: settings.clone() }
    }

    pub(crate) async fn serve_tools(&self, endpoint: Arc<dyn ToolEndpoint>) {
        let queue = self.settings.names.tool_queue.as_str();
        let options = QueueDeclareOptions { auto_delete: true, ..QueueDeclareOptions::default() };
        self.channel.queue_declare(queue.into(), options, FieldTable::default()).await.unwrap();
        self.answer_calls(endpoint).await;
    }

    /// The queue of calls as a server leaves it that went.
    pub(crate) async fn leave_the_queue(&self) {
        let queue = self.settings.names.tool_queue.as_str();
        let options = QueueDeclareOptions::durable();
        self.channel.queue_declare(queue.into(), options, FieldTable::default()).await.unwrap();
    }

    pub(crate) async fn answer_calls(&self, endpoint: Arc<dyn ToolEndpoint>) {
        let queue = self.settings.names.tool_queue.as_str();
        let mut calls = self.consume(queue).await;
        let channel = self.channel.clone();
        tokio::spawn(async move {
            while let Some(Ok(delivery)) = calls.next().await {
                tokio::spawn(answer(endpoint.clone(), channel.clone(), delivery));
            }
        });
    }

    pub(crate) async fn keep_events(&self, endpoint: Arc<dyn EventEndpoint>) {
        let mut events = self.consume(&self.settings.names.events_queue).await;
        tokio::spawn(async move {
            while let Some(Ok(delivery)) = events.next().await {
                endpoint.receive(serde_json::from_slice(&delivery.data).unwrap()).await;
                delivery.ack(BasicAckOptions::default()).await.unwrap();
            }
        });
    }

    /// Says that a server came or went.
    pub(crate) async fn registry_changed(&self) {
        let body = encode_event(REGISTRY_CHANGED_PATTERN, &serde_json::json!({}));
        self.publish(&self.settings.names.stop_exchange, "", &WireMessage::new(body)).await;
    }

    /// Waits until no worker takes turns any more.
    pub(crate) async fn until_nobody_takes_turns(&self) {
        let channel = self.connection.create_channel().await.unwrap();
        let options = QueueDeclareOptions::durable().passive();
        let queue = self.settings.names.turn_queue.as_str();
        let mut left = 1;
        while left > 0 {
            let declared = channel.queue_declare(queue.into(), options, FieldTable::default());
            left = declared.await.unwrap().consumer_count();
        }
    }

    /// Takes away what durable things a test left on the broker.
    pub(crate) async fn sweep(&self) {
        let channel = self.connection.create_channel().await.unwrap();
        for queue in [
            &self.settings.names.tool_queue,
            &self.settings.names.turn_queue,
            &self.settings.names.events_queue,
        ] {
            let _ =
                channel.queue_delete(queue.as_str().into(), QueueDeleteOptions::default()).await;
        }
        for exchange in [&self.settings.names.stop_exchange, &self.settings.names.events_exchange] {
            let _ = channel
                .exchange_delete(exchange.as_str().into(), ExchangeDeleteOptions::default())
                .await;
        }
    }

    async fn consume(&self, queue: &str) -> Consumer {
        let options = BasicConsumeOptions::default();
        self.channel
            .basic_consume(queue.into(), "".into(), options, FieldTable::default())
            .await
            .unwrap()
    }

    async fn publish(&self, exchange: &str, key: &str, message: &WireMessage) {
        let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
        let properties = BasicProperties::default().with_headers(table(&message.headers));
        let confirm = self
            .channel
            .basic_publish(exchange.into(), key.into(), options, &message.body, properties)
            .await
            .unwrap();
        assert!(confirm.await.unwrap().take_message().is_none(), "somebody takes it");
    }
}

async fn answer(endpoint: Arc<dyn ToolEndpoint>, channel: Channel, delivery: Delivery) {
    let headers = delivery.properties.headers().clone().unwrap_or_default();
    let headers = headers.inner().iter().filter_map(|(name, value)| {
        let AMQPValue::LongString(text) = value else { return None };
        Some((name.to_string(), String::from_utf8(text.as_bytes().to_vec()).unwrap()))
    });
    let message = WireMessage {
        headers: headers.collect(),
        body: delivery.data.clone(),
        ..WireMessage::default()
    };
    let Some(WireReply { headers, body }) = endpoint.handle(message).await else { return };
    let properties = BasicProperties::default()
        .with_headers(table(&headers))
        .with_correlation_id(delivery.properties.correlation_id().clone().unwrap());
    let to = delivery.properties.reply_to().clone().unwrap();
    let options = BasicPublishOptions::default();
    channel.basic_publish("".into(), to, options, &body, properties).await.unwrap().await.unwrap();
    delivery.ack(BasicAckOptions::default()).await.unwrap();
}

fn table(headers: &std::collections::BTreeMap<String, String>) -> FieldTable {
    let mut table = FieldTable::default();
    for (name, value) in headers {
        table.insert(name.as_str().into(), AMQPValue::LongString(value.as_str().into()));
    }
    table
}

impl TurnTransport for Server {
    fn dispatch(&self, message: WireMessage) -> BoxFuture<'_, Result<(), TransportError>> {
        async move {
            self.publish("", &self.settings.names.turn_queue, &message).await;
            Ok(())
        }
        .boxed()
    }

    fn stop(&self, turn: TurnId) -> BoxFuture<'_, Result<(), TransportError>> {
        async move {
            let stop = serde_json::to_value(TurnStop { turn_id: turn }).unwrap();
            let body = encode_event(AGENT_TURN_STOP_PATTERN, &stop);
            self.publish(&self.settings.names.stop_exchange, "", &WireMessage::new(body)).await;
            Ok(())
        }
        .boxed()
    }
}
