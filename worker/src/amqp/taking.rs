//! What the worker takes in: turns, each in a task of its own, and stops.
//!
//! A turn is acknowledged when it has ended. One whose worker died comes again to another, which
//! is told that it does.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use agent_contract::wire::{AGENT_TURN_STOP_PATTERN, REGISTRY_CHANGED_PATTERN, classify};
use agent_contract::{Packet, PacketData, TurnEndpoint, TurnStop};
use broker::Standing;
use futures_util::{FutureExt as _, StreamExt as _};
use lapin::message::Delivery;
use lapin::options::{
    BasicAckOptions, BasicCancelOptions, BasicConsumeOptions, BasicQosOptions, BasicRejectOptions,
};
use lapin::types::FieldTable;
use lapin::{Channel, Connection, Consumer};
use serde_json::Value;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::AmqpSettings;

/// The receiving end.
#[derive(Clone)]
pub(super) struct Taking {
    settings: Arc<AmqpSettings>,
    endpoint: Arc<dyn TurnEndpoint>,
    /// Told when a server came or went.
    changed: Arc<Notify>,
}

impl Taking {
    pub(super) fn new(
        settings: Arc<AmqpSettings>,
        endpoint: Arc<dyn TurnEndpoint>,
        changed: Arc<Notify>,
    ) -> Self {
        Self { settings, endpoint, changed }
    }

    /// Takes turns until the connection breaks or is stopped. Those that run come to their end
    /// first; of a broken connection they do so without being acknowledged, and come again.
    pub(super) async fn session(
        self,
        connection: Connection,
        stop: CancellationToken,
        standing: watch::Sender<Standing>,
    ) -> lapin::Result<()> {
        let ((channel, mut turns), (_stops_channel, mut stops)) = self.open(&connection).await?;
        standing.send_replace(Standing::Up);
        // What was said while this connection was away was not heard.
        self.changed.notify_one();
        let running = TaskTracker::new();
        let mut draining = false;
        loop {
            tokio::select! {
                () = stop.cancelled(), if !draining => {
                    draining = true;
                    standing.send_replace(Standing::Away);
                    let tag = turns.tag();
                    let _ = channel.basic_cancel(tag, BasicCancelOptions::default()).await;
                    running.close();
                }
                () = running.wait(), if draining => break,
                delivery = turns.next(), if !draining => match delivery {
                    Some(Ok(delivery)) => {
                        running.spawn(run(Arc::clone(&self.endpoint), delivery));
                    }
                    Some(Err(error)) => {
                        tracing::warn!(%error, "the taking connection broke");
                        break;
                    }
                    // A queue that is deleted under its consumer ends the stream and says nothing.
                    None => {
                        tracing::warn!("the queue of turns is gone");
                        break;
                    }
                },
                delivery = stops.next() => match delivery {
                    Some(Ok(delivery)) => self.told(&delivery),
                    Some(Err(_)) | None => break,
                },
            }
        }
        let _ = connection.close(200, "bye".into()).await;
        Ok(())
    }

    /// A word to all workers. One that is not known is for later builds.
    fn told(&self, delivery: &Delivery) {
        let Packet::Event { pattern: Some(pattern), data: PacketData::Json(data) } =
            classify(&delivery.data)
        else {
            return;
        };
        match pattern.as_str() {
            AGENT_TURN_STOP_PATTERN => self.stop(data),
            REGISTRY_CHANGED_PATTERN => self.changed.notify_one(),
            _ => {}
        }
    }

    fn stop(&self, data: Value) {
        match serde_json::from_value::<TurnStop>(data) {
            Ok(stop) => self.endpoint.stop(&stop.turn_id),
            Err(error) => tracing::warn!(%error, "a stop that names no turn"),
        }
    }

    async fn open(
        &self,
        connection: &Connection,
    ) -> lapin::Result<((Channel, Consumer), (Channel, Consumer))> {
        // Stops first: a turn that is taken must be one that can be stopped.
        let stops = connection.create_channel().await?;
        let own = broker::stops_of_mine(&stops, &self.settings.names).await?;
        let stops = consumed(stops, &own, true).await?;
        let turns = connection.create_channel().await?;
        turns.basic_qos(self.settings.turns, BasicQosOptions::default()).await?;
        broker::turns(&turns, &self.settings.names).await?;
        let turns = consumed(turns, &self.settings.names.turn_queue, false).await?;
        Ok((turns, stops))
    }
}

async fn run(endpoint: Arc<dyn TurnEndpoint>, delivery: Delivery) {
    let running = AssertUnwindSafe(endpoint.run(broker::message(&delivery)));
    let settled = if running.catch_unwind().await.is_ok() {
        delivery.ack(BasicAckOptions::default()).await
    } else {
        // It would panic again wherever it came, and hold a place for ever if nothing were said of it.
        tracing::error!("a turn panicked outside its run and is dropped");
        delivery.reject(BasicRejectOptions { requeue: false }).await
    };
    if let Err(error) = settled {
        tracing::debug!(%error, "a turn could not be acknowledged and will come again");
    }
}

async fn consumed(
    channel: Channel,
    queue: &str,
    no_ack: bool,
) -> lapin::Result<(Channel, Consumer)> {
    let options = BasicConsumeOptions { no_ack, ..BasicConsumeOptions::default() };
    let consumer =
        channel.basic_consume(queue.into(), "".into(), options, FieldTable::default()).await?;
    Ok((channel, consumer))
}
