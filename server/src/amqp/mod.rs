//! RabbitMQ, on the server's side: tool calls and turn events in, replies, turns and stops out.
//!
//! The only place of the server that names lapin; the crate `broker` keeps the connections up.
//! Consuming and publishing have a connection each, because a broker that is short of memory blocks the one that
//! publishes. A call is acknowledged after its commit and its reply, so a crash in between repeats it, and the claim
//! of its id makes the repetition harmless.

mod consume;
mod convert;
mod parked;
mod publish;
mod settings;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_contract::{EventEndpoint, TurnTransport, WireMessage};
use broker::Link;
use futures_util::future::BoxFuture;
use tokio::sync::Mutex;

use self::{consume::Consuming, publish::Publisher};
use crate::rpc::{Executor, Taken};

pub use broker::{AmqpError, Argument, Declare, Names};
pub use parked::{Parked, ParkedError, ParkingPlace};
pub use settings::AmqpSettings;

/// How long a look at the workers is good for.
const GLANCE: Duration = Duration::from_secs(1);

/// What the broker's messages are handed to.
#[derive(Clone)]
pub(crate) struct Endpoints {
    /// Takes tool calls.
    pub(crate) tools: Arc<dyn Calls>,
    /// Takes each turn event once among all servers, to keep it. Events of one queue come one by one.
    pub(crate) kept: Arc<dyn EventEndpoint>,
    /// Takes every turn event on every server, for those who watch a turn live.
    pub(crate) live: Arc<dyn EventEndpoint>,
}

/// Takes tool calls from the broker.
pub(crate) trait Calls: Send + Sync {
    /// Takes a call to its end.
    fn take(&self, message: WireMessage) -> BoxFuture<'_, Taken>;
}

impl Calls for Executor {
    fn take(&self, message: WireMessage) -> BoxFuture<'_, Taken> {
        Self::take(self, message)
    }
}

/// A running connection to the broker.
#[derive(Debug)]
pub struct Amqp {
    publisher: Publisher,
    consuming: Link,
    publishing: Link,
    /// Whether there were workers, and when that was seen.
    workers: Mutex<Option<(Instant, bool)>>,
}

impl Amqp {
    /// Starts both connections. It returns at once: a broker that is not there yet is waited for, see [`Self::ready`];
    /// one that says no is told of by [`Self::tried`] and [`Self::refused`].
    pub(crate) fn start(settings: AmqpSettings, endpoints: Endpoints) -> Result<Self, AmqpError> {
        let connect = settings.checked()?;
        let settings = Arc::new(settings);
        let (publisher, serve) = Publisher::new(Arc::clone(&settings));
        let publishing = Link::start(&connect, "publish", move |connection, stop, standing| {
            serve.clone().session(connection, stop, standing)
        });
        let consuming = Consuming::new(Arc::clone(&settings), endpoints, publisher.clone());
        let consuming = Link::start(&connect, "consume", move |connection, stop, standing| {
            consuming.clone().session(connection, stop, standing)
        });
        Ok(Self { publisher, consuming, publishing, workers: Mutex::default() })
    }

    /// The way for turns to the workers.
    pub fn turns(&self) -> Arc<dyn TurnTransport> {
        Arc::new(self.publisher.clone())
    }

    /// Whether both connections stand and calls are being taken.
    pub fn is_ready(&self) -> bool {
        self.links().into_iter().all(Link::is_up)
    }

    /// Whether any worker takes turns. Whoever asks often is told what was seen a moment ago.
    pub async fn has_workers(&self) -> bool {
        let mut seen = self.workers.lock().await;
        match *seen {
            Some((at, workers)) if at.elapsed() < GLANCE => workers,
            _ => {
                let workers = self.publisher.has_workers().await;
                *seen = Some((Instant::now(), workers));
                workers
            }
        }
    }

    /// Waits until both connections stand.
    pub async fn ready(&self) -> Result<(), AmqpError> {
        for link in self.links() {
            link.up().await?;
        }
        Ok(())
    }

    /// Waits until both connections have been tried, and says whether the broker refused one. That it cannot be
    /// reached is no refusal: it may come yet.
    pub async fn tried(&self) -> Result<(), AmqpError> {
        for link in self.links() {
            link.tried().await?;
        }
        Ok(())
    }

    /// Waits until the broker refuses a connection that never stood, be it that it came late.
    pub async fn refused(&self) -> AmqpError {
        let [one, other] = self.links();
        tokio::select! {
            error = one.refused() => error,
            error = other.refused() => error,
        }
    }

    fn links(&self) -> [&Link; 2] {
        [&self.consuming, &self.publishing]
    }

    /// Takes no more calls, lets those that run come to their reply, and closes. What is not done after `patience`
    /// goes back to the queue.
    pub async fn drain(&self, patience: Duration) {
        for link in [&self.consuming, &self.publishing] {
            link.drain(patience).await;
        }
    }
}

impl std::fmt::Debug for Endpoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoints").finish_non_exhaustive()
    }
}
