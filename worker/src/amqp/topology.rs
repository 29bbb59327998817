//! Queues and exchanges as both sides declare them. A different word here closes the other side's
//! channel.
//!
//! What is the server's to make, and there already, is only looked at: so a worker needs no right to
//! make it, nor to bind a queue of its own to the events of all turns.

use lapin::options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, Connection, ExchangeKind};
use uuid::Uuid;

use super::AmqpSettings;

/// The queue of turns: durable, no arguments.
pub(super) async fn turns(channel: &Channel, settings: &AmqpSettings) -> lapin::Result<()> {
    let queue = settings.turn_queue.as_str().into();
    channel
        .queue_declare(queue, QueueDeclareOptions::durable(), FieldTable::default())
        .await
        .map(|_| ())
}

/// A queue of this worker alone on the exchange of stops; answers its name.
pub(super) async fn stops(
    connection: &Connection,
    channel: &Channel,
    settings: &AmqpSettings,
) -> lapin::Result<String> {
    let look = connection.create_channel().await?;
    if !is_there(&look, &settings.stop_exchange).await {
        fanout(channel, &settings.stop_exchange).await?;
    }
    let _ = look.close(200, "looked".into()).await;
    let name = format!("{}.{}", settings.stop_exchange, Uuid::new_v4());
    let options = QueueDeclareOptions::exclusive().auto_delete();
    channel.queue_declare(name.as_str().into(), options, FieldTable::default()).await?;
    bind(channel, &name, &settings.stop_exchange).await?;
    Ok(name)
}

/// A queue of this line alone in which it sees how the broker writes its address; answers its name. It is gone as soon
/// as it was read, and at the latest with the connection.
pub(super) async fn mirror(channel: &Channel, settings: &AmqpSettings) -> lapin::Result<String> {
    let name = format!("{}.mirror.{}", settings.turn_queue, Uuid::new_v4());
    let options = QueueDeclareOptions::exclusive().auto_delete();
    channel.queue_declare(name.as_str().into(), options, FieldTable::default()).await?;
    Ok(name)
}

/// The exchange of turn events and the queue that keeps them, so that no event is lost while every
/// server is away.
pub(super) async fn events(
    connection: &Connection,
    channel: &Channel,
    settings: &AmqpSettings,
) -> lapin::Result<()> {
    let queue = settings.events_queue.as_str();
    let passive = QueueDeclareOptions::durable().passive();
    // What is missing closes the channel that asks for it.
    let look = connection.create_channel().await?;
    let there = is_there(&look, &settings.events_exchange).await
        && look.queue_declare(queue.into(), passive, FieldTable::default()).await.is_ok();
    let _ = look.close(200, "looked".into()).await;
    if there {
        return Ok(());
    }
    fanout(channel, &settings.events_exchange).await?;
    // Of several servers one consumes at a time; the server's topology says why.
    let mut arguments = FieldTable::default();
    arguments.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
    channel.queue_declare(queue.into(), QueueDeclareOptions::durable(), arguments).await?;
    bind(channel, queue, &settings.events_exchange).await
}

async fn is_there(look: &Channel, exchange: &str) -> bool {
    let passive = ExchangeDeclareOptions { passive: true, ..ExchangeDeclareOptions::default() };
    let arguments = FieldTable::default();
    look.exchange_declare(exchange.into(), ExchangeKind::Fanout, passive, arguments).await.is_ok()
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
