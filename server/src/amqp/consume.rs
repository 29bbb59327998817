//! What the server takes in: tool calls, each in a task of its own, and turn events, one after the other.

use std::sync::Arc;

use broker::Standing;
use failpoints::Point;
use futures_util::StreamExt as _;
use lapin::message::Delivery;
use lapin::options::{
    BasicAckOptions, BasicCancelOptions, BasicConsumeOptions, BasicQosOptions, BasicRejectOptions,
};
use lapin::types::FieldTable;
use lapin::{Channel, Connection, Consumer};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{AmqpSettings, Endpoints, publish::Publisher};
use crate::rpc::Taken;

/// How many events may wait to be kept.
const EVENTS: u16 = 256;

/// The receiving end.
#[derive(Clone)]
pub(super) struct Consuming {
    settings: Arc<AmqpSettings>,
    endpoints: Endpoints,
    publisher: Publisher,
}

/// The consumers of one connection.
struct Consumers {
    tools: (Channel, Consumer),
    kept: (Channel, Consumer),
    live: (Channel, Consumer),
}

impl Consuming {
    pub(super) fn new(
        settings: Arc<AmqpSettings>,
        endpoints: Endpoints,
        publisher: Publisher,
    ) -> Self {
        Self { settings, endpoints, publisher }
    }

    /// Consumes until the connection breaks or is stopped. Then the calls that run come to their reply first. What the
    /// broker refuses at the beginning is answered.
    pub(super) async fn session(
        self,
        connection: Connection,
        stop: CancellationToken,
        standing: watch::Sender<Standing>,
    ) -> lapin::Result<()> {
        let consumers = self.open(&connection).await?;
        standing.send_replace(Standing::Up);
        let announcing = self.publisher.clone();
        tokio::spawn(async move { announcing.announce().await });
        let calls = TaskTracker::new();
        let Consumers { tools: (channel, mut tools), kept, live } = consumers;
        let tag = tools.tag();
        let events = CancellationToken::new();
        let mut keeping = tokio::spawn(self.clone().keep(kept, events.clone()));
        let mut relaying = tokio::spawn(self.clone().relay(live, events.clone()));
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = &mut keeping => break,
                _ = &mut relaying => break,
                delivery = tools.next() => match delivery {
                    Some(Ok(delivery)) => {
                        calls.spawn(self.clone().call(channel.clone(), delivery));
                    }
                    Some(Err(error)) => {
                        tracing::warn!(%error, "the consuming connection broke");
                        break;
                    }
                    // A queue that is deleted under its consumer ends the stream and says nothing.
                    None => {
                        tracing::warn!("the queue of tool calls is gone");
                        break;
                    }
                },
            }
        }
        standing.send_replace(Standing::Away);
        // On a broken connection none of this does anything; the broker has taken back what was not acknowledged.
        let _ = channel.basic_cancel(tag, BasicCancelOptions::default()).await;
        calls.close();
        calls.wait().await;
        if stop.is_cancelled() {
            self.publisher.announce().await;
        }
        events.cancel();
        for task in [keeping, relaying] {
            if !task.is_finished() {
                let _ = task.await;
            }
        }
        let _ = connection.close(200, "bye".into()).await;
        Ok(())
    }

    async fn open(&self, connection: &Connection) -> lapin::Result<Consumers> {
        let names = &self.settings.names;
        let tools = connection.create_channel().await?;
        tools.basic_qos(self.settings.prefetch, BasicQosOptions::default()).await?;
        broker::tools(&tools, names).await?;
        broker::parked(&tools, names).await?;
        let kept = connection.create_channel().await?;
        kept.basic_qos(EVENTS, BasicQosOptions::default()).await?;
        broker::events(&kept, names).await?;
        if names.events_queue != names.events_exchange {
            broker::forget_earlier(&connection.create_channel().await?, names).await;
        }
        let live = connection.create_channel().await?;
        let own = broker::events_of_mine(&live, names).await?;
        Ok(Consumers {
            live: consumed(live, &own, true).await?,
            kept: consumed(kept, &names.events_queue, false).await?,
            tools: consumed(tools, &names.tool_queue, false).await?,
        })
    }

    /// One call to its end: run, reply, acknowledge. The executor never drops it, and neither does this.
    ///
    /// A refusal is told once the call cannot come again: nothing is kept of it, so a second delivery might run what its
    /// caller was told is not done.
    async fn call(self, channel: Channel, delivery: Delivery) {
        let too_early = failpoints::reach(Point::Delivered).await;
        if too_early {
            acknowledge(&delivery).await;
        }
        let message = broker::message(&delivery);
        let (to, correlation_id) = (message.reply_to.clone(), message.correlation_id.clone());
        let Taken { reply, given_up, refused } = self.endpoints.tools.take(message).await;
        // What cannot be set aside is left to come again.
        if given_up && !self.publisher.park(&delivery).await {
            let _ = delivery.reject(BasicRejectOptions { requeue: true }).await;
            return;
        }
        if refused && !too_early && !self.settled(&channel, &delivery).await {
            tracing::debug!(
                ?correlation_id,
                "a refused call will come again, and is answered then"
            );
            return;
        }
        let settled = refused || too_early;
        if let (Some(to), Some(reply)) = (to, reply)
            && !self.publisher.reply(&to, correlation_id.as_deref(), &reply).await
        {
            if settled {
                tracing::warn!(
                    ?correlation_id,
                    "a refusal could not be sent; its caller waits out"
                );
                return;
            }
            // It comes again, here or to another server, and its claim knows the answer.
            tracing::warn!(
                ?correlation_id,
                "a reply could not be sent; its call is left to come again"
            );
            let _ = delivery.reject(BasicRejectOptions { requeue: true }).await;
            return;
        }
        failpoints::reach(Point::BeforeAck).await;
        if !settled {
            acknowledge(&delivery).await;
        }
    }

    /// Acknowledges, and returns whether the broker has it. An acknowledgement has no answer, but what follows it on its
    /// channel has one, and comes after it.
    async fn settled(&self, channel: &Channel, delivery: &Delivery) -> bool {
        let after = async {
            delivery.ack(BasicAckOptions::default()).await?;
            channel.basic_qos(self.settings.prefetch, BasicQosOptions::default()).await
        };
        after.await.is_ok()
    }

    async fn keep(self, (channel, mut events): (Channel, Consumer), stop: CancellationToken) {
        while let Some(delivery) = next(&mut events, &stop).await {
            self.endpoints.kept.receive(broker::message(&delivery)).await;
            acknowledge(&delivery).await;
        }
        drop(channel);
    }

    async fn relay(self, (channel, mut events): (Channel, Consumer), stop: CancellationToken) {
        while let Some(delivery) = next(&mut events, &stop).await {
            self.endpoints.live.receive(broker::message(&delivery)).await;
        }
        drop(channel);
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

async fn next(consumer: &mut Consumer, stop: &CancellationToken) -> Option<Delivery> {
    tokio::select! {
        () = stop.cancelled() => None,
        delivery = consumer.next() => delivery?.ok(),
    }
}

async fn acknowledge(delivery: &Delivery) {
    if let Err(error) = delivery.ack(BasicAckOptions::default()).await {
        tracing::debug!(%error, "a delivery could not be acknowledged and will come again");
    }
}
