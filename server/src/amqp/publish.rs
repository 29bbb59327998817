//! What the server sends: replies, turns and stops, each confirmed by the broker.
//!
//! Turns are published one at a time, because lapin 4.12 may show a returned message to whoever's confirm comes next;
//! with one in flight there is nobody else. Replies are not mandatory: a caller that is gone needs none.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{AGENT_TURN_STOP_PATTERN, REGISTRY_CHANGED_PATTERN, encode_event};
use agent_contract::{
    Timestamp, TransportError, TurnId, TurnStop, TurnTransport, WireMessage, WireReply,
};
use broker::Standing;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use lapin::message::Delivery;
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use lapin::{BasicProperties, Channel, Confirmation, Connection, Event};
use serde_json::{Map, Value};
use tokio::sync::{Mutex, Notify, watch};
use tokio_util::sync::CancellationToken;

use super::{AmqpSettings, convert, parked};

/// How long a publish may take. A broker under a memory alarm never answers at all.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a reply waits for a connection that is being rebuilt.
const REPLYING: Duration = Duration::from_secs(15);
/// How long a turn waits in the queue for a worker to take it.
const TURN_WAITS: Duration = Duration::from_mins(1);
const PERSISTENT: u8 = 2;

/// The sending end. Clones share the connection.
#[derive(Clone)]
pub(super) struct Publisher {
    settings: Arc<AmqpSettings>,
    line: watch::Receiver<Option<Line>>,
    broken: Arc<Notify>,
    turns: Arc<Mutex<()>>,
}

/// The end that keeps the connection.
#[derive(Clone)]
pub(super) struct Serving {
    settings: Arc<AmqpSettings>,
    line: watch::Sender<Option<Line>>,
    broken: Arc<Notify>,
}

/// A connection that stands.
#[derive(Clone)]
struct Line {
    connection: Arc<Connection>,
    replies: Channel,
    turns: Channel,
}

impl Publisher {
    pub(super) fn new(settings: Arc<AmqpSettings>) -> (Self, Serving) {
        let (sender, line) = watch::channel(None);
        let broken = Arc::new(Notify::new());
        let serving =
            Serving { settings: Arc::clone(&settings), line: sender, broken: Arc::clone(&broken) };
        (Self { settings, line, broken, turns: Arc::default() }, serving)
    }

    /// Sends a reply, waiting for the connection if it is being rebuilt. Answers whether it is on its way, or belongs to
    /// nobody.
    pub(super) async fn reply(
        &self,
        to: &str,
        correlation_id: Option<&str>,
        reply: &WireReply,
    ) -> bool {
        let sending = async {
            let mut line = self.line.clone();
            loop {
                let standing = line.wait_for(Option::is_some).await.ok()?.clone()?;
                let properties = convert::reply_properties(&reply.headers, correlation_id);
                let options = BasicPublishOptions::default();
                match self
                    .publish(&standing.replies, "", to, options, &reply.body, properties)
                    .await
                {
                    // A name that no queue can have is nobody's.
                    Ok(()) | Err(TransportError::NoServer) => return Some(()),
                    // The line is down or about to be; the next one is tried as soon as it stands.
                    Err(_) => line.mark_unchanged(),
                }
                line.changed().await.ok()?;
            }
        };
        matches!(tokio::time::timeout(REPLYING, sending).await, Ok(Some(())))
    }

    /// Sets a call aside where an operator can look at it. Answers whether it is safe there.
    pub(super) async fn park(&self, delivery: &Delivery) -> bool {
        let parking = async {
            let mut line = self.line.clone();
            let standing = line.wait_for(Option::is_some).await.ok()?.clone()?;
            let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
            let (queue, properties) =
                (self.settings.names.parking_queue(), parked::set_aside(delivery));
            self.publish(&standing.turns, "", &queue, options, &delivery.data, properties)
                .await
                .ok()
        };
        // One in flight on the channel of turns, as this file's head says.
        let _one_in_flight = self.turns.lock().await;
        let parked = matches!(tokio::time::timeout(REPLYING, parking).await, Ok(Some(())));
        if !parked {
            tracing::error!("a call that was given up could not be set aside; it will come again");
        }
        parked
    }

    fn standing(&self) -> Result<Line, TransportError> {
        let line = self.line.borrow().clone().ok_or(TransportError::Closed)?;
        if line.connection.status().blocked() {
            return Err(TransportError::Busy);
        }
        Ok(line)
    }

    /// The same for what a person waits for: a connection that is being built is waited for.
    async fn stands(&self) -> Result<Line, TransportError> {
        let mut line = self.line.clone();
        let _ = tokio::time::timeout(PATIENCE, line.wait_for(Option::is_some)).await;
        self.standing()
    }

    async fn turn(&self, message: WireMessage) -> Result<(), TransportError> {
        let line = self.stands().await?;
        let _one_in_flight = self.turns.lock().await;
        self.worker_is_there(&line).await?;
        let lifetime = message.deadline().ok().flatten().map_or(TURN_WAITS, Timestamp::remaining);
        let mut properties = BasicProperties::default()
            .with_headers(broker::table(&message.headers))
            .with_delivery_mode(PERSISTENT)
            .with_expiration(lifetime.min(TURN_WAITS).as_millis().to_string().into());
        if let Some(id) = message.correlation_id.as_deref().and_then(broker::short) {
            properties = properties.with_correlation_id(id);
        }
        let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
        self.publish(
            &line.turns,
            "",
            &self.settings.names.turn_queue,
            options,
            &message.body,
            properties,
        )
        .await
    }

