//! Queues and exchanges as both sides declare them. A different word here closes the other side's channel.

use lapin::options::{
    ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, ExchangeKind};

use super::{AmqpSettings, Declare};

/// The queue of tool calls: durable, no arguments. Limits and dead letters are set by policy on the broker.
pub(super) async fn tools(channel: &Channel, settings: &AmqpSettings) -> lapin::Result<()> {
    let options = match settings.declare {
        Declare::AsNest => QueueDeclareOptions::durable(),
        Declare::Passive => QueueDeclareOptions::durable().passive(),
    };
    let queue = settings.tool_queue.as_str().into();
    channel.queue_declare(queue, options, FieldTable::default()).await.map(|_| ())
}

/// The exchange of turn events, and the queue from which one server keeps each.
pub(super) async fn events(channel: &Channel, settings: &AmqpSettings) -> lapin::Result<()> {
    fanout(channel, &settings.events_exchange).await?;
    let (queue, exchange) = (settings.events_queue.as_str(), settings.events_exchange.as_str());
    channel.queue_declare(queue.into(), QueueDeclareOptions::durable(), one_at_a_time()).await?;
    bind(channel, queue, exchange).await
}

/// Of several servers one consumes, and the next when it goes: two would store the events of one turn out of order.
fn one_at_a_time() -> FieldTable {
    let mut arguments = FieldTable::default();
    arguments.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
    arguments
}

/// An earlier build kept events in a queue that was named as the exchange and let several servers consume it. Left
/// behind it would fill up for ever; one that is in use, or not empty, is left to whoever uses it.
pub(super) async fn forget_earlier(channel: &Channel, settings: &AmqpSettings) {
    let queue = settings.events_exchange.as_str();
    let unneeded = QueueDeleteOptions { if_unused: true, if_empty: true, nowait: false };
    if let Err(error) = channel.queue_delete(queue.into(), unneeded).await {
        tracing::warn!(queue, %error, "the queue of an earlier build is still used, or holds events");
    }
}

/// A queue of this server alone, which goes when its connection does; answers its name.
pub(super) async fn live(channel: &Channel, settings: &AmqpSettings) -> lapin::Result<String> {
    let name = format!("{}.{}", settings.events_queue, uuid::Uuid::new_v4());
    let options = QueueDeclareOptions::exclusive().auto_delete();
    channel.queue_declare(name.as_str().into(), options, FieldTable::default()).await?;
    bind(channel, &name, &settings.events_exchange).await?;
    Ok(name)
}

/// The exchange that carries stops to every worker.
pub(super) async fn stops(channel: &Channel, settings: &AmqpSettings) -> lapin::Result<()> {
    fanout(channel, &settings.stop_exchange).await
}

async fn fanout(channel: &Channel, name: &str) -> lapin::Result<()> {
    let options = ExchangeDeclareOptions { durable: true, ..ExchangeDeclareOptions::default() };
    channel
        .exchange_declare(name.into(), ExchangeKind::Fanout, options, FieldTable::default())
        .await
}

async fn bind(channel: &Channel, queue: &str, exchange: &str) -> lapin::Result<()> {
    let options = QueueBindOptions::default();
    channel
        .queue_bind(queue.into(), exchange.into(), "".into(), options, FieldTable::default())
        .await
}
