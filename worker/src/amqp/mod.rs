//! `RabbitMQ`, on the worker's side: turns and stops in, tool calls and turn events out.
//!
//! The only place of the worker that names lapin. Taking and sending have a connection each,
//! because a broker that is short of memory blocks the one that publishes. Each is kept up by one
//! supervisor, which at the first fault fails all that waits at once and builds everything anew.

mod convert;
mod pending;
mod sending;
mod settings;
mod supervise;
mod taking;
mod topology;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::TurnEndpoint;
use lapin::Connection;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use self::sending::Sender;
pub use self::settings::{AmqpError, AmqpSettings};
use self::supervise::Supervisor;
use self::taking::Taking;

/// The sending half, which must stand before there is a worker to take turns.
pub struct Outbound {
    settings: Arc<AmqpSettings>,
    sender: Sender,
    link: Link,
}

/// Both halves, running.
#[derive(Debug)]
pub struct Amqp {
    outbound: Link,
    inbound: Link,
}

/// One supervised connection.
#[derive(Debug)]
struct Link {
    ready: watch::Receiver<bool>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Outbound {
    /// Starts the connection. It returns at once: a broker that is not there yet is waited for.
    pub fn start(settings: AmqpSettings) -> Result<Self, AmqpError> {
        let settings = Arc::new(settings.checked()?);
        let (sender, sending) = Sender::new(Arc::clone(&settings));
        let link = Link::start("send", &settings, move |connection, stop, ready| {
            sending.clone().session(connection, stop, ready)
        });
        Ok(Self { settings, sender, link })
    }

    /// The way for tool calls and turn events.
    pub fn sender(&self) -> Sender {
        self.sender.clone()
    }

    /// Waits until the connection stands.
    pub async fn ready(&self) {
        self.link.ready().await;
    }

    /// Begins to take turns for `endpoint`.
    pub fn take_turns(self, endpoint: Arc<dyn TurnEndpoint>) -> Amqp {
        let taking = Taking::new(Arc::clone(&self.settings), endpoint);
        let inbound = Link::start("take", &self.settings, move |connection, stop, ready| {
            taking.clone().session(connection, stop, ready)
        });
        Amqp { outbound: self.link, inbound }
    }
}

impl Amqp {
    /// Waits until both connections stand and turns are being taken.
    pub async fn ready(&self) {
        self.outbound.ready().await;
        self.inbound.ready().await;
    }

    /// Whether both connections stand.
    pub fn is_ready(&self) -> bool {
        *self.outbound.ready.borrow() && *self.inbound.ready.borrow()
    }

    /// Takes no more turns, lets those that run come to their end, and closes. What has not ended
    /// after `patience` goes back to the queue.
    pub async fn drain(self, patience: Duration) {
        for link in [self.inbound, self.outbound] {
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
        S: Fn(Connection, CancellationToken, watch::Sender<bool>) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let (ready, readiness) = watch::channel(false);
        let stop = CancellationToken::new();
        let supervisor =
            Supervisor { name, settings: Arc::clone(settings), ready, stop: stop.clone() };
        Self { ready: readiness, stop, task: tokio::spawn(supervisor.run(session)) }
    }

    async fn ready(&self) {
        // The sender lives as long as the supervisor; without it nothing will ever be ready.
        if self.ready.clone().wait_for(|ready| *ready).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("settings", &self.settings).finish_non_exhaustive()
    }
}
