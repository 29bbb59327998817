//! What the worker sends: tool calls, which are answered, and turn events, which are kept.
//!
//! Every publish is confirmed. Calls are mandatory, so that a missing queue is an error at once
//! and not a wait for the deadline.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_contract::wire::HEADER_CALL;
use agent_contract::{
    EventTransport, Timestamp, ToolTransport, TransportError, TurnEvent, WireMessage, WireReply,
};
use broker::Standing;
use failpoints::Point;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use lapin::options::{BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Confirmation, Connection, Consumer, PublisherConfirm};
use tokio::sync::{Mutex, Notify, Semaphore, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::pending::Pending;
use super::{AmqpSettings, convert};

/// How long a call or an event waits for a connection that is being rebuilt.
const REBUILDING: Duration = Duration::from_secs(15);
/// How long the broker may take to confirm. Under a memory alarm it never does.
const CONFIRMING: Duration = Duration::from_secs(5);
/// How long a server that answered, or was seen, is taken to be there.
const GLANCE: Duration = Duration::from_secs(1);
const PERSISTENT: u8 = 2;

/// The sending end. Clones share the connection.
#[derive(Clone)]
pub struct Sender {
    settings: Arc<AmqpSettings>,
    line: watch::Receiver<Option<Line>>,
    broken: Arc<Notify>,
    permits: Arc<Semaphore>,
}

/// The end that keeps the connection.
#[derive(Clone)]
pub(super) struct Sending {
    settings: Arc<AmqpSettings>,
    line: watch::Sender<Option<Line>>,
    broken: Arc<Notify>,
}

/// A connection that stands.
#[derive(Clone)]
struct Line {
    connection: Arc<Connection>,
    calls: Channel,
    events: Channel,
    pending: Pending,
    /// When a server was last known to be there.
    heard: watch::Sender<Option<Instant>>,
    looking: Arc<Mutex<()>>,
}

impl Sender {
    pub(super) fn new(settings: Arc<AmqpSettings>) -> (Self, Sending) {
        let (sender, line) = watch::channel(None);
        let broken = Arc::new(Notify::new());
        let sending =
            Sending { settings: Arc::clone(&settings), line: sender, broken: Arc::clone(&broken) };
        let permits = Arc::new(Semaphore::new(settings.calls.into()));
        (Self { settings, line, broken, permits }, sending)
    }

    /// The line that stands, or the next one if it stands soon.
    async fn standing(&self, patience: Duration) -> Result<Line, TransportError> {
        let mut line = self.line.clone();
        let standing = tokio::time::timeout(patience, line.wait_for(Option::is_some)).await;
        let line = match standing {
            Ok(Ok(line)) => line.clone().ok_or(TransportError::Closed)?,
            Ok(Err(_)) | Err(_) => return Err(TransportError::Closed),
        };
        if line.connection.status().blocked() {
            return Err(TransportError::Busy);
        }
        Ok(line)
    }

    async fn send_call(
        &self,
        message: WireMessage,
        deadline: Timestamp,
    ) -> Result<WireReply, TransportError> {
        let patience = deadline.remaining();
        let Ok(Ok(_permit)) = tokio::time::timeout(patience, self.permits.acquire()).await else {
            return Err(TransportError::Busy);
        };
        let line = self.standing(REBUILDING.min(deadline.remaining())).await?;
        let left = deadline.remaining();
        // An expiration of nothing means "only if somebody is free this instant" to the broker.
        if left.as_millis() == 0 {
            return Err(TransportError::Deadline);
        }
        match tokio::time::timeout(left, self.exchange(line, message, left)).await {
            Ok(answer) => answer,
            Err(_) => Err(TransportError::Deadline),
        }
    }

    async fn exchange(
        &self,
        line: Line,
        message: WireMessage,
        left: Duration,
    ) -> Result<WireReply, TransportError> {
        if self.servers(&line).await? == 0 {
            return Err(TransportError::NoServer);
        }
        let id = message.correlation_id.clone();
        let id = id.unwrap_or_else(|| Uuid::new_v4().simple().to_string());
        let ticket = line.pending.enter(&id)?;
        let properties = convert::call_properties(&message, &id, left.as_millis());
        let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
        let queue = self.settings.names.tool_queue.as_str().into();
        fail(&message, Point::BeforePublish).await;
        let published =
            line.calls.basic_publish("".into(), queue, options, &message.body, properties).await;
        match published {
            Ok(confirm) => {
                fail(&message, Point::AfterPublish).await;
                tokio::spawn(confirmed(confirm, id, line, Arc::clone(&self.broken)));
            }
            Err(error) => {
                tracing::warn!(%error, "a call could not be sent; the connection is built anew");
                self.broken.notify_one();
                return Err(TransportError::Lost);
            }
        }
        ticket.answer().await
    }

    /// How many servers take calls; at least one, if one answered a moment ago. A durable queue takes a call although
    /// nobody consumes it, and then only the deadline would tell.
    async fn servers(&self, line: &Line) -> Result<u32, TransportError> {
        // One look serves all who wait for it.
        let _looking = line.looking.lock().await;
        if line.heard.borrow().is_some_and(|at| at.elapsed() < GLANCE) {
            return Ok(1);
        }
        let servers = self.count(line).await?;
        if servers > 0 {
            line.heard.send_replace(Some(Instant::now()));
        }
        Ok(servers)
    }

    async fn count(&self, line: &Line) -> Result<u32, TransportError> {
        broker::consumers(&line.connection, &self.settings.names.tool_queue, CONFIRMING).await
    }

    async fn send_event(&self, event: &TurnEvent) -> Result<(), TransportError> {
        let Ok(body) = serde_json::to_vec(event) else { return Err(TransportError::Unanswered) };
        let line = self.standing(REBUILDING).await?;
        let publishing = async {
            let exchange = self.settings.names.events_exchange.as_str().into();
            let properties = BasicProperties::default().with_delivery_mode(PERSISTENT);
            let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
            line.events.basic_publish(exchange, "".into(), options, &body, properties).await?.await
        };
        match tokio::time::timeout(CONFIRMING, publishing).await {
            Ok(Ok(Confirmation::Ack(None))) => Ok(()),
            // Nothing is bound to the exchange. Whose return this is does not matter: nobody's
            // event is kept.
            Ok(Ok(Confirmation::Ack(Some(_)))) => Err(TransportError::NoServer),
            Ok(Ok(Confirmation::Nack(_))) => Err(TransportError::Busy),
            Ok(Ok(Confirmation::NotRequested) | Err(_)) | Err(_) => {
                self.broken.notify_one();
                Err(TransportError::Lost)
            }
        }
    }
}

/// Lets a test make this worker fail here. What carries no call id is a question of the handshake.
async fn fail(message: &WireMessage, point: Point) {
    if message.header(HEADER_CALL).is_some() {
        failpoints::reach(point).await;
    }
}

/// Waits for the broker's word on a call. A return is passed to the call whose id it carries,
/// whichever call's confirm it came with.
async fn confirmed(confirm: PublisherConfirm, id: String, line: Line, broken: Arc<Notify>) {
    let Line { connection, pending, .. } = line;
    let mut confirm = std::pin::pin!(confirm);
    let early = tokio::time::timeout(CONFIRMING, &mut confirm).await.ok();
    if early.is_none() && connection.status().blocked() {
        // It lies before the broker, which may take it when it has room again, or not.
        pending.fail(&id, TransportError::Lost);
    }
    let confirmed = match early {
        Some(confirmed) => confirmed,
        None => confirm.await,
    };
    let confirmation = match confirmed {
        Ok(confirmation) => confirmation,
        Err(error) => {
            tracing::warn!(%error, "a call was not confirmed; the connection is built anew");
            broken.notify_one();
            return;
        }
    };
    let refused = confirmation.is_nack();
    if let Some(returned) = confirmation.take_message()
        && let Some(whose) = returned.delivery.properties.correlation_id()
    {
        pending.fail(whose.as_str(), TransportError::NoServer);
    }
    if refused {
        pending.fail(&id, TransportError::Busy);
    }
}

impl ToolTransport for Sender {
    fn call(
        &self,
        message: WireMessage,
        deadline: Timestamp,
    ) -> BoxFuture<'_, Result<WireReply, TransportError>> {
        Box::pin(self.send_call(message, deadline))
    }

    fn servers(&self) -> BoxFuture<'_, Result<u32, TransportError>> {
        Box::pin(async move {
            let line = self.standing(REBUILDING).await?;
            self.count(&line).await
        })
    }
}