    /// Whether a worker takes turns.
    pub(super) async fn has_workers(&self) -> bool {
        match self.standing() {
            Ok(line) => self.worker_is_there(&line).await.is_ok(),
            Err(_) => false,
        }
    }

    /// A durable queue takes a turn although no worker is left.
    async fn worker_is_there(&self, line: &Line) -> Result<(), TransportError> {
        match broker::consumers(&line.connection, &self.settings.names.turn_queue, PATIENCE).await?
        {
            0 => Err(TransportError::NoServer),
            1.. => Ok(()),
        }
    }

    async fn stop_turn(&self, turn: TurnId) -> Result<(), TransportError> {
        let line = self.stands().await?;
        // A turn id is text, so writing it as JSON does not fail.
        let stop = serde_json::to_value(TurnStop { turn_id: turn }).unwrap_or_default();
        let body = encode_event(AGENT_TURN_STOP_PATTERN, &stop);
        let exchange = &self.settings.names.stop_exchange;
        let (options, properties) = (BasicPublishOptions::default(), BasicProperties::default());
        self.publish(&line.replies, exchange, "", options, &body, properties).await
    }

    /// Lets every worker ask anew what is served, because this server came or goes. One that does not hear it asks by
    /// itself before long.
    pub(super) async fn announce(&self) {
        let announcing = async {
            let mut line = self.line.clone();
            let standing = line.wait_for(Option::is_some).await.ok()?.clone()?;
            let body = encode_event(REGISTRY_CHANGED_PATTERN, &Value::Object(Map::new()));
            let (options, properties) =
                (BasicPublishOptions::default(), BasicProperties::default());
            let exchange = &self.settings.names.stop_exchange;
            self.publish(&standing.replies, exchange, "", options, &body, properties).await.ok()
        };
        if !matches!(tokio::time::timeout(PATIENCE, announcing).await, Ok(Some(()))) {
            tracing::debug!("no worker heard that this server came or goes");
        }
    }

    async fn publish(
        &self,
        channel: &Channel,
        exchange: &str,
        key: &str,
        options: BasicPublishOptions,
        body: &[u8],
        properties: BasicProperties,
    ) -> Result<(), TransportError> {
        // A name that is too long for the protocol is nobody's queue.
        let (Some(exchange), Some(key)) = (broker::short(exchange), broker::short(key)) else {
            return Err(TransportError::NoServer);
        };
        let publishing =
            async { channel.basic_publish(exchange, key, options, body, properties).await?.await };
        match tokio::time::timeout(PATIENCE, publishing).await {
            Ok(Ok(Confirmation::Ack(None))) => Ok(()),
            Ok(Ok(Confirmation::Ack(Some(_)))) => Err(TransportError::NoServer),
            Ok(Ok(Confirmation::Nack(_))) => Err(TransportError::Busy),
            // A channel without confirms is none of ours.
            Ok(Ok(Confirmation::NotRequested)) => Err(TransportError::Lost),
            Ok(Err(error)) => {
                tracing::warn!(%error, "a publish failed; the connection is built anew");
                self.broken.notify_one();
                Err(TransportError::Lost)
            }
            Err(_) => {
                tracing::warn!("the broker confirms nothing; the connection is built anew");
                self.broken.notify_one();
                Err(TransportError::Lost)
            }
        }
    }
}

impl TurnTransport for Publisher {
    fn dispatch(&self, message: WireMessage) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(self.turn(message))
    }

    fn stop(&self, turn: TurnId) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(self.stop_turn(turn))
    }
}

impl Serving {
    /// Makes the connection the one to publish on, until it breaks or is stopped.
    pub(super) async fn session(
        self,
        connection: Connection,
        stop: CancellationToken,
        standing: watch::Sender<Standing>,
    ) -> lapin::Result<()> {
        let mut events = Box::pin(connection.events_listener());
        let line = self.open(connection).await?;
        self.line.send_replace(Some(line.clone()));
        standing.send_replace(Standing::Up);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.broken.notified() => break,
                event = events.next() => match event {
                    None => break,
                    // A channel that asked for a missing queue ends in an error too, and is none of these.
                    Some(Event::Error(error)) if !line.stands() => {
                        tracing::warn!(%error, "the publishing connection broke");
                        break;
                    }
                    Some(Event::ConnectionBlocked(reason)) => {
                        tracing::warn!(reason, "the broker takes no more messages");
                    }
                    Some(_) => {}
                },
            }
        }
        self.line.send_replace(None);
        // A connection that is broken already cannot be closed, and need not be.
        let _ = line.connection.close(200, "bye".into()).await;
        Ok(())
    }

    async fn open(&self, connection: Connection) -> lapin::Result<Line> {
        let replies = connection.create_channel().await?;
        replies.confirm_select(ConfirmSelectOptions::default()).await?;
        broker::stops(&replies, &self.settings.names).await?;
        let turns = connection.create_channel().await?;
        turns.confirm_select(ConfirmSelectOptions::default()).await?;
        Ok(Line { connection: Arc::new(connection), replies, turns })
    }
}

impl Line {
    fn stands(&self) -> bool {
        let channels = [&self.replies, &self.turns];
        self.connection.status().connected()
            && channels.into_iter().all(|channel| channel.status().connected())
    }
}

impl std::fmt::Debug for Publisher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Publisher").field("settings", &self.settings).finish_non_exhaustive()
    }
}
