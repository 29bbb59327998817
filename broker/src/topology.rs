//! Queues and exchanges as both sides declare them. A different word here closes the other side's channel.
//!
//! Limits, lifetimes and dead letters are set by policy on the broker; as arguments of a queue they would be one more
//! word that every peer must know.

use lapin::options::{
    ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, ExchangeKind};
use uuid::Uuid;

use crate::{Argument, Declare, Names};

/// The queue of tool calls.
pub async fn tools(channel: &Channel, names: &Names) -> lapin::Result<()> {
    let mut arguments = arguments(names.declare);
    for (name, value) in &names.arguments {
        let value = match value {
            Argument::Number(number) => AMQPValue::LongLongInt(*number),
            Argument::Flag(flag) => AMQPValue::Boolean(*flag),
            Argument::Text(text) => AMQPValue::LongString(text.as_str().into()),
        };
        arguments.insert(name.as_str().into(), value);
    }
    declare(channel, &names.tool_queue, names.declare, arguments).await
}

/// The queue of calls that were given up. Nobody consumes it; an operator looks into it.
pub async fn parked(channel: &Channel, names: &Names) -> lapin::Result<()> {
    declare(channel, &names.parking_queue(), names.declare, arguments(names.declare)).await
}

/// The queue of turns.
pub async fn turns(channel: &Channel, names: &Names) -> lapin::Result<()> {
    declare(channel, &names.turn_queue, names.declare, arguments(names.declare)).await
}

/// The exchange of turn events, and the queue from which one server keeps each, so that none is lost while every server
/// is away.
pub async fn events(channel: &Channel, names: &Names) -> lapin::Result<()> {
    fanout(channel, &names.events_exchange).await?;
    let queue = names.events_queue.as_str();
    channel.queue_declare(queue.into(), QueueDeclareOptions::durable(), one_at_a_time()).await?;
    bind(channel, queue, &names.events_exchange).await
}

/// A queue of this connection alone on the exchange of turn events; answers its name.
pub async fn events_of_mine(channel: &Channel, names: &Names) -> lapin::Result<String> {
    mine(channel, &names.events_queue, &names.events_exchange).await
}

/// The exchange that carries stops to every worker.
pub async fn stops(channel: &Channel, names: &Names) -> lapin::Result<()> {
    fanout(channel, &names.stop_exchange).await
}

/// A queue of this connection alone on the exchange of stops; answers its name.
pub async fn stops_of_mine(channel: &Channel, names: &Names) -> lapin::Result<String> {
    stops(channel, names).await?;
    mine(channel, &names.stop_exchange, &names.stop_exchange).await
}

/// An earlier build kept events in a queue that was named as the exchange and let several servers consume it. Left
/// behind it would fill up for ever; one that is in use, or not empty, is left to whoever uses it.
pub async fn forget_earlier(channel: &Channel, names: &Names) {
    let queue = names.events_exchange.as_str();
    let unneeded = QueueDeleteOptions { if_unused: true, if_empty: true, nowait: false };
    if let Err(error) = channel.queue_delete(queue.into(), unneeded).await {
        tracing::warn!(queue, %error, "the queue of an earlier build is still used, or holds events");
    }
}

async fn declare(
    channel: &Channel,
    queue: &str,
    how: Declare,
    arguments: FieldTable,
) -> lapin::Result<()> {
    let options = match how {
        Declare::AsNest | Declare::Quorum => QueueDeclareOptions::durable(),
        Declare::Passive => QueueDeclareOptions::durable().passive(),
    };
    channel.queue_declare(queue.into(), options, arguments).await.map(|_| ())
}

fn arguments(how: Declare) -> FieldTable {
    let mut arguments = FieldTable::default();
    if how == Declare::Quorum {
        arguments.insert("x-queue-type".into(), AMQPValue::LongString("quorum".into()));
    }
    arguments
}

/// Of several servers one consumes, and the next when it goes: two would store the events of one turn out of order.
fn one_at_a_time() -> FieldTable {
    let mut arguments = FieldTable::default();
    arguments.insert("x-single-active-consumer".into(), AMQPValue::Boolean(true));
    arguments
}

async fn mine(channel: &Channel, prefix: &str, exchange: &str) -> lapin::Result<String> {
    let name = format!("{prefix}.{}", Uuid::new_v4());
    let options = QueueDeclareOptions::exclusive().auto_delete();
    channel.queue_declare(name.as_str().into(), options, FieldTable::default()).await?;
    bind(channel, &name, exchange).await?;
    Ok(name)
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
