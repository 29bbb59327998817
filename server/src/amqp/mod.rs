//! RabbitMQ, on the server's side: tool calls and turn events in, replies, turns and stops out.
//!
//! The only place of the server that names lapin. One supervisor a connection, without lapin's own recovery: at the
//! first fault all that was pending fails at once, and connection, channels, topology and consumers are built anew.
//! Consuming and publishing have a connection each, because a broker that is short of memory blocks the one that
//! publishes. A call is acknowledged after its commit and its reply, so a crash in between repeats it, and the claim
//! of its id makes the repetition harmless.

mod consume;
mod convert;
mod publish;
mod settings;
mod supervise;
mod topology;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use agent_contract::{EventEndpoint, ToolEndpoint, TurnTransport};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use self::{consume::Consuming, publish::Publisher, supervise::Supervisor};

pub use settings::{AmqpError, AmqpSettings, Declare};

/// What the broker's messages are handed to.
#[derive(Clone)]
pub struct Endpoints {
    /// Takes tool calls.
    pub tools: Arc<dyn ToolEndpoint>,
    /// Takes each turn event once among all servers, to keep it. Events of one queue come one by one.
    pub kept: Arc<dyn EventEndpoint>,
    /// Takes every turn event on every server, for those who watch a turn live.
    pub live: Arc<dyn EventEndpoint>,
}

/// A running connection to the broker.
#[derive(Debug)]
pub struct Amqp {
    publisher: Publisher,
    consuming: Link,
    publishing: Link,
}

/// One supervised connection.
#[derive(Debug)]
struct Link {
    ready: watch::Receiver<bool>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Amqp {
    /// Starts both connections. It returns at once: a broker that is not there yet is waited for, see [`Self::ready`].
    pub fn start(settings: AmqpSettings, endpoints: Endpoints) -> Result<Self, AmqpError> {
        let settings = Arc::new(settings.checked()?);
        let (publisher, serve) = Publisher::new(Arc::clone(&settings));
        let publishing = Link::start("publish", &settings, move |connection, stop, ready| {
            serve.clone().session(connection, stop, ready)
        });
        let consuming = Consuming::new(Arc::clone(&settings), endpoints, publisher.clone());
        let consuming = Link::start("consume", &settings, move |connection, stop, ready| {
            consuming.clone().session(connection, stop, ready)
        });
        Ok(Self { publisher, consuming, publishing })
    }

    /// The way for turns to the workers.
    pub fn turns(&self) -> Arc<dyn TurnTransport> {
        Arc::new(self.publisher.clone())
    }

    /// Whether both connections stand and calls are being taken.
    pub fn is_ready(&self) -> bool {
        *self.consuming.ready.borrow() && *self.publishing.ready.borrow()
    }

    /// Waits until both connections stand.
    pub async fn ready(&self) {
        for link in [&self.consuming, &self.publishing] {
            // The sender lives as long as the supervisor does; without it nothing will ever be ready.
            if link.ready.clone().wait_for(|ready| *ready).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Takes no more calls, lets those that run come to their reply, and closes. What is not done after `patience`
    /// goes back to the queue.
    pub async fn drain(self, patience: Duration) {
        for link in [self.consuming, self.publishing] {
            link.stop.cancel();
            if tokio::time::timeout(patience, link.task).await.is_err() {
                tracing::warn!("a connection to the broker did not come to rest in time");
            }
        }
    }
}

impl Link {
    fn start<S, F>(name: &'static str, settings: &Arc<AmqpSettings>, session: S) -> Self
    where
        S: Fn(lapin::Connection, CancellationToken, watch::Sender<bool>) -> F
            + Send
            + Sync
            + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let (ready, readiness) = watch::channel(false);
        let stop = CancellationToken::new();
        let supervisor =
            Supervisor { name, settings: Arc::clone(settings), ready, stop: stop.clone() };
        Self { ready: readiness, stop, task: tokio::spawn(supervisor.run(session)) }
    }
}

impl std::fmt::Debug for Endpoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoints").finish_non_exhaustive()
    }
}