impl EventTransport for Sender {
    fn publish(&self, event: TurnEvent) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async move {
            match self.send_event(&event).await {
                // It may have arrived; readers drop what comes twice.
                Err(TransportError::Lost) => self.send_event(&event).await,
                other => other,
            }
        })
    }
}

impl Sending {
    /// Makes the connection the one to send on, until it breaks or is stopped.
    pub(super) async fn session(
        self,
        connection: Connection,
        stop: CancellationToken,
        standing: watch::Sender<Standing>,
    ) -> lapin::Result<()> {
        let (line, mut replies) = self.open(connection).await?;
        self.line.send_replace(Some(line.clone()));
        standing.send_replace(Standing::Up);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.broken.notified() => break,
                delivery = replies.next() => match delivery {
                    Some(Ok(delivery)) => {
                        let id = delivery.properties.correlation_id().as_ref().map(ToString::to_string);
                        line.heard.send_replace(Some(Instant::now()));
                        if let Some(id) = id {
                            line.pending.reply(&id, convert::reply(delivery));
                        }
                    }
                    Some(Err(error)) => {
                        tracing::warn!(%error, "the sending connection broke");
                        break;
                    }
                    None => break,
                },
            }
        }
        self.line.send_replace(None);
        line.pending.close();
        // A connection that is broken already cannot be closed, and need not be.
        let _ = line.connection.close(200, "bye".into()).await;
        Ok(())
    }

    async fn open(&self, connection: Connection) -> lapin::Result<(Line, Consumer)> {
        let calls = connection.create_channel().await?;
        calls.confirm_select(ConfirmSelectOptions::default()).await?;
        // The broker answers directly only on the channel that published, and only without acks.
        let options = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
        let replies = calls
            .basic_consume(convert::REPLY_TO.into(), "".into(), options, FieldTable::default())
            .await?;
        let events = connection.create_channel().await?;
        events.confirm_select(ConfirmSelectOptions::default()).await?;
        broker::events(&events, &self.settings.names).await?;
        let line = Line {
            connection: Arc::new(connection),
            calls,
            events,
            pending: Pending::default(),
            heard: watch::Sender::default(),
            looking: Arc::default(),
        };
        Ok((line, replies))
    }
}

impl std::fmt::Debug for Sender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").field("settings", &self.settings).finish_non_exhaustive()
    }
}
