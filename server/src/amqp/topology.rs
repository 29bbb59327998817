//! Queues and exchanges as both sides declare them. A different word here closes the other side's channel.

use lapin::options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::FieldTable;
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
    channel
        .queue_declare(queue.into(), QueueDeclareOptions::durable(), FieldTable::default())
        .await?;
    bind(channel, queue, exchange).await
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
