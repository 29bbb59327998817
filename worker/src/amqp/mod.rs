//! `RabbitMQ`, on the worker's side: turns and stops in, tool calls and turn events out.
//!
//! The only place of the worker that names lapin; the crate `broker` keeps the connections up. Taking
//! and sending have one each, because a broker that is short of memory blocks the one that publishes.
//! At the first fault of a connection all that waits on it fails at once.

mod convert;
mod pending;
mod sending;
mod settings;
mod taking;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::TurnEndpoint;
use broker::{Connect, Link, Standing};
use tokio::sync::{Notify, watch};

pub use self::sending::Sender;
pub use self::settings::AmqpSettings;
use self::taking::Taking;
pub use broker::{AmqpError, Declare, Names};

/// How often the servers are asked what they serve, when nothing else is a reason to.
const ASKING: Duration = Duration::from_mins(1);

/// The sending half, which must stand before there is a worker to take turns.
pub struct Outbound {
    settings: Arc<AmqpSettings>,
    connect: Connect,
    sender: Sender,
    link: Link,
}

/// Both halves, running.
#[derive(Debug)]
pub struct Amqp {
    outbound: Link,
    inbound: Link,
}

impl Outbound {
    /// Starts the connection. It returns at once: a broker that is not there yet is waited for.
    pub fn start(settings: AmqpSettings) -> Result<Self, AmqpError> {
        let connect = settings.checked()?;
        let settings = Arc::new(settings);
        let (sender, sending) = Sender::new(Arc::clone(&settings));
        let link = Link::start(&connect, "send", move |connection, stop, standing| {
            sending.clone().session(connection, stop, standing)
        });
        Ok(Self { settings, connect, sender, link })
    }

    /// The way for tool calls and turn events.
    pub fn sender(&self) -> Sender {
        self.sender.clone()
    }

    /// Waits until the connection stands, or the broker refuses it.
    pub async fn ready(&self) -> Result<(), AmqpError> {
        self.link.up().await
    }

    /// Begins to take turns for `endpoint`.
    pub fn take_turns(self, endpoint: Arc<dyn TurnEndpoint>) -> Amqp {
        let changed = Arc::new(Notify::new());
        let standing = self.link.standing();
        tokio::spawn(greeting(Arc::clone(&endpoint), standing, Arc::clone(&changed)));
        let taking = Taking::new(Arc::clone(&self.settings), endpoint, changed);
        let inbound = Link::start(&self.connect, "take", move |connection, stop, standing| {
            taking.clone().session(connection, stop, standing)
        });
        Amqp { outbound: self.link, inbound }
    }
}

impl Amqp {
    /// Waits until both connections stand and turns are being taken, or the broker refuses one.
    pub async fn ready(&self) -> Result<(), AmqpError> {
        self.outbound.up().await?;
        self.inbound.up().await
    }

    /// Whether both connections stand.
    pub fn is_ready(&self) -> bool {
        self.outbound.is_up() && self.inbound.is_up()
    }

    /// Waits until the broker refuses a connection that never stood, be it that it came late.
    pub async fn refused(&self) -> AmqpError {
        tokio::select! {
            error = self.outbound.refused() => error,
            error = self.inbound.refused() => error,
        }
    }

    /// Takes no more turns, lets those that run come to their end, and closes. What has not ended
    /// after `patience` goes back to the queue.
    pub async fn drain(&self, patience: Duration) {
        for link in [&self.inbound, &self.outbound] {
            link.drain(patience).await;
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

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("settings", &self.settings).finish_non_exhaustive()
    }
}
