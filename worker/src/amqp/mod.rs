//! `RabbitMQ`, on the worker's side: turns and stops in, tool calls and turn events out.
//!
//! The only place of the worker that names lapin. Taking and sending have a connection each,
//! because a broker that is short of memory blocks the one that publishes. Each is kept up by one
//! supervisor, which at the first fault fails all that waits at once and builds everything anew.

mod convert;
mod pending;
mod sending;
mod settings;
mod standing;
mod supervise;
mod taking;
mod topology;

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::TurnEndpoint;
use lapin::Connection;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

pub use self::sending::Sender;
pub use self::settings::{AmqpError, AmqpSettings};
use self::standing::Standing;
use self::supervise::Supervisor;
use self::taking::Taking;

/// How often the servers are asked what they serve, when nothing else is a reason to.
const ASKING: Duration = Duration::from_mins(1);

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
    standing: watch::Receiver<Standing>,
    stop: CancellationToken,
}

impl Outbound {
    /// Starts the connection. It returns at once: a broker that is not there yet is waited for.
    pub fn start(settings: AmqpSettings) -> Result<Self, AmqpError> {
        let settings = Arc::new(settings.checked()?);
        let (sender, sending) = Sender::new(Arc::clone(&settings));
        let link = Link::start("send", &settings, move |connection, stop, standing| {
            sending.clone().session(connection, stop, standing)
        });
        Ok(Self { settings, sender, link })
    }

    /// The way for tool calls and turn events.
    pub fn sender(&self) -> Sender {
        self.sender.clone()
    }

    /// Waits until the connection stands, or the broker refuses it.
    pub async fn ready(&self) -> Result<(), AmqpError> {
        standing::up(&self.link.standing).await
    }

    /// Begins to take turns for `endpoint`.
    pub fn take_turns(self, endpoint: Arc<dyn TurnEndpoint>) -> Amqp {
        let changed = Arc::new(Notify::new());
        let standing = self.link.standing.clone();
        tokio::spawn(greeting(Arc::clone(&endpoint), standing, Arc::clone(&changed)));
        let taking = Taking::new(Arc::clone(&self.settings), endpoint, changed);
        let inbound = Link::start("take", &self.settings, move |connection, stop, standing| {
            taking.clone().session(connection, stop, standing)
        });
        Amqp { outbound: self.link, inbound }
    }
}

impl Amqp {
    /// Waits until both connections stand and turns are being taken, or the broker refuses one.
    pub async fn ready(&self) -> Result<(), AmqpError> {
        standing::up(&self.outbound.standing).await?;
        standing::up(&self.inbound.standing).await
    }

    /// Whether both connections stand.
    pub fn is_ready(&self) -> bool {
        [&self.outbound, &self.inbound]
            .into_iter()
            .all(|link| *link.standing.borrow() == Standing::Up)
    }

    /// Waits until the broker refuses a connection that never stood, be it that it came late.
    pub async fn refused(&self) -> AmqpError {
        tokio::select! {
            error = standing::refused(&self.outbound.standing) => error,
            error = standing::refused(&self.inbound.standing) => error,
        }
    }

    /// Takes no more turns, lets those that run come to their end, and closes. What has not ended
    /// after `patience` goes back to the queue.
    pub async fn drain(&self, patience: Duration) {
        for link in [&self.inbound, &self.outbound] {
            link.stop.cancel();
            if tokio::time::timeout(patience, standing::over(&link.standing)).await.is_err() {
                tracing::warn!("a connection to the broker did not come to rest in time");
            }
        }
    }
}

/// Lets the endpoint ask what the servers serve: at each connection, when one of them came or went, and once in a
/// while, because one that died says nothing. It ends with the connection's supervisor.
async fn greeting(
    endpoint: Arc<dyn TurnEndpoint>,
    mut standing: watch::Receiver<Standing>,
    changed: Arc<Notify>,
) {
    while standing.wait_for(|standing| *standing == Standing::Up).await.is_ok() {
        endpoint.greet().await;
        tokio::select! {
            () = changed.notified() => {}
            () = tokio::time::sleep(ASKING) => {}
            changed = standing.changed() => if changed.is_err() { return },
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Link {
    fn start<S, F>(name: &'static str, settings: &Arc<AmqpSettings>, session: S) -> Self
    where
        S: Fn(Connection, CancellationToken, watch::Sender<Standing>) -> F + Send + Sync + 'static,
        F: Future<Output = lapin::Result<()>> + Send + 'static,
    {
        let (sender, standing) = watch::channel(Standing::Beginning);
        let stop = CancellationToken::new();
        let supervisor = Supervisor {
            name,
            settings: Arc::clone(settings),
            standing: sender,
            stop: stop.clone(),
        };
        tokio::spawn(supervisor.run(session));
        Self { standing, stop }
    }
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("settings", &self.settings).finish_non_exhaustive()
    }
}
